/* judge.c - the geometric mean of ratios, its interval, and whether it differs from 1. */
#include <math.h>
#include <stdlib.h>

#include "bench/common/output.h"
#include "bench/e50/e50.h"

enum { RESAMPLES = 2000 };
/* Ratios within it do not matter. */
static const double equivalent_low = 0.8, equivalent_high = 1.25;

static int by_size(const void *a, const void *b) {
  const double *p = a, *q = b;
  return fabs(*p) < fabs(*q) ? -1 : fabs(*p) > fabs(*q);
}

/* Wilcoxon's signed-rank test of values around 0, exact and two-sided; zeros are left out, as he did, and equal sizes
 * get ranks in the order of sorting. 1 when nothing is left. ways[w]: number of the 2^n patterns of signs whose
 * positive ranks add up to w, as a share. */
static double signed_ranks(double *values, int count) {
  int n = 0;
  for (int i = 0; i < count; i++)
    if (values[i] != 0) values[n++] = values[i];
  size_t top = (size_t)n * ((size_t)n + 1) / 2;
  BT_SCOPED double *ways = bench_allocate(top + 1, sizeof *ways);
  double below = 0, above = 0;
  qsort(values, (size_t)n, sizeof *values, by_size);
  ways[0] = 1.0;
  size_t sum = 0;
  for (size_t rank = 1; rank <= (size_t)n; rank++) {
    for (size_t w = top + 1; w-- > 0;) ways[w] = 0.5 * (ways[w] + (w >= rank ? ways[w - rank] : 0.0));
    if (values[rank - 1] > 0) sum += rank;
  }
  for (size_t w = 0; w <= top; w++) {
    if (w <= sum) below += ways[w];
    if (w >= sum) above += ways[w];
  }
  return fmin(1.0, 2.0 * fmin(below, above));
}

static bt_e50_verdict verdict_of(const bt_e50_comparison *c) {
  if (c->low >= equivalent_low && c->high <= equivalent_high) return BT_E50_EQUIVALENT;
  return c->high < 1.0 ? BT_E50_SECOND_FEWER : c->low > 1.0 ? BT_E50_SECOND_MORE : BT_E50_UNDECIDED;
}

bt_e50_comparison bt_e50_judge(bt_e50_log_ratio_fn log_ratio, void *user, int count, uint64_t seed) {
  bt_e50_comparison result = {.pairs = count, .ratio = NAN, .low = NAN, .high = NAN, .probability = NAN};
  if (count < 1) return result;
  double sum = 0;
  BT_SCOPED double *values = bench_allocate((size_t)(count > RESAMPLES ? count : RESAMPLES), sizeof *values);
  for (int i = 0; i < count; i++) sum += log_ratio(user, i, NULL);
  result.ratio = exp(sum / count);
  for (int b = 0; b < RESAMPLES; b++) {
    double of_sample = 0;
    for (int i = 0; i < count; i++) of_sample += log_ratio(user, bt_e50_draw_below(&seed, count), &seed);
    values[b] = exp(of_sample / count);
  }
  bt_e50_interval(values, RESAMPLES, &result.low, &result.high);
  for (int i = 0; i < count; i++) values[i] = log_ratio(user, i, NULL);
  result.verdict = verdict_of(&result);
  result.probability = signed_ranks(values, count);
  return result;
}
