/* compare.c - how far two sets of maps of the same box are apart. */
#include <berth/grid.h>
#include <math.h>

#include "base/status.h"
#include "grid/maps/maps.h"

/* A map file has three decimals, and large values seven digits. */
static const double tolerance_absolute = 0.002, tolerance_relative = 0.001;

static bool same_box(const bt_box *a, const bt_box *b) {
  bool same = fabs(a->spacing - b->spacing) < 1e-6;
  for (int k = 0; k < 3; k++) same = same && a->npts[k] == b->npts[k] && fabs(a->center[k] - b->center[k]) < 1e-3;
  return same;
}

static void compare(const float *values, const float *reference, size_t n, bt_maps_difference *difference) {
  for (size_t i = 0; i < n; i++) {
    double expected = (double)reference[i];
    double off = fabs((double)values[i] - expected) / fmax(tolerance_absolute, tolerance_relative * fabs(expected));
    if (!(off <= 1.0)) difference->beyond++;
    difference->worst = fmax(difference->worst, isnan(off) ? INFINITY : off);
  }
  difference->values += (int64_t)n;
}

bt_status bt_maps_compare(const bt_maps *maps, const bt_maps *reference, bt_maps_difference *ret_difference,
                          bt_error *opt_error) {
  *ret_difference = (bt_maps_difference){0};
  if (!same_box(&maps->box, &reference->box))
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = reference->fld_path}, "use maps of the same box",
                   "the boxes differ");
  size_t points = bt_maps_points(maps);
  for (int t = 0; t < maps->n_types + 2; t++) {
    int other = t < maps->n_types ? bt_maps_find(reference, maps->types[t]) : t - maps->n_types + reference->n_types;
    if (other < 0)
      return bt_fail(opt_error, BT_ERR_PARAMETER, (bt_where){.file = reference->fld_path}, "use maps of all types",
                     "there is no map of type %s", maps->types[t]);
    compare(maps->values[t], reference->values[other], points, ret_difference);
  }
  return BT_OK;
}
