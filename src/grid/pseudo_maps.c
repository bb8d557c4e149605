/* pseudo_maps.c - maps that are not sums of pair energies: of a covalent attachment (Z) and of water (W). */
#include "grid/pseudo_maps.h"

#include <math.h>
#include <string.h>

#include "grid/kernel/job.h"

/* A Gaussian well around the point of attachment. */
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

static const float WEIGHT = 0.6f, ENTROPY = -0.2f; /* of the better energy; kcal/mol where both are positive */

bool bt_grid_water_wanted(const bt_grid_options *options, const char *const *types, int n_types) {
  if (options->no_water_map) return false;
  for (int t = 0; t < n_types; t++)
    if (strcmp(types[t], "W") == 0) return true;
  return false;
}

void bt_grid_water_fill(bt_maps *maps) {
  int water = bt_maps_find(maps, "W"), oxygen = bt_maps_find(maps, "OA"), hydrogen = bt_maps_find(maps, "HD");
  if (water < 0 || oxygen < 0 || hydrogen < 0) return;
  const float *o = maps->values[oxygen], *h = maps->values[hydrogen];
  float *w = maps->values[water];
  size_t points = bt_maps_points(maps);
  for (size_t i = 0; i < points; i++)
    w[i] = o[i] > 0.0f || h[i] > 0.0f ? ENTROPY : WEIGHT * (o[i] < h[i] ? o[i] : h[i]);
}
