/* lga.c - docking by the Lamarckian genetic algorithm: many independent runs of some ligands.
 *
 * The algorithm reads in order in bt_lga_search; a generation itself (selection, crossover, mutation, local search) is
 * the back end's. Morris et al., J. Comput. Chem. 19, 1639 (1998); Santos-Martins et al. 2021.
 */
#include "engine/lga/search/lga.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"

/* Runs that have found the same pose differ by less in their energies, kcal/mol. */
static const double AGREEMENT = 0.5;

/* Has the ligand reached a limit? If not, is its search due for a convergence test? */
static bool judge(bt_dock_task *task, int64_t generation, bool *ret_test) {
  const bt_dock_options *o = task->options;
  task->result->generations = generation;
  task->fraction =
      fmin(1.0, fmax(bt_dock_task_mean(task) / (double)task->limit, (double)generation / (double)o->generations));
  *ret_test = task->fraction < 1.0 && o->autostop && generation % o->autostop_interval == 0;
  return task->fraction >= 1.0;
}

/* Autostop pools the individuals of all runs, so a single run whose population has collapsed looks like convergence.
 * At least autostop_runs runs must have found the best energy. */
static bool runs_agree(const bt_dock_task *task) {
  const bt_dock_options *o = task->options;
  int wanted = o->autostop_runs < o->runs ? o->autostop_runs : o->runs, count = 0;
  for (int r = 0; r < o->runs && wanted >= 2; r++) {
    float best = INFINITY;
    for (int i = 0; i < o->population; i++)
      best = fminf(best, task->energies[(size_t)r * (size_t)o->population + (size_t)i]);
    count += (double)best < task->best_energy + AGREEMENT;
  }
  return wanted < 2 || count >= wanted;
}

/* Reads the results of finished ligands back from the device; ended[] receives their indices. */
static bt_status collect(bt_dock_batch *batch, int64_t generation, int *ended, int *ret_ended, bt_error *opt_error) {
  bool tests = false;
  *ret_ended = 0;
  BT_TRY(bt_dock_batch_progress(batch, opt_error));
  for (int t = 0; t < batch->count; t++) {
    batch->ended[t] = batch->test[t] = batch->converged[t] = false;
    if (batch->active[t]) batch->ended[t] = judge(batch->tasks[t], generation, &batch->test[t]);
    tests |= batch->test[t];
  }
  if (tests) BT_TRY(bt_dock_batch_autostop(batch, opt_error));
  bool any = false;
  for (int t = 0; t < batch->count; t++) {
    const bt_dock_task *task = batch->tasks[t];
    if (batch->converged[t]) batch->converged[t] = bt_dock_task_mean(task) >= task->autostop_minimum;
    batch->wanted[t] = batch->ended[t] || batch->converged[t];
    any |= batch->wanted[t];
  }
  if (any) BT_TRY(bt_dock_batch_populations(batch, opt_error));
  for (int t = 0; t < batch->count; t++) {
    bt_dock_task *task = batch->tasks[t];
    if (batch->converged[t]) task->result->autostopped = runs_agree(task);
    batch->ended[t] |= batch->converged[t] && task->result->autostopped;
    if (batch->ended[t]) ended[(*ret_ended)++] = t;
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

/* Generations that can be run before the host has to look: until a limit may be reached or an autostop test is due. */
static int64_t stride(const bt_dock_batch *batch, int64_t generation, int64_t longest) {
  int64_t n = longest;
  for (int t = 0; t < batch->count; t++) {
    const bt_dock_task *task = batch->tasks[t];
    const bt_dock_options *o = task->options;
    if (!batch->active[t]) continue;
    int64_t limit = bt_lga_stride(&task->parameters, (double)task->limit * o->runs - (double)task->evaluations);
    if (limit < n) n = limit;
    if (o->generations - generation < n) n = o->generations - generation;
    if (o->autostop && o->autostop_interval - generation % o->autostop_interval < n)
      n = o->autostop_interval - generation % o->autostop_interval;
  }
  return n;
}

/* Up to so many generations at a time, so that the caller is called ten times a second. */
static int64_t next_longest(const bt_dock_batch *batch, int64_t longest, double seconds) {
  if (!batch->remote) return 1;
  return seconds < 0.02 && longest < 64 ? 2 * longest : seconds > 0.06 && longest > 1 ? longest / 2 : longest;
}

typedef struct outcome {
  bool known;
  bt_status status;
  bt_error error;
} outcome;

typedef struct finishing {
  const bt_dock_batch *batch;
  const bt_lga_watch *watch;
  const int *ended;
  int count, threads; /* threads: of each ligand */
  atomic_int next;
  pthread_mutex_t lock; /* of what follows */
  outcome *outcomes;    /* [count] */
  int reported;
} finishing;

/* In ligand order, regardless of which finishes first. */
static void report_outcomes(finishing *f) {
  for (; f->reported < f->count && f->outcomes[f->reported].known; f->reported++) {
    const outcome *o = &f->outcomes[f->reported];
    f->watch->done(f->watch->user, f->batch->tasks[f->ended[f->reported]], o->status, &o->error);
  }
}

static void finish_some(void *context, int thread) {
  (void)thread;
  finishing *f = context;
  for (int k; (k = atomic_fetch_add(&f->next, 1)) < f->count;) {
    outcome *own = &f->outcomes[k];
    own->status = bt_dock_task_finish(f->batch->tasks[f->ended[k]], f->threads, &own->error);
    pthread_mutex_lock(&f->lock);
    own->known = true;
    report_outcomes(f);
    pthread_mutex_unlock(&f->lock);
  }
}

/* Threads share the ligands, or the runs of a single one. */
static bt_status finish_all(const bt_dock_batch *batch, const bt_lga_watch *watch, const int *ended, int count,
                            bt_error *opt_error) {
  if (count == 0) return BT_OK;
  int threads = batch->tasks[ended[0]]->options->threads;
  if (threads <= 0) threads = bt_thread_count_default();
  BT_SCOPED outcome *outcomes = bt_allocate((size_t)count, sizeof *outcomes);
  if (outcomes == NULL) return bt_fail_memory(opt_error);
  finishing f = {.batch = batch,
                 .watch = watch,
                 .ended = ended,
                 .count = count,
                 .threads = count == 1 ? threads : 1,
                 .lock = PTHREAD_MUTEX_INITIALIZER,
                 .outcomes = outcomes};
  bt_parallel(threads < count ? threads : count, finish_some, &f);
  return BT_OK;
}

static bt_status search(bt_dock_batch *batch, const bt_lga_watch *watch, int *ended, bt_error *opt_error) {
  double started = bt_seconds(), looked = started;
  int left = batch->count, n_ended;
  int64_t longest = 1, count = 1;
  BT_TRY(bt_dock_batch_initialize(batch, opt_error));
  for (int64_t generation = 0; left > 0; generation += count) {
    BT_TRY(collect(batch, generation, ended, &n_ended, opt_error));
    double now = bt_seconds(), seconds = now - started;
    longest = next_longest(batch, longest, now - looked);
    looked = now;
    if (!watch->report(watch->user, batch))
      return bt_fail(opt_error, BT_ERR_CANCELLED, (bt_where){0}, "", "the docking was stopped");
    for (int k = 0; k < n_ended; k++) batch->active[ended[k]] = false;
    left -= n_ended;
    count = stride(batch, generation, longest);
    bt_error error;
    bt_status status =
        left > 0 ? bt_dock_batch_generations(batch, (uint32_t)(generation + 1), (int)count, &error) : BT_OK;
    for (int k = 0; k < n_ended; k++) batch->tasks[ended[k]]->result->seconds = seconds;
    BT_TRY(finish_all(batch, watch, ended, n_ended, opt_error)); /* while a device works on the others */
    if (status != BT_OK) {
      if (opt_error != NULL) *opt_error = error;
      return status;
    }
  }
  return BT_OK;
}

bt_status bt_lga_search(bt_dock_batch *batch, const bt_lga_watch *watch, bt_error *opt_error) {
  BT_SCOPED int *ended = bt_allocate((size_t)batch->count, sizeof *ended);
  return ended == NULL ? bt_fail_memory(opt_error) : search(batch, watch, ended, opt_error);
}
