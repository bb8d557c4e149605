/* screen.c - bt_screen_run: docks a library into a database; opens both and the engine, watches, closes them. */
#include "pipeline/screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "rescore/rescorer.h"

bt_screen_options bt_screen_options_default(void) {
  return (bt_screen_options){.prepare = bt_prepare_options_default(),
                             .search = bt_dock_options_default(),
                             .shard = 1,
                             .shards = 1,
                             .poses = 1,
                             .keep = 100000};
}

/* --- progress ------------------------------------------------------------------------------------------ */

/* Ligands per second over about the last minute. */
static double measure(bt_screen *s, double now, int64_t count) {
  const int samples = (int)(sizeof s->times / sizeof s->times[0]);
  if (s->n_measured == 0 || now - s->times[(s->n_measured - 1) % samples] >= 1.0) {
    s->times[s->n_measured % samples] = now;
    s->at[s->n_measured % samples] = count;
    s->n_measured++;
  }
  int oldest = s->n_measured > samples ? s->n_measured % samples : 0;
  double seconds = now - s->times[oldest];
  if (seconds < 2.0) return now > s->began ? (double)(count - s->earlier) / (now - s->began) : 0;
  return (double)(count - s->at[oldest]) / seconds;
}

static void describe_devices(const bt_pipeline *p, double now, double seconds, bt_screen_progress *progress) {
  for (int d = 0; d < p->n_units && d < BT_SCREEN_DEVICES; d++) {
    bt_unit *unit = p->units[d];
    double working = unit->busy + (unit->working > 0 ? now - unit->since : 0);
    double kernels = bt_busy_seconds(&unit->kernels);
    double busy = kernels > 0 ? kernels : working;
    bt_screen_device *to = &progress->devices[progress->n_devices++];
    *to = (bt_screen_device){.docked = unit->docked, .failed = unit->failed};
    memcpy(to->name, unit->name, sizeof to->name);
    to->busy = seconds > 0 ? fmin(1, busy / seconds) : 0;
  }
}

static bt_screen_progress describe(bt_screen *s) {
  double now = bt_seconds();
  bt_pipeline *p = &s->pipeline;
  bt_screen_progress progress = {.seconds = now - s->began, .earlier = s->earlier};
  pthread_mutex_lock(&p->lock);
  progress.total = s->total;
  progress.docked = s->counts.docked;
  progress.rejected = s->counts.rejected;
  progress.failed = s->counts.failed;
  progress.filtered = s->counts.filtered;
  progress.evaluations = s->evaluations;
  progress.open_stereo = s->open_stereo;
  progress.waiting = p->queue.count;
  progress.ending = p->finish || p->stop;
  progress.n_hits = s->n_hits;
  memcpy(progress.hits, s->hits, sizeof progress.hits);
  describe_devices(p, now, progress.seconds, &progress);
  pthread_mutex_unlock(&p->lock);
  int64_t done = progress.docked + progress.rejected + progress.failed + progress.filtered;
  progress.rate = measure(s, now, done);
  progress.seconds_left = NAN;
  if (progress.total >= done && progress.rate > 0)
    progress.seconds_left = (double)(progress.total - done) / progress.rate;
  return progress;
}

static void watch(void *user) {
  bt_screen *s = user;
  bt_screen_progress progress = describe(s);
  if (s->options->opt_watch == NULL) return;
  bt_screen_request next = s->options->opt_watch(s->options->opt_user, &progress);
  pthread_mutex_lock(&s->pipeline.lock);
  if (next != BT_SCREEN_GO_ON) s->pipeline.finish = true;
  if (next == BT_SCREEN_STOP) s->pipeline.stop = true;
  if (next != BT_SCREEN_GO_ON) bt_pipeline_wake_all(&s->pipeline);
  pthread_mutex_unlock(&s->pipeline.lock);
}

/* --- docking ------------------------------------------------------------------------------------------- */

static bt_status no_thread(bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_MEMORY, (bt_where){0}, "close other programs", "cannot start a thread");
}

/* Tells a thread by its flag that nothing will follow, and waits for it. */
static void end(bt_screen *s, bool *flag, pthread_t thread) {
  pthread_mutex_lock(&s->pipeline.lock);
  *flag = true;
  bt_pipeline_wake_all(&s->pipeline);
  pthread_mutex_unlock(&s->pipeline.lock);
  pthread_join(thread, NULL);
}

/* Runs the pipeline, and beside it the re-scorers, the writer and, where it can be done, who counts the library. */
/* Threads of the stage that re-scores, as many as re-scorers answer at the same time; how many were started. */
static int start_rescorers(bt_screen *s, pthread_t *threads, int wanted) {
  int n = 0;
  while (n < wanted && pthread_create(&threads[n], NULL, bt_rescore_thread, s) == 0) n++;
  return n;
}

static void end_rescorers(bt_screen *s, const pthread_t *threads, int n) {
  for (int k = 0; k < n; k++) end(s, &s->docked_all, threads[k]);
}

static bt_status run(bt_screen *s, bt_error *opt_error) {
  const bt_screen_options *o = s->options;
  pthread_t writer, counter;
  int calls = s->docked != NULL ? bt_rescoring_calls(o->opt_rescoring) : 0, n_rescorers = 0;
  BT_SCOPED pthread_t *rescorers = bt_allocate((size_t)calls, sizeof *rescorers);
  if (rescorers == NULL) return bt_fail_memory(opt_error);
  int n = o->readers > 0 ? o->readers : bt_thread_count_default();
  if (n > s->pipeline.queue.capacity / 4) n = s->pipeline.queue.capacity / 4;
  bool uncounted = s->total < 0 && o->opt_chunk == NULL;
  for (int i = 0; i < o->n_ligands; i++) uncounted = uncounted && strcmp(o->ligands[i], "-") != 0;
  if (calls > 0 && (n_rescorers = start_rescorers(s, rescorers, calls)) == 0) return no_thread(opt_error);
  if (pthread_create(&writer, NULL, bt_commit_thread, s) != 0) {
    end_rescorers(s, rescorers, n_rescorers);
    return no_thread(opt_error);
  }
  bool counting = uncounted && pthread_create(&counter, NULL, bt_feed_count_thread, s) == 0;
  bt_status status = bt_pipeline_run(&s->pipeline, n, opt_error);
  end_rescorers(s, rescorers, n_rescorers);
  end(s, &s->ended, writer);
  if (counting) pthread_join(counter, NULL);
  if (status == BT_OK && (status = s->pipeline.status) != BT_OK && opt_error != NULL)
    *opt_error = s->pipeline.error; /* of the last transaction */
  return status;
}

static int64_t count_done(const bt_store_counts *counts) {
  return counts->docked + counts->rejected + counts->failed + counts->filtered;
}

/* Records that the library was read to its end, and that every ligand has a row. */
static bt_status conclude(bt_screen *s, bt_error *opt_error) {
  if (s->pipeline.finish)
    return bt_fail(opt_error, BT_ERR_CANCELLED, (bt_where){0}, "continue with --resume", "the screen was stopped");
  if (s->options->opt_chunk != NULL) return BT_OK; /* the others may not be done yet */
  char total[32];
  s->total = count_done(&s->counts);
  snprintf(total, sizeof total, "%lld", (long long)s->total);
  BT_TRY(bt_store_begin(s->store, opt_error));
  BT_TRY(bt_store_set(s->store, "total", total, opt_error));
  BT_TRY(bt_store_set(s->store, "complete", "1", opt_error));
  return bt_store_commit(s->store, opt_error);
}

static bt_status forget(bt_store *store, unsigned retry, bt_error *opt_error) {
  BT_TRY(bt_store_begin(store, opt_error));
  BT_TRY(bt_store_forget(store, retry, opt_error));
  return bt_store_commit(store, opt_error);
}

bt_status bt_screen_forget(const char *database, unsigned retry, bt_screen_damage *ret_damage, bt_error *opt_error) {
  BT_SCOPED_STORE store = NULL;
  *ret_damage = (bt_screen_damage){.ligands = 0};
  BT_TRY(bt_store_open(database, BT_STORE_RESUME, -1, &store, opt_error));
  BT_TRY(bt_store_begin(store, opt_error));
  BT_TRY(bt_store_forget_damaged(store, opt_error));
  if (retry != 0) BT_TRY(bt_store_forget(store, retry, opt_error));
  BT_TRY(bt_store_commit(store, opt_error));
  *ret_damage = *bt_store_damage(store);
  return BT_OK;
}

/* Lines such as "PATH: ligand lig7 (ordinal 7) is damaged: its row is gone". */
static void tell_damage(bt_screen *s) {
  static const char begin[] = ": ligand ", middle[] = " is damaged: ";
  const bt_screen_options *o = s->options;
  char *at = s->damage.lines;
  for (char *end; o->opt_lost != NULL && (end = strchr(at, '\n')) != NULL; at = end + 1) {
    *end = '\0';
    char *name = at + strlen(bt_store_path(s->store)) + strlen(begin), *why = strstr(name, middle);
    if (why == NULL) continue;
    *why = '\0';
    o->opt_lost(o->opt_user, name, "damaged", why + strlen(middle));
  }
}

/* The previous result is unknown: it is docked again. */
static bt_status mend(bt_screen *s, bt_error *opt_error) {
  BT_TRY(bt_store_begin(s->store, opt_error));
  BT_TRY(bt_store_forget_damaged(s->store, opt_error));
  BT_TRY(bt_store_commit(s->store, opt_error));
  s->damage = *bt_store_damage(s->store);
  tell_damage(s);
  return BT_OK;
}

static bt_status open_store(bt_screen *s, bt_error *opt_error) {
  const bt_screen_options *o = s->options;
  BT_TRY(bt_store_open(o->database, o->resume ? BT_STORE_RESUME : BT_STORE_CREATE, o->keep, &s->store, opt_error));
  BT_TRY(bt_store_name_terms(s->store, s->engine->type->terms, opt_error));
  BT_SCOPED char *format = NULL; /* a process may have been killed before it wrote the first row */
  BT_TRY(bt_store_get(s->store, "format", &format, opt_error));
  BT_TRY(bt_screen_record(s, format != NULL, opt_error));
  BT_TRY(bt_screen_record_done(s, opt_error));
  if (format != NULL) BT_TRY(mend(s, opt_error));
  if (o->retry != 0) BT_TRY(forget(s->store, o->retry, opt_error));
  BT_TRY(bt_store_count(s->store, &s->counts, opt_error));
  return bt_store_hits(s->store, s->hits, BT_SCREEN_HITS, &s->n_hits, opt_error);
}

/* Networks that run on a device of the screen keep it busy, too. */
static void measure_rescoring(bt_screen *s, bool wanted) {
  for (int u = 0; u < s->pipeline.n_units; u++) {
    bt_unit *unit = s->pipeline.units[u];
    for (int d = 0; d < unit->n_backends; d++)
      bt_rescoring_measure(s->options->opt_rescoring, unit->backends[d]->name, wanted ? &unit->kernels : NULL);
  }
}

static bt_status work(bt_screen *s, bt_screen_progress *ret_progress, bt_error *opt_error) {
  bool rescores = s->options->opt_rescoring != NULL && bt_rescoring_names(s->options->opt_rescoring)[0] != '\0';
  const bt_pipeline_ends ends = {.user = s,
                                 .feed = bt_feed_one,
                                 .settle = rescores ? bt_rescore_settle : bt_commit_settle,
                                 .watch = watch};
  s->docked = rescores ? bt_allocate(BT_SCREEN_DOCKED, sizeof *s->docked) : NULL;
  if (rescores && s->docked == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_feed_open(s, opt_error));
  BT_TRY(open_store(s, opt_error));
  bt_workload load = {.count = -1, .batch = s->options->batch};
  bt_status status = bt_pipeline_open(&s->pipeline, s->engine, &ends, &load, opt_error);
  if (status == BT_OK) status = bt_screen_record_devices(s, opt_error);
  if (rescores && status == BT_OK) measure_rescoring(s, true);
  s->began = bt_seconds();
  s->earlier = count_done(&s->counts);
  if (status == BT_OK) {
    status = run(s, opt_error);
    if (status == BT_OK) status = conclude(s, opt_error);
    *ret_progress = describe(s);
  }
  if (rescores) measure_rescoring(s, false);
  bt_pipeline_close(&s->pipeline);
  return status == BT_OK ? bt_store_seal(s->store, false, opt_error) : status;
}

bt_status bt_screen_run_with(const bt_screen_options *options, bt_engine *engine, double commit_seconds,
                             bt_screen_progress *ret_progress, bt_error *opt_error) {
  *ret_progress = (bt_screen_progress){.total = -1, .seconds_left = NAN};
  bt_screen *s = bt_allocate(1, sizeof *s);
  bt_status status = s != NULL ? BT_OK : bt_fail_memory(opt_error);
  if (status == BT_OK) {
    s->options = options;
    s->engine = engine;
    s->commit_seconds = commit_seconds;
    s->total = s->count = -1;
    s->rows_end = &s->rows;
    pthread_mutex_init(&s->library_lock, NULL);
    pthread_mutex_init(&s->store_lock, NULL);
    status = work(s, ret_progress, opt_error);
    bt_store_close(s->store);
    bt_library_close(s->library);
    for (int i = 0; i < s->n_docked; i++) bt_item_clear(&s->docked[i]);
    free(s->docked);
    pthread_mutex_destroy(&s->library_lock);
    pthread_mutex_destroy(&s->store_lock);
    free(s);
  }
  bt_engine_close(engine);
  return status;
}
