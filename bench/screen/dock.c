/* dock.c - docks ligands from files through the pipeline; its sink keeps only the figures. */
#include <berth/score.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "bench/common/deviation.h"
#include "bench/screen/screen.h"
#include "common/progress.h"
#include "common/report.h"
#include "pipeline/pipeline.h"
#include "pose/ligand.h"
#include "results/result.h"
#include "signals/interrupt.h"

static const char program[] = "berth bench screen";

typedef struct flow {
  screen_bench *bench; /* its figures are guarded by the pipeline's lock */
  bt_library *source;
  bt_engine *engine;
  bt_pipeline pipeline;
  cli_progress progress;
  int read; /* ligands that were prepared */
} flow;

static screen_record record_of(const bt_result *result) {
  const bt_ligand *ligand = result->ligand;
  screen_record record = {.name = strdup(bt_molecule_name(ligand->molecule)),
                          .atoms = bt_ligand_atom_count(ligand),
                          .torsions = bt_ligand_torsion_count(ligand),
                          .best_score = INFINITY,
                          .best_free_energy = bt_result_ranked(result, 0).energy.free_energy,
                          .evaluations = bt_result_evaluations(result),
                          .seconds = bt_result_seconds(result)};
  snprintf(record.device, sizeof record.device, "%s", bt_result_device(result));
  for (int k = 0; k < bt_result_run_count(result); k++) {
    bt_run_summary run = bt_result_ranked(result, k);
    double score = run.energy.inter + run.energy.intra;
    double off = fabs(run.search_energy - run.search_reference) /
                 bench_energy_tolerance(bt_ligand_pair_count(ligand), run.search_reference);
    if (score < record.best_score) record.best_score = score;
    record.deviation = fmax(record.deviation, isnan(off) ? INFINITY : off);
  }
  return record;
}

/* The caller holds the lock. */
static bt_status keep(screen_bench *b, int position, screen_record record, bt_error *error) {
  if (record.name == NULL || !BT_GROW(b->records, &b->capacity, position + 1)) return bt_fail_memory(error);
  while (b->n_records <= position) b->records[b->n_records++] = (screen_record){.name = NULL};
  b->records[position] = record;
  b->docked++;
  b->evaluations += record.evaluations;
  return BT_OK;
}

/* --- input --------------------------------------------------------------------------------------------- */

static void reject(flow *f, const char *name, const bt_error *error) {
  char text[1600];
  pthread_mutex_lock(&f->pipeline.lock);
  f->bench->rejected++;
  cli_message(program, "rejected %s: %s", name, bt_error_format(error, text, sizeof text));
  pthread_mutex_unlock(&f->pipeline.lock);
}

static bt_status feed_record(flow *f, bt_library_item *from, bt_error *error) {
  bt_item item = {.ordinal = f->read, .checked = true, .engine = f->engine->type};
  bt_error reason = from->error;
  if (reason.status == BT_OK)
    BT_TRY(f->engine->type->prepare(f->engine, f->source, from, &item, &reason, error));
  if (reason.status != BT_OK) {
    reject(f, from->source, &reason);
    return BT_OK;
  }
  f->read++;
  item.name = strdup(from->name);
  if (item.name != NULL && bt_pipeline_put(&f->pipeline, &item)) return BT_OK;
  return cli_fill_error(error, BT_ERR_MEMORY, NULL, "use a smaller --batch", "out of memory");
}

/* Called by one thread, so that positions are in the order of the files. */
static bool feed(void *user) {
  flow *f = user;
  bool found = false;
  bt_error error = {0};
  bt_library_item item = {0};
  double began = bt_seconds();
  if (f->bench->limit > 0 && f->read >= f->bench->limit) return false;
  bt_status status = bt_library_next(f->source, &item, &found, &error);
  if (status == BT_OK && found) {
    status = feed_record(f, &item, &error);
    bt_library_item_clear(&item);
  }
  f->bench->seconds_reading += bt_seconds() - began;
  if (status != BT_OK) bt_pipeline_stop(&f->pipeline, status, &error);
  return status == BT_OK && found;
}

/* --- results ------------------------------------------------------------------------------------------- */

static void settle(void *user, bt_item *item, bt_status status, const bt_error *error) {
  flow *f = user;
  if (status == BT_OK) {
    screen_record record = record_of(item->output);
    bt_error none;
    pthread_mutex_lock(&f->pipeline.lock);
    bt_status kept = keep(f->bench, (int)item->ordinal, record, &none);
    pthread_mutex_unlock(&f->pipeline.lock);
    if (kept != BT_OK) bt_pipeline_stop(&f->pipeline, kept, &none);
  } else if (bt_status_concerns_ligand(status)) {
    reject(f, item->name, error);
  } else {
    bt_pipeline_stop(&f->pipeline, status, error);
  }
}

static void returned(void *user, bt_item *item, const char *device, bool too_large, const bt_error *error) {
  (void)too_large;
  flow *f = user;
  f->bench->fallbacks++;
  cli_warning(program, "%s: %s failed: %s", item->name, device, error->message);
}

/* Shows progress; Ctrl-C stops everything. */
static void watch(void *user) {
  flow *f = user;
  pthread_mutex_lock(&f->pipeline.lock);
  f->progress.index = f->bench->docked;
  int64_t evaluations = f->bench->evaluations;
  pthread_mutex_unlock(&f->pipeline.lock);
  if (cli_progress_show(&f->progress, (double)f->progress.index / f->progress.total, evaluations, INFINITY)) return;
  bt_error error;
  bt_pipeline_stop(&f->pipeline, cli_fill_error(&error, BT_ERR_CANCELLED, NULL, "", "interrupted"), &error);
}

static bt_status run(flow *f, bt_error *opt_error) {
  const bt_pipeline_ends ends = {
      .user = f, .feed = feed, .settle = settle, .opt_returned = returned, .watch = watch};
  const bt_workload load = {.count = -1, .batch = f->bench->batch, .workers = f->bench->streams};
  bt_status status = bt_pipeline_open(&f->pipeline, f->engine, &ends, &load, opt_error);
  if (status == BT_OK) status = bt_pipeline_run(&f->pipeline, 1, opt_error);
  for (int u = 0; u < f->pipeline.n_units; u++)
    f->bench->seconds = fmax(f->bench->seconds, f->pipeline.units[u]->busy);
  bt_pipeline_close(&f->pipeline);
  cli_progress_clear(&f->progress);
  return status;
}

bt_status screen_dock(screen_bench *b, bt_error *opt_error) {
  flow f = {.bench = b, .progress = cli_progress_start(program, b->quiet)};
  const bt_prepare_options prepare = bt_prepare_options_default();
  cli_interrupt_watch(NULL);
  cli_progress_next(&f.progress, "ligands", 0, b->limit > 0 && b->limit < b->paths.count ? b->limit : b->paths.count);
  bt_status status =
      bt_library_open((const char *const *)b->paths.items, b->paths.count, &prepare, &f.source, opt_error);
  if (status == BT_OK) status = bt_engine_open(b->maps, &b->search, &f.engine, opt_error);
  if (status == BT_OK) status = run(&f, opt_error);
  bt_engine_close(f.engine);
  bt_library_close(f.source);
  return status;
}
