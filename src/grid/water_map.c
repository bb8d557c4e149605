/* water_map.c - the map of the pseudo atom W of hydrated docking. */
#include "grid/water_map.h"

#include <string.h>

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
