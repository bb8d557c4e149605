/* dock.c - docks a batch of ligands together, on one device, or with their runs distributed over several. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "engine/lga/engine.h"
#include "engine/lga/search/lga.h"

/* A ligand, or one of its conformers: each has a task, and a share of the runs. */
typedef struct part {
  bt_dock_task task; /* the first member */
  bt_dock_options options;
  bt_result *result; /* of a task that is done, until the others of the item are */
  int item, conformer, first_run;
} part;

typedef struct item {
  part *parts; /* [count] one for each conformer */
  int count, left;
  bool gone;        /* settled or returned */
  bt_status status; /* of the first part that failed */
  bt_error error;
} item;

typedef struct work {
  const bt_lga_engine *engine;
  bt_worker *worker;
  item *items; /* [count] */
  part *parts; /* [n_parts] */
  int count, n_parts;
  atomic_int next;
  pthread_mutex_t lock; /* of the items */
} work;

/* Is the task still to be docked? Those that are not are closed. */
static bool is_open(const bt_dock_task *task) { return task->data != NULL; }

static const bt_ligand *ligand_of(const work *b, int index) { return b->worker->items[index].input; }

/* ---- 1. from parts to items ---- */

static void drop_results(item *of) {
  for (int k = 0; k < of->count; k++) {
    bt_result_destroy(of->parts[k].result);
    of->parts[k].result = NULL;
  }
}

/* One result of the parts that have any; a ligand that is docked in one of its conformers is docked. */
static bt_status join(const work *b, int index, bt_error *error) {
  item *of = &b->items[index];
  const bt_ligand *ligand = ligand_of(b, index);
  int n = 0;
  BT_SCOPED bt_result **results = bt_allocate((size_t)of->count, sizeof *results);
  BT_SCOPED int *numbers = bt_allocate((size_t)of->count, sizeof *numbers);
  if (results == NULL || numbers == NULL) return bt_fail_memory(error);
  for (int k = 0; k < of->count; k++)
    if (of->parts[k].result != NULL) {
      results[n] = of->parts[k].result;
      numbers[n++] = of->parts[k].conformer;
      of->parts[k].result = NULL;
    }
  if (n == 0) return (*error = of->error).status;
  bt_status status = BT_OK;
  if (ligand->n_conformers > 0) status = bt_result_join(results, numbers, n, ligand, &b->engine->options, error);
  if (status == BT_OK)
    b->worker->items[index].output = results[0];
  else
    for (int k = 0; k < n; k++) bt_result_destroy(results[k]);
  return status;
}

static void settle(work *b, bt_dock_task *task, bt_status status, const bt_error *error) {
  part *own = (part *)task;
  int index = own->item;
  item *of = &b->items[index];
  if (status == BT_OK) {
    own->result = task->result;
    task->result = NULL;
  }
  bt_dock_task_close(task);
  pthread_mutex_lock(&b->lock);
  if (status != BT_OK && of->status == BT_OK) {
    of->status = status;
    of->error = *error;
  }
  bool last = --of->left == 0 && !of->gone;
  of->gone = of->gone || last;
  pthread_mutex_unlock(&b->lock);
  if (!last) return;
  bt_error joined;
  status = join(b, index, &joined);
  bt_worker_settle(b->worker, index, status, &joined);
}

/* Of a part that was not docked for a reason which is not the ligand's. */
static void settle_item(work *b, bt_dock_task *task, bool again, bt_status status, const bt_error *error) {
  int index = ((part *)task)->item;
  item *of = &b->items[index];
  bt_dock_task_close(task);
  bool gone = of->gone;
  of->gone = true;
  if (!gone) (again ? bt_worker_return : bt_worker_settle)(b->worker, index, status, error);
}

/* ---- 2. from items to parts ---- */

/* Conformers share the runs, as many of them as there are runs; a few poses of each suffice. */
static void share_runs(const work *b, int index) {
  enum { VARIANTS = 5 }; /* halves of the poses that are wanted of all parts together */
  const bt_dock_options *all = &b->engine->options;
  item *of = &b->items[index];
  int most = (VARIANTS * all->poses + 2 * of->count - 1) / (2 * of->count);
  for (int k = 0, first = 0; k < of->count; k++) {
    part *to = &of->parts[k];
    *to = (part){.options = *all, .item = index, .conformer = k, .first_run = first};
    to->options.threads = b->worker->threads;
    if (of->count == 1) return;
    to->options.runs = all->runs / of->count + (k < all->runs % of->count);
    first += to->options.runs;
    if (all->heuristics_runs == 0) to->options.heuristics_runs = all->runs;
    if (most < all->poses) to->options.poses = most;
  }
}

/* Seed poses come last; as many of them as there are other conformers have runs of their own, so that at least half of
 * the runs are free of them. */
static int searched_conformers(const bt_ligand *ligand) {
  int own = 1;
  while (own <= ligand->n_conformers && bt_ligand_conformer(ligand, own)->molecule->seed == 0) own++;
  return 1 + ligand->n_conformers < 2 * own ? 1 + ligand->n_conformers : 2 * own;
}

static bt_status make_parts(work *b, bt_error *error) {
  for (int pass = 0; pass < 2; pass++) {
    b->n_parts = 0;
    for (int i = 0; i < b->count; i++) {
      int conformers = searched_conformers(ligand_of(b, i)), runs = b->engine->options.runs;
      int count = conformers < runs ? conformers : runs;
      if (pass == 1) {
        b->items[i] = (item){.parts = b->parts + b->n_parts, .count = count, .left = count};
        share_runs(b, i);
      }
      b->n_parts += count;
    }
    if (pass == 0) b->parts = bt_allocate((size_t)b->n_parts, sizeof *b->parts);
    if (b->parts == NULL) return bt_fail_memory(error);
  }
  return BT_OK;
}

static void prepare_thread(void *context, int thread) {
  (void)thread;
  work *b = context;
  for (int i; (i = atomic_fetch_add(&b->next, 1)) < b->n_parts;) {
    part *own = &b->parts[i];
    const bt_item *of = &b->worker->items[own->item];
    bt_error error = {0};
    const bt_molecule *opt_reference = of->docking != NULL ? of->docking->opt_reference : NULL;
    const bt_ligand *ligand = bt_ligand_conformer(of->input, own->conformer);
    bt_status status =
        bt_dock_task_open(&own->task, own->item, ligand, b->engine->maps, opt_reference, &own->options, &error);
    own->task.parameters.first_run = own->first_run;
    own->task.checked = of->checked;
    if (status != BT_OK) settle(b, &own->task, status, &error);
  }
}

/* ---- 3. the search ---- */

static bool report(void *user, const bt_dock_batch *batch) {
  const work *b = user;
  for (int t = 0, end; t < batch->count; t = end) { /* the parts of a ligand lie side by side */
    int64_t evaluations = 0;
    double fraction = 0, best = INFINITY;
    bool active = false;
    for (end = t; end < batch->count && batch->tasks[end]->index == batch->tasks[t]->index; end++) {
      active = active || batch->active[end];
      evaluations += batch->tasks[end]->evaluations;
      fraction += batch->active[end] ? batch->tasks[end]->fraction : 1.0;
      best = fmin(best, batch->tasks[end]->best_energy);
    }
    if (active) bt_worker_report(b->worker, batch->tasks[t]->index, fraction / (end - t), evaluations, best);
  }
  return bt_worker_goes_on(b->worker);
}

static void done(void *user, bt_dock_task *task, bt_status status, const bt_error *error) {
  settle(user, task, status, error);
}

static void name_devices(const bt_unit *unit, bt_dock_task *task) {
  char *name = task->result->device;
  size_t size = sizeof task->result->device, used = 0;
  name[0] = '\0';
  for (int d = 0; d < unit->n_backends && used < size; d++)
    used += (size_t)snprintf(name + used, size - used, "%s%s", d > 0 ? "," : "", unit->backends[d]->name);
}

static bt_status search(work *b, bt_dock_task *const *tasks, int count, bt_error *error) {
  bt_dock_batch batch;
  bt_unit *unit = b->worker->unit;
  bt_lga_watch watch = {b, report, done};
  for (int t = 0; t < count; t++) name_devices(unit, tasks[t]);
  bt_held_device *held = b->worker->opt_kept;
  if (held != NULL) held->opt_busy = &unit->kernels;
  bt_status status =
      bt_dock_batch_open(&batch, tasks, count, unit->backends, unit->n_backends, &unit->lock, held, error);
  if (status == BT_OK) status = bt_lga_search(&batch, &watch, error);
  int failed = bt_dock_batch_failed(&batch);
  bt_dock_batch_close(&batch);
  if (status != BT_OK && held != NULL) bt_held_device_close(held);
  b->worker->failed = failed >= 0 ? failed : 0;
  return status;
}

/* Parts of the memory of which a worker may keep one while it waits for ligands: a GPU has a few workers, a CPU
 * one per core. */
enum { GPU_PARTS = 16, PROCESSOR_PARTS = 4 };

static void trim(const bt_unit *unit, bt_held_device *held) {
  bt_runtime_properties properties;
  bt_backend_properties(unit->backends[0], &properties);
  size_t parts = properties.cpu ? PROCESSOR_PARTS * (size_t)properties.cores : GPU_PARTS;
  bt_held_device_trim(held, parts > 0 ? properties.memory / parts : 0);
}

void bt_lga_leave(bt_engine *engine, bt_worker *w) {
  (void)engine;
  if (w->opt_kept != NULL) bt_held_device_close(w->opt_kept);
  free(w->opt_kept);
  w->opt_kept = NULL;
}

/* Docks tasks together; too many for the device are docked half by half. Fails for reasons that are not a ligand's
 * fault; ligands that are still open were then not docked. */
static bt_status dock(work *b, bt_dock_task **tasks, int count, bt_error *error) {
  bt_status status = search(b, tasks, count, error);
  bool too_large = status == BT_ERR_MEMORY || status == BT_ERR_LIMIT;
  if (status == BT_OK || status == BT_ERR_DEVICE || status == BT_ERR_CANCELLED) return status;
  int open = 0, half = (count + 1) / 2;
  for (int t = 0; t < count; t++) /* some may be done */
    if (is_open(tasks[t])) tasks[open++] = tasks[t];
  if (too_large && count > 1) {
    if (status == BT_ERR_MEMORY) bt_worker_limit(b->worker, half);
    if (half > open) half = open;
    if (half > 0) BT_TRY(dock(b, tasks, half, error));
    return open > half ? dock(b, tasks + half, open - half, error) : BT_OK;
  }
  for (int t = 0; t < open; t++) settle_item(b, tasks[t], too_large, status, error);
  return BT_OK;
}

bt_status bt_lga_dock(bt_engine *engine, bt_worker *w, int count, bt_error *error) {
  work b = {.engine = (const bt_lga_engine *)engine, .worker = w, .count = count, .lock = PTHREAD_MUTEX_INITIALIZER};
  b.items = bt_allocate((size_t)count, sizeof *b.items);
  if (w->opt_kept == NULL) w->opt_kept = bt_allocate(1, sizeof(bt_held_device)); /* without it, nothing is kept */
  bt_status status = b.items == NULL ? bt_fail_memory(error) : make_parts(&b, error);
  BT_SCOPED bt_dock_task **open = bt_allocate((size_t)b.n_parts, sizeof *open);
  if (status == BT_OK && open == NULL) status = bt_fail_memory(error);
  if (status == BT_OK) {
    int threads = w->threads > 0 ? w->threads : bt_thread_count_default(), n = 0;
    bt_parallel(threads < b.n_parts ? threads : b.n_parts, prepare_thread, &b);
    for (int i = 0; i < b.n_parts; i++)
      if (is_open(&b.parts[i].task)) open[n++] = &b.parts[i].task;
    if (n > 0) status = dock(&b, open, n, error);
    for (int i = 0; i < b.n_parts; i++) bt_dock_task_close(&b.parts[i].task);
    for (int i = 0; i < count; i++) drop_results(&b.items[i]);
    if (w->opt_kept != NULL && w->unit->n_backends > 0) trim(w->unit, w->opt_kept);
  }
  free(b.parts);
  free(b.items);
  return status;
}
