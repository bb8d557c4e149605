/* estimate.c - evaluations that one run needs to succeed with a probability of one half.
 *
 * By the curve: the fraction of successful runs on a grid of budgets in steps of a factor sqrt(2), and where it crosses
 * one half, interpolated in the logarithm of the budget. By the model: p(n) = 1 - 2^(-n / E50), as for restarts or a
 * search with a constant rate of success. Maximum likelihood with censoring: E50 = ln 2 * sum over runs of min(T, N) /
 * successes; T: when the run succeeded for good, N: when it was stopped. A likelihood-ratio test of the exponent k in
 * p(n) = 1 - 2^(-(n / E50)^k) decides whether the model fits.
 */
#include "bench/e50/e50.h"

#include <math.h>
#include <stdlib.h>

#include "bench/common/output.h"

/* The curve replaces the model if the p-value of the model is below this. */
static const double fit_level = 0.01;
enum { RESAMPLES = 2000 };

uint64_t bt_e50_draw(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u; /* splitmix64: Steele, Lea and Flood, OOPSLA 2014 */
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

int bt_e50_draw_below(uint64_t *state, int count) { return (int)(bt_e50_draw(state) % (uint64_t)count); }

static bool ends_well(const bt_e50_run *run) { return run->n_changes % 2 == 1; }

/* Evaluations until the run succeeded for good, or until it was stopped. */
static double exposure(const bt_e50_run *run) {
  return (double)(ends_well(run) ? run->changes[run->n_changes - 1] : run->evaluations);
}

static bool succeeded(const bt_e50_run *run, double budget) {
  int changes = 0;
  while (changes < run->n_changes && (double)run->changes[changes] <= budget) changes++;
  return changes % 2 == 1;
}

double bt_e50_share(const bt_e50_run *runs, int count, double budget) {
  int successes = 0;
  for (int i = 0; i < count; i++) successes += succeeded(&runs[i], budget);
  return count > 0 ? (double)successes / count : NAN;
}

/* From the sample drawn last. */
static double by_model(const bt_e50_sampler *s) {
  double sum = 0;
  int successes = 0;
  for (int i = 0; i < s->count; i++) {
    sum += exposure(&s->runs[s->sample[i]]);
    successes += ends_well(&s->runs[s->sample[i]]);
  }
  return successes > 0 ? log(2.0) * sum / successes : INFINITY;
}

/* Budgets 2^(j / 2), up to and including the end of the run that was stopped first. */
static double budget_of(int j, double last) { return fmin(exp2(0.5 * j), last); }

double bt_e50_last(const bt_e50_run *runs, int count) {
  double last = INFINITY;
  for (int i = 0; i < count; i++) last = fmin(last, (double)runs[i].evaluations);
  return last;
}

static double by_curve(const bt_e50_sampler *s) {
  double before = 0, at = 1;
  for (int j = 0; j < s->n_budgets; j++) {
    int successes = 0;
    for (int i = 0; i < s->count; i++) successes += s->states[(size_t)s->sample[i] * (size_t)s->n_budgets + (size_t)j];
    double share = (double)successes / s->count, budget = budget_of(j, s->last);
    if (share >= 0.5) {
      if (j == 0) return budget;
      return at * pow(budget / at, (0.5 - before) / (share - before));
    }
    before = share;
    at = budget;
  }
  return INFINITY;
}

/* Log-likelihood of exponent k, at its best E50. With x = ln(t), d successes and lambda = ln 2 / E50^k:
 * d ln(k lambda) + (k - 1) sum of x over successes - lambda * sum of t^k; lambda = d / sum of t^k. */
static double likelihood(const bt_e50_run *runs, int count, double k) {
  double sum = 0, logarithms = 0;
  int successes = 0;
  for (int i = 0; i < count; i++) {
    double t = fmax(1.0, exposure(&runs[i]));
    sum += pow(t, k);
    if (!ends_well(&runs[i])) continue;
    logarithms += log(t);
    successes++;
  }
  return successes * (log(k * successes) - log(sum) - 1.0) + (k - 1.0) * logarithms;
}

/* The best exponent, by golden-section search in its logarithm: the likelihood is unimodal. */
static double best_shape(const bt_e50_run *runs, int count) {
  const double golden = 0.6180339887498949;
  double low = log(0.02), high = log(50.0);
  for (int i = 0; i < 60; i++) {
    double a = high - golden * (high - low), b = low + golden * (high - low);
    if (likelihood(runs, count, exp(a)) > likelihood(runs, count, exp(b)))
      high = b;
    else
      low = a;
  }
  return exp(0.5 * (low + high));
}

static void test_shape(const bt_e50_run *runs, int count, bt_e50 *e50) {
  e50->shape = e50->shape_probability = NAN;
  if (e50->successes < 3) return;
  e50->shape = best_shape(runs, count);
  double twice = 2.0 * (likelihood(runs, count, e50->shape) - likelihood(runs, count, 1.0));
  e50->shape_probability = erfc(sqrt(fmax(0.0, twice) / 2.0)); /* chi squared with one degree of freedom */
}

void bt_e50_interval(double *values, int count, double *ret_low, double *ret_high) {
  qsort(values, (size_t)count, sizeof *values, bench_by_value);
  *ret_low = values[(int)(0.025 * (count - 1) + 0.5)];
  *ret_high = values[(int)(0.975 * (count - 1) + 0.5)];
}

bt_e50_sampler bt_e50_sampler_make(const bt_e50_run *runs, int count, bool interpolated) {
  bt_e50_sampler s = {.runs = runs, .count = count, .interpolated = interpolated, .last = bt_e50_last(runs, count)};
  s.n_budgets = (int)ceil(2.0 * log2(fmax(1.0, s.last))) + 1;
  s.states = bench_keep((size_t)count * (size_t)s.n_budgets, sizeof *s.states);
  s.sample = bench_keep((size_t)count, sizeof *s.sample);
  for (int i = 0; i < count; i++)
    for (int j = 0; j < s.n_budgets; j++)
      s.states[(size_t)i * (size_t)s.n_budgets + (size_t)j] = succeeded(&runs[i], budget_of(j, s.last));
  return s;
}

/* Estimate from the runs themselves, or from as many drawn with replacement. INFINITY: unknown. */
static double sample(bt_e50_sampler *s, uint64_t *opt_state) {
  for (int i = 0; i < s->count; i++) s->sample[i] = opt_state != NULL ? bt_e50_draw_below(opt_state, s->count) : i;
  return s->interpolated ? by_curve(s) : by_model(s);
}

double bt_e50_counted(bt_e50_sampler *s, uint64_t *opt_state) {
  double value = sample(s, opt_state);
  if (!isfinite(value) && s->interpolated) value = by_model(s);
  if (isfinite(value)) return value;
  double sum = 0;
  for (int i = 0; i < s->count; i++) sum += (double)s->runs[s->sample[i]].evaluations;
  return 2.0 * log(2.0) * sum;
}

double bt_e50_seconds(double e50, double evaluations_per_second, double chance) {
  if (!(evaluations_per_second > 0) || !(chance > 0) || !(chance < 1)) return NAN;
  return e50 / evaluations_per_second * log2(1.0 / (1.0 - chance));
}

double bt_e50_of_hits(int hits, int runs, double evaluations) {
  if (runs < 1 || hits < 0 || hits > runs) return NAN;
  double p = fmin(fmax(hits, 0.5), runs - 0.5) / runs;
  return evaluations * log(2.0) / -log1p(-p);
}

bt_e50 bt_e50_estimate(const bt_e50_run *runs, int count, uint64_t seed) {
  bt_e50 e50 = {.runs = count};
  bt_e50_sampler sampler = bt_e50_sampler_make(runs, count, false);
  double values[RESAMPLES];
  for (int i = 0; i < count; i++) e50.successes += ends_well(&runs[i]);
  e50.by_model = sample(&sampler, NULL);
  sampler.interpolated = true;
  e50.by_curve = sample(&sampler, NULL);
  test_shape(runs, count, &e50);
  e50.interpolated = sampler.interpolated = isfinite(e50.by_curve) && e50.shape_probability < fit_level;
  e50.value = e50.interpolated ? e50.by_curve : e50.by_model;
  e50.counted = bt_e50_counted(&sampler, NULL);
  for (int b = 0; b < RESAMPLES; b++) values[b] = sample(&sampler, &seed);
  bt_e50_interval(values, RESAMPLES, &e50.low, &e50.high);
  return e50;
}
