/* covalent.c - a Gaussian well of energy around the point of attachment. */
#include "grid/covalent.h"

#include <math.h>

#include "grid/kernel/job.h"

void bt_grid_covalent_map(const bt_box *box, const bt_grid_covalent *covalent, float *ret_values) {
  size_t at = 0;
  for (int k = 0; k <= box->npts[2]; k++)
    for (int j = 0; j <= box->npts[1]; j++)
      for (int i = 0; i <= box->npts[0]; i++) {
        int index[3] = {i, j, k};
        double square = 0.0;
        for (int axis = 0; axis < 3; axis++) {
          double point = (index[axis] - box->npts[axis] / 2) * box->spacing;
          double d = covalent->point[axis] - box->center[axis] - point;
          square += d * d;
        }
        double widths = fmax(sqrt(square) / covalent->half_width, 1e-6);
        ret_values[at++] = bt_grid_rounded(covalent->barrier * (1.0 - exp(log(0.5) * widths * widths)));
      }
}
