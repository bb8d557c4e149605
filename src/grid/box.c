/* box.c - boxes of the search: of given edges, around molecules, with room for more. */
#include <berth/place.h>
#include <math.h>

#include "base/status.h"
#include "chem/molecule.h"

bt_status bt_box_at(const double center[3], const double size[3], double spacing, bt_box *ret_box,
                    bt_error *opt_error) {
  for (int k = 0; k < 3; k++)
    if (!(size[k] > 0.0 && size[k] <= 1000.0))
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "give a size, or another padding",
                     "an edge of the box is %.3f Angstrom; it must lie between 0 and 1000", size[k]);
  *ret_box = bt_box_from_size(center, size, spacing);
  return BT_OK;
}

bt_status bt_box_around(const double low[3], const double high[3], const double *opt_size, double padding,
                        double spacing, bt_box *ret_box, bt_error *opt_error) {
  double middle[3], edges[3];
  for (int k = 0; k < 3; k++) {
    middle[k] = 0.5 * (low[k] + high[k]);
    edges[k] = opt_size != NULL ? opt_size[k] : high[k] - low[k] + 2.0 * padding;
  }
  return bt_box_at(middle, edges, spacing, ret_box, opt_error);
}

bool bt_box_include(bt_box *box, const double low[3], const double high[3], double margin) {
  double middle[3], edges[3];
  bool changed = false;
  for (int k = 0; k < 3; k++) {
    double half = 0.5 * box->npts[k] * box->spacing, from = box->center[k] - half, to = box->center[k] + half;
    double lower = fmin(from, low[k] - margin), upper = fmax(to, high[k] + margin);
    changed = changed || lower < from || upper > to;
    middle[k] = 0.5 * (lower + upper);
    edges[k] = upper - lower;
  }
  if (changed) *box = bt_box_from_size(middle, edges, box->spacing);
  return changed;
}

double bt_box_distance(const bt_box *box, const bt_molecule *molecule) {
  double least2 = INFINITY;
  for (int i = 0; i < molecule->n_atoms; i++) {
    double distance2 = 0;
    for (int k = 0; k < 3; k++) {
      double half = 0.5 * box->npts[k] * box->spacing;
      double beyond = fmax(fabs(molecule->atoms[i].x[k] - box->center[k]) - half, 0);
      distance2 += beyond * beyond;
    }
    least2 = fmin(least2, distance2);
  }
  return sqrt(least2);
}
