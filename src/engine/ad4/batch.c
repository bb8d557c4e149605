/* batch.c - docks many ligands: bt_dock_batch and, as a batch of one, bt_dock.
 *
 * What a ligand gets does not depend on the others: its random numbers are keyed by its name, its run and the seed,
 * and its limits are its own. So ligands, or the runs of a few, may be shared out over devices in any way.
 */
#include "engine/ad4/batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "engine/ad4/options.h"

/* Ligands of one group finish together when they have as many torsions, so large ones come first. For a processor,
 * which takes few at a time, the order stays as given. */
static int by_size(const void *a, const void *b, void *context) {
  const bt_batch *batch = context;
  int i = *(const int *)a, j = *(const int *)b;
  const bt_ligand *first = batch->ligands[i], *second = batch->ligands[j];
  if (first->n_torsions != second->n_torsions) return first->n_torsions > second->n_torsions ? -1 : 1;
  if (first->n_atoms != second->n_atoms) return first->n_atoms > second->n_atoms ? -1 : 1;
  return i < j ? -1 : 1;
}

static void sort_queue(bt_batch *batch) {
  const bt_backend *first = batch->devices.items[0];
  if (first->describe(first).accelerator)
    qsort_r(batch->queue, (size_t)batch->count, sizeof *batch->queue, by_size, batch);
}

static void *work_thread(void *argument) {
  bt_crew_work(argument);
  return NULL;
}

/* The caller looks on and tells of the progress until every crew is out of work. */
static void look_on(bt_batch *batch) {
  for (;;) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, until.tv_sec++;
    pthread_mutex_lock(&batch->lock);
    if (batch->crews > 0) pthread_cond_timedwait(&batch->changed, &batch->lock, &until);
    int crews = batch->crews;
    pthread_mutex_unlock(&batch->lock);
    bt_batch_report(batch, NULL);
    if (crews == 0) return;
  }
}

/* One crew works on the caller's thread, several on threads of their own. */
static void work_together(bt_batch *batch, bt_crew *crews, int count) {
  batch->crews = count;
  if (count == 1) {
    bt_crew_work(&crews[0]);
    return;
  }
  for (int c = 0; c < count; c++)
    crews[c].started = pthread_create(&crews[c].thread, NULL, work_thread, &crews[c]) == 0;
  for (int c = 0; c < count; c++)
    if (!crews[c].started) bt_crew_work(&crews[c]);
  look_on(batch);
  for (int c = 0; c < count; c++)
    if (crews[c].started) pthread_join(crews[c].thread, NULL);
}

/* How many crews use one GPU at the same time. The ligands of a group end one after the other: while a few are left of
 * one group, another one keeps the GPU busy. */
enum { CREWS_PER_GPU = 2 };

static int crews_of(const bt_batch *batch, const bt_backend *device) {
  return device->describe(device).accelerator && batch->count > bt_batch_wanted(batch, &device, 1) ? CREWS_PER_GPU : 1;
}

/* Fewer ligands than devices: all devices share the runs. Otherwise each device has ligands of its own. */
static bt_status work(bt_batch *batch, const bt_backend *const *devices, int n_devices, bt_error *opt_error) {
  bool share_runs = batch->count < n_devices;
  int count = 0;
  bt_crew *crews = bt_allocate((size_t)n_devices * CREWS_PER_GPU, sizeof *crews);
  const bt_backend **items = bt_allocate((size_t)n_devices * CREWS_PER_GPU, sizeof *items); /* crews lose failed ones */
  if (crews == NULL || items == NULL) {
    free(crews);
    free(items);
    return bt_fail_memory(opt_error);
  }
  if (share_runs) {
    memcpy(items, devices, (size_t)n_devices * sizeof *items);
    crews[count++] = (bt_crew){.batch = batch, .devices = items, .n_devices = n_devices};
  } else {
    for (int k = 0; k < CREWS_PER_GPU; k++)
      for (int d = 0; d < n_devices; d++) {
        if (k >= crews_of(batch, devices[d])) continue;
        items[count] = devices[d];
        crews[count] = (bt_crew){.batch = batch, .devices = items + count, .n_devices = 1};
        count++;
      }
  }
  work_together(batch, crews, count);
  free(crews);
  free(items);
  return BT_OK;
}

/* Another device for what the chosen ones could not do. */
static bt_status work_on_next(bt_batch *batch, bt_error *opt_error) {
  const bt_backend *device = batch->devices.items[batch->devices.count - 1];
  while (batch->next_allowed && !batch->cancelled && batch->queued + batch->n_left > 0 &&
         (device = bt_device_next(device)) != NULL) {
    for (int k = 0; k < batch->n_left; k++)
      batch->queue[(batch->queue_first + batch->queued++) % batch->count] = batch->left[k];
    batch->n_left = 0;
    BT_TRY(work(batch, &device, 1, opt_error));
  }
  return BT_OK;
}

/* What was never docked, and why the batch as a whole failed. */
static bt_status conclude(bt_batch *batch, bt_error *opt_error) {
  bt_status status = BT_OK;
  for (int i = 0; i < batch->count; i++) {
    bt_error *error = &batch->errors[i];
    if (batch->results[i] != NULL) continue;
    if (batch->cancelled && (error->status == BT_OK || error->status == BT_ERR_CANCELLED)) {
      bt_fail(error, BT_ERR_CANCELLED, (bt_where){0}, "", "the docking was stopped");
      status = BT_ERR_CANCELLED;
    } else if (error->status == BT_OK) { /* no memory even to begin */
      bt_fail_memory(error);
    }
    if (status == BT_OK && error->status == BT_ERR_DEVICE) status = BT_ERR_DEVICE;
    if (opt_error != NULL && error->status == status && opt_error->status != status) *opt_error = *error;
  }
  return status;
}

static bt_status batch_run(bt_batch *batch, bt_error *opt_error) {
  BT_TRY(bt_batch_open(batch, opt_error));
  sort_queue(batch);
  BT_TRY(work(batch, batch->devices.items, batch->devices.count, opt_error));
  BT_TRY(work_on_next(batch, opt_error));
  if (opt_error != NULL) *opt_error = (bt_error){.status = BT_OK};
  return conclude(batch, opt_error);
}

bt_status bt_dock_batch_on(const bt_device_list *devices, const bt_ligand *const *ligands, int count,
                           const bt_maps *maps, const bt_molecule *const *opt_references,
                           const bt_dock_options *options, bt_result **results, bt_error *errors, bt_error *opt_error) {
  for (int i = 0; i < count; i++) {
    results[i] = NULL;
    errors[i] = (bt_error){.status = BT_OK};
  }
  BT_TRY(bt_dock_options_check(options, opt_error));
  if (count < 1) return BT_OK;
  bt_batch batch = {.ligands = ligands,
                    .count = count,
                    .maps = maps,
                    .opt_references = opt_references,
                    .options = options,
                    .results = results,
                    .errors = errors,
                    .devices = *devices,
                    .next_allowed = devices->next_allowed};
  bt_status status = batch_run(&batch, opt_error);
  bt_batch_close(&batch);
  return status;
}

bt_status bt_dock_batch(const bt_ligand *const *ligands, int count, const bt_maps *maps,
                        const bt_molecule *const *opt_references, const bt_dock_options *options, bt_result **results,
                        bt_error *errors, bt_error *opt_error) {
  bt_device_list devices;
  BT_TRY(bt_device_list_make(options->opt_device, options->opt_isa, &devices, opt_error));
  bt_status status =
      bt_dock_batch_on(&devices, ligands, count, maps, opt_references, options, results, errors, opt_error);
  bt_device_list_free(&devices);
  return status;
}

bt_status bt_dock(const bt_ligand *ligand, const bt_maps *maps, const bt_molecule *opt_reference,
                  const bt_dock_options *options, bt_result **ret_result, bt_error *opt_error) {
  bt_error error;
  BT_TRY(bt_dock_batch(&ligand, 1, maps, &opt_reference, options, ret_result, &error, opt_error));
  if (error.status != BT_OK && opt_error != NULL) *opt_error = error;
  return error.status;
}
