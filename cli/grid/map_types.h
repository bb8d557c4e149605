/* map_types.h - which maps a set of ligands needs, and maps computed for them. */
#ifndef BERTH_CLI_GRID_MAP_TYPES_H
#define BERTH_CLI_GRID_MAP_TYPES_H

#include <berth/grid.h>

/* Does the set serve this atom type? Carbons of broken macrocycle bonds (CG0..CG9) may use the carbon map, their
 * partners (G0..G9) need none. */
bool cli_maps_have(const bt_maps *maps, const char *type);

/* Drops types that need no map from the list, in place; returns how many are left. */
int cli_map_types_needed(const char **types, int count);

/* Computes maps for the types, which may be reordered. Where some of them have no parameters the maps of the others
 * are computed, so that ligands without the strange ones can go on; fails when none is left. */
bt_status cli_maps_compute(const bt_molecule *receptor, const char **types, int count, const bt_grid_options *options,
                           bt_maps **ret_maps, bt_error *opt_error) BT_MUST_USE;
/* Reads the types' maps; all that the .fld names where some type has none. */
bt_status cli_maps_read(const char *fld_path, const char **types, int count, bt_maps **ret_maps,
                        bt_error *opt_error) BT_MUST_USE;

#endif
