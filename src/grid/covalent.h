/* covalent.h - the map of a covalently bound ligand's attachment atom, type Z. */
#ifndef BERTH_GRID_COVALENT_H
#define BERTH_GRID_COVALENT_H

#include <berth/grid.h>

/* Fills the points of the box: 0 at the point of attachment, half the barrier at the half width. */
void bt_grid_covalent_map(const bt_box *box, const bt_grid_covalent *covalent, float *ret_values);

#endif
