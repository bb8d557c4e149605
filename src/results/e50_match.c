/* e50_match.c - runs beside what a program is known to achieve on the same complexes: hits, E50 and seconds.
 *
 * Of the reference only the hits at one budget are known, so its E50 is that of a memoryless search. That of the runs
 * is told twice: from the times of success, which is what it is, and from hits alone, which is like for like but blind
 * where every run succeeds.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "results/e50.h"

/* One complex. */
typedef struct duel {
  const bt_e50_match *match;
  bt_e50_sampler sampler;
  bool interpolated;
  double log_cost; /* logarithm of what an evaluation costs the runs / the reference; NaN: unknown */
  bool *hit;       /* [n_runs] at the reference's budget */
} duel;

/* What one of the four means is made of. */
typedef struct question {
  duel **duels; /* [those that have an answer] */
  bool by_hits, in_seconds;
} question;

static int draw_hits(const bool *hit, int count, uint64_t *state) {
  int hits = 0;
  for (int i = 0; i < count; i++) hits += hit[bt_e50_draw_below(state, count)];
  return hits;
}

/* As many runs as the reference has, each of which succeeds with its share of hits. */
static int draw_reference(const bt_e50_reference_row *of, uint64_t *state) {
  int hits = 0;
  for (int i = 0; i < of->runs; i++) hits += bt_e50_draw_below(state, of->runs) < of->hits;
  return hits;
}

static int count_hits(const duel *d) {
  int hits = 0;
  for (int i = 0; i < d->match->n_runs; i++) hits += d->hit[i];
  return hits;
}

static double log_ratio(void *user, int complex, uint64_t *opt_state) {
  const question *q = user;
  duel *d = q->duels[complex];
  const bt_e50_reference_row *of = d->match->reference;
  double budget = (double)of->evaluations, ours;
  int runs = d->match->n_runs;
  if (q->by_hits)
    ours = bt_e50_of_hits(opt_state != NULL ? draw_hits(d->hit, runs, opt_state) : count_hits(d), runs, budget);
  else
    ours = bt_e50_counted(&d->sampler, d->interpolated, opt_state);
  double theirs = bt_e50_of_hits(opt_state != NULL ? draw_reference(of, opt_state) : of->hits, of->runs, budget);
  return log(ours / theirs) + (q->in_seconds ? d->log_cost : 0.0);
}

/* Were the runs given what the reference's runs had? Those that have all succeeded needed no more. */
static bool has_same_budget(const bt_e50_match *match, int hits) {
  double sum = 0;
  for (int i = 0; i < match->n_runs; i++) sum += (double)match->runs[i].evaluations;
  return hits == match->n_runs || sum >= (double)match->reference->evaluations * match->n_runs;
}

static bt_status open_duel(const bt_e50_match *match, duel *d, uint64_t seed, bt_e50_match_result *result,
                           bt_error *opt_error) {
  const bt_e50_reference_row *of = match->reference;
  double budget = match->evaluations > of->evaluations ? (double)of->evaluations : INFINITY; /* else at the end */
  double reference_cost = of->seconds / ((double)of->evaluations * of->runs);
  d->match = match;
  d->log_cost = log(match->cost / reference_cost);
  BT_TRY(bt_e50_estimate(match->runs, match->n_runs, seed, &result->e50, opt_error));
  d->interpolated = result->e50.interpolated;
  d->hit = bt_allocate((size_t)match->n_runs, sizeof *d->hit);
  if (d->hit == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < match->n_runs; i++) d->hit[i] = bt_e50_share(&match->runs[i], 1, budget) > 0.5;
  result->hits = count_hits(d);
  result->same_budget = has_same_budget(match, result->hits);
  result->missing = result->same_budget ? of->hits - (double)result->hits * of->runs / match->n_runs : NAN;
  result->reference_e50 = bt_e50_of_hits(of->hits, of->runs, (double)of->evaluations);
  result->e50_by_hits =
      result->same_budget ? bt_e50_of_hits(result->hits, match->n_runs, (double)of->evaluations) : NAN;
  return bt_e50_sampler_create(match->runs, match->n_runs, &d->sampler, opt_error);
}

static bool has_answer(const duel *d, const bt_e50_match_result *result, bool by_hits, bool in_seconds) {
  if (in_seconds && !isfinite(d->log_cost)) return false;
  if (by_hits && !result->same_budget) return false;
  return (by_hits ? result->hits : result->e50.successes) > 0 || d->match->reference->hits > 0;
}

/* room[count]. */
static bt_status answer(duel *duels, int count, bool by_hits, bool in_seconds, uint64_t seed, duel **room,
                        bt_e50_match_result *results, bt_e50_comparison *ret_mean, bt_error *opt_error) {
  question q = {.duels = room, .by_hits = by_hits, .in_seconds = in_seconds};
  int n = 0;
  for (int i = 0; i < count; i++) {
    bt_e50_match_result *r = &results[i];
    double *ratio = by_hits ? (in_seconds ? &r->seconds_ratio_by_hits : &r->ratio_by_hits)
                            : (in_seconds ? &r->seconds_ratio : &r->ratio);
    *ratio = NAN;
    if (!has_answer(&duels[i], r, by_hits, in_seconds)) continue;
    room[n++] = &duels[i];
    *ratio = exp(log_ratio(&q, n - 1, NULL));
  }
  return bt_e50_judge(log_ratio, &q, n, seed, ret_mean, opt_error);
}

bt_status bt_e50_match_all(const bt_e50_match *matches, int count, uint64_t seed, bt_e50_match_result *results,
                           bt_e50_match_summary *ret_summary, bt_error *opt_error) {
  duel *duels = bt_allocate((size_t)count, sizeof *duels), **room = bt_allocate((size_t)count, sizeof *room);
  bt_e50_match_summary *s = ret_summary;
  bt_status status = duels == NULL || room == NULL ? bt_fail_memory(opt_error) : BT_OK;
  *s = (bt_e50_match_summary){.e50 = {.pairs = 0}};
  for (int i = 0; i < count && status == BT_OK; i++)
    status = open_duel(&matches[i], &duels[i], seed, &results[i], opt_error);
  if (status == BT_OK) status = answer(duels, count, false, false, seed, room, results, &s->e50, opt_error);
  if (status == BT_OK) status = answer(duels, count, false, true, seed, room, results, &s->seconds, opt_error);
  if (status == BT_OK) status = answer(duels, count, true, false, seed, room, results, &s->e50_by_hits, opt_error);
  if (status == BT_OK) status = answer(duels, count, true, true, seed, room, results, &s->seconds_by_hits, opt_error);
  for (int i = 0; duels != NULL && i < count; i++) {
    bt_e50_sampler_destroy(&duels[i].sampler);
    free(duels[i].hit);
  }
  free(duels);
  free(room);
  return status;
}
