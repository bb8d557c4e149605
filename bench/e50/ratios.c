/* ratios.c - whether two configurations need the same number of evaluations: the geometric mean of ratios paired by
 * complex, its interval, and a verdict. */
#include <math.h>
#include <stdlib.h>

#include "bench/common/output.h"
#include "bench/e50/e50.h"

enum { RESAMPLES = 2000 };
/* Ratios within this interval are considered equivalent. */
static const double equivalent_low = 0.8, equivalent_high = 1.25;

static int by_size(const void *a, const void *b) {
  const double *p = a, *q = b;
  return fabs(*p) < fabs(*q) ? -1 : fabs(*p) > fabs(*q);
}

/* Wilcoxon's signed-rank test of values around 0, exact and two-sided. Zeros are dropped, as in the original test; ties
 * are ranked in sorting order. 1 if no values are left. ways[w]: fraction of the 2^n sign patterns whose positive ranks
 * sum to w. */
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

typedef struct contest {
  bt_e50_sampler sides[2];
  double log_cost; /* logarithm of seconds per evaluation, second over first */
} contest;

static double log_ratio(void *user, int pair, uint64_t *opt_state) {
  contest *c = (contest *)user + pair;
  double first = bt_e50_counted(&c->sides[0], opt_state);
  return log(bt_e50_counted(&c->sides[1], opt_state) / first) + c->log_cost;
}

/* Both sides by the curve if the model fits either poorly and both curves cross one half, otherwise both by the model.
 * False if neither side has a success, or if seconds are unknown. */
static bool open_contest(const bt_e50_pair *pair, bool seconds, contest *c) {
  const bt_e50_side *sides = pair->sides;
  bool bad = false, crossed = true, used = false;
  if (seconds && !(sides[0].rate > 0 && sides[1].rate > 0)) return false;
  c->log_cost = seconds ? log((1.0 / sides[1].rate) / (1.0 / sides[0].rate)) : 0.0;
  for (int k = 0; k < 2; k++) {
    bt_e50 e50 = bt_e50_estimate(sides[k].runs, sides[k].count, 1);
    bad = bad || e50.interpolated;
    crossed = crossed && isfinite(e50.by_curve);
    used = used || e50.successes > 0;
  }
  for (int k = 0; k < 2 && used; k++) c->sides[k] = bt_e50_sampler_make(sides[k].runs, sides[k].count, bad && crossed);
  return used;
}

bt_e50_comparison bt_e50_compare(const bt_e50_pair *pairs, int count, bool seconds, uint64_t seed, double *opt_ratios) {
  BT_SCOPED contest *contests = bench_allocate((size_t)count, sizeof *contests);
  int n = 0;
  for (int i = 0; i < count; i++) {
    bool used = open_contest(&pairs[i], seconds, &contests[n]);
    if (opt_ratios != NULL) opt_ratios[i] = used ? exp(log_ratio(contests, n, NULL)) : NAN;
    n += used;
  }
  return bt_e50_judge(log_ratio, contests, n, seed);
}
