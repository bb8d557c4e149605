/* measure.c - measures a deck: energies first, then times. */
#include "bench/bude/bude.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench/common/output.h"

/* Prepares the engine for a choice, with the deck's ligand; reused while the choice is the same. */
static bt_status prepare(bude_bench *bench, const bt_bude_engine_options *choice, bt_error *opt_error) {
  const bt_bude_deck *deck = bench->deck;
  size_t first[2] = {0, deck->n_ligand};
  if (bench->engine == NULL || memcmp(choice, &bench->choice, sizeof *choice) != 0) {
    bt_bude_engine_destroy(bench->engine);
    bench->engine = NULL;
    BT_TRY(bt_bude_engine_create(bench->device, choice, &bench->engine, opt_error));
    bench->choice = *choice;
    BT_TRY(bt_bude_engine_set_receptor(bench->engine, deck->forcefield, BT_BUDE_RULES_DECK, deck->protein,
                                       deck->n_protein, opt_error));
  }
  return bt_bude_engine_set_ligands(bench->engine, deck->ligand, first, 1, deck->n_poses, 0, opt_error);
}

bt_status bude_bench_open(bude_bench *bench, const char *folder, int threads, size_t poses, bt_error *opt_error) {
  BT_TRY(bt_bude_deck_read(folder, poses, &bench->deck, opt_error));
  if (bench->deck->reference == NULL)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = folder}, "add ref_energies.out",
                   "the deck has no reference energies, so results cannot be validated");
  bench->energies = bench_keep(bench->deck->n_poses, sizeof *bench->energies);
  return prepare(bench, &(bt_bude_engine_options){.threads = threads}, opt_error);
}

void bude_bench_close(bude_bench *bench) {
  bt_bude_engine_destroy(bench->engine);
  bt_bude_deck_destroy(bench->deck);
}

static void fill_result(const bude_bench *bench, bude_result *result) {
  const bt_bude_deck *deck = bench->deck;
  result->used = bt_bude_engine_options_used(bench->engine);
  double ligand = (double)deck->n_ligand, protein = (double)deck->n_protein, poses = (double)deck->n_poses;
  result->lanes = bench->engine->limits.lanes;
  double w = (double)result->used.poses_per_item * result->lanes;
  result->deviation = bt_bude_deck_deviation(deck->reference, bench->energies, deck->n_poses, &result->worst_pose);
  result->valid = result->deviation < BT_BUDE_DECK_TOLERANCE;
  result->executed = bude_operations(&bench->engine->tables, deck->ligand, deck->n_ligand, result->used.without,
                                     bude_arithmetic_of(bt_bude_engine_device(bench->engine)));
  if (!result->valid) return;
  result->interactions = ligand * protein * poses / result->seconds;
  result->operations = (27 * w + ligand * (2 + 18 * w + protein * (10 + 30 * w)) + w) * poses / w / result->seconds;
}

bool bude_bench_has(const bude_bench *bench, const bt_bude_engine_options *choice, unsigned int optimization) {
  if (optimization == BT_BUDE_WITHOUT_PARTS)
    return choice->part_atoms > 0 && (size_t)choice->part_atoms < bench->deck->n_ligand;
  if (optimization != BT_BUDE_WITHOUT_CONSTANTS) return true; /* where there is no such kernel, measuring reports it */
  for (const bt_kernel_image *i = bench->engine->runtime->images; i->module != NULL; i++)
    if (strcmp(i->module, "bude") == 0 && i->values[1] == BT_ANY_VALUE) return true; /* compiled at run time */
  return false;
}

bt_status bude_bench_run(bude_bench *bench, const bt_bude_engine_options *choice, int warm_up, int iterations,
                         bude_result *ret_result, bt_error *opt_error) {
  bude_result result = {.seconds_best = INFINITY};
  double sum = 0;
  BT_TRY(prepare(bench, choice, opt_error));
  BT_TRY(bt_bude_engine_evaluate(bench->engine, 0, bench->deck->poses, bench->energies, opt_error));
  for (int i = 0; i < warm_up + iterations; i++) {
    double began = bt_seconds();
    BT_TRY(bt_bude_engine_energies(bench->engine, opt_error));
    BT_TRY(bt_bude_engine_synchronize(bench->engine, opt_error));
    double seconds = bt_seconds() - began;
    if (i < warm_up) continue;
    sum += seconds;
    result.seconds_best = fmin(result.seconds_best, seconds);
    result.seconds_worst = fmax(result.seconds_worst, seconds);
  }
  result.seconds = sum / iterations;
  fill_result(bench, &result);
  *ret_result = result;
  return BT_OK;
}

bt_status bude_bench_peak(bude_bench *bench, double *ret_operations, bt_error *opt_error) {
  enum { PER_COUNT = 2 * 12 * 8, REPEATS = 3 }; /* as kernel/bude/fold_and_peak.h */
  bt_bude_engine *engine = bench->engine;
  bt_bude_launch launch = engine->launch;
  bt_kernel_limits info = engine->other_limits;
  int items = info.free_items < 256 ? info.free_items : 256;
  size_t groups =
      (size_t)(engine->properties.cores > 0 ? engine->properties.cores : 1) * (info.free_items > 1 ? 64 : 8);
  double least = INFINITY, operations = 0;
  launch.count = 1 << 10;
  for (int i = 0; i < REPEATS || (least < 2e-3 && launch.count < 1 << 28); i++) {
    if (i >= REPEATS) launch.count *= 4, least = INFINITY, i = 0;
    double began = bt_seconds();
    BT_TRY(bt_bude_engine_launch(engine, BT_BUDE_PEAK, groups, items, 0, &launch, opt_error));
    BT_TRY(bt_bude_engine_synchronize(engine, opt_error));
    least = fmin(least, bt_seconds() - began);
    operations = (double)PER_COUNT * launch.count * (double)groups * items * info.lanes;
  }
  *ret_operations = operations / least;
  return BT_OK;
}

bt_status bude_bench_compare(bude_bench *bench, const bt_bude_found *found, size_t count, double *ret_deviation,
                             bt_error *opt_error) {
  size_t n = bench->deck->n_poses;
  float *poses = bench_keep(6 * n, sizeof *poses), *reported = bench_keep(n, sizeof *reported);
  for (size_t done = 0; done < count; done += n) {
    size_t some = count - done < n ? count - done : n;
    for (size_t i = 0; i < n; i++) /* the rest of the population is scored, too */
      for (int k = 0; k < 6; k++) poses[(size_t)k * n + i] = found[done + (i < some ? i : 0)].pose[k];
    for (size_t i = 0; i < some; i++) reported[i] = found[done + i].energy;
    BT_TRY(bt_bude_engine_evaluate(bench->engine, 0, poses, bench->energies, opt_error));
    *ret_deviation = fmax(*ret_deviation, bt_bude_deck_deviation(bench->energies, reported, some, NULL));
  }
  return BT_OK;
}

bt_status bude_bench_search(bude_bench *bench, const bt_bude_engine_options *choice, int n_ligands, int generations,
                            bude_search *ret_search, bt_error *opt_error) {
  enum { PARENTS = 100 };
  size_t n = (size_t)n_ligands, each = bench->deck->n_ligand;
  bt_bude_search_options options = {
      .generations = generations, .population = (int)bench->deck->n_poses, .seed = 42, .distinct = true};
  options.parents = options.population < PARENTS ? options.population : PARENTS;
  bt_bude_atom *atoms = bench_keep(n * each, sizeof *atoms);
  size_t *first = bench_keep(n + 1, sizeof *first);
  uint32_t *ids = bench_keep(n, sizeof *ids);
  bt_bude_found *found = bench_keep(n * (size_t)options.parents, sizeof *found);
  int *counts = bench_keep(n, sizeof *counts);
  for (size_t i = 0; i < n; i++) {
    first[i + 1] = (i + 1) * each;
    ids[i] = (uint32_t)i;
    memcpy(atoms + i * each, bench->deck->ligand, each * sizeof *atoms);
  }
  BT_TRY(prepare(bench, choice, opt_error));
  BT_TRY(bt_bude_grid_make((double[3]){15, 15, 15}, 1, 10, &options.grid, opt_error));
  for (int i = 0; i < 2; i++) { /* the first one warms up */
    double began = bt_seconds();
    BT_TRY(bt_bude_search_run(bench->engine, &options, atoms, first, n, ids, NULL, NULL, found, counts, opt_error));
    ret_search->seconds = bt_seconds() - began;
  }
  double began = bt_seconds();
  for (int g = 0; g < generations; g++) BT_TRY(bt_bude_engine_energies(bench->engine, opt_error));
  BT_TRY(bt_bude_engine_synchronize(bench->engine, opt_error));
  ret_search->energy_seconds = bt_seconds() - began;
  size_t all = 0; /* found, one after the other */
  for (size_t i = 0; i < n; i++) {
    if (counts[i] == 0) ret_search->deviation = INFINITY; /* a search that finds nothing */
    for (int k = 0; k < counts[i]; k++) found[all++] = found[i * (size_t)options.parents + (size_t)k];
  }
  BT_TRY(prepare(bench, choice, opt_error));
  BT_TRY(bude_bench_compare(bench, found, all, &ret_search->deviation, opt_error));
  ret_search->valid = ret_search->deviation < BT_BUDE_DECK_TOLERANCE;
  return BT_OK;
}
