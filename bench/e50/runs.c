/* runs.c - when each run of a search began or ceased to be successful. */
#include "bench/e50/study.h"

#include <stdlib.h>

#include "base/memory.h"
#include "common/report.h"

void e50_runs_free(e50_runs *runs) {
  free(runs->items);
  free(runs->pool);
  *runs = (e50_runs){0};
}

/* order[n_steps]: the steps run by run, each run's in the order of generations; first[run], first[run + 1]: its part.
 */
static void sort_by_run(const e50_trace *t, size_t *first, size_t *order) {
  size_t runs = (size_t)t->runs;
  for (size_t i = 0; i < t->n_steps; i++) first[t->steps[i].run + 1]++;
  for (size_t r = 0; r < runs; r++) first[r + 1] += first[r];
  for (size_t i = 0; i < t->n_steps; i++) order[first[t->steps[i].run]++] = i;
  for (size_t r = runs; r > 0; r--) first[r] = first[r - 1]; /* each had moved to its end */
  first[0] = 0;
}

bt_status e50_runs_find(const e50_trace *trace, double energy, double rmsd, e50_runs *ret_runs, bt_error *opt_error) {
  size_t runs = (size_t)trace->runs, used = 0;
  BT_SCOPED size_t *first = calloc(runs + 1, sizeof *first), *order = calloc(trace->n_steps + 1, sizeof *order);
  *ret_runs = (e50_runs){calloc(runs, sizeof *ret_runs->items), calloc(trace->n_steps + 1, sizeof *ret_runs->pool)};
  bool memory = first != NULL && order != NULL && ret_runs->items != NULL && ret_runs->pool != NULL;
  if (memory) sort_by_run(trace, first, order);
  for (size_t r = 0; memory && r < runs; r++) {
    bt_e50_run *run = &ret_runs->items[r];
    bool now = false;
    *run = (bt_e50_run){.changes = ret_runs->pool + used, .evaluations = trace->evaluations[r]};
    for (size_t i = first[r]; i < first[r + 1]; i++) {
      const bt_bench_step *step = &trace->steps[order[i]];
      if ((step->energy <= energy && step->rmsd <= rmsd) == now) continue;
      now = !now;
      ret_runs->pool[used++] = step->evaluations;
      run->n_changes++;
    }
  }
  return memory ? BT_OK : cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
}
