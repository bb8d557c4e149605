/* search.c - one configuration searches one complex. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/e50/set.h"
#include "common/report.h"

/* Two questions about a run. */
enum { BY_SCORE = 1, BY_RMSD = 2 };

typedef struct watcher {
  e50_trace *trace;
  unsigned char *answered; /* [runs] */
  unsigned wanted;         /* 0: nothing is known, the limit alone ends the search */
  int done, needed;        /* runs that have all that is wanted */
  double target, radius;
  bool failed; /* out of memory */
} watcher;

static void answer(watcher *w, const bt_bench_step *step) {
  unsigned now = (step->energy <= w->target ? BY_SCORE : 0u) | (step->rmsd <= w->radius ? BY_RMSD : 0u);
  unsigned char *before = &w->answered[step->run];
  w->done += ((now & w->wanted) == w->wanted) - ((*before & w->wanted) == w->wanted);
  *before = (unsigned char)now;
}

static bool note(void *user, const bt_bench_step *step) {
  watcher *w = user;
  e50_trace *t = w->trace;
  if (t->n_steps == t->capacity) {
    size_t capacity = t->capacity > 0 ? 2 * t->capacity : 1024;
    bt_bench_step *steps = realloc(t->steps, capacity * sizeof *steps);
    if (steps == NULL) {
      w->failed = true;
      return false;
    }
    t->steps = steps;
    t->capacity = capacity;
  }
  /* as its file will have it, so that it does not matter whether the trace was read or has just been made */
  t->steps[t->n_steps] = *step;
  t->steps[t->n_steps].energy = rint(1e4 * step->energy) / 1e4;
  t->steps[t->n_steps++].rmsd = rint(1e3 * step->rmsd) / 1e3;
  if (w->wanted == 0) return true;
  answer(w, step);
  return w->done < w->needed;
}

bt_status e50_search(const e50_case *c, const e50_complex *complex, const e50_config *config, const e50_limits *limits,
                     e50_trace *ret_trace, bt_error *opt_error) {
  int runs = config->search.runs;
  *ret_trace = (e50_trace){.runs = runs};
  ret_trace->evaluations = calloc((size_t)runs, sizeof *ret_trace->evaluations);
  watcher w = {.trace = ret_trace,
               .answered = calloc((size_t)runs, 1),
               .target = complex->known + limits->window,
               .radius = limits->radius,
               .needed = (int)ceil(limits->enough * runs)};
  if (!isnan(complex->known)) w.wanted = BY_SCORE | (complex->known_rmsd <= limits->radius ? BY_RMSD : 0u);
  bt_status status = BT_ERR_MEMORY;
  if (ret_trace->evaluations != NULL && w.answered != NULL)
    status = bt_bench_convergence(c->ligand, c->maps, c->references[0], &config->search, note, &w,
                                  ret_trace->evaluations, &ret_trace->result, opt_error);
  else
    w.failed = true;
  if (w.failed) status = cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
  free(w.answered);
  snprintf(ret_trace->commit, sizeof ret_trace->commit, "%s", bt_build_commit());
  return status;
}
