/* memory.c - docks what the caller has in memory: bt_engine_dock. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pose/ligand.h"
#include "results/result.h"
#include "pipeline/pipeline.h"

/* What is known of an item before it is done. */
typedef struct progress {
  bool left_out;
  double fraction;
  int64_t evaluations;
  char note[400]; /* what became of it before, for its warning */
} progress;

typedef struct memory {
  bt_pipeline pipeline;
  bt_docking *dockings;
  int count, queued; /* all; those that are not left out */
  progress *items;   /* [count] */
  double best_energy;
} memory;

/* --- the source: all at once ------------------------------------------------------------------------------ */

/* Ligands of a batch finish together when they have as many torsions, so large ones come first. For a processor,
 * which takes few at a time, the order stays as given. */
static int by_size(const void *a, const void *b) {
  const bt_item *first = a, *second = b;
  if (first->torsions != second->torsions) return first->torsions > second->torsions ? -1 : 1;
  if (first->atoms != second->atoms) return first->atoms > second->atoms ? -1 : 1;
  return first->ordinal < second->ordinal ? -1 : 1;
}

static bool has_accelerator(const bt_pipeline *p) {
  const bt_backend *first = p->units[0]->n_backends > 0 ? p->units[0]->backends[0] : NULL;
  bt_runtime_properties properties;
  if (first == NULL) return false;
  bt_backend_properties(first, &properties);
  return !properties.cpu;
}

static void fill_queue(memory *m) {
  bt_queue *queue = &m->pipeline.queue;
  for (int i = 0; i < m->count; i++) {
    const bt_docking *d = &m->dockings[i];
    m->items[i].left_out = d->opt_ligand == NULL && d->opt_compound == NULL;
    if (m->items[i].left_out) continue;
    bt_item *item = &queue->items[queue->count++];
    *item = (bt_item){
        .ordinal = i, .ligand = d->opt_ligand, .compound = d->opt_compound, .opt_reference = d->opt_reference};
    if (d->opt_ligand == NULL) continue;
    item->torsions = d->opt_ligand->n_torsions;
    item->atoms = d->opt_ligand->n_atoms;
  }
  if (has_accelerator(&m->pipeline)) qsort(queue->items, (size_t)queue->count, sizeof *queue->items, by_size);
}

/* --- the sink: the caller's array ------------------------------------------------------------------------- */

static void settle(void *user, bt_item *item, bt_status status, const bt_error *error) {
  memory *m = user;
  const bt_engine *engine = m->pipeline.engine;
  bt_docking *d = &m->dockings[item->ordinal];
  progress *known = &m->items[item->ordinal];
  pthread_mutex_lock(&m->pipeline.lock);
  d->error = (bt_error){.status = BT_OK};
  if (status != BT_OK) d->error = *error;
  known->fraction = 1.0;
  if (status == BT_OK) {
    d->result = item->result;
    d->poses = item->poses;
    d->n_poses = item->n_poses;
    d->seconds = item->seconds;
    item->result = NULL;
    item->poses = NULL;
  }
  if (d->result != NULL) {
    known->evaluations = d->result->evaluations;
    if (known->note[0] != '\0')
      snprintf(d->result->warning, sizeof d->result->warning, "%s; docked on %s instead", known->note,
               d->result->device);
  }
  if (engine->opt_docked != NULL && !engine->opt_docked(engine->opt_progress_user, (int)item->ordinal))
    m->pipeline.stop = true;
  pthread_cond_broadcast(&m->pipeline.changed);
  pthread_mutex_unlock(&m->pipeline.lock);
}

static void returned(void *user, const bt_item *item, const char *device, bool too_large, const bt_error *error) {
  memory *m = user;
  progress *known = &m->items[item->ordinal];
  m->dockings[item->ordinal].error = *error;
  snprintf(known->note, sizeof known->note, "%s %s: %.300s", device, too_large ? "cannot dock it" : "failed",
           error->message);
  known->fraction = 0;
  known->evaluations = 0;
}

static void report(void *user, const bt_item *item, double fraction, int64_t evaluations, double best_energy) {
  memory *m = user;
  m->items[item->ordinal].fraction = fraction;
  m->items[item->ordinal].evaluations = evaluations;
  m->best_energy = fmin(m->best_energy, best_energy);
}

static void watch(void *user) {
  memory *m = user;
  const bt_engine *engine = m->pipeline.engine;
  double fraction = 0;
  int64_t evaluations = 0;
  if (engine->opt_progress == NULL) return;
  pthread_mutex_lock(&m->pipeline.lock);
  for (int i = 0; i < m->count; i++) {
    fraction += m->items[i].fraction / m->queued;
    evaluations += m->items[i].evaluations;
  }
  if (!m->pipeline.stop &&
      !engine->opt_progress(engine->opt_progress_user, fmin(fraction, 1.0), evaluations, m->best_energy))
    m->pipeline.stop = true;
  pthread_mutex_unlock(&m->pipeline.lock);
}

/* --- docking ----------------------------------------------------------------------------------------------- */

/* What was never docked, and why the batch as a whole failed. */
static bt_status conclude(const memory *m, bt_error *opt_error) {
  bt_status status = BT_OK;
  bool stopped = m->pipeline.stop && m->pipeline.status == BT_OK;
  if (opt_error != NULL) *opt_error = (bt_error){.status = BT_OK};
  for (int i = 0; i < m->count; i++) {
    bt_error *error = &m->dockings[i].error;
    if (m->items[i].left_out || (m->items[i].fraction >= 1.0 && error->status != BT_ERR_CANCELLED))
      continue;
    if (stopped && (error->status == BT_OK || error->status == BT_ERR_CANCELLED)) {
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

static bt_status dock(memory *m, bt_engine *engine, bt_error *opt_error) {
  static const bt_pipeline_ends of_memory = {
      .settle = settle, .opt_returned = returned, .opt_report = report, .watch = watch};
  bt_pipeline_ends ends = of_memory;
  ends.user = m;
  m->pipeline.next_allowed = engine->next_allowed;
  BT_TRY(bt_pipeline_open(&m->pipeline, engine, &ends, &(bt_workload){.count = m->queued}, opt_error));
  m->items = bt_allocate((size_t)m->count, sizeof *m->items);
  if (m->items == NULL) return bt_fail_memory(opt_error);
  fill_queue(m);
  bt_status status = bt_pipeline_run(&m->pipeline, 0, opt_error);
  if (status != BT_OK && status != BT_ERR_DEVICE) return status;
  return conclude(m, opt_error);
}

bt_status bt_engine_dock(bt_engine *engine, bt_docking *dockings, int count, bt_error *opt_error) {
  memory m = {.dockings = dockings, .count = count, .best_energy = INFINITY};
  for (int i = 0; i < count; i++) {
    const bt_docking *d = &dockings[i];
    m.queued += d->opt_ligand != NULL || d->opt_compound != NULL;
    dockings[i] = (bt_docking){
        .opt_ligand = d->opt_ligand, .opt_compound = d->opt_compound, .opt_reference = d->opt_reference};
  }
  if (m.queued < 1) return BT_OK;
  bt_status status = dock(&m, engine, opt_error);
  bt_pipeline_close(&m.pipeline);
  free(m.items);
  return status;
}

void bt_engine_close(bt_engine *opt_engine) {
  if (opt_engine != NULL) opt_engine->type->close(opt_engine);
}
