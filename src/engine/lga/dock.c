/* dock.c - docks a batch of ligands together, on one device, or with their runs distributed over several. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "engine/lga/engine.h"
#include "engine/lga/search/lga.h"

typedef struct work {
  const bt_lga_engine *engine;
  bt_worker *worker;
  bt_dock_options options; /* of this worker */
  bt_dock_task *tasks;     /* [count] */
  int count;
  atomic_int next;
} work;

/* Is the task still to be docked? Those that are not are closed. */
static bool is_open(const bt_dock_task *task) { return task->data != NULL; }

static void settle(work *b, bt_dock_task *task, bt_status status, const bt_error *error) {
  int index = task->index;
  if (status == BT_OK) {
    b->worker->items[index].output = task->result;
    task->result = NULL;
  }
  bt_dock_task_close(task);
  bt_worker_settle(b->worker, index, status, error);
}

static void prepare_thread(void *context, int thread) {
  (void)thread;
  work *b = context;
  for (int i; (i = atomic_fetch_add(&b->next, 1)) < b->count;) {
    const bt_item *item = &b->worker->items[i];
    bt_error error = {0};
    const bt_molecule *opt_reference = item->docking != NULL ? item->docking->opt_reference : NULL;
    bt_status status =
        bt_dock_task_open(&b->tasks[i], i, item->input, b->engine->maps, opt_reference, &b->options, &error);
    if (status != BT_OK) settle(b, &b->tasks[i], status, &error);
  }
}

static bool report(void *user, const bt_dock_batch *batch) {
  const work *b = user;
  for (int t = 0; t < batch->count; t++) {
    const bt_dock_task *task = batch->tasks[t];
    if (batch->active[t])
      bt_worker_report(b->worker, task->index, task->fraction, task->evaluations, task->best_energy);
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
  for (int t = 0; t < open; t++) {
    int index = tasks[t]->index;
    bt_dock_task_close(tasks[t]);
    (too_large ? bt_worker_return : bt_worker_settle)(b->worker, index, status, error);
  }
  return BT_OK;
}

bt_status bt_lga_dock(bt_engine *engine, bt_worker *w, int count, bt_error *error) {
  work b = {.engine = (const bt_lga_engine *)engine, .worker = w, .count = count};
  b.options = b.engine->options;
  b.options.threads = w->threads;
  b.tasks = bt_allocate((size_t)count, sizeof *b.tasks);
  if (w->opt_kept == NULL) w->opt_kept = bt_allocate(1, sizeof(bt_held_device)); /* without it, nothing is kept */
  BT_SCOPED bt_dock_task **open = bt_allocate((size_t)count, sizeof *open);
  bt_status status = b.tasks == NULL || open == NULL ? bt_fail_memory(error) : BT_OK;
  if (status == BT_OK) {
    int threads = w->threads > 0 ? w->threads : bt_thread_count_default(), n = 0;
    bt_parallel(threads < count ? threads : count, prepare_thread, &b);
    for (int i = 0; i < count; i++)
      if (is_open(&b.tasks[i])) open[n++] = &b.tasks[i];
    if (n > 0) status = dock(&b, open, n, error);
    for (int i = 0; i < count; i++) bt_dock_task_close(&b.tasks[i]);
    if (w->opt_kept != NULL && w->unit->n_backends > 0) trim(w->unit, w->opt_kept);
  }
  free(b.tasks);
  return status;
}
