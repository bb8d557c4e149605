/* pipeline.c - the threads of a pipeline: feeders, workers, and the caller who watches them. */
#include "pipeline/pipeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"

/* --- what all do ---------------------------------------------------------------------------------------- */

void bt_pipeline_wait(bt_pipeline *p, bt_pipeline_event event) { pthread_cond_wait(&p->happened[event], &p->lock); }

void bt_pipeline_wait_for(bt_pipeline *p, bt_pipeline_event event, double seconds) {
  (void)bt_condition_wait(&p->happened[event], &p->lock, seconds);
}

void bt_pipeline_wake_one(bt_pipeline *p, bt_pipeline_event event) { pthread_cond_signal(&p->happened[event]); }

void bt_pipeline_wake(bt_pipeline *p, bt_pipeline_event event) { pthread_cond_broadcast(&p->happened[event]); }

void bt_pipeline_wake_all(bt_pipeline *p) {
  for (int k = 0; k < BT_EVENTS; k++) pthread_cond_broadcast(&p->happened[k]);
}

void bt_pipeline_stop(bt_pipeline *p, bt_status status, const bt_error *error) {
  pthread_mutex_lock(&p->lock);
  if (p->status == BT_OK) {
    p->status = status;
    p->error = *error;
  }
  p->stop = true;
  bt_pipeline_wake_all(p);
  pthread_mutex_unlock(&p->lock);
}

/* So many items that workers take no more of them by waiting. */
static int enough_items(const bt_pipeline *p) { return p->queue.capacity / 2 - p->feeders; }

/* Whether the last item that came is one that a worker waits for: it completes a batch, or fills the queue. */
static bool completes(const bt_pipeline *p) {
  bool batch = p->queue.count == enough_items(p);
  for (int k = 0; k < p->n_workers && !batch; k++) batch = p->queue.count == p->workers[k]->batch;
  return batch;
}

bool bt_pipeline_put(bt_pipeline *p, const bt_item *item) {
  pthread_mutex_lock(&p->lock);
  bool ok = bt_queue_put(&p->queue, item);
  if (completes(p)) bt_pipeline_wake(p, BT_EVENT_ITEMS);
  pthread_mutex_unlock(&p->lock);
  return ok;
}

/* On the caller's thread. */
static void watch(bt_pipeline *p, bool ended) {
  static const double interval_seconds = 0.1;
  double now = bt_seconds();
  if (!ended && now - p->watched < interval_seconds) return;
  p->watched = now;
  p->ends.watch(p->ends.user);
}

/* --- units and workers ---------------------------------------------------------------------------------- */

static void open_lock(pthread_rwlock_t *lock) {
  pthread_rwlockattr_t fair;
  pthread_rwlockattr_init(&fair);
#ifdef __GLIBC__ /* by default, searching jobs could starve the one that waits to measure */
  pthread_rwlockattr_setkind_np(&fair, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
  pthread_rwlock_init(lock, &fair);
  pthread_rwlockattr_destroy(&fair);
}

bt_status bt_pipeline_add_unit(bt_pipeline *p, const char *name, const bt_backend *const *backends, int n_backends,
                               bt_unit **ret_unit, bt_error *opt_error) {
  bt_unit *unit = BT_GROW(p->units, &p->units_capacity, p->n_units + 1) ? bt_allocate(1, sizeof *unit) : NULL;
  if (unit == NULL) return bt_fail_memory(opt_error);
  p->units[p->n_units++] = unit;
  open_lock(&unit->lock);
  bt_busy_open(&unit->kernels);
  snprintf(unit->name, sizeof unit->name, "%s", name);
  unit->backends = bt_allocate((size_t)n_backends, sizeof(bt_backend *));
  if (unit->backends == NULL) return bt_fail_memory(opt_error);
  for (int b = 0; b < n_backends; b++) unit->backends[unit->n_backends++] = backends[b];
  bt_runtime_properties properties = {.cpu = true};
  if (n_backends > 0) bt_backend_properties(backends[0], &properties);
  unit->accelerator = !properties.cpu;
  *ret_unit = unit;
  return BT_OK;
}

bt_status bt_pipeline_add_worker(bt_pipeline *p, bt_unit *unit, int batch, int threads, bt_error *opt_error) {
  bt_worker *w = BT_GROW(p->workers, &p->workers_capacity, p->n_workers + 1) ? bt_allocate(1, sizeof *w) : NULL;
  if (w == NULL) return bt_fail_memory(opt_error);
  p->workers[p->n_workers++] = w;
  *w = (bt_worker){.pipeline = p, .unit = unit, .batch = batch, .threads = threads};
  w->items = bt_allocate((size_t)batch, sizeof *w->items);
  w->settled = bt_allocate((size_t)batch, sizeof *w->settled);
  return w->items != NULL && w->settled != NULL ? BT_OK : bt_fail_memory(opt_error);
}

/* --- what an engine reports about an item ------------------------------------------------------------------- */

void bt_worker_settle(bt_worker *w, int index, bt_status status, const bt_error *error) {
  bt_pipeline *p = w->pipeline;
  p->ends.settle(p->ends.user, &w->items[index], status, error);
  bt_item_clear(&w->items[index]);
  pthread_mutex_lock(&p->lock);
  w->settled[index] = true;
  w->unit->docked += status == BT_OK;
  pthread_mutex_unlock(&p->lock);
}

void bt_worker_return(bt_worker *w, int index, bt_status status, const bt_error *error) {
  bt_pipeline *p = w->pipeline;
  pthread_mutex_lock(&p->lock);
  bool room = p->next_allowed && BT_GROW(p->left, &p->left_capacity, p->n_left + 1);
  if (!room) {
    pthread_mutex_unlock(&p->lock);
    bt_worker_settle(w, index, status, error);
    return;
  }
  p->ends.opt_returned(p->ends.user, &w->items[index], w->unit->name, true, error);
  p->left[p->n_left++] = w->items[index];
  w->items[index] = (bt_item){0};
  w->settled[index] = true;
  pthread_mutex_unlock(&p->lock);
}

void bt_worker_limit(bt_worker *w, int batch) {
  pthread_mutex_lock(&w->pipeline->lock);
  w->batch = batch;
  pthread_mutex_unlock(&w->pipeline->lock);
}

void bt_worker_report(bt_worker *w, int index, double fraction, int64_t evaluations, double best_energy) {
  bt_pipeline *p = w->pipeline;
  if (p->ends.opt_report == NULL) return;
  pthread_mutex_lock(&p->lock);
  p->ends.opt_report(p->ends.user, &w->items[index], fraction, evaluations, best_energy);
  pthread_mutex_unlock(&p->lock);
}

bool bt_worker_goes_on(bt_worker *w) {
  bt_pipeline *p = w->pipeline;
  if (p->on_caller_thread) watch(p, false);
  pthread_mutex_lock(&p->lock);
  bool yes = !p->stop;
  pthread_mutex_unlock(&p->lock);
  return yes;
}

/* --- workers -------------------------------------------------------------------------------------------- */

enum { FIRST_SHARE = 8 };

/* The size of a batch; when the source has ended, a fair share that still keeps the device busy. An accelerator's first
 * batch is small, so that it starts while the next one is being prepared. */
static int share_of(const bt_worker *w) {
  const bt_pipeline *p = w->pipeline;
  if (w->unit->accelerator && w->unit->docked == 0 && w->unit->working == 0 && p->queue.count > w->batch)
    return (w->batch + FIRST_SHARE - 1) / FIRST_SHARE;
  int64_t all = 0;
  for (int k = 0; k < p->n_workers; k++) all += p->workers[k]->ended ? 0 : p->workers[k]->batch;
  int share = (int)((p->queue.count * (int64_t)w->batch + all - 1) / all), least = (w->batch + 3) / 4;
  if (p->feeders > 0 || share > w->batch) return w->batch;
  return share > least ? share : least;
}

/* Seconds that a batch of several may wait for a fuller queue, in which it finds more similar ligands; and seconds
 * after which a device takes less than a full batch, when ligands are prepared slowly. */
static const double patience = 0.5, longest_wait = 4.0, least_wait = 0.001;

/* One more item for a worker that has too few while others wait. Call with the lock held. */
static void pull(bt_pipeline *p) {
  p->pulling = false;
  pthread_mutex_unlock(&p->lock);
  bool more = p->ends.feed(p->ends.user);
  pthread_mutex_lock(&p->lock);
  p->pulling = more;
  p->feeders = more;
  bt_pipeline_wake(p, BT_EVENT_ITEMS);
}

/* 0: there is no more work. */
static int take(bt_worker *w) {
  bt_pipeline *p = w->pipeline;
  double began = bt_seconds();
  int n = 0;
  pthread_mutex_lock(&p->lock);
  while (!p->stop && !p->finish && !w->unit->failed) {
    if (p->pulling && p->queue.count < w->batch) {
      pull(p);
      continue;
    }
    double now = bt_seconds();
    bool fed = p->feeders == 0, full = p->queue.count >= enough_items(p), batch = p->queue.count >= w->batch;
    double late = fmax(began, p->taken) + longest_wait - now,
           soon = batch && w->batch > 1 ? began + patience - now : late;
    bool enough = full || (batch && (w->batch == 1 || soon < 0)) || late < 0;
    if (p->queue.count == 0 && fed && p->docking == 0) break; /* other workers may still return items */
    if (p->queue.count > 0 && (fed || enough)) {
      n = bt_queue_take(&p->queue, share_of(w), w->items);
      if (w->unit->accelerator) bt_items_sort(w->items, n); /* the longest first */
      p->docking += n;
      p->taken = now;
      if (w->unit->working++ == 0) w->unit->since = bt_seconds();
      bt_pipeline_wake(p, BT_EVENT_ROOM);
      break;
    }
    bt_pipeline_wait_for(p, BT_EVENT_ITEMS, fmin(fmax(soon, 0) + least_wait, 1.0));
  }
  pthread_mutex_unlock(&p->lock);
  return n;
}

/* Takes a failed device out of use. False: no device is left. Call with the lock held. */
static bool dismiss(bt_worker *w) {
  bt_unit *unit = w->unit;
  if (unit->n_backends > 1) { /* the others do its share */
    snprintf(unit->name, sizeof unit->name, "%s", unit->backends[w->failed]->name);
    unit->n_backends--;
    for (int b = w->failed; b < unit->n_backends; b++) unit->backends[b] = unit->backends[b + 1];
    return true;
  }
  if (unit->n_backends == 1 && strcmp(unit->name, unit->backends[0]->name) != 0) /* the last of several */
    snprintf(unit->name, sizeof unit->name, "%s", unit->backends[0]->name);
  unit->failed = true;
  bool left = w->pipeline->next_allowed;
  for (int u = 0; u < w->pipeline->n_units; u++) left = left || !w->pipeline->units[u]->failed;
  return left;
}

/* After the batch: what was not settled waits again. */
static void end_batch(bt_worker *w, int count, bt_status status, const bt_error *error) {
  bt_pipeline *p = w->pipeline;
  pthread_mutex_lock(&p->lock);
  p->stop |= status == BT_ERR_CANCELLED;
  bool fatal = status == BT_ERR_DEVICE ? !dismiss(w) : status != BT_OK && status != BT_ERR_CANCELLED;
  if (status == BT_ERR_DEVICE && p->status == BT_OK) p->error = *error;
  for (int i = 0; i < count; i++) {
    if (!w->settled[i] && status == BT_ERR_DEVICE && p->ends.opt_returned != NULL)
      p->ends.opt_returned(p->ends.user, &w->items[i], w->unit->name, false, error);
    if (w->settled[i] || !bt_queue_put(&p->queue, &w->items[i])) bt_item_clear(&w->items[i]);
    w->items[i] = (bt_item){0};
  }
  p->docking -= count;
  if (--w->unit->working == 0) w->unit->busy += bt_seconds() - w->unit->since;
  if (p->stop)
    bt_pipeline_wake_all(p);
  else
    bt_pipeline_wake(p, BT_EVENT_ITEMS);
  pthread_mutex_unlock(&p->lock);
  if (fatal) bt_pipeline_stop(p, status, error);
}

static void *worker_thread(void *argument) {
  bt_worker *w = argument;
  bt_pipeline *p = w->pipeline;
  for (int n; (n = take(w)) > 0;) {
    bt_error error = {0};
    for (int i = 0; i < n; i++) w->settled[i] = false;
    bt_status status = p->engine->type->dock(p->engine, w, n, &error);
    end_batch(w, n, status, &error);
  }
  if (p->engine->type->opt_leave != NULL) p->engine->type->opt_leave(p->engine, w);
  pthread_mutex_lock(&p->lock);
  p->n_workers_left--;
  w->ended = true;
  bt_pipeline_wake(p, BT_EVENT_ITEMS); /* who watches as well */
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

/* --- feeders -------------------------------------------------------------------------------------------- */

/* Waits for room in the queue; false: no more is wanted. */
static bool wait_for_room(bt_pipeline *p) {
  pthread_mutex_lock(&p->lock);
  while (p->queue.count > enough_items(p) && !p->stop && !p->finish) bt_pipeline_wait(p, BT_EVENT_ROOM);
  bool wanted = !p->stop && !p->finish;
  pthread_mutex_unlock(&p->lock);
  return wanted;
}

static void *feeder_thread(void *argument) {
  bt_pipeline *p = argument;
  while (wait_for_room(p) && p->ends.feed(p->ends.user)) continue;
  pthread_mutex_lock(&p->lock);
  p->feeders--;
  bt_pipeline_wake(p, BT_EVENT_ITEMS);
  bt_pipeline_wake(p, BT_EVENT_ROOM); /* a place more for the others */
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

/* --- the caller ----------------------------------------------------------------------------------------- */

bt_status bt_pipeline_open(bt_pipeline *p, bt_engine *engine, const bt_pipeline_ends *ends, const bt_workload *load,
                           bt_error *opt_error) {
  /* half of the queue is filled: the more items wait, the more similar are those of a batch; and the more memory they
   * take where batches are large */
  enum { BATCHES = 8, FEWEST_BATCHES = 3, MANY_ITEMS = 16384 };
  p->engine = engine;
  p->ends = *ends;
  p->load = *load;
  pthread_mutex_init(&p->lock, NULL);
  for (int k = 0; k < BT_EVENTS; k++) bt_condition_init(&p->happened[k]);
  p->known = load->count >= 0;
  if (p->known) {
    BT_TRY(bt_queue_open(&p->queue, (int)load->count, opt_error));
    while (p->queue.count < load->count && ends->feed(ends->user)) continue;
    p->load.count = p->queue.count;
    if (p->queue.count == 0) return BT_OK;
  }
  BT_TRY(engine->type->plan(engine, p, &p->load, opt_error));
  int each = 0; /* a batch for each worker */
  for (int w = 0; w < p->n_workers; w++) each += p->workers[w]->batch;
  int capacity = BATCHES * each < MANY_ITEMS ? BATCHES * each : MANY_ITEMS;
  if (capacity < FEWEST_BATCHES * each) capacity = FEWEST_BATCHES * each;
  if (!p->known) return bt_queue_open(&p->queue, capacity + 65, opt_error);
  /* for a CPU, which takes few at a time, the order stays as given */
  if (p->units[0]->accelerator) bt_items_sort(p->queue.items, p->queue.count);
  return BT_OK;
}

void bt_pipeline_close(bt_pipeline *p) {
  for (int w = 0; w < p->n_workers; w++) {
    free(p->workers[w]->items);
    free(p->workers[w]->settled);
    free(p->workers[w]);
  }
  for (int u = 0; u < p->n_units; u++) {
    pthread_rwlock_destroy(&p->units[u]->lock);
    bt_busy_close(&p->units[u]->kernels);
    free(p->units[u]->backends);
    free(p->units[u]);
  }
  free(p->workers);
  free(p->units);
  free(p->left);
  bt_queue_close(&p->queue);
  pthread_mutex_destroy(&p->lock);
  for (int k = 0; k < BT_EVENTS; k++) pthread_cond_destroy(&p->happened[k]);
}

static void watch_all(bt_pipeline *p) {
  for (bool ended = false; !ended; watch(p, ended)) {
    pthread_mutex_lock(&p->lock);
    ended = p->n_workers_left == 0 && (p->feeders == 0 || p->pulling || p->next_allowed);
    if (!ended) bt_pipeline_wait_for(p, BT_EVENT_ITEMS, 0.1);
    pthread_mutex_unlock(&p->lock);
  }
}

/* Workers from number first on, until all items are finished or the devices have failed. */
static void work(bt_pipeline *p, int first) {
  pthread_mutex_lock(&p->lock);
  p->n_workers_left = p->n_workers - first;
  p->on_caller_thread = p->n_workers_left == 1 && (p->pulling || p->feeders == 0);
  pthread_mutex_unlock(&p->lock);
  if (p->on_caller_thread) worker_thread(p->workers[first]);
  int started = 0;
  for (int k = first; k < p->n_workers && !p->on_caller_thread; k++) {
    bt_worker *w = p->workers[k];
    bool runs = pthread_create(&w->thread, NULL, worker_thread, w) == 0;
    pthread_mutex_lock(&p->lock);
    w->started = runs;
    w->ended |= !runs;
    p->n_workers_left -= !runs;
    pthread_mutex_unlock(&p->lock);
    started += runs;
  }
  bt_error error;
  if (started == 0 && !p->on_caller_thread) {
    bt_fail(&error, BT_ERR_MEMORY, (bt_where){0}, "close other programs", "cannot start a thread");
    bt_pipeline_stop(p, error.status, &error);
  }
  watch_all(p);
  for (int k = first; k < p->n_workers; k++)
    if (p->workers[k]->started) pthread_join(p->workers[k]->thread, NULL);
}

/* Another device for the items that the units could not dock; without one, they are left over. */
static bt_status work_on_next(bt_pipeline *p, bt_error *error) {
  for (bool more = p->next_allowed; more;) {
    int first = p->n_workers;
    pthread_mutex_lock(&p->lock);
    while (p->n_left > 0 && bt_queue_put(&p->queue, &p->left[p->n_left - 1])) p->n_left--;
    more = !p->stop && !p->finish && p->queue.count + p->feeders > 0;
    bool fed = p->feeders == 0;
    pthread_mutex_unlock(&p->lock);
    if (!more) break;
    BT_TRY(p->engine->type->opt_plan_next(p->engine, p, &p->load, error));
    more = p->n_workers > first;
    if (more) work(p, first);
    if (!more && !fed) return *error = p->error, error->status; /* of the last device */
  }
  return BT_OK;
}

bt_status bt_pipeline_run(bt_pipeline *p, int feeders, bt_error *opt_error) {
  BT_SCOPED pthread_t *threads = bt_allocate((size_t)feeders, sizeof *threads);
  if (threads == NULL) return bt_fail_memory(opt_error);
  int started = 0;
  p->feeders = feeders;
  while (started < feeders && pthread_create(&threads[started], NULL, feeder_thread, p) == 0) started++;
  pthread_mutex_lock(&p->lock);
  p->pulling = started == 0 && !p->known;
  p->feeders -= feeders - started - p->pulling;
  pthread_mutex_unlock(&p->lock);
  work(p, 0);
  bt_error error;
  bt_status status = work_on_next(p, &error);
  if (status != BT_OK) bt_pipeline_stop(p, status, &error);
  for (int k = 0; k < started; k++) pthread_join(threads[k], NULL);
  if (p->status != BT_OK && opt_error != NULL) *opt_error = p->error;
  return p->status;
}
