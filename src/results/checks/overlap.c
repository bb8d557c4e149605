/* overlap.c - how much of a ligand's volume other atoms occupy as well.
 *
 * Volumes are counted on a grid. A point within the scaled radius of an atom counts 3; in the three layers of 0.25
 * Angstrom around it, 2, 1 and 0; the largest of all atoms holds. The share is the sum of the smaller of both counts
 * over that of the ligand's counts, as in the shape comparison of RDKit, whose grid is coarser.
 */
#include <math.h>

#include "base/memory.h"
#include "base/vector.h"
#include "results/checks/checks.h"

enum { INSIDE = 3 };
static const double layer = 0.25, spacing = 0.3; /* Angstrom */
static const double reach = 6.0;                 /* Angstrom, times the scale: atoms that are regarded */

typedef struct grid {
  double origin[3];
  int size[3];
  unsigned char *counts; /* [size[2]][size[1]][size[0]] */
} grid;

static int clip(double value, int size) { return value < 0 ? 0 : value > size - 1 ? size - 1 : (int)value; }

static void add_sphere(const grid *on, unsigned char *counts, const double x[3], double radius) {
  int first[3], last[3];
  double outer = radius + (INSIDE - 1) * layer;
  for (int k = 0; k < 3; k++) {
    if (x[k] + outer < on->origin[k] || x[k] - outer > on->origin[k] + spacing * (on->size[k] - 1)) return;
    first[k] = clip(ceil((x[k] - outer - on->origin[k]) / spacing), on->size[k]);
    last[k] = clip(floor((x[k] + outer - on->origin[k]) / spacing), on->size[k]);
  }
  const double inner2[INSIDE] = {radius * radius, (radius + layer) * (radius + layer), outer * outer};
  for (int c = first[2]; c <= last[2]; c++)
    for (int b = first[1]; b <= last[1]; b++) {
      double z = on->origin[2] + spacing * c - x[2], y = on->origin[1] + spacing * b - x[1], yz2 = y * y + z * z;
      unsigned char *row = counts + ((size_t)c * (size_t)on->size[1] + (size_t)b) * (size_t)on->size[0];
      if (yz2 >= inner2[2]) continue;
      for (int a = first[0]; a <= last[0]; a++) {
        double dx = on->origin[0] + spacing * a - x[0], d2 = dx * dx + yz2;
        unsigned char count = (unsigned char)((d2 < inner2[0]) + (d2 < inner2[1]) + (d2 < inner2[2]));
        if (count > row[a]) row[a] = count;
      }
    }
}

static void fit(grid *on, const bt_check_atom *ligand, int n, double scale) {
  double margin = 0;
  for (int i = 0; i < n; i++) margin = fmax(margin, scale * ligand[i].vdw + INSIDE * layer);
  for (int k = 0; k < 3; k++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < n; i++) low = fmin(low, ligand[i].x[k]), high = fmax(high, ligand[i].x[k]);
    on->origin[k] = low - margin;
    on->size[k] = (int)ceil((high - low + 2 * margin) / spacing) + 1;
  }
}

bt_status bt_check_overlap(const bt_check_atom *ligand, int n, const bt_check_atom *others, size_t count, double scale,
                           double *ret_share, bt_error *opt_error) {
  grid on = {.counts = NULL};
  size_t regarded = 0;
  *ret_share = NAN;
  if (n == 0 || count == 0) return BT_OK;
  fit(&on, ligand, n, scale);
  size_t points = (size_t)on.size[0] * (size_t)on.size[1] * (size_t)on.size[2];
  BT_SCOPED unsigned char *own = bt_allocate(points, 1), *theirs = bt_allocate(points, 1);
  if (own == NULL || theirs == NULL) return bt_fail_memory(opt_error);
  for (size_t j = 0; j < count; j++) {
    bool close = false;
    for (int i = 0; i < n && !close; i++)
      close = bt_v3_distance2(ligand[i].x, others[j].x) <= reach * scale * reach * scale;
    if (!close) continue;
    add_sphere(&on, theirs, others[j].x, scale * others[j].vdw);
    regarded++;
  }
  if (regarded == 0) return BT_OK;
  for (int i = 0; i < n; i++) add_sphere(&on, own, ligand[i].x, scale * ligand[i].vdw);
  uint64_t volume = 0, shared = 0;
  for (size_t p = 0; p < points; p++) {
    volume += own[p];
    shared += own[p] < theirs[p] ? own[p] : theirs[p];
  }
  *ret_share = volume > 0 ? (double)shared / (double)volume : NAN;
  return BT_OK;
}
