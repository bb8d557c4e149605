/* match.c - compares runs with a program's known results on the same complexes: hits, and E50 and seconds from hits.
 *
 * Of the reference only the hits at one budget are known, so both sides are estimated from hits at that budget, as of
 * memoryless searches. This saturates where every run succeeds; tables of several budgets (budgets.c) do not.
 */
#include <math.h>
#include <stdlib.h>

#include "bench/common/output.h"
#include "bench/e50/e50.h"

/* One complex. */
typedef struct duel {
  const bt_e50_match *match;
  double log_cost; /* logarithm of seconds per evaluation, runs over reference; NaN: unknown */
  bool *hit;       /* [n_runs] at the reference's budget */
} duel;

const char *const bt_e50_question_keys[BT_E50_QUESTIONS] = {"e50_by_hits", "seconds_by_hits"};

typedef struct poll {
  bool in_seconds;
  duel **duels; /* [those with a defined ratio] */
} poll;

/* Hits of the runs themselves, or of as many drawn with replacement. */
static int count_hits(const duel *d, uint64_t *opt_state) {
  int hits = 0, runs = d->match->n_runs;
  for (int i = 0; i < runs; i++) hits += d->hit[opt_state != NULL ? bt_e50_draw_below(opt_state, runs) : i];
  return hits;
}

/* Hits of the reference, or a binomial sample with the same number of runs and fraction of hits. */
static int reference_hits(const bt_e50_reference_row *of, uint64_t *opt_state) {
  int hits = opt_state == NULL ? of->hits : 0;
  for (int i = 0; opt_state != NULL && i < of->runs; i++) hits += bt_e50_draw_below(opt_state, of->runs) < of->hits;
  return hits;
}

/* E50 from hits at this budget, with the fraction of hits kept half a run of the smaller side away from 0 and 1 on both
 * sides, so that two sides that always succeed are equal whatever their numbers of runs. */
static double alike(int hits, int runs, int least, double budget) {
  double p = fmin(fmax((double)hits / runs, 0.5 / least), 1.0 - 0.5 / least);
  return budget * log(2.0) / -log1p(-p);
}

static double log_ratio(void *user, int complex, uint64_t *opt_state) {
  const poll *p = user;
  const duel *d = p->duels[complex];
  const bt_e50_reference_row *of = d->match->reference;
  int runs = d->match->n_runs, least = runs < of->runs ? runs : of->runs;
  double ours = alike(count_hits(d, opt_state), runs, least, (double)of->evaluations);
  double theirs = alike(reference_hits(of, opt_state), of->runs, least, (double)of->evaluations);
  return log(ours / theirs) + (p->in_seconds ? d->log_cost : 0.0);
}

/* Whether the runs had the reference's budget. If all of them succeeded, they needed no more. */
static bool has_same_budget(const bt_e50_match *match, int hits) {
  double sum = 0;
  for (int i = 0; i < match->n_runs; i++) sum += (double)match->runs[i].evaluations;
  return hits == match->n_runs || sum >= (double)match->reference->evaluations * match->n_runs;
}

static void open_duel(const bt_e50_match *match, duel *d, bt_e50_match_result *result) {
  const bt_e50_reference_row *of = match->reference;
  double budget = match->evaluations > of->evaluations ? (double)of->evaluations : INFINITY; /* else at the end */
  double reference_cost = of->seconds / ((double)of->evaluations * of->runs);
  *d = (duel){match, log(match->cost / reference_cost), bench_keep((size_t)match->n_runs, sizeof *d->hit)};
  for (int i = 0; i < match->n_runs; i++) d->hit[i] = bt_e50_share(&match->runs[i], 1, budget) > 0.5;
  result->hits = count_hits(d, NULL);
  result->same_budget = has_same_budget(match, result->hits);
  result->missing = result->same_budget ? of->hits - (double)result->hits * of->runs / match->n_runs : NAN;
  result->reference_e50 = bt_e50_of_hits(of->hits, of->runs, (double)of->evaluations);
  result->e50_by_hits =
      result->same_budget ? bt_e50_of_hits(result->hits, match->n_runs, (double)of->evaluations) : NAN;
}

static bool has_answer(bool in_seconds, const duel *d, const bt_e50_match_result *result) {
  if ((in_seconds && !isfinite(d->log_cost)) || !result->same_budget) return false;
  return result->hits > 0 || d->match->reference->hits > 0;
}

static bt_e50_comparison answer(int question, duel *duels, int count, uint64_t seed, bt_e50_match_result *results) {
  BT_SCOPED duel **having = bench_allocate((size_t)count, sizeof *having);
  poll p = {question == BT_E50_HITS_SECONDS, having};
  int n = 0;
  for (int i = 0; i < count; i++) {
    results[i].ratios[question] = NAN;
    if (!has_answer(p.in_seconds, &duels[i], &results[i])) continue;
    having[n++] = &duels[i];
    results[i].ratios[question] = exp(log_ratio(&p, n - 1, NULL));
  }
  return bt_e50_judge(log_ratio, &p, n, seed);
}

bt_e50_match_summary bt_e50_match_all(const bt_e50_match *matches, int count, uint64_t seed,
                                      bt_e50_match_result *results) {
  BT_SCOPED duel *duels = bench_allocate((size_t)count, sizeof *duels);
  bt_e50_match_summary s;
  for (int i = 0; i < count; i++) open_duel(&matches[i], &duels[i], &results[i]);
  for (int q = 0; q < BT_E50_QUESTIONS; q++) s.means[q] = answer(q, duels, count, seed, results);
  return s;
}
