/* caller.c - docks ligands that a caller passes one by one or has in memory: bt_engine_dock_stream, bt_engine_dock. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pose/ligand.h"
#include "results/result.h"
#include "pipeline/pipeline.h"

typedef struct caller {
  bt_pipeline pipeline; /* whose lock is that of all that follows */
  const bt_docking_stream *stream;
  int64_t given, evaluations;
  double work, work_done; /* of all that were passed */
  double best_energy;
  bool cancelled;
} caller;

/* With the lock, as the others below. */
static void note_progress(caller *c, bt_item *item, double fraction, int64_t evaluations) {
  c->work_done += (fraction - item->fraction) * item->work;
  c->evaluations += evaluations - item->evaluations;
  item->fraction = fraction;
  item->evaluations = evaluations;
}

static void finish(caller *c, bt_docking *docking) {
  if (!c->stream->done(c->stream->user, docking)) c->pipeline.stop = true;
  bt_pipeline_wake_all(&c->pipeline);
}

/* --- the source ------------------------------------------------------------------------------------------- */

static bool feed(void *user) {
  caller *c = user;
  bt_docking *d = c->stream->next(c->stream->user);
  if (d == NULL) return false;
  const bt_engine *engine = c->pipeline.engine;
  bt_item item = {.docking = d, .checked = true, .engine = engine->type, .input = (void *)(size_t)d->opt_ligand};
  if (d->opt_ligand != NULL) {
    item.torsions = d->opt_ligand->n_torsions;
    item.atoms = d->opt_ligand->n_atoms;
  }
  item.work = engine->type->opt_work != NULL && d->opt_ligand != NULL ? engine->type->opt_work(engine, &item) : 1;
  pthread_mutex_lock(&c->pipeline.lock);
  item.ordinal = c->given;
  if (d->error.status != BT_OK) {
    finish(c, d);
  } else if (bt_queue_put(&c->pipeline.queue, &item)) { /* which has room whenever one more is asked for */
    c->given++;
    c->work += item.work;
  }
  bool more = !c->pipeline.stop;
  bt_pipeline_wake(&c->pipeline, BT_EVENT_ITEMS);
  pthread_mutex_unlock(&c->pipeline.lock);
  return more;
}

/* --- the sink --------------------------------------------------------------------------------------------- */

static void settle(void *user, bt_item *item, bt_status status, const bt_error *error) {
  caller *c = user;
  bt_docking *d = item->docking;
  pthread_mutex_lock(&c->pipeline.lock);
  d->error = (bt_error){.status = BT_OK};
  if (status != BT_OK) d->error = *error;
  if (status == BT_OK) {
    d->result = item->output;
    item->output = NULL;
  }
  if (d->result != NULL && item->note != NULL)
    snprintf(d->result->warning, sizeof d->result->warning, "%s; docked on %s instead", item->note, d->result->device);
  note_progress(c, item, 1.0, d->result != NULL ? d->result->evaluations : item->evaluations);
  c->cancelled |= status == BT_ERR_CANCELLED;
  finish(c, d);
  pthread_mutex_unlock(&c->pipeline.lock);
}

static void returned(void *user, bt_item *item, const char *device, bool too_large, const bt_error *error) {
  enum { LONGEST = 400 };
  item->docking->error = *error;
  if (item->note == NULL) item->note = bt_allocate(LONGEST, 1);
  if (item->note != NULL)
    snprintf(item->note, LONGEST, "%s %s: %.300s", device, too_large ? "cannot dock it" : "failed", error->message);
  note_progress(user, item, 0, 0);
}

static void report(void *user, bt_item *item, double fraction, int64_t evaluations, double best_energy) {
  caller *c = user;
  note_progress(c, item, fraction, evaluations);
  c->best_energy = fmin(c->best_energy, best_energy);
}

static void watch(void *user) {
  caller *c = user;
  const bt_engine *engine = c->pipeline.engine;
  if (engine->opt_progress == NULL) return;
  pthread_mutex_lock(&c->pipeline.lock);
  double fraction = c->work > 0 ? fmax(0.0, fmin(c->work_done / c->work, 1.0)) : 0.0;
  if (!c->pipeline.stop && !engine->opt_progress(engine->opt_progress_user, fraction, c->evaluations, c->best_energy)) {
    c->pipeline.stop = true;
    bt_pipeline_wake_all(&c->pipeline);
  }
  pthread_mutex_unlock(&c->pipeline.lock);
}

/* --- docking ----------------------------------------------------------------------------------------------- */

static bt_status dock(caller *c, bt_engine *engine, bt_error *error) {
  const bt_pipeline_ends ends = {
      .user = c, .feed = feed, .settle = settle, .opt_returned = returned, .opt_report = report, .watch = watch};
  const bt_workload load = {.count = c->stream->count, .workers = 1};
  c->pipeline.next_allowed = engine->next_allowed;
  BT_TRY(bt_pipeline_open(&c->pipeline, engine, &ends, &load, error));
  bool nothing = load.count >= 0 && c->given == 0;
  return nothing ? BT_OK : bt_pipeline_run(&c->pipeline, load.count < 0 && c->stream->ahead ? 1 : 0, error);
}

/* Ligands that were passed but not docked are reported as done, too. Why the docking as a whole failed. */
static bt_status conclude(caller *c, bt_status status, bt_error *error) {
  bt_pipeline *p = &c->pipeline;
  bool stopped = status == BT_OK && p->stop;
  if (status == BT_OK) *error = p->error; /* of the device that failed last */
  if (stopped) bt_fail(error, BT_ERR_CANCELLED, (bt_where){0}, "", "the docking was stopped");
  if (stopped && (c->cancelled || c->stream->count < 0)) status = BT_ERR_CANCELLED;
  while (p->n_left + p->queue.count > 0) {
    bt_item *item = p->n_left > 0 ? &p->left[--p->n_left] : &p->queue.items[--p->queue.count];
    bt_docking *d = item->docking;
    if (d->error.status == BT_OK) d->error = *error;
    if (status == BT_OK && (d->error.status == BT_ERR_CANCELLED || d->error.status == BT_ERR_DEVICE)) {
      status = d->error.status;
      *error = d->error;
    }
    bt_item_clear(item);
    finish(c, d);
  }
  return status;
}

bt_status bt_engine_dock_stream(bt_engine *engine, const bt_docking_stream *stream, bt_error *opt_error) {
  caller c = {.stream = stream, .best_energy = INFINITY};
  bt_error error = {.status = BT_OK};
  bt_status status = dock(&c, engine, &error);
  status = conclude(&c, status, &error);
  bt_pipeline_close(&c.pipeline);
  if (opt_error != NULL) *opt_error = status == BT_OK ? (bt_error){.status = BT_OK} : error;
  return status;
}

/* --- an array --------------------------------------------------------------------------------------------- */

typedef struct array {
  bt_docking *at, *end;
} array;

static bt_docking *next(void *user) {
  array *a = user;
  while (a->at < a->end && a->at->opt_ligand == NULL) a->at++;
  return a->at < a->end ? a->at++ : NULL;
}

static bool done(void *user, bt_docking *docking) {
  (void)user, (void)docking;
  return true;
}

bt_status bt_engine_dock(bt_engine *engine, bt_docking *dockings, int count, bt_error *opt_error) {
  array a = {dockings, dockings + count};
  for (bt_docking *d = a.at; d < a.end; d++)
    *d = (bt_docking){.opt_ligand = d->opt_ligand, .opt_reference = d->opt_reference};
  return bt_engine_dock_stream(
      engine, &(bt_docking_stream){.count = count, .next = next, .done = done, .user = &a}, opt_error);
}

void bt_engine_close(bt_engine *opt_engine) {
  if (opt_engine != NULL) opt_engine->type->close(opt_engine);
}
