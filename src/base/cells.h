/* cells.h - neighbor search with a cell list. */
#ifndef BERTH_BASE_CELLS_H
#define BERTH_BASE_CELLS_H

#include "base/status.h"

typedef struct bt_cells bt_cells;

/* Sorts points (Angstrom) into cubes of the given edge; copies the coordinates. */
bt_status bt_cells_create(const double (*x)[3], int count, double edge, bt_cells **ret_cells,
                          bt_error *opt_error) BT_MUST_USE;
void bt_cells_destroy(bt_cells *opt_cells);

/* Calls back for each point within reach of a place, in the order of cubes, then of points; reach may not exceed the
 * edge. */
typedef void bt_cells_visit(void *context, int point, double distance2);
void bt_cells_near(const bt_cells *cells, const double place[3], double reach, bt_cells_visit *visit, void *context);

#endif
