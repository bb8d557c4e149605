/* map_types.h - which maps a set of ligands needs, and maps computed for them. */
#ifndef BERTH_CLI_GRID_MAP_TYPES_H
#define BERTH_CLI_GRID_MAP_TYPES_H

#include <berth/berth.h>
#include <berth/grid.h>
#include <stdio.h>

#include "input/prepare.h"

/* Does the set serve this atom type? Carbons of broken macrocycle bonds (CG0..CG9) may use the carbon map, their
 * partners (G0..G9) need none. */
bool cli_maps_have(const bt_maps *maps, const char *type);

/* Drops types that need no map from the list, in place; returns how many are left. */
int cli_map_types_needed(const char **types, int count);

/* What the options of a program say of the maps that it computes. */
bt_grid_options cli_maps_options(const cli_prepare *prepare, const bt_box *box, int threads, bt_scoring scoring,
                                 const char *opt_parameters);
/* What a docking with these types needs, which may be reordered. */
bt_box_load cli_maps_load(const bt_grid_options *options, const char **types, int count, const char *opt_device);
/* A line of a header, from 1 GB on. */
void cli_maps_print_memory(const bt_box_load *load, FILE *stream);
/* Computes maps for the types, which may be reordered. Where some of them have no parameters the maps of the others
 * are computed, so that ligands without the strange ones can go on; fails when none is left. */
bt_status cli_maps_compute(const bt_molecule *receptor, const char **types, int count, const bt_grid_options *options,
                           bt_maps **ret_maps, bt_error *opt_error) BT_MUST_USE;
/* Prints what the maps warn of. */
void cli_maps_warn(const char *program, const bt_maps *maps);
/* Reads the types' maps; all that the .fld names where some type has none, or types is NULL. BT_ERR_USAGE when they are
 * of another scoring function. */
bt_status cli_maps_read(const char *fld_path, const char **types, int count, bt_scoring scoring, bt_maps **ret_maps,
                        bt_error *opt_error) BT_MUST_USE;

#endif
