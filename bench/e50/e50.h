/* e50.h - evaluations that one run needs to succeed with a probability of one half (docs/benchmarks/e50.md): estimates
 * (estimate.c), ratios of two configurations (ratios.c), what other programs achieve (reference.c, match.c).
 */
#ifndef BERTH_BENCH_E50_E50_H
#define BERTH_BENCH_E50_E50_H

#include "base/status.h"

/* When a run began to be successful, when it ceased to be, began again...: evaluations, ascending; successful at a
 * budget of n when an odd number of them are <= n. */
typedef struct bt_e50_run {
  const int64_t *changes;
  int n_changes;
  int64_t evaluations; /* at which the run was ended */
} bt_e50_run;

typedef struct bt_e50 {
  int runs, successes;      /* runs that end successfully */
  double value, low, high;  /* E50 and its 95 % interval; INFINITY: beyond what was seen */
  bool interpolated;        /* value is that of the curve; else of the memoryless model */
  double by_curve;          /* where the share of successful runs crosses one half; INFINITY when it does not */
  double by_model;          /* p(n) = 1 - 2^(-n / E50), maximum likelihood; INFINITY without a success */
  double shape;             /* Weibull exponent; 1: memoryless, below 1: some runs never come down; NaN: unknown */
  double shape_probability; /* of a likelihood ratio at least this far from shape 1 if the shape is 1; NaN: unknown */
  double counted;           /* value; without a success that of half a success, a lower bound */
} bt_e50;

/* The interval is the percentile interval of 2,000 bootstrap samples of runs, drawn from seed. At least one run. */
bt_e50 bt_e50_estimate(const bt_e50_run *runs, int count, uint64_t seed);
/* Seconds until one of many runs that are searched together has succeeded with this chance, in (0, 1), when all of them
 * together make so many evaluations per second: n evaluations of memoryless runs, or of runs that are started anew
 * after E50, succeed with 1 - 2^(-n / E50), however they are spread over runs. NaN when the rate is not known. */
double bt_e50_seconds(double e50, double evaluations_per_second, double chance);
/* E50 of memoryless runs when only the number of those is known that were successful at a budget of evaluations. No
 * success counts as half a one and no failure as half a one, which gives a lower and an upper bound. NaN: impossible.
 */
double bt_e50_of_hits(int hits, int runs, double evaluations);
/* Share of the runs that are successful at this budget; runs that ended before count as they ended. */
double bt_e50_share(const bt_e50_run *runs, int count, double budget);
/* The largest budget that all runs have seen. */
double bt_e50_last(const bt_e50_run *runs, int count);

/* The runs of one complex with one configuration, and with two. */
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
  BT_E50_SECOND_FEWER, /* the interval lies below 1: the second one needs fewer evaluations */
  BT_E50_SECOND_MORE
} bt_e50_verdict;

typedef struct bt_e50_comparison {
  int pairs;               /* complexes in which at least one of the two succeeded */
  double ratio, low, high; /* geometric mean of E50 of the second / of the first, and its 95 % interval */
  double probability; /* of ratios at least as one-sided if there is no difference: Wilcoxon's signed ranks, exact */
  bt_e50_verdict verdict;
} bt_e50_comparison;

/* By evaluations, or by seconds where both rates are known. Paired over complexes; the interval is that of 2,000 nested
 * bootstrap samples, complexes outside, runs inside. A side without a success counts half a success. opt_ratios[count]:
 * of each pair, NaN where neither succeeded. */
bt_e50_comparison bt_e50_compare(const bt_e50_pair *pairs, int count, bool seconds, uint64_t seed, double *opt_ratios);

/* What a program is known to achieve on one complex. */
typedef struct bt_e50_reference_row {
  char *name;          /* of the complex */
  double energy;       /* what success was measured from: inter + intra within 1.0 kcal/mol of it, or below */
  int hits, runs;      /* runs that succeeded, of how many */
  int64_t evaluations; /* per run */
  double seconds;      /* docking time of all runs; NaN: not told */
} bt_e50_reference_row;

typedef struct bt_e50_reference {
  char *program;
  bt_e50_reference_row *rows; /* complexes are different */
  int count;
} bt_e50_reference;

/* Reads a table (docs/benchmarks/e50.md): fields between tabs, a first line with their names, of which complex,
 * reference and PROGRAM_hits are needed and PROGRAM_seconds, runs and evaluations may be there; without the last two a
 * comment, which opens with #, says "100 runs of 1,000,000 evaluations". opt_program: NULL: the first that has hits. A
 * complex with
 * - for its hits or its reference is left out. */
bt_status bt_e50_reference_read(const char *path, const char *opt_program, bt_e50_reference **ret_reference,
                                bt_error *opt_error) BT_MUST_USE;
/* The same of a text; path is for messages. */
bt_status bt_e50_reference_parse(const char *path, const char *text, size_t size, const char *opt_program,
                                 bt_e50_reference **ret_reference, bt_error *opt_error) BT_MUST_USE;
void bt_e50_reference_destroy(bt_e50_reference *opt_reference);
/* NULL when it is not there. */
const bt_e50_reference_row *bt_e50_reference_find(const bt_e50_reference *reference, const char *name);

/* The runs of one complex beside what is known of it. */
typedef struct bt_e50_match {
  const bt_e50_run *runs; /* successes as the reference defines them */
  int n_runs;
  int64_t evaluations; /* limit per run that they were searched with */
  double cost;         /* seconds per evaluation, all runs searched together; NaN: unknown */
  const bt_e50_reference_row *reference;
} bt_e50_match;

/* Which ratio of the runs to the reference. */
enum {
  BT_E50_TIMES, /* of E50: the runs' from the times of success, the reference's from hits alone, both with half a
                 * success where there is none; at least 1 when the runs have none */
  BT_E50_TIMES_SECONDS,
  BT_E50_NO_BOUNDS, /* without complexes in which all of the reference's runs succeeded: its E50 is at most, and the
                     * ratios above at least, what is told; unless they say "more", nothing is decided */
  BT_E50_NO_BOUNDS_SECONDS,
  BT_E50_HITS, /* from hits on both sides, shares of hits kept half a run of the smaller side away from 0 and 1 */
  BT_E50_HITS_SECONDS,
  BT_E50_QUESTIONS
};

typedef struct bt_e50_question {
  const char *key; /* of the JSON */
  bool by_hits, in_seconds, no_bounds;
} bt_e50_question;

extern const bt_e50_question bt_e50_questions[BT_E50_QUESTIONS];

typedef struct bt_e50_match_result {
  bool same_budget;     /* the runs were given as many evaluations as the reference's, or all have
                         * succeeded: hits may be compared */
  int hits;             /* at the reference's budget; without same_budget at the end */
  double missing;       /* hits that the reference has more, of its number of runs; NaN without same_budget */
  bt_e50 e50;           /* from the times of success */
  double reference_e50; /* from hits, bt_e50_of_hits */
  double e50_by_hits;   /* the same of the runs; NaN without same_budget */
  double ratios[BT_E50_QUESTIONS]; /* NaN where there is no answer, such as where neither has a success */
} bt_e50_match_result;

typedef struct bt_e50_match_summary {
  bt_e50_comparison means[BT_E50_QUESTIONS]; /* geometric; first: the reference, second: the runs */
  int bounds;                                /* complexes in which all of the reference's runs succeeded */
} bt_e50_match_summary;

/* results[count]. Complexes in which neither has a success are left out of the means. Intervals are those of nested
 * bootstrap samples, in which the reference's runs are drawn as well, by its share of hits. */
bt_e50_match_summary bt_e50_match_all(const bt_e50_match *matches, int count, uint64_t seed,
                                      bt_e50_match_result *results);

/* ---- shared by the files of the estimate ---- */

/* Estimates of samples of the same runs. */
typedef struct bt_e50_sampler {
  const bt_e50_run *runs; /* borrowed */
  int count, n_budgets;
  bool interpolated; /* estimates are those of the curve; else of the model */
  double last;       /* the largest budget that all runs have seen */
  uint8_t *states;   /* [count][n_budgets] successful? */
  int *sample;       /* [count] */
} bt_e50_sampler;

bt_e50_sampler bt_e50_sampler_make(const bt_e50_run *runs, int count, bool interpolated);
/* Of the runs themselves, or of as many drawn with replacement. A sample without a success counts as if it had half a
 * one: ln 2 * evaluations / 0.5, which is finite and a lower bound. */
double bt_e50_counted(bt_e50_sampler *sampler, uint64_t *opt_state);

/* ratios.c. The logarithm of the ratio of one complex: of the runs themselves, or of a bootstrap sample drawn from
 * *opt_state. */
typedef double (*bt_e50_log_ratio_fn)(void *user, int complex, uint64_t *opt_state);
/* Geometric mean of the ratios of so many complexes, nested bootstrap with complexes outside, and the verdict; 0: NaN.
 */
bt_e50_comparison bt_e50_judge(bt_e50_log_ratio_fn log_ratio, void *user, int count, uint64_t seed);

/* Random bits; a number in [0, count). */
uint64_t bt_e50_draw(uint64_t *state);
int bt_e50_draw_below(uint64_t *state, int count);
/* Middle 95 % of the values, which are sorted. */
void bt_e50_interval(double *values, int count, double *ret_low, double *ret_high);

#endif
