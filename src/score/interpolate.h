/* interpolate.h - trilinear interpolation of affinity maps. */
#ifndef BERTH_SCORE_INTERPOLATE_H
#define BERTH_SCORE_INTERPOLATE_H

#include "grid/maps/maps.h"

/* The cell of the grid around a point. */
typedef struct bt_cell {
  size_t corner;      /* index of the point with the lowest coordinates */
  size_t step[3];     /* from one point to the next along x, y, z */
  double fraction[3]; /* 0..1 within the cell */
} bt_cell;

/* point must not lie outside the box. */
bt_cell bt_cell_find(const bt_maps *maps, const double point[3]);
/* Value of one map, and its gradient per Angstrom. */
double bt_cell_value(const bt_maps *maps, const float *map, const bt_cell *cell, double *opt_gradient);

#endif
