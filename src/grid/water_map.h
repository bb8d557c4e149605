/* water_map.h - the map of the pseudo atom W of hydrated docking.
 *
 * Forli, Olson, J. Med. Chem. 55, 623 (2012): a water is as well placed as the better of a hydrogen-bond acceptor and
 * donor would be at its place; where both would clash it gains a little entropy by leaving.
 */
#ifndef BERTH_GRID_WATER_MAP_H
#define BERTH_GRID_WATER_MAP_H

#include <berth/grid.h>

#include "grid/maps.h"

/* Is W among the types, and has it to be made from the maps of OA and HD? */
bool bt_grid_water_wanted(const bt_grid_options *options, const char *const *types, int n_types);
/* Fills the map of W from those of OA and HD, which must be there. */
void bt_grid_water_fill(bt_maps *maps);

#endif
