/* estimate.h - what the estimate and the comparison of E50 share. */
#ifndef BERTH_BENCH_E50_ESTIMATE_H
#define BERTH_BENCH_E50_ESTIMATE_H

#include "bench/common/results.h"

/* Estimates of samples of the same runs. */
typedef struct bt_e50_sampler {
  const bt_e50_run *runs; /* borrowed */
  int count, n_budgets;
  double last;     /* the largest budget that all runs have seen */
  uint8_t *states; /* [count][n_budgets] successful? */
  int *sample;     /* [count] */
} bt_e50_sampler;

/* Destroyed also after a failure. */
bt_status bt_e50_sampler_create(const bt_e50_run *runs, int count, bt_e50_sampler *ret_sampler,
                                bt_error *opt_error) BT_MUST_USE;
void bt_e50_sampler_destroy(bt_e50_sampler *sampler);
/* By the curve or by the model; of the runs themselves, or of as many drawn with replacement. INFINITY: unknown. */
double bt_e50_sample(bt_e50_sampler *sampler, bool interpolated, uint64_t *opt_state);

/* The same, but a sample without a success counts as if it had half a one: ln 2 * evaluations / 0.5, which is finite
 * and a lower bound. */
double bt_e50_counted(bt_e50_sampler *sampler, bool interpolated, uint64_t *opt_state);

/* e50_judge.c. The logarithm of the ratio of one complex: of the runs themselves, or of a bootstrap sample drawn from
 * *opt_state. */
typedef double (*bt_e50_log_ratio_fn)(void *user, int complex, uint64_t *opt_state);
/* Geometric mean of the ratios of so many complexes, nested bootstrap with complexes outside, and the verdict; 0: NaN.
 */
bt_status bt_e50_judge(bt_e50_log_ratio_fn log_ratio, void *user, int count, uint64_t seed,
                       bt_e50_comparison *ret_comparison, bt_error *opt_error) BT_MUST_USE;

/* Random bits; a number in [0, count). */
uint64_t bt_e50_draw(uint64_t *state);
int bt_e50_draw_below(uint64_t *state, int count);
/* Middle 95 % of the values, which are sorted. */
void bt_e50_interval(double *values, int count, double *ret_low, double *ret_high);

#endif
