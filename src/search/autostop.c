/* autostop.c - see autostop.h. */
#include "search/autostop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* Threshold before anything is known: above any energy of a pose inside the box. */
static const double initial_threshold = 16777216.0;
/* The best energies of the window may differ by this much, kcal/mol (the peer's variance limit of 2e-5 as a range). */
static const double best_range = 0.009;

bt_status bt_autostop_create(double tolerance, int population, bt_autostop *ret_autostop, bt_error *opt_error) {
  memset(ret_autostop, 0, sizeof *ret_autostop);
  ret_autostop->tolerance = tolerance;
  ret_autostop->population = population;
  ret_autostop->threshold = ret_autostop->spread = initial_threshold;
  ret_autostop->bin_width = 2.0 * initial_threshold / population;
  ret_autostop->bin_sum = calloc(3 * (size_t)population, sizeof(double));
  if (ret_autostop->bin_sum == NULL) return bt_fail_memory(opt_error);
  ret_autostop->bin_squares = ret_autostop->bin_sum + population;
  ret_autostop->bin_count = ret_autostop->bin_squares + population;
  return BT_OK;
}

void bt_autostop_destroy(bt_autostop *autostop) {
  free(autostop->bin_sum);
  autostop->bin_sum = NULL;
}

static double deviation_of(double sum, double squares, double count) {
  if (count < 1) return 0;
  double bracket = squares * count - sum * sum;
  return bracket > 1e-6 ? sqrt(bracket) / count : 0;
}

/* Sums energies below the threshold into bins; returns how many there were. */
static double fill_bins(bt_autostop *a, const float *energies, size_t count, double *ret_sum, double *ret_squares) {
  int bins = a->population;
  memset(a->bin_sum, 0, 3 * (size_t)bins * sizeof(double));
  double sum = 0, squares = 0, below = 0, first_edge = a->threshold - 2.0 * a->spread;
  for (size_t i = 0; i < count; i++) {
    double e = (double)energies[i];
    if (!(e < a->threshold)) continue;
    sum += e;
    squares += e * e;
    below++;
    int bin = e < first_edge || a->bin_width <= 0 ? 0 : (int)fmin((e - first_edge) / a->bin_width + 1, bins - 1);
    a->bin_sum[bin] += e;
    a->bin_squares[bin] += e * e;
    a->bin_count[bin]++;
  }
  *ret_sum = sum;
  *ret_squares = squares;
  return below;
}

static void one_pass(bt_autostop *a, const float *energies, size_t count) {
  int bins = a->population, quota = bins / 10 > 0 ? bins / 10 : 1, taken = 0;
  double sum, squares, below = fill_bins(a, energies, count, &sum, &squares);
  if (below < 1) return;
  if (!a->started) {
    a->started = true;
    a->mean = sum / below;
    a->deviation = a->spread = deviation_of(sum, squares, below);
    a->count = below;
    a->threshold = a->mean + a->spread;
    a->bin_width = 2.0 * a->spread / (bins > 1 ? bins - 1 : 1);
    return;
  }
  double pool = 0, pool_squares = 0, pool_count = 0;
  for (int k = 0; k < bins && taken < quota; k++) {
    if (a->bin_count[k] < 1) continue;
    bool close = pool_count < 4 || fabs(pool / pool_count - a->bin_sum[k] / a->bin_count[k]) < 2.0 * a->tolerance;
    if (!close) continue;
    pool += a->bin_sum[k];
    pool_squares += a->bin_squares[k];
    pool_count += a->bin_count[k];
    taken++;
  }
  if (pool_count > 0) sum = pool, squares = pool_squares, below = pool_count;
  a->mean = sum / below;
  a->deviation = deviation_of(sum, squares, below);
  a->count = below;
  a->spread = a->deviation < 0.5 * a->tolerance ? a->tolerance : a->deviation;
  a->threshold = a->mean + quota * a->spread / below;
  a->bin_width = 2.0 * a->spread / (bins > 1 ? bins - 1 : 1);
}

bool bt_autostop_test(bt_autostop *a, const float *energies, size_t count) {
  int passes = a->records == 0 ? 9 : 1; /* the first test has to find the scale */
  for (int pass = 0; pass < passes; pass++) one_pass(a, energies, count);
  double best = INFINITY;
  for (size_t i = 0; i < count; i++) best = fmin(best, (double)energies[i]);
  a->ring[a->records % BT_AUTOSTOP_WINDOW] =
      (bt_autostop_record){a->mean * a->count, (a->deviation * a->deviation + a->mean * a->mean) * a->count, a->count,
                           best};
  a->records++;
  if (a->records <= BT_AUTOSTOP_WINDOW || !a->started) return false;
  double sum = 0, squares = 0, total = 0, low = INFINITY, high = -INFINITY;
  for (int k = 0; k < BT_AUTOSTOP_WINDOW; k++) {
    sum += a->ring[k].sum;
    squares += a->ring[k].sum_squares;
    total += a->ring[k].count;
    low = fmin(low, a->ring[k].best);
    high = fmax(high, a->ring[k].best);
  }
  return deviation_of(sum, squares, total) < a->tolerance && high - low <= best_range;
}
