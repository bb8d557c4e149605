/* map_types.h - the maps that a set of ligands needs, and their computation. */
#ifndef BERTH_CLI_GRID_MAP_TYPES_H
#define BERTH_CLI_GRID_MAP_TYPES_H

#include <berth/types.h>
#include <berth/grid.h>
#include <stdio.h>

#include "input/prepare.h"

/* True if the maps cover this atom type. Carbons of broken macrocycle bonds (CG0..CG9) may use the carbon map; their
 * partners (G0..G9) need none. */
bool cli_maps_have(const bt_maps *maps, const char *type);

/* Removes types that need no map from the list, in place; returns the number left. */
int cli_map_types_needed(const char **types, int count);

/* The map options that follow from a program's options. */
bt_grid_options cli_maps_options(const cli_prepare *prepare, const bt_box *box, int threads, bt_scoring scoring,
                                 const char *opt_parameters);
/* The memory load of a docking with these types, which may be reordered. */
bt_box_load cli_maps_load(const bt_grid_options *options, const char **types, int count, const char *opt_device);
/* Prints a line for a header if the memory exceeds 1 GB. */
void cli_maps_print_memory(const bt_box_load *load, FILE *stream);
/* Computes maps for the types, which may be reordered. Types without parameters are skipped, so that ligands without
 * them can be docked; fails if no type is left. */
bt_status cli_maps_compute(const bt_molecule *receptor, const char **types, int count, const bt_grid_options *options,
                           bt_maps **ret_maps, bt_error *opt_error) BT_MUST_USE;
/* Prints the warnings of the maps. */
void cli_maps_warn(const char *program, const bt_maps *maps);
/* Reads the maps of the types, or all maps named in the .fld if some type has none or types is NULL. BT_ERR_USAGE if
 * they are for another scoring function. */
bt_status cli_maps_read(const char *fld_path, const char **types, int count, bt_scoring scoring, bt_maps **ret_maps,
                        bt_error *opt_error) BT_MUST_USE;

#endif
