/* vina_cells.h - the receptor's atoms near each cell of a lattice, for sums over them in many poses of many ligands.
 *
 * A cell is a cube of one Angstrom, or more where the box is huge. Its list is made when the first atom comes into it
 * and then serves all threads. The lattice covers the box and a margin around it.
 */
#ifndef BERTH_GRID_VINA_VINA_CELLS_H
#define BERTH_GRID_VINA_VINA_CELLS_H

#include <berth/grid.h>

#include "grid/kernel/job.h"
#include "grid/vina/vina_receptor.h"

enum { BT_VINA_SHELLS = 8 };

typedef struct bt_vina_cell {
  double center[3], half; /* A; half of the edge */
  int count;
  int *atoms;              /* [count] the receptor's within the cutoff of any point of the cell, in their order */
  int padded;              /* count, up to a multiple of BT_GRID_PADDING */
  float *arrays;           /* what bt_vina_cells_pairs refers to: the same atoms, the nearest to the center first */
  float shell;             /* A: thickness of the shells around the center by which points of the cell are told apart */
  int met[BT_VINA_SHELLS]; /* how many of them, from the first, points of a shell meet; multiples of BT_GRID_PADDING */
} bt_vina_cell;

typedef struct bt_vina_cells bt_vina_cells;

/* For points in the box. The receptor is borrowed. */
bt_status bt_vina_cells_create(const bt_vina_receptor *receptor, const bt_box *box, bt_vina_cells **ret_cells,
                               bt_error *opt_error) BT_MUST_USE;
void bt_vina_cells_destroy(bt_vina_cells *opt_cells);

/* The cell of a point. NULL if the lattice does not cover it, or there is no memory for more lists. */
const bt_vina_cell *bt_vina_cells_at(bt_vina_cells *cells, const double point[3]);

/* Whether the point is in this cell, without a doubt. */
static inline bool bt_vina_cell_holds(const bt_vina_cell *cell, const double point[3]) {
  bool holds = true;
  for (int k = 0; k < 3; k++)
    holds &= point[k] - cell->center[k] < cell->half && cell->center[k] - point[k] < cell->half;
  return holds;
}

/* How many of the atoms, from the first, a point of the cell meets at this distance from the center, A. */
static inline int bt_vina_cell_met(const bt_vina_cell *cell, float distance) {
  float shell = distance / cell->shell;
  return shell < (float)BT_VINA_SHELLS ? cell->met[(int)shell] : cell->padded; /* also where it is not a number */
}

/* How an atom of a class meets the atoms of a cell, relative to its center; false: in no way that cells know, as where
 * it may bind metals. */
bool bt_vina_cells_pairs(const bt_vina_cells *cells, const bt_vina_class *class, const bt_vina_cell *cell,
                         bt_grid_vina_point *ret_pairs);

#endif
