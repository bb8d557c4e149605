/* match.c - compares runs with a program's known results on the same complexes: hits, E50 and seconds.
 *
 * Of the reference only the hits at one budget are known, so its E50 assumes a memoryless search. That of the runs is
 * given twice: from the times of success, which is accurate, and from hits alone, which is like for like but saturates
 * where every run succeeds.
 */
#include <math.h>
#include <stdlib.h>

#include "bench/common/output.h"
#include "bench/e50/e50.h"

/* One complex. */
typedef struct duel {
  const bt_e50_match *match;
  bt_e50_sampler sampler;
  double log_cost; /* logarithm of seconds per evaluation, runs over reference; NaN: unknown */
  bool *hit;       /* [n_runs] at the reference's budget */
} duel;

const bt_e50_question bt_e50_questions[BT_E50_QUESTIONS] = {
    [BT_E50_TIMES] = {"e50", false, false, false},
    [BT_E50_TIMES_SECONDS] = {"seconds", false, true, false},
    [BT_E50_NO_BOUNDS] = {"e50_without_bounds", false, false, true},
    [BT_E50_NO_BOUNDS_SECONDS] = {"seconds_without_bounds", false, true, true},
    [BT_E50_HITS] = {"e50_by_hits", true, false, false},
    [BT_E50_HITS_SECONDS] = {"seconds_by_hits", true, true, false},
};

typedef struct poll {
  const bt_e50_question *question;
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

/* Of the sample drawn last. */
static bool has_success(const bt_e50_sampler *s) {
  for (int i = 0; i < s->count; i++)
    if (s->runs[s->sample[i]].n_changes % 2 == 1) return true;
  return false;
}

static double log_ratio(void *user, int complex, uint64_t *opt_state) {
  const poll *p = user;
  duel *d = p->duels[complex];
  const bt_e50_reference_row *of = d->match->reference;
  double budget = (double)of->evaluations, ours, theirs;
  int runs = d->match->n_runs, least = runs < of->runs ? runs : of->runs;
  if (p->question->by_hits) {
    ours = alike(count_hits(d, opt_state), runs, least, budget);
    theirs = alike(reference_hits(of, opt_state), of->runs, least, budget);
  } else {
    theirs = bt_e50_of_hits(reference_hits(of, opt_state), of->runs, budget);
    ours = bt_e50_counted(&d->sampler, opt_state);
    /* with a lower bound as E50, a few short runs without a success would look better than the reference */
    if (!has_success(&d->sampler)) ours = fmax(ours, theirs);
  }
  return log(ours / theirs) + (p->question->in_seconds ? d->log_cost : 0.0);
}

/* Whether the runs had the reference's budget. If all of them succeeded, they needed no more. */
static bool has_same_budget(const bt_e50_match *match, int hits) {
  double sum = 0;
  for (int i = 0; i < match->n_runs; i++) sum += (double)match->runs[i].evaluations;
  return hits == match->n_runs || sum >= (double)match->reference->evaluations * match->n_runs;
}

static void open_duel(const bt_e50_match *match, duel *d, uint64_t seed, bt_e50_match_result *result) {
  const bt_e50_reference_row *of = match->reference;
  double budget = match->evaluations > of->evaluations ? (double)of->evaluations : INFINITY; /* else at the end */
  double reference_cost = of->seconds / ((double)of->evaluations * of->runs);
  result->e50 = bt_e50_estimate(match->runs, match->n_runs, seed);
  *d = (duel){match, bt_e50_sampler_make(match->runs, match->n_runs, result->e50.interpolated),
              log(match->cost / reference_cost), bench_keep((size_t)match->n_runs, sizeof *d->hit)};
  for (int i = 0; i < match->n_runs; i++) d->hit[i] = bt_e50_share(&match->runs[i], 1, budget) > 0.5;
  result->hits = count_hits(d, NULL);
  result->same_budget = has_same_budget(match, result->hits);
  result->missing = result->same_budget ? of->hits - (double)result->hits * of->runs / match->n_runs : NAN;
  result->reference_e50 = bt_e50_of_hits(of->hits, of->runs, (double)of->evaluations);
  result->e50_by_hits =
      result->same_budget ? bt_e50_of_hits(result->hits, match->n_runs, (double)of->evaluations) : NAN;
}

static bool is_bound(const bt_e50_reference_row *of) { return of->hits == of->runs; }

static bool has_answer(const bt_e50_question *q, const duel *d, const bt_e50_match_result *result) {
  if (q->in_seconds && !isfinite(d->log_cost)) return false;
  if (q->by_hits && !result->same_budget) return false;
  if (q->no_bounds && is_bound(d->match->reference)) return false;
  return (q->by_hits ? result->hits : result->e50.successes) > 0 || d->match->reference->hits > 0;
}

static bt_e50_comparison answer(int number, duel *duels, int count, uint64_t seed, bt_e50_match_result *results) {
  const bt_e50_question *q = &bt_e50_questions[number];
  BT_SCOPED duel **having = bench_allocate((size_t)count, sizeof *having);
  poll p = {q, having};
  int n = 0;
  bool bounded = false;
  for (int i = 0; i < count; i++) {
    bt_e50_match_result *r = &results[i];
    r->ratios[number] = NAN;
    if (!has_answer(q, &duels[i], r)) continue;
    having[n++] = &duels[i];
    r->ratios[number] = exp(log_ratio(&p, n - 1, NULL));
    bounded = bounded || (!q->by_hits && (is_bound(duels[i].match->reference) || r->e50.successes == 0));
  }
  bt_e50_comparison mean = bt_e50_judge(log_ratio, &p, n, seed);
  /* a mean that is a lower bound cannot show that fewer evaluations are needed */
  if (bounded && mean.verdict != BT_E50_SECOND_MORE) mean.verdict = BT_E50_UNDECIDED;
  return mean;
}

bt_e50_match_summary bt_e50_match_all(const bt_e50_match *matches, int count, uint64_t seed,
                                      bt_e50_match_result *results) {
  BT_SCOPED duel *duels = bench_allocate((size_t)count, sizeof *duels);
  bt_e50_match_summary s = {.bounds = 0};
  for (int i = 0; i < count; i++) {
    open_duel(&matches[i], &duels[i], seed, &results[i]);
    s.bounds += is_bound(matches[i].reference);
  }
  for (int q = 0; q < BT_E50_QUESTIONS; q++) s.means[q] = answer(q, duels, count, seed, results);
  return s;
}
