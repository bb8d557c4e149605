/* interpolate.c - trilinear interpolation of affinity maps. */
#include "score/interpolate.h"

bt_cell bt_cell_find(const bt_maps *maps, const double point[3]) {
  bt_cell cell = {.step = {1, (size_t)maps->box.npts[0] + 1, 0}};
  cell.step[2] = cell.step[1] * ((size_t)maps->box.npts[1] + 1);
  for (int axis = 0; axis < 3; axis++) {
    double position = (point[axis] - maps->low[axis]) / maps->box.spacing;
    int last = maps->box.npts[axis] - 1; /* the upper face belongs to the last cell */
    int index = !(position > 0) ? 0 : position < last ? (int)position : last;
    cell.fraction[axis] = position - index;
    cell.corner += (size_t)index * cell.step[axis];
  }
  return cell;
}

double bt_cell_value(const bt_maps *maps, const float *map, const bt_cell *cell, double *opt_gradient) {
  const float *v = map + cell->corner;
  size_t x = cell->step[0], y = cell->step[1], z = cell->step[2];
  double f1 = cell->fraction[0], g1 = cell->fraction[1], h1 = cell->fraction[2];
  double f0 = 1 - f1, g0 = 1 - g1, h0 = 1 - h1;
  double v000 = v[0], v100 = v[x], v010 = v[y], v110 = v[x + y];
  double v001 = v[z], v101 = v[x + z], v011 = v[y + z], v111 = v[x + y + z];
  if (opt_gradient != NULL) {
    double scale = 1 / maps->box.spacing;
    opt_gradient[0] =
        scale * (h0 * (g0 * (v100 - v000) + g1 * (v110 - v010)) + h1 * (g0 * (v101 - v001) + g1 * (v111 - v011)));
    opt_gradient[1] =
        scale * (h0 * (f0 * (v010 - v000) + f1 * (v110 - v100)) + h1 * (f0 * (v011 - v001) + f1 * (v111 - v101)));
    opt_gradient[2] =
        scale * (g0 * (f0 * (v001 - v000) + f1 * (v101 - v100)) + g1 * (f0 * (v011 - v010) + f1 * (v111 - v110)));
  }
  return h0 * (g0 * (f0 * v000 + f1 * v100) + g1 * (f0 * v010 + f1 * v110)) +
         h1 * (g0 * (f0 * v001 + f1 * v101) + g1 * (f0 * v011 + f1 * v111));
}
