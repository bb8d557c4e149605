/* e50_compare.c - do two configurations need the same number of evaluations? Paired over complexes. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "results/e50.h"

enum { RESAMPLES = 2000 };
/* Ratios within it do not matter. */
static const double equivalent_low = 0.8, equivalent_high = 1.25;

typedef struct side {
  bt_e50_sampler sampler;
  bool interpolated;
  int successes;
} side;

typedef struct contest {
  side sides[2];
} contest;

/* A sample without a success counts half a one: ln 2 * evaluations / 0.5. */
static double estimate(side *s, uint64_t *opt_state) {
  double value = bt_e50_sample(&s->sampler, s->interpolated, opt_state);
  if (!isfinite(value) && s->interpolated) value = bt_e50_sample(&s->sampler, false, NULL);
  if (isfinite(value)) return value;
  double sum = 0;
  for (int i = 0; i < s->sampler.count; i++) sum += (double)s->sampler.runs[s->sampler.sample[i]].evaluations;
  return 2.0 * log(2.0) * sum;
}

static double log_ratio(contest *c, uint64_t *opt_state) {
  double first = estimate(&c->sides[0], opt_state);
  return log(estimate(&c->sides[1], opt_state) / first);
}

/* Both sides by the curve when the model fits one of them badly and both curves cross one half; else both by the model.
 */
static bt_status open_contest(const bt_e50_pair *pair, contest *c, bool *ret_used, bt_error *opt_error) {
  const bt_e50_run *runs[2] = {pair->first, pair->second};
  int counts[2] = {pair->n_first, pair->n_second};
  bool bad = false, crossed = true;
  *ret_used = false;
  for (int k = 0; k < 2; k++) {
    bt_e50 e50;
    BT_TRY(bt_e50_estimate(runs[k], counts[k], 1, &e50, opt_error));
    c->sides[k].successes = e50.successes;
    bad = bad || e50.interpolated;
    crossed = crossed && isfinite(e50.by_curve);
    *ret_used = *ret_used || e50.successes > 0;
  }
  for (int k = 0; k < 2; k++) {
    c->sides[k].interpolated = bad && crossed;
    BT_TRY(bt_e50_sampler_create(runs[k], counts[k], &c->sides[k].sampler, opt_error));
  }
  return BT_OK;
}

static int by_size(const void *a, const void *b) {
  const double *p = a, *q = b;
  return fabs(*p) < fabs(*q) ? -1 : fabs(*p) > fabs(*q);
}

/* Wilcoxon's signed-rank test of values around 0, exact and two-sided; zeros are left out, as he did, and equal sizes
 * get ranks in the order of sorting. 1 when nothing is left. ways[w]: number of the 2^n patterns of signs whose
 * positive ranks add up to w, as a share. */
static bt_status signed_ranks(double *values, int count, double *ret_probability, bt_error *opt_error) {
  int n = 0;
  for (int i = 0; i < count; i++)
    if (values[i] != 0) values[n++] = values[i];
  size_t top = (size_t)n * ((size_t)n + 1) / 2;
  double *ways = bt_allocate(top + 1, sizeof *ways), below = 0, above = 0;
  if (ways == NULL) return bt_fail_memory(opt_error);
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
  free(ways);
  *ret_probability = fmin(1.0, 2.0 * fmin(below, above));
  return BT_OK;
}

static bt_e50_verdict verdict_of(const bt_e50_comparison *c) {
  if (c->low >= equivalent_low && c->high <= equivalent_high) return BT_E50_EQUIVALENT;
  return c->high < 1.0 ? BT_E50_SECOND_FEWER : c->low > 1.0 ? BT_E50_SECOND_MORE : BT_E50_UNDECIDED;
}

/* contests[n], values[RESAMPLES or n, the larger]. */
static bt_status judge(contest *contests, int n, uint64_t seed, double *values, bt_e50_comparison *result,
                       bt_error *opt_error) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += log_ratio(&contests[i], NULL);
  result->ratio = exp(sum / n);
  for (int b = 0; b < RESAMPLES; b++) {
    double of_sample = 0;
    for (int i = 0; i < n; i++) of_sample += log_ratio(&contests[bt_e50_draw_below(&seed, n)], &seed);
    values[b] = exp(of_sample / n);
  }
  bt_e50_interval(values, RESAMPLES, &result->low, &result->high);
  for (int i = 0; i < n; i++) values[i] = log_ratio(&contests[i], NULL);
  result->verdict = verdict_of(result);
  return signed_ranks(values, n, &result->probability, opt_error);
}

bt_status bt_e50_compare(const bt_e50_pair *pairs, int count, uint64_t seed, double *opt_ratios,
                         bt_e50_comparison *ret_comparison, bt_error *opt_error) {
  *ret_comparison = (bt_e50_comparison){.ratio = NAN, .low = NAN, .high = NAN, .probability = NAN};
  contest *contests = bt_allocate((size_t)count, sizeof *contests);
  double *values = bt_allocate((size_t)(count > RESAMPLES ? count : RESAMPLES), sizeof *values);
  bt_status status = contests == NULL || values == NULL ? bt_fail_memory(opt_error) : BT_OK;
  int n = 0;
  for (int i = 0; i < count && status == BT_OK; i++) {
    bool used;
    status = open_contest(&pairs[i], &contests[n], &used, opt_error);
    if (opt_ratios != NULL) opt_ratios[i] = NAN;
    if (status == BT_OK && used) {
      if (opt_ratios != NULL) opt_ratios[i] = exp(log_ratio(&contests[n], NULL));
      n++;
      continue;
    }
    for (int k = 0; k < 2; k++) bt_e50_sampler_destroy(&contests[n].sides[k].sampler);
  }
  ret_comparison->pairs = n;
  if (status == BT_OK && n > 0) status = judge(contests, n, seed, values, ret_comparison, opt_error);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 2; k++) bt_e50_sampler_destroy(&contests[i].sides[k].sampler);
  free(contests);
  free(values);
  return status;
}
