/* pseudo_maps.h - maps that are not sums of pair energies: of a covalent attachment (Z) and of water (W). */
#ifndef BERTH_GRID_PSEUDO_MAPS_H
#define BERTH_GRID_PSEUDO_MAPS_H

#include <berth/grid.h>

#include "grid/maps/maps.h"

/* Fills the points of the box: 0 at the point of attachment, half the barrier at the half width. */
void bt_grid_covalent_map(const bt_box *box, const bt_grid_covalent *covalent, float *ret_values);

/* W, hydrated docking: is it among the types, to be derived from the maps of OA and HD? */
bool bt_grid_water_wanted(const bt_grid_options *options, const char *const *types, int n_types);
/* Forli, Olson, J. Med. Chem. 55, 623 (2012): a water is as well placed as the better of a hydrogen-bond acceptor and
 * donor would be at its place; where both would clash it gains a little entropy by leaving. OA and HD must be there. */
void bt_grid_water_fill(bt_maps *maps);

#endif
