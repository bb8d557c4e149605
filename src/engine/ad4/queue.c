/* queue.c - the state of a batch's ligands. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "engine/ad4/batch.h"

static const double report_interval_seconds = 0.1;

bt_status bt_batch_open(bt_batch *batch, bt_error *opt_error) {
  size_t count = (size_t)batch->count;
  batch->queue = bt_allocate(count, sizeof *batch->queue);
  batch->left = bt_allocate(count, sizeof *batch->left);
  batch->notes = bt_allocate(count, sizeof *batch->notes);
  batch->fractions = bt_allocate(count, sizeof *batch->fractions);
  batch->evaluations = bt_allocate(count, sizeof *batch->evaluations);
  batch->best_energy = INFINITY;
  batch->caller = pthread_self();
  pthread_mutex_init(&batch->lock, NULL);
  pthread_cond_init(&batch->changed, NULL);
  if (batch->queue == NULL || batch->left == NULL || batch->notes == NULL || batch->fractions == NULL ||
      batch->evaluations == NULL)
    return bt_fail_memory(opt_error);
  for (int i = 0; i < batch->count; i++) batch->queue[i] = i;
  batch->queued = batch->count;
  return BT_OK;
}

void bt_batch_close(bt_batch *batch) {
  pthread_cond_destroy(&batch->changed);
  pthread_mutex_destroy(&batch->lock);
  free(batch->queue);
  free(batch->left);
  free(batch->notes);
  free(batch->fractions);
  free(batch->evaluations);
}

int bt_batch_take(bt_batch *batch, int wanted, int *indices) {
  pthread_mutex_lock(&batch->lock);
  while (batch->queued == 0 && batch->groups > 0 && !batch->cancelled) pthread_cond_wait(&batch->changed, &batch->lock);
  int share = (batch->queued + batch->crews - 1) / (batch->crews > 0 ? batch->crews : 1);
  if (share < (wanted + 3) / 4) share = (wanted + 3) / 4; /* a quarter of a device is not worth less */
  int n = wanted < share ? wanted : share;
  if (n > batch->queued) n = batch->queued;
  if (batch->cancelled) n = 0;
  for (int k = 0; k < n; k++) {
    indices[k] = batch->queue[batch->queue_first];
    batch->queue_first = (batch->queue_first + 1) % batch->count;
    batch->queued--;
  }
  if (n > 0) batch->groups++;
  pthread_mutex_unlock(&batch->lock);
  return n;
}

void bt_batch_group_ended(bt_batch *batch) {
  pthread_mutex_lock(&batch->lock);
  batch->groups--;
  pthread_cond_broadcast(&batch->changed);
  pthread_mutex_unlock(&batch->lock);
}

void bt_batch_settle(bt_batch *batch, int index, bt_result *opt_result, bt_status status, const bt_error *error) {
  pthread_mutex_lock(&batch->lock);
  batch->results[index] = opt_result;
  batch->errors[index] = (bt_error){.status = BT_OK};
  if (status != BT_OK) batch->errors[index] = *error;
  batch->fractions[index] = 1.0;
  if (opt_result != NULL) {
    batch->evaluations[index] = opt_result->evaluations;
    if (batch->notes[index].text[0] != '\0')
      snprintf(opt_result->warning, sizeof opt_result->warning, "%s; docked on %s instead", batch->notes[index].text,
               opt_result->device);
  }
  const bt_dock_options *o = batch->options;
  if (status != BT_ERR_CANCELLED && o->opt_docked != NULL && !o->opt_docked(o->opt_progress_user, index))
    batch->cancelled = true;
  pthread_cond_broadcast(&batch->changed);
  pthread_mutex_unlock(&batch->lock);
}

void bt_batch_return(bt_batch *batch, int index, const bt_error *error, const char *device, bool other_device) {
  pthread_mutex_lock(&batch->lock);
  batch->errors[index] = *error;
  bt_batch_note *note = &batch->notes[index];
  snprintf(note->text, sizeof note->text, "%s %s: %.300s", device, other_device ? "cannot dock it" : "failed",
           error->message);
  batch->fractions[index] = 0;
  batch->evaluations[index] = 0;
  if (other_device)
    batch->left[batch->n_left++] = index;
  else
    batch->queue[(batch->queue_first + batch->queued++) % batch->count] = index;
  pthread_cond_broadcast(&batch->changed);
  pthread_mutex_unlock(&batch->lock);
}

/* Tells the caller, if it is time and this is the caller's thread. */
static void tell(bt_batch *batch) {
  const bt_dock_options *o = batch->options;
  if (o->opt_progress == NULL || !pthread_equal(batch->caller, pthread_self()) || batch->cancelled) return;
  double fraction = 0, now = bt_lga_seconds();
  int64_t evaluations = 0;
  for (int i = 0; i < batch->count; i++) {
    fraction += batch->fractions[i] / batch->count;
    evaluations += batch->evaluations[i];
  }
  if (now - batch->last_report < report_interval_seconds && fraction < 1.0) return;
  batch->last_report = now;
  if (!o->opt_progress(o->opt_progress_user, fmin(fraction, 1.0), evaluations, batch->best_energy))
    batch->cancelled = true;
}

bool bt_batch_report(bt_batch *batch, const bt_dock_group *opt_group) {
  pthread_mutex_lock(&batch->lock);
  for (int t = 0; opt_group != NULL && t < opt_group->count; t++) {
    if (!opt_group->active[t]) continue;
    const bt_dock_task *task = opt_group->tasks[t];
    batch->fractions[task->index] = task->fraction;
    batch->evaluations[task->index] = task->evaluations;
    batch->best_energy = fmin(batch->best_energy, task->best_energy);
  }
  tell(batch);
  bool go_on = !batch->cancelled;
  pthread_mutex_unlock(&batch->lock);
  return go_on;
}
