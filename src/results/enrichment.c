/* enrichment.c - how well a ranking puts actives before decoys. */
#include "results/enrichment.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Ligands of one score, in the order of scores. */
typedef struct group {
  double actives, decoys; /* how many; of a resampling: how often drawn */
} group;

typedef struct ranked {
  double score;
  bool active;
} ranked;

typedef struct work {
  group *groups; /* [n_groups] of the ranking itself */
  size_t n_groups;
  group *drawn;      /* [n_groups] of a resampling */
  size_t *of_active; /* [n_actives] group of each active */
  size_t *of_decoy;  /* [n_decoys] */
  size_t n_actives, n_decoys;
} work;

static int by_score(const void *a, const void *b) {
  double p = ((const ranked *)a)->score, q = ((const ranked *)b)->score;
  return p < q ? -1 : p > q;
}

/* Actives among the first `top` ligands; a group that is cut counts in proportion. */
static double found_in(const group *groups, size_t n, double top) {
  double before = 0, found = 0;
  for (size_t i = 0; i < n && before < top; i++) {
    double size = groups[i].actives + groups[i].decoys;
    if (size > 0) found += groups[i].actives * fmin(1, (top - before) / size);
    before += size;
  }
  return found;
}

/* AUC, EF1%, EF5% */
static void measure(const group *groups, size_t n, double actives, double decoys, double *values) {
  double below = 0, area = 0, all = actives + decoys;
  for (size_t i = 0; i < n; i++) {
    area += groups[i].actives * (below + groups[i].decoys / 2);
    below += groups[i].decoys;
  }
  values[0] = 1 - area / (actives * decoys);
  const double shares[] = {0.01, 0.05};
  for (int k = 0; k < 2; k++) {
    double top = fmax(1, round(all * shares[k]));
    values[1 + k] = found_in(groups, n, top) / top / (actives / all);
  }
}

/* SplitMix64 (Steele et al. 2014): enough for resampling. */
static uint64_t next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static void resample(work *w, uint64_t *state, double *values) {
  for (size_t i = 0; i < w->n_groups; i++) w->drawn[i] = (group){0};
  for (size_t i = 0; i < w->n_actives; i++) w->drawn[w->of_active[next(state) % w->n_actives]].actives++;
  for (size_t i = 0; i < w->n_decoys; i++) w->drawn[w->of_decoy[next(state) % w->n_decoys]].decoys++;
  measure(w->drawn, w->n_groups, (double)w->n_actives, (double)w->n_decoys, values);
}

static int by_value(const void *a, const void *b) {
  double p = *(const double *)a, q = *(const double *)b;
  return p < q ? -1 : p > q;
}

static bt_interval interval_of(double value, double *samples, int n) {
  qsort(samples, (size_t)n, sizeof *samples, by_value);
  if (n < 1) return (bt_interval){value, value, value};
  int outside = (int)(0.025 * n); /* on each side */
  return (bt_interval){value, samples[outside], samples[n - 1 - outside]};
}

/* Points at about equal steps; groups are not cut, so that ties are slanted lines. */
static void draw_roc(const work *w, bt_enrichment *e) {
  double actives = 0, decoys = 0, last = 0;
  for (size_t i = 0; i < w->n_groups; i++) {
    actives += w->groups[i].actives;
    decoys += w->groups[i].decoys;
    double x = decoys / (double)w->n_decoys, y = actives / (double)w->n_actives;
    if (i + 1 < w->n_groups && (x + y - last < 2.0 / (BT_ROC_POINTS - 3) || e->n_roc >= BT_ROC_POINTS - 1)) continue;
    last = x + y;
    e->roc[e->n_roc][0] = x;
    e->roc[e->n_roc++][1] = y;
  }
}

static bt_status make_groups(const double *scores, const bool *active, size_t n, bt_arena *arena, work *w,
                             bt_error *opt_error) {
  ranked *order;
  BT_NEW(arena, order, n);
  BT_NEW(arena, w->groups, n);
  BT_NEW(arena, w->drawn, n);
  BT_NEW(arena, w->of_active, n);
  BT_NEW(arena, w->of_decoy, n);
  BT_TRY(bt_arena_status(arena, opt_error));
  for (size_t i = 0; i < n; i++) order[i] = (ranked){scores[i], active[i]};
  qsort(order, n, sizeof *order, by_score);
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || order[i].score > order[i - 1].score) w->n_groups++;
    group *g = &w->groups[w->n_groups - 1];
    if (order[i].active)
      g->actives++, w->of_active[w->n_actives++] = w->n_groups - 1;
    else
      g->decoys++, w->of_decoy[w->n_decoys++] = w->n_groups - 1;
  }
  return BT_OK;
}

static bt_status run(work *w, int resamplings, uint64_t seed, bt_enrichment *e, bt_error *opt_error) {
  double values[3];
  BT_SCOPED double *samples = bt_allocate(3 * (size_t)resamplings, sizeof *samples);
  if (samples == NULL) return bt_fail_memory(opt_error);
  for (int k = 0; k < resamplings; k++) {
    double drawn[3];
    resample(w, &seed, drawn);
    for (int m = 0; m < 3; m++) samples[m * resamplings + k] = drawn[m];
  }
  measure(w->groups, w->n_groups, (double)w->n_actives, (double)w->n_decoys, values);
  bt_interval *const intervals[] = {&e->auc, &e->ef1, &e->ef5};
  for (int m = 0; m < 3; m++) *intervals[m] = interval_of(values[m], samples + m * resamplings, resamplings);
  return BT_OK;
}

bt_status bt_enrichment_measure(const double *scores, const bool *active, size_t n, int resamplings, uint64_t seed,
                                bt_enrichment *e, bt_error *opt_error) {
  *e = (bt_enrichment){.n_roc = 1};
  for (size_t i = 0; i < n; i++) *(active[i] ? &e->actives : &e->decoys) += 1;
  if (e->actives == 0 || e->decoys == 0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "check the pattern of the actives' names",
                   "there are %lld actives and %lld decoys", (long long)e->actives, (long long)e->decoys);
  work w = {0};
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  BT_TRY(make_groups(scores, active, n, &arena, &w, opt_error));
  BT_TRY(run(&w, resamplings, seed, e, opt_error));
  draw_roc(&w, e);
  return BT_OK;
}
