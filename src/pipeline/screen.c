/* screen.c - bt_screen_run: docks a library into a database; opens the parts, looks on, closes them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/threads.h"
#include "pipeline/screen.h"
#include "engine/ad4/batch.h"

bt_screen_options bt_screen_options_default(void) {
  return (bt_screen_options){.prepare = bt_prepare_options_default(),
                             .search = bt_dock_options_default(),
                             .shard = 1,
                             .shards = 1,
                             .poses = 1,
                             .keep = 100000};
}

double bt_pipeline_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void bt_pipeline_stop(bt_pipeline *p, bt_status status, const bt_error *error) {
  pthread_mutex_lock(&p->lock);
  if (p->status == BT_OK) {
    p->status = status;
    p->error = *error;
  }
  p->stop = true;
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
}

/* --- progress ------------------------------------------------------------------------------------------ */

enum { SAMPLES = 64 };

/* Rate over about the last minute. */
typedef struct meter {
  double began, times[SAMPLES];
  int64_t counts[SAMPLES], earlier;
  int n;
} meter;

static double measure(meter *m, double now, int64_t count) {
  if (m->n == 0 || now - m->times[(m->n - 1) % SAMPLES] >= 1.0) {
    m->times[m->n % SAMPLES] = now;
    m->counts[m->n % SAMPLES] = count;
    m->n++;
  }
  int oldest = m->n > SAMPLES ? m->n % SAMPLES : 0;
  double seconds = now - m->times[oldest];
  if (seconds < 2.0) return now > m->began ? (double)(count - m->earlier) / (now - m->began) : 0;
  return (double)(count - m->counts[oldest]) / seconds;
}

static void describe_devices(const bt_pipeline *p, double now, double seconds, bt_screen_progress *progress) {
  progress->n_devices = p->n_units;
  for (int d = 0; d < p->n_units; d++) {
    const bt_screen_unit *unit = &p->units[d];
    double busy = unit->busy + (unit->working > 0 ? now - unit->since : 0);
    bt_screen_device *to = &progress->devices[d];
    *to = (bt_screen_device){.docked = unit->docked, .failed = unit->failed};
    memcpy(to->name, unit->name, sizeof to->name);
    to->busy = seconds > 0 ? fmin(1, busy / seconds) : 0;
  }
}

static bt_screen_progress describe(bt_pipeline *p, meter *m) {
  double now = bt_pipeline_seconds();
  bt_screen_progress progress = {.seconds = now - m->began, .earlier = m->earlier};
  pthread_mutex_lock(&p->lock);
  progress.total = p->total;
  progress.docked = p->counts.docked;
  progress.rejected = p->counts.rejected;
  progress.failed = p->counts.failed;
  progress.evaluations = p->evaluations;
  progress.waiting = p->queue.count;
  progress.ending = p->finish || p->stop;
  progress.n_hits = p->n_hits;
  memcpy(progress.hits, p->hits, sizeof progress.hits);
  describe_devices(p, now, progress.seconds, &progress);
  pthread_mutex_unlock(&p->lock);
  int64_t done = progress.docked + progress.rejected + progress.failed;
  progress.rate = measure(m, now, done);
  progress.seconds_left = NAN;
  if (progress.total >= done && progress.rate > 0)
    progress.seconds_left = (double)(progress.total - done) / progress.rate;
  return progress;
}

/* --- the caller ---------------------------------------------------------------------------------------- */

static void wish(bt_pipeline *p, bt_screen_wish what) {
  pthread_mutex_lock(&p->lock);
  if (what == BT_SCREEN_FINISH) p->finish = true;
  if (what == BT_SCREEN_STOP) p->finish = p->stop = true;
  if (what != BT_SCREEN_GO_ON) pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
}

/* Until everything is written. */
static void look_on(bt_pipeline *p, meter *m) {
  for (bool ended = false; !ended;) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, until.tv_sec++;
    pthread_mutex_lock(&p->lock);
    while (!p->writer_ended && pthread_cond_timedwait(&p->changed, &p->lock, &until) == 0) continue;
    ended = p->writer_ended;
    pthread_mutex_unlock(&p->lock);
    bt_screen_progress progress = describe(p, m);
    if (p->options->opt_watch != NULL) wish(p, p->options->opt_watch(p->options->opt_user, &progress));
  }
}

typedef struct crew {
  pthread_t *feeders, writer, counter;
  int n_feeders;
  bool writing, counting;
} crew;

static bt_status no_thread(bt_pipeline *p, bt_error *opt_error) {
  bt_error error;
  bt_fail(&error, BT_ERR_MEMORY, (bt_where){0}, "end other programs", "no thread can be started");
  bt_pipeline_stop(p, error.status, &error);
  if (opt_error != NULL) *opt_error = error;
  return error.status;
}

static bt_status start(bt_pipeline *p, crew *c, bt_error *opt_error) {
  int n = p->options->readers > 0 ? p->options->readers : bt_thread_count_default();
  if (n > p->queue.capacity / 4) n = p->queue.capacity / 4;
  c->feeders = bt_allocate((size_t)n, sizeof *c->feeders);
  if (c->feeders == NULL) return bt_fail_memory(opt_error);
  p->feeders = n;
  p->n_workers_left = p->n_workers;
  c->writing = pthread_create(&c->writer, NULL, bt_write_thread, p) == 0;
  if (!c->writing) return no_thread(p, opt_error);
  while (c->n_feeders < n && pthread_create(&c->feeders[c->n_feeders], NULL, bt_feed_thread, p) == 0) c->n_feeders++;
  int started = 0;
  for (int w = 0; w < p->n_workers; w++) {
    bt_screen_worker *worker = &p->workers[w];
    bool runs = pthread_create(&worker->thread, NULL, bt_worker_thread, worker) == 0;
    pthread_mutex_lock(&p->lock);
    worker->started = runs;
    worker->ended |= !runs;
    pthread_mutex_unlock(&p->lock);
    started += runs;
  }
  pthread_mutex_lock(&p->lock);
  p->feeders -= n - c->n_feeders;
  p->n_workers_left -= p->n_workers - started;
  bool total_known = p->total >= 0;
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
  if (c->n_feeders == 0 || started == 0) return no_thread(p, opt_error);
  bool stdin_too = false;
  for (int i = 0; i < p->options->n_ligands; i++) stdin_too = stdin_too || strcmp(p->options->ligands[i], "-") == 0;
  if (!total_known && !stdin_too && p->options->opt_chunk == NULL)
    c->counting = pthread_create(&c->counter, NULL, bt_feed_count_thread, p) == 0;
  return BT_OK;
}

static void join(bt_pipeline *p, crew *c) {
  for (int k = 0; k < c->n_feeders; k++) pthread_join(c->feeders[k], NULL);
  for (int w = 0; w < p->n_workers; w++)
    if (p->workers[w].started) pthread_join(p->workers[w].thread, NULL);
  if (c->writing) pthread_join(c->writer, NULL);
  if (c->counting) pthread_join(c->counter, NULL);
  free(c->feeders);
}

/* The library was read to its end, and everything in it has a row: notes that. */
static bt_status conclude(bt_pipeline *p, bt_error *opt_error) {
  if (p->status != BT_OK) {
    if (opt_error != NULL) *opt_error = p->error;
    return p->status;
  }
  if (p->finish)
    return bt_fail(opt_error, BT_ERR_CANCELLED, (bt_where){0}, "go on with --resume", "the screen was stopped");
  if (p->options->opt_chunk != NULL) return BT_OK; /* the others may not be done yet */
  char total[32];
  p->total = p->counts.docked + p->counts.rejected + p->counts.failed;
  snprintf(total, sizeof total, "%lld", (long long)p->total);
  BT_TRY(bt_store_begin(p->store, opt_error));
  BT_TRY(bt_store_set(p->store, "total", total, opt_error));
  BT_TRY(bt_store_set(p->store, "complete", "1", opt_error));
  return bt_store_commit(p->store, opt_error);
}

static bt_status work(bt_pipeline *p, bt_screen_progress *ret_progress, bt_error *opt_error) {
  enum { BATCHES = 8 }; /* half of them are filled: the more ligands wait, the more alike are those of a batch */
  int capacity = 64;
  for (int w = 0; w < p->n_workers; w++) capacity += BATCHES * p->workers[w].batch;
  BT_TRY(bt_screen_queue_open(&p->queue, capacity, opt_error));
  BT_TRY(bt_store_count(p->store, &p->counts, opt_error));
  BT_TRY(bt_store_hits(p->store, p->hits, BT_SCREEN_HITS, &p->n_hits, opt_error));
  meter m = {.began = bt_pipeline_seconds(), .earlier = p->counts.docked + p->counts.rejected + p->counts.failed};
  crew c = {0};
  bt_status status = start(p, &c, opt_error);
  if (c.writing) look_on(p, &m);
  join(p, &c);
  if (status == BT_OK) status = conclude(p, opt_error);
  *ret_progress = describe(p, &m);
  return status;
}

static bt_status check_options(const bt_screen_options *o, bt_error *opt_error) {
  if (o->shards < 1 || o->shard < 1 || o->shard > o->shards)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "give --shard i/N with i from 1 to N",
                   "there is no shard %d of %d", o->shard, o->shards);
  return bt_dock_options_check(&o->search, opt_error);
}

static bt_status open_and_work(bt_pipeline *p, bt_screen_progress *ret_progress, bt_error *opt_error) {
  const bt_screen_options *o = p->options;
  BT_TRY(check_options(o, opt_error));
  BT_TRY(p->engine->open(p, opt_error));
  BT_TRY(bt_feed_open(p, opt_error));
  BT_TRY(bt_store_open(o->database, o->resume ? BT_STORE_RESUME : BT_STORE_CREATE, o->keep, &p->store, opt_error));
  char *format = NULL;
  BT_TRY(bt_store_get(p->store, "format", &format, opt_error));
  bool resumed = format != NULL; /* a process may have been killed before it wrote the first row */
  free(format);
  BT_TRY(bt_screen_record(p, resumed, opt_error));
  BT_TRY(bt_screen_record_done(p, opt_error));
  return work(p, ret_progress, opt_error);
}

bt_status bt_screen_run_with(const bt_screen_options *options, bt_screen_dock_fn dock, double commit_seconds,
                             bt_screen_progress *ret_progress, bt_error *opt_error) {
  *ret_progress = (bt_screen_progress){.total = -1, .seconds_left = NAN};
  bt_pipeline *p = bt_allocate(1, sizeof *p);
  if (p == NULL) return bt_fail_memory(opt_error);
  p->options = options;
  p->search = options->search;
  p->engine = options->opt_bude != NULL ? &bt_screen_bude : &bt_screen_autodock;
  p->dock = dock;
  p->commit_seconds = commit_seconds;
  p->total = p->count = -1;
  p->rows_end = &p->rows;
  pthread_mutex_init(&p->library_lock, NULL);
  pthread_mutex_init(&p->store_lock, NULL);
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->changed, NULL);
  bt_status status = open_and_work(p, ret_progress, opt_error);
  bt_screen_queue_close(&p->queue);
  p->engine->close(p);
  bt_store_close(p->store);
  bt_library_close(p->library);
  pthread_mutex_destroy(&p->library_lock);
  pthread_mutex_destroy(&p->store_lock);
  pthread_mutex_destroy(&p->lock);
  pthread_cond_destroy(&p->changed);
  free(p);
  return status;
}

bt_status bt_screen_run(const bt_screen_options *options, bt_screen_progress *ret_progress, bt_error *opt_error) {
  return bt_screen_run_with(options, bt_dock_batch_on, 1.0, ret_progress, opt_error);
}
