/* dock.c - several streams, each of which docks batch after batch.
 *
 * While one stream's batch is prepared, or is down to its last ligands, the others keep the device busy.
 */
#include <berth/score.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/screen/screen.h"
#include "common/interrupt.h"
#include "common/progress.h"
#include "common/report.h"

static const char program[] = "berth bench screen";

/* The search sums in single precision what the reference sums in double precision. */
static double tolerance(int n_pairs, double energy) { return 0.005 + 5e-6 * n_pairs + 0.00025 * fabs(energy); }

typedef struct batch {
  screen_state *state;
  int count;
  bench_item *items;
  bt_docking *dockings;
} batch;

static screen_record record_of(const bench_item *item, const bt_result *result) {
  screen_record record = {.name = strdup(bt_molecule_name(item->molecule)),
                          .atoms = bt_ligand_atom_count(item->ligand),
                          .torsions = bt_ligand_torsion_count(item->ligand),
                          .best_score = INFINITY,
                          .best_free_energy = bt_result_ranked(result, 0).energy.free_energy,
                          .evaluations = bt_result_evaluations(result),
                          .seconds = bt_result_seconds(result)};
  snprintf(record.device, sizeof record.device, "%s", bt_result_device(result));
  for (int k = 0; k < bt_result_run_count(result); k++) {
    bt_run_summary run = bt_result_ranked(result, k);
    double score = run.energy.inter + run.energy.intra;
    double off = fabs(run.search_energy - run.search_reference) /
                 tolerance(bt_ligand_pair_count(item->ligand), run.search_reference);
    if (score < record.best_score) record.best_score = score;
    record.deviation = fmax(record.deviation, isnan(off) ? INFINITY : off);
  }
  return record;
}

/* With the lock. */
static void store(screen_state *state, int position, screen_record record) {
  if (position >= state->capacity) {
    int capacity = 2 * position + 64;
    screen_record *records = realloc(state->records, (size_t)capacity * sizeof *records);
    if (records == NULL || record.name == NULL) {
      free(record.name);
      state->status = cli_fill_error(&state->error, BT_ERR_MEMORY, NULL, "", "out of memory");
      return;
    }
    memset(records + state->capacity, 0, (size_t)(capacity - state->capacity) * sizeof *records);
    state->records = records;
    state->capacity = capacity;
  }
  state->records[position] = record;
  state->docked++;
  state->evaluations += record.evaluations;
}

/* bt_docked_fn: one ligand of the batch is done. */
static bool docked(void *user, int index) {
  batch *b = user;
  screen_state *state = b->state;
  bt_docking *docking = &b->dockings[index];
  const bt_error *error = &docking->error;
  screen_record record = {.name = NULL};
  if (docking->result != NULL) record = record_of(&b->items[index], docking->result);
  bool fallback = docking->result != NULL && bt_result_warning(docking->result)[0] != '\0';
  if (fallback) cli_warning(program, "%s: %s", record.name, bt_result_warning(docking->result));
  bt_result_destroy(docking->result);
  docking->result = NULL;
  pthread_mutex_lock(&state->lock);
  if (error->status == BT_OK) {
    state->fallbacks += fallback;
    store(state, b->items[index].position, record);
  } else if (bt_status_concerns_ligand(error->status)) {
    char text[1600];
    state->rejected++;
    cli_message(program, "rejected %s: %s", bt_molecule_name(b->items[index].molecule),
                bt_error_format(error, text, sizeof text));
  }
  bool go_on = state->status == BT_OK;
  pthread_mutex_unlock(&state->lock);
  return go_on;
}

/* bt_progress_fn of a batch: the thread that looks on decides. */
static bool go_on(void *user, double fraction, int64_t evaluations, double best_energy) {
  (void)fraction;
  (void)evaluations;
  (void)best_energy;
  const batch *b = user;
  pthread_mutex_lock(&b->state->lock);
  bool yes = !b->state->cancelled && b->state->status == BT_OK;
  pthread_mutex_unlock(&b->state->lock);
  return yes;
}

/* Notes when docking begins (+1) and ends (-1) on any stream. */
static void working(screen_state *state, int change) {
  pthread_mutex_lock(&state->lock);
  if (state->working == 0) state->work_began = cli_seconds();
  state->working += change;
  if (state->working == 0) state->seconds += cli_seconds() - state->work_began;
  pthread_mutex_unlock(&state->lock);
}

static void dock(batch *b) {
  screen_state *state = b->state;
  bt_dock_options options = state->settings->search;
  bt_error error;
  options.opt_progress = go_on;
  options.opt_docked = docked;
  options.opt_progress_user = b;
  for (int i = 0; i < b->count; i++) b->dockings[i] = (bt_docking){.opt_ligand = b->items[i].ligand};
  working(state, 1);
  bt_engine *engine = NULL;
  bt_status status = bt_engine_open_ad4(state->maps, &options, &engine, &error);
  if (status == BT_OK) status = bt_engine_dock(engine, b->dockings, b->count, &error);
  bt_engine_close(engine);
  working(state, -1);
  for (int i = 0; i < b->count; i++) {
    bt_result_destroy(b->dockings[i].result);
    bench_item_free(&b->items[i]);
  }
  if (status == BT_OK) return;
  pthread_mutex_lock(&state->lock);
  if (state->status == BT_OK) {
    state->status = status;
    state->error = error;
  }
  pthread_mutex_unlock(&state->lock);
  bench_feed_stop(&state->feed);
}

static void *stream_thread(void *argument) {
  screen_state *state = argument;
  size_t size = (size_t)state->settings->batch;
  batch b = {.state = state,
             .items = calloc(size, sizeof *b.items),
             .dockings = calloc(size, sizeof *b.dockings)};
  if (b.items == NULL || b.dockings == NULL) {
    pthread_mutex_lock(&state->lock);
    state->status = cli_fill_error(&state->error, BT_ERR_MEMORY, NULL, "give a smaller --batch", "out of memory");
    pthread_mutex_unlock(&state->lock);
    bench_feed_stop(&state->feed);
  } else {
    while ((b.count = bench_feed_take(&state->feed, state->settings->batch, b.items)) > 0) dock(&b);
  }
  free(b.items);
  free(b.dockings);
  pthread_mutex_lock(&state->lock);
  state->streams_left--;
  pthread_mutex_unlock(&state->lock);
  return NULL;
}

/* Shows the progress until all streams have ended; Ctrl-C stops them. */
static void look_on(screen_state *state) {
  const screen_settings *settings = state->settings;
  cli_progress progress = cli_progress_start(program, settings->quiet);
  int total = settings->limit > 0 && settings->limit < state->paths.count ? settings->limit : state->paths.count;
  cli_progress_next(&progress, "ligands", 0, total);
  for (bool ended = false; !ended;) {
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    pthread_mutex_lock(&state->lock);
    ended = state->streams_left == 0;
    progress.index = state->docked;
    int64_t evaluations = state->evaluations;
    pthread_mutex_unlock(&state->lock);
    if (cli_progress_show(&progress, (double)progress.index / total, evaluations, INFINITY)) continue;
    pthread_mutex_lock(&state->lock);
    state->cancelled = true;
    pthread_mutex_unlock(&state->lock);
    bench_feed_stop(&state->feed);
  }
  cli_progress_clear(&progress);
}

bt_status screen_dock(screen_state *state, bt_error *opt_error) {
  int streams = state->settings->streams;
  pthread_t *threads = calloc((size_t)streams, sizeof *threads);
  if (threads == NULL) return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
  cli_interrupt_watch();
  int started = 0;
  state->streams_left = streams;
  while (started < streams && pthread_create(&threads[started], NULL, stream_thread, state) == 0) started++;
  pthread_mutex_lock(&state->lock);
  state->streams_left -= streams - started;
  pthread_mutex_unlock(&state->lock);
  look_on(state);
  for (int k = 0; k < started; k++) pthread_join(threads[k], NULL);
  free(threads);
  if (started == 0) return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "no thread can be started");
  if (state->status == BT_OK && state->feed.status != BT_OK) {
    state->status = state->feed.status;
    state->error = state->feed.error;
  }
  if (state->cancelled) state->status = cli_fill_error(&state->error, BT_ERR_CANCELLED, NULL, "", "interrupted");
  if (state->status != BT_OK && opt_error != NULL) *opt_error = state->error;
  return state->status;
}
