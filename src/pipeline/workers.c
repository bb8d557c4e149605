/* workers.c - who docks: every GPU has some workers, each with a batch that fills it, the processor one per thread with
 * one ligand each.
 *
 * All of them take from one queue, so each device works at its own rate. A worker whose device fails gives its ligands
 * back and goes; the others dock them.
 */
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/threads.h"
#include "pipeline/pipeline.h"

enum {
  WORKERS_PER_GPU = 3, /* one keeps the GPU busy while another prepares, clusters, or is down to its last searches */
  MOST_LIGANDS = 4096  /* of a batch, whatever the GPU can hold */
};

/* --- devices ------------------------------------------------------------------------------------------- */

/* The part of a device's name before its number: "cuda" of "cuda:1". */
static size_t kind_size(const char *name) { return strcspn(name, ":/"); }

static bt_status add_unit(bt_pipeline *p, const char *name, size_t size, const char *opt_isa, bt_error *opt_error) {
  if (p->n_units == BT_SCREEN_DEVICES)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use several processes", "more than %d devices",
                   BT_SCREEN_DEVICES);
  bt_screen_unit *unit = &p->units[p->n_units];
  *unit = (bt_screen_unit){0};
  snprintf(unit->name, sizeof unit->name, "%.*s", (int)size, name);
  for (int i = 0; i < p->n_units; i++)
    if (strcmp(p->units[i].name, unit->name) == 0) return BT_OK;
  BT_TRY(bt_device_list_make(unit->name, opt_isa, &unit->list, opt_error));
  unit->accelerator = unit->list.items[0]->describe(unit->list.items[0]).accelerator;
  p->n_units++;
  return BT_OK;
}

/* Every GPU of the kind that comes first, and the processor where it is wanted or alone. */
static bt_status add_all(bt_pipeline *p, bool processor, bt_error *opt_error) {
  char kind[64] = "";
  for (int i = 0; i < bt_device_count(); i++) {
    bt_device_info device = bt_device(i);
    size_t size = kind_size(device.name);
    if (!device.usable || !device.accelerator) continue;
    if (kind[0] == '\0') snprintf(kind, sizeof kind, "%.*s", (int)size, device.name);
    if (strlen(kind) != size || strncmp(kind, device.name, size) != 0) continue;
    BT_TRY(add_unit(p, device.name, strlen(device.name), NULL, opt_error));
  }
  return processor || p->n_units == 0 ? add_unit(p, "cpu", 3, p->search.opt_isa, opt_error) : BT_OK;
}

static bt_status choose_units(bt_pipeline *p, bt_error *opt_error) {
  const char *words = p->search.opt_device;
  if (words == NULL || strcmp(words, "auto") == 0) return add_all(p, false, opt_error);
  if (strcmp(words, "all") == 0) return add_all(p, true, opt_error);
  for (const char *word = words; *word != '\0';) {
    size_t size = strcspn(word, ",");
    BT_TRY(add_unit(p, word, size, p->search.opt_isa, opt_error));
    word += size + (word[size] == ',');
  }
  return BT_OK;
}

/* --- workers ------------------------------------------------------------------------------------------- */

bt_status bt_worker_open(bt_pipeline *p, int device, int batch, int threads, bt_error *opt_error) {
  size_t n = (size_t)batch;
  bt_screen_worker *worker = &p->workers[p->n_workers];
  *worker = (bt_screen_worker){.pipeline = p, .device = device, .batch = batch, .threads = threads};
  p->n_workers++;
  p->units[device].workers++;
  worker->items = bt_allocate(n, sizeof *worker->items);
  worker->ligands = bt_allocate(n, sizeof *worker->ligands);
  worker->results = bt_allocate(n, sizeof *worker->results);
  worker->errors = bt_allocate(n, sizeof *worker->errors);
  worker->settled = bt_allocate(n, sizeof *worker->settled);
  bool ok = worker->items != NULL && worker->ligands != NULL && worker->results != NULL && worker->errors != NULL &&
            worker->settled != NULL;
  return ok ? BT_OK : bt_fail_memory(opt_error);
}

/* Ligands that fill a GPU. */
static int batch_of(const bt_pipeline *p, const bt_screen_unit *unit) {
  if (p->options->batch > 0) return p->options->batch;
  if (!unit->accelerator) return 1;
  const bt_backend *backend = unit->list.items[0];
  int n = (int)(backend->describe(backend).poses / ((double)p->search.runs * p->search.population));
  return n < 1 ? 1 : n > MOST_LIGANDS ? MOST_LIGANDS : n;
}

bt_status bt_workers_open(bt_pipeline *p, bt_error *opt_error) {
  BT_TRY(choose_units(p, opt_error));
  int threads = p->search.threads > 0 ? p->search.threads : bt_thread_count_default(), gpus = 0;
  for (int d = 0; d < p->n_units; d++) gpus += p->units[d].accelerator;
  int processors = threads > 2 * gpus ? threads - 2 * gpus : 1; /* GPUs need somebody who prepares */
  p->workers = bt_allocate((size_t)(WORKERS_PER_GPU * gpus + processors * (p->n_units - gpus)), sizeof *p->workers);
  if (p->workers == NULL) return bt_fail_memory(opt_error);
  for (int d = 0; d < p->n_units; d++) {
    bool gpu = p->units[d].accelerator;
    int batch = batch_of(p, &p->units[d]);
    for (int k = 0; k < (gpu ? WORKERS_PER_GPU : processors); k++)
      BT_TRY(bt_worker_open(p, d, batch, gpu ? p->search.threads : 1, opt_error));
  }
  return BT_OK;
}

void bt_workers_close(bt_pipeline *p) {
  for (int w = 0; w < p->n_workers; w++) {
    free(p->workers[w].items);
    free(p->workers[w].ligands);
    free(p->workers[w].results);
    free(p->workers[w].errors);
    free(p->workers[w].settled);
  }
  free(p->workers);
  for (int d = 0; d < p->n_units; d++) bt_device_list_free(&p->units[d].list);
}

/* --- docking ------------------------------------------------------------------------------------------- */

const char *bt_worker_state_of(bt_status status) {
  return status == BT_ERR_PARAMETER || status == BT_ERR_BOX ? "rejected" : "failed";
}

bool bt_worker_settle(bt_screen_worker *w, int index, bt_store_row *row) {
  bt_pipeline *p = w->pipeline;
  bool docked = row != NULL && row->reason == NULL;
  bt_pipeline_write(p, row);
  w->settled[index] = true;
  pthread_mutex_lock(&p->lock);
  if (docked) p->units[w->device].docked++;
  pthread_mutex_unlock(&p->lock);
  return bt_worker_goes_on(w);
}

bool bt_worker_goes_on(bt_screen_worker *w) {
  pthread_mutex_lock(&w->pipeline->lock);
  bool yes = !w->pipeline->stop;
  pthread_mutex_unlock(&w->pipeline->lock);
  return yes;
}

/* A batch; when no more will come a fair share, but not so little that it leaves the device idle. */
static int share_of(const bt_screen_worker *w) {
  const bt_pipeline *p = w->pipeline;
  int64_t all = 0;
  for (int k = 0; k < p->n_workers; k++) all += p->workers[k].ended ? 0 : p->workers[k].batch;
  int share = (int)((p->queue.count * (int64_t)w->batch + all - 1) / all), least = (w->batch + 3) / 4;
  if (p->feeders > 0 || share > w->batch) return w->batch;
  return share > least ? share : least;
}

/* Seconds that a batch of several may wait for a fuller queue, in which it finds more ligands that are alike. */
static const double patience = 0.5;

/* 0: there is no more work. */
static int take(bt_screen_worker *w) {
  bt_pipeline *p = w->pipeline;
  bt_screen_unit *unit = &p->units[w->device];
  double began = bt_pipeline_seconds();
  pthread_mutex_lock(&p->lock);
  for (;;) {
    bool fed = p->feeders == 0, full = p->queue.count >= p->queue.capacity / 2 - p->feeders;
    bool enough = full || (p->queue.count >= w->batch && (w->batch == 1 || bt_pipeline_seconds() - began > patience));
    if (p->stop || p->finish || unit->failed) break;
    if (p->queue.count > 0 && (fed || enough)) break;
    if (p->queue.count == 0 && fed && p->docking == 0) break; /* while others dock, they may give ligands back */
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_cond_timedwait(&p->changed, &p->lock, &until);
  }
  int n = 0;
  if (!p->stop && !p->finish && !unit->failed && p->queue.count > 0) {
    n = bt_screen_queue_take(&p->queue, share_of(w), w->items);
    p->docking += n;
    if (unit->working++ == 0) unit->since = bt_pipeline_seconds();
    pthread_cond_broadcast(&p->changed);
  }
  pthread_mutex_unlock(&p->lock);
  return n;
}

/* After the batch: what was not settled waits again, for another device when this one failed. */
static void end_batch(bt_screen_worker *w, int count, bt_status status, const bt_error *error) {
  bt_pipeline *p = w->pipeline;
  bt_screen_unit *unit = &p->units[w->device];
  pthread_mutex_lock(&p->lock);
  if (status == BT_ERR_DEVICE) unit->failed = true;
  for (int i = 0; i < count; i++) {
    bt_screen_item *item = &w->items[i];
    bool back = !w->settled[i] && !p->stop && bt_screen_queue_put(&p->queue, item);
    if (back)
      *item = (bt_screen_item){0};
    else
      bt_screen_item_clear(item); /* settled, or resumed some day */
  }
  p->docking -= count;
  if (--unit->working == 0) unit->busy += bt_pipeline_seconds() - unit->since;
  bool left = false;
  for (int d = 0; d < p->n_units; d++) left = left || !p->units[d].failed;
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
  if (status != BT_OK && status != BT_ERR_CANCELLED && (status != BT_ERR_DEVICE || !left))
    bt_pipeline_stop(p, status, error);
}

static void dock_batch(bt_screen_worker *w, int count) {
  bt_error error = {0};
  for (int i = 0; i < count; i++) w->settled[i] = false;
  bt_status status = w->pipeline->engine->dock(w, count, &error);
  end_batch(w, count, status, &error);
}

void *bt_worker_thread(void *argument) {
  bt_screen_worker *w = argument;
  bt_pipeline *p = w->pipeline;
  for (int n; (n = take(w)) > 0;) dock_batch(w, n);
  pthread_mutex_lock(&p->lock);
  p->n_workers_left--;
  w->ended = true;
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
  return NULL;
}
