/* vina_cells.h - the receptor's atoms near each cell of a lattice, for sums over them in many poses of many ligands.
 *
 * A cell is a cube of one Angstrom. Its list is made when the first atom comes into it and then serves all threads. The
 * lattice covers the box and a margin around it.
 */
#ifndef BERTH_GRID_VINA_VINA_CELLS_H
#define BERTH_GRID_VINA_VINA_CELLS_H

#include <berth/grid.h>

#include "grid/kernel/job.h"
#include "grid/vina/vina_receptor.h"

typedef struct bt_vina_cell {
  double center[3]; /* A */
  int count;
  int *atoms;    /* [count] the receptor's within the cutoff of any point of the cell, in their order */
  int padded;    /* count, up to a multiple of BT_GRID_PADDING */
  float *arrays; /* what bt_vina_cells_pairs refers to */
} bt_vina_cell;

typedef struct bt_vina_cells bt_vina_cells;

/* For points in the box. The receptor is borrowed. */
bt_status bt_vina_cells_create(const bt_vina_receptor *receptor, const bt_box *box, bt_vina_cells **ret_cells,
                               bt_error *opt_error) BT_MUST_USE;
void bt_vina_cells_destroy(bt_vina_cells *opt_cells);

/* The cell of a point. NULL if the lattice does not cover it, or there is no memory for more lists. */
const bt_vina_cell *bt_vina_cells_at(bt_vina_cells *cells, const double point[3]);

/* How an atom of a class meets the atoms of a cell, relative to its center; false: in no way that cells know, as where
 * it may bind metals. */
bool bt_vina_cells_pairs(const bt_vina_cells *cells, const bt_vina_class *class, const bt_vina_cell *cell,
                         bt_grid_vina_point *ret_pairs);

#endif
