/* e50.h - evaluations that one run needs to succeed with a probability of one half (docs/benchmarks/e50.md): estimates
 * (estimate.c), ratios of two configurations (ratios.c), comparison with other programs (reference.c, match.c).
 */
#ifndef BERTH_BENCH_E50_E50_H
#define BERTH_BENCH_E50_E50_H

#include "base/status.h"

/* Evaluations, ascending, at which a run became successful, ceased to be, became so again, ...; it is successful at a
 * budget of n if an odd number of them are <= n. */
typedef struct bt_e50_run {
  const int64_t *changes;
  int n_changes;
  int64_t evaluations; /* at which the run was stopped */
} bt_e50_run;

typedef struct bt_e50 {
  int runs, successes;      /* runs that end successfully */
  double value, low, high;  /* E50 and its 95 % interval; INFINITY: beyond the observed budgets */
  bool interpolated;        /* value is by_curve, otherwise by_model */
  double by_curve;          /* where the share of successful runs crosses one half; INFINITY when it does not */
  double by_model;          /* p(n) = 1 - 2^(-n / E50), maximum likelihood; INFINITY without a success */
  double shape;             /* Weibull exponent; 1: memoryless, below 1: some runs stay stuck; NaN: unknown */
  double shape_probability; /* p-value of the likelihood-ratio test of shape 1; NaN: unknown */
  double counted;           /* value; without a success, a lower bound that assumes half a success */
} bt_e50;

/* The interval is the percentile interval of 2,000 bootstrap samples of the runs, drawn from seed. Needs one run. */
bt_e50 bt_e50_estimate(const bt_e50_run *runs, int count, uint64_t seed);
/* Seconds until at least one of many concurrent runs has succeeded with probability chance, in (0, 1), at their total
 * rate of evaluations: n evaluations of memoryless runs, or of runs restarted after E50, succeed with probability
 * 1 - 2^(-n / E50), however they are distributed over runs. NaN if the rate is unknown. */
double bt_e50_seconds(double e50, double evaluations_per_second, double chance);
/* E50 of memoryless runs of which only the number of successes at a budget of evaluations is known. Zero successes, or
 * zero failures, count as one half, which gives a lower or an upper bound. NaN: invalid arguments. */
double bt_e50_of_hits(int hits, int runs, double evaluations);
/* Fraction of runs that are successful at this budget; runs stopped earlier keep their final state. */
double bt_e50_share(const bt_e50_run *runs, int count, double budget);
/* The largest budget that all runs reached. */
double bt_e50_last(const bt_e50_run *runs, int count);

/* The runs of one configuration on one complex; those of two configurations. */
typedef struct bt_e50_side {
  const bt_e50_run *runs;
  int count;
  double rate; /* evaluations per second, all runs searched together; NaN: unknown */
} bt_e50_side;

typedef struct bt_e50_pair {
  bt_e50_side sides[2];
} bt_e50_pair;

typedef enum bt_e50_verdict {
  BT_E50_UNDECIDED,
  BT_E50_EQUIVALENT,   /* the interval lies within [0.8, 1.25] */
  BT_E50_SECOND_FEWER, /* the interval is below 1: the second needs fewer evaluations */
  BT_E50_SECOND_MORE
} bt_e50_verdict;

typedef struct bt_e50_comparison {
  int pairs;               /* complexes in which at least one of the two succeeded */
  double ratio, low, high; /* geometric mean of E50 of the second over that of the first, and its 95 % interval */
  double probability;      /* two-sided p-value of Wilcoxon's signed-rank test, exact */
  bt_e50_verdict verdict;
} bt_e50_comparison;

/* Compares evaluations, or seconds where both rates are known, paired by complex. The interval is that of 2,000 nested
 * bootstrap samples: of complexes, and of runs within each. A side without a success counts as half a success.
 * opt_ratios[count]: of each pair, NaN where neither succeeded. */
bt_e50_comparison bt_e50_compare(const bt_e50_pair *pairs, int count, bool seconds, uint64_t seed, double *opt_ratios);

/* Known results of a program on one complex. */
typedef struct bt_e50_reference_row {
  char *name;          /* of the complex */
  double energy;       /* reference of success: inter + intra at most 1.0 kcal/mol above it */
  int hits, runs;      /* successful runs; all runs */
  int64_t evaluations; /* per run */
  double seconds;      /* docking time of all runs; NaN: unknown */
} bt_e50_reference_row;

typedef struct bt_e50_reference {
  char *program;
  bt_e50_reference_row *rows; /* one per complex */
  int count;
} bt_e50_reference;

/* Reads a tab-separated table (docs/benchmarks/e50.md). The first line names the columns: complex, reference and
 * PROGRAM_hits are required; PROGRAM_seconds, runs and evaluations are optional. Without the last two, a comment
 * "# 100 runs of 1,000,000 evaluations" is needed. opt_program: NULL: the first with a column of hits. A complex whose
 * hits or reference are "-" is left out. */
bt_status bt_e50_reference_read(const char *path, const char *opt_program, bt_e50_reference **ret_reference,
                                bt_error *opt_error) BT_MUST_USE;
/* The same from memory; path is for messages. */
bt_status bt_e50_reference_parse(const char *path, const char *text, size_t size, const char *opt_program,
                                 bt_e50_reference **ret_reference, bt_error *opt_error) BT_MUST_USE;
void bt_e50_reference_destroy(bt_e50_reference *opt_reference);
/* NULL if there is none. */
const bt_e50_reference_row *bt_e50_reference_find(const bt_e50_reference *reference, const char *name);

/* The runs of one complex and its reference. */
typedef struct bt_e50_match {
  const bt_e50_run *runs; /* successes as the reference defines them */
  int n_runs;
  int64_t evaluations; /* limit per run in the search */
  double cost;         /* seconds per evaluation, all runs searched together; NaN: unknown */
  const bt_e50_reference_row *reference;
} bt_e50_match;

/* Ratios of the runs to the reference, of E50 and of seconds: from hits on both sides, with their fractions kept half a
 * run of the smaller side away from 0 and 1. Times of success are not used, since the
 * reference's are unknown: two estimators have no ratio. */
enum { BT_E50_HITS, BT_E50_HITS_SECONDS, BT_E50_QUESTIONS };

extern const char *const bt_e50_question_keys[BT_E50_QUESTIONS]; /* of the JSON */

typedef struct bt_e50_match_result {
  bool same_budget;     /* the runs had as many evaluations as the reference's, or all succeeded: hits
                         * are comparable */
  int hits;             /* at the reference's budget; without same_budget, at the end */
  double missing;       /* hits fewer than the reference's, scaled to its number of runs; NaN without same_budget */
  double reference_e50; /* from hits, bt_e50_of_hits */
  double e50_by_hits;   /* the same for the runs; NaN without same_budget */
  double ratios[BT_E50_QUESTIONS]; /* NaN where undefined, such as where neither has a success */
} bt_e50_match_result;

typedef struct bt_e50_match_summary {
  bt_e50_comparison means[BT_E50_QUESTIONS]; /* geometric means; first: the reference, second: the runs */
} bt_e50_match_summary;

/* results[count]. Complexes in which neither has a success are left out of the means. Intervals are from nested
 * bootstrap samples, in which the reference's hits are resampled too, from a binomial distribution. */
bt_e50_match_summary bt_e50_match_all(const bt_e50_match *matches, int count, uint64_t seed,
                                      bt_e50_match_result *results);

/* ---- shared by the files of the estimate ---- */

/* Estimates from resamples of the same runs. */
typedef struct bt_e50_sampler {
  const bt_e50_run *runs; /* borrowed */
  int count, n_budgets;
  bool interpolated; /* estimates are by the curve, otherwise by the model */
  double last;       /* the largest budget that all runs reached */
  uint8_t *states;   /* [count][n_budgets] successful? */
  int *sample;       /* [count] */
} bt_e50_sampler;

bt_e50_sampler bt_e50_sampler_make(const bt_e50_run *runs, int count, bool interpolated);
/* Estimate from the runs themselves, or from as many drawn with replacement. A sample without a success counts as half
 * a one: ln 2 * evaluations / 0.5, a finite lower bound. */
double bt_e50_counted(bt_e50_sampler *sampler, uint64_t *opt_state);

/* ratios.c. The logarithm of the ratio for one complex: from the runs themselves, or from a bootstrap sample drawn with
 * *opt_state. */
typedef double (*bt_e50_log_ratio_fn)(void *user, int complex, uint64_t *opt_state);
/* Geometric mean of the ratios over count complexes, its interval by nested bootstrap, and the verdict. NaN if count is
 * 0. */
bt_e50_comparison bt_e50_judge(bt_e50_log_ratio_fn log_ratio, void *user, int count, uint64_t seed);

/* Random bits; a number in [0, count). */
uint64_t bt_e50_draw(uint64_t *state);
int bt_e50_draw_below(uint64_t *state, int count);
/* Middle 95 % of the values, which are sorted. */
void bt_e50_interval(double *values, int count, double *ret_low, double *ret_high);

#endif
