/* crew.c - one or several devices that dock ligands from a batch's queue, group by group. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "engine/ad4/batch.h"

int bt_batch_wanted(const bt_batch *batch, const bt_backend *const *devices, int n_devices) {
  const bt_dock_options *o = batch->options;
  double poses = 0;
  for (int d = 0; d < n_devices; d++) poses += devices[d]->describe(devices[d]).poses;
  double wanted = poses / ((double)o->runs * o->population);
  return wanted < 1 ? 1 : wanted > batch->count ? batch->count : (int)wanted;
}

static int wanted_ligands(const bt_crew *crew) {
  int n = bt_batch_wanted(crew->batch, crew->devices, crew->n_devices);
  return crew->most > 0 && n > crew->most ? crew->most : n;
}

/* Is it still to be docked? Those that are not are closed. */
static bool is_open(const bt_dock_task *task) { return task->data != NULL; }

/* --- preparing a group --------------------------------------------------------------------------------- */

typedef struct preparation {
  bt_batch *batch;
  const int *indices;
  bt_dock_task *tasks;
  int count;
  atomic_int next;
} preparation;

static void prepare_thread(void *context, int thread) {
  (void)thread;
  preparation *what = context;
  bt_batch *batch = what->batch;
  for (int k; (k = atomic_fetch_add(&what->next, 1)) < what->count;) {
    int i = what->indices[k];
    const bt_molecule *reference = batch->opt_references != NULL ? batch->opt_references[i] : NULL;
    bt_error error = {0};
    bt_status status =
        bt_dock_task_open(&what->tasks[k], i, batch->ligands[i], batch->maps, reference, batch->options, &error);
    if (status == BT_OK) continue;
    bt_dock_task_close(&what->tasks[k]);
    bt_batch_settle(batch, i, NULL, status, &error);
  }
}

/* Opens a task per ligand on all of the host's threads; ligands that cannot be docked are settled. Returns how many
 * can: open[] points to them. */
static int prepare(bt_batch *batch, const int *indices, int count, bt_dock_task *tasks, bt_dock_task **open) {
  preparation what = {.batch = batch, .indices = indices, .tasks = tasks, .count = count};
  int threads = batch->options->threads > 0 ? batch->options->threads : bt_thread_count_default(), n = 0;
  bt_parallel(threads < count ? threads : count, prepare_thread, &what);
  for (int k = 0; k < count; k++)
    if (is_open(&tasks[k])) open[n++] = &tasks[k];
  return n;
}

/* --- docking a group ----------------------------------------------------------------------------------- */

static bool report(void *user, const bt_dock_group *group) {
  const bt_crew *crew = user;
  return bt_batch_report(crew->batch, group);
}

static void done(void *user, bt_dock_task *task, bt_status status, const bt_error *error) {
  const bt_crew *crew = user;
  bt_result *result = status == BT_OK ? task->result : NULL;
  if (result != NULL) task->result = NULL;
  bt_batch_settle(crew->batch, task->index, result, status, error);
  bt_dock_task_close(task);
}

static void name_devices(const bt_crew *crew, bt_dock_task *task) {
  char *name = task->result->device;
  size_t size = sizeof task->result->device, used = 0;
  name[0] = '\0';
  for (int d = 0; d < crew->n_devices && used < size; d++)
    used += (size_t)snprintf(name + used, size - used, "%s%s", d > 0 ? "," : "", crew->devices[d]->name);
}

/* What is to become of ligands that a failure left undone. */
static void give_back(bt_crew *crew, bt_dock_task *const *tasks, int count, bt_status status, const bt_error *error) {
  bool too_large = status == BT_ERR_MEMORY || status == BT_ERR_LIMIT;
  for (int t = 0; t < count; t++) {
    if (!is_open(tasks[t])) continue;
    int index = tasks[t]->index;
    if (status == BT_ERR_DEVICE || (too_large && crew->batch->next_allowed))
      bt_batch_return(crew->batch, index, error, crew->failed, too_large);
    else
      bt_batch_settle(crew->batch, index, NULL, status, error);
    bt_dock_task_close(tasks[t]);
  }
}

/* Remembers the device that failed and sends it away. */
static void dismiss(bt_crew *crew, int device, const bt_error *error) {
  crew->error = *error;
  for (int d = device; d + 1 < crew->n_devices; d++) crew->devices[d] = crew->devices[d + 1];
  crew->n_devices--;
}

static bt_status search(bt_crew *crew, bt_dock_task *const *tasks, int count, int *ret_device, bt_error *error) {
  bt_dock_group group;
  bt_lga_watch watch = {crew, report, done};
  for (int t = 0; t < count; t++) name_devices(crew, tasks[t]);
  bt_status status = bt_dock_group_open(&group, tasks, count, crew->devices, crew->n_devices,
                                        crew->batch->devices.turns, error);
  if (status == BT_OK) status = bt_lga_search(&group, &watch, error);
  int failed = bt_dock_group_failed(&group);
  bt_dock_group_close(&group);
  *ret_device = failed >= 0 ? failed : 0;
  return status;
}

/* Docks tasks together; too many for the device are docked half by half. */
static void dock(bt_crew *crew, bt_dock_task **tasks, int count) {
  if (crew->n_devices == 0) {
    give_back(crew, tasks, count, BT_ERR_DEVICE, &crew->error);
    return;
  }
  bt_error error = {0};
  int device;
  bt_status status = search(crew, tasks, count, &device, &error);
  if (status == BT_OK) return;
  if ((status == BT_ERR_MEMORY || status == BT_ERR_LIMIT) && count > 1) {
    int open = 0, half = (count + 1) / 2;
    for (int t = 0; t < count; t++) /* some may be done */
      if (is_open(tasks[t])) tasks[open++] = tasks[t];
    if (status == BT_ERR_MEMORY) crew->most = half;
    if (half > open) half = open;
    if (half > 0) dock(crew, tasks, half);
    if (open > half) dock(crew, tasks + half, open - half);
    return;
  }
  snprintf(crew->failed, sizeof crew->failed, "%s", crew->devices[device]->name);
  if (status == BT_ERR_DEVICE) dismiss(crew, device, &error);
  give_back(crew, tasks, count, status, &error);
}

static void dock_group(bt_crew *crew, const int *indices, int count) {
  bt_dock_task *tasks = bt_allocate((size_t)count, sizeof *tasks);
  bt_dock_task **open = bt_allocate((size_t)count, sizeof *open);
  if (tasks == NULL || open == NULL) {
    bt_error error;
    bt_status status = bt_fail_memory(&error);
    for (int k = 0; k < count; k++) bt_batch_settle(crew->batch, indices[k], NULL, status, &error);
  } else {
    int n = prepare(crew->batch, indices, count, tasks, open);
    if (n > 0) dock(crew, open, n);
  }
  free(tasks);
  free(open);
}

void bt_crew_work(bt_crew *crew) {
  bt_batch *batch = crew->batch;
  int *indices = bt_allocate((size_t)batch->count, sizeof *indices); /* without it the ligands stay in the queue */
  while (indices != NULL && crew->n_devices > 0) {
    int n = bt_batch_take(batch, wanted_ligands(crew), indices);
    if (n == 0) break;
    dock_group(crew, indices, n);
    bt_batch_group_ended(batch);
  }
  free(indices);
  pthread_mutex_lock(&batch->lock);
  batch->crews--;
  pthread_cond_broadcast(&batch->changed);
  pthread_mutex_unlock(&batch->lock);
}
