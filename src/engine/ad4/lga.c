/* lga.c - docking by the Lamarckian genetic algorithm: many independent runs of some ligands.
 *
 * The algorithm reads in order in bt_lga_search; a generation itself (selection, crossover, mutation, local search) is
 * the back end's. Morris et al., J. Comput. Chem. 19, 1639 (1998); Santos-Martins et al. 2021.
 */
#include "engine/ad4/lga.h"

#include <math.h>

#include "base/clock.h"
#include "base/memory.h"

/* Has the ligand reached a limit? If not, is it to be tested whether its search has converged? */
static bool judge(bt_dock_task *task, int64_t generation, bool *ret_test) {
  const bt_dock_options *o = task->options;
  task->result->generations = generation;
  task->fraction = fmin(1.0, fmax(bt_dock_task_mean(task) / (double)task->limit,
                                  (double)generation / (double)o->generations));
  *ret_test = task->fraction < 1.0 && o->autostop && generation % o->autostop_interval == 0;
  return task->fraction >= 1.0;
}

/* Takes the ligands that have ended off the device; ended[] receives them. */
static bt_status collect(bt_dock_group *group, int64_t generation, int *ended, int *ret_ended, bt_error *opt_error) {
  bool tests = false;
  *ret_ended = 0;
  BT_TRY(bt_dock_group_progress(group, opt_error));
  for (int t = 0; t < group->count; t++) {
    group->ended[t] = group->test[t] = group->converged[t] = false;
    if (group->active[t]) group->ended[t] = judge(group->tasks[t], generation, &group->test[t]);
    tests |= group->test[t];
  }
  if (tests) BT_TRY(bt_dock_group_autostop(group, opt_error));
  for (int t = 0; t < group->count; t++) {
    bt_dock_task *task = group->tasks[t];
    if (group->converged[t] && bt_dock_task_mean(task) >= task->autostop_minimum)
      group->ended[t] = task->result->autostopped = true;
    if (!group->ended[t]) continue;
    BT_TRY(bt_dock_group_energies(group, t, opt_error));
    BT_TRY(bt_dock_group_genes(group, t, opt_error));
    ended[(*ret_ended)++] = t;
  }
  return BT_OK;
}

int64_t bt_lga_stride(const bt_search_parameters *p, double evaluations) {
  double steps = p->local_search == BT_KERNEL_LS_NONE       ? 0
               : p->local_search == BT_KERNEL_LS_SOLIS_WETS ? 2.0 * p->iterations
                                                            : p->iterations;
  double most = (double)p->runs * p->population * (1.0 + p->redraws + steps); /* of one generation */
  return evaluations > most ? (int64_t)fmin(ceil(evaluations / most), 1e9) : 1;
}

/* Generations that may pass before anything has to be decided: until a limit may be reached or a test is due. */
static int64_t stride(const bt_dock_group *group, int64_t generation, int64_t longest) {
  int64_t n = longest;
  for (int t = 0; t < group->count; t++) {
    const bt_dock_task *task = group->tasks[t];
    const bt_dock_options *o = task->options;
    if (!group->active[t]) continue;
    int64_t limit = bt_lga_stride(&task->parameters, (double)task->limit * o->runs - (double)task->evaluations);
    if (limit < n) n = limit;
    if (o->generations - generation < n) n = o->generations - generation;
    if (o->autostop && o->autostop_interval - generation % o->autostop_interval < n)
      n = o->autostop_interval - generation % o->autostop_interval;
  }
  return n;
}

/* Up to so many generations at a time, that the caller hears of them ten times a second. */
static int64_t next_longest(const bt_dock_group *group, int64_t longest, double seconds) {
  if (!group->remote) return 1;
  return seconds < 0.02 && longest < 64 ? 2 * longest : seconds > 0.06 && longest > 1 ? longest / 2 : longest;
}

static bt_status search(bt_dock_group *group, const bt_lga_watch *watch, int *ended, bt_error *opt_error) {
  double started = bt_seconds(), looked = started;
  int left = group->count, n_ended;
  int64_t longest = 1, count = 1;
  BT_TRY(bt_dock_group_initialize(group, opt_error));
  for (int64_t generation = 0; left > 0; generation += count) {
    BT_TRY(collect(group, generation, ended, &n_ended, opt_error));
    double now = bt_seconds(), seconds = now - started;
    longest = next_longest(group, longest, now - looked);
    looked = now;
    if (!watch->report(watch->user, group))
      return bt_fail(opt_error, BT_ERR_CANCELLED, (bt_where){0}, "", "the docking was stopped");
    for (int k = 0; k < n_ended; k++) group->active[ended[k]] = false;
    left -= n_ended;
    count = stride(group, generation, longest);
    bt_error error;
    bt_status status = left > 0 ? bt_dock_group_generations(group, (uint32_t)(generation + 1), (int)count, &error) : BT_OK;
    for (int k = 0; k < n_ended; k++) { /* while a device works on the others */
      bt_dock_task *task = group->tasks[ended[k]];
      task->result->seconds = seconds;
      bt_error own = {0};
      watch->done(watch->user, task, bt_dock_task_finish(task, &own), &own);
    }
    if (status != BT_OK) {
      if (opt_error != NULL) *opt_error = error;
      return status;
    }
  }
  return BT_OK;
}

bt_status bt_lga_search(bt_dock_group *group, const bt_lga_watch *watch, bt_error *opt_error) {
  BT_SCOPED int *ended = bt_allocate((size_t)group->count, sizeof *ended);
  return ended == NULL ? bt_fail_memory(opt_error) : search(group, watch, ended, opt_error);
}
