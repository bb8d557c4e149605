/* measure.c - measurements of decks: energies first, then times. */
#include "bench/bude/measure.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/bude/deck.h"
#include "engine/bude/engine_internal.h"
#include "engine/bude/search.h"

struct bt_bude_bench {
  bt_bude_deck *deck;
  char *device;
  int threads;
  bt_bude_engine *engine; /* of the last choice */
  bt_bude_bench_choice choice;
  float *energies; /* [n_poses] */
};

static const struct {
  const char *name, *sentence;
  unsigned int bit;
} steps[] = {
    {"square", "differences of coordinates instead of squares and a product", BT_BUDE_WITHOUT_SQUARE},
    {"kinds", "one loop for all runs of receptor atoms, whatever terms they have", BT_BUDE_WITHOUT_KINDS},
    {"runs", "receptor atoms not sorted: parameters of a pair read for every pair", BT_BUDE_WITHOUT_RUNS},
    {"table", "parameters of a pair computed for every pair from those of two types", BT_BUDE_WITHOUT_TABLE},
    {"select", "the same, and branches instead of ramps", BT_BUDE_WITHOUT_SELECT},
    {"local", "receptor atoms read from global memory", BT_BUDE_WITHOUT_LOCAL},
    {"fast", "square roots of full precision", BT_BUDE_WITHOUT_FAST},
    {"soa", "poses as an array of structures", BT_BUDE_WITHOUT_SOA},
    {"constants", "nothing of the force field compiled in", BT_BUDE_WITHOUT_CONSTANTS},
    {"parts", "whole ligands per work-item", BT_BUDE_WITHOUT_PARTS},
};

bool bt_bude_bench_step(int index, const char **ret_name, const char **ret_sentence, unsigned int *ret_bit) {
  if (index < 0 || index >= (int)(sizeof steps / sizeof steps[0])) return false;
  *ret_name = steps[index].name;
  *ret_sentence = steps[index].sentence;
  *ret_bit = steps[index].bit;
  return true;
}

/* The engine of a choice with n_ligands copies of the deck's ligand; kept as long as the choice stays. */
static bt_status prepare(bt_bude_bench *bench, const bt_bude_bench_choice *choice, bt_error *opt_error) {
  const bt_bude_deck *deck = bench->deck;
  bt_bude_engine_options options = {.threads = bench->threads,
                                    .poses_per_item = choice->poses_per_item,
                                    .group = choice->group,
                                    .part_atoms = choice->part_atoms,
                                    .without = choice->without};
  size_t first[2] = {0, deck->n_ligand};
  if (bench->engine == NULL || memcmp(choice, &bench->choice, sizeof *choice) != 0) {
    bt_bude_engine_destroy(bench->engine);
    bench->engine = NULL;
    BT_TRY(bt_bude_engine_create(bench->device, &options, &bench->engine, opt_error));
    bench->choice = *choice;
    BT_TRY(bt_bude_engine_set_receptor(bench->engine, deck->forcefield, BT_BUDE_RULES_DECK, deck->protein,
                                       deck->n_protein, opt_error));
  }
  return bt_bude_engine_set_ligands(bench->engine, deck->ligand, first, 1, deck->n_poses, 0, opt_error);
}

static bt_status open_bench(bt_bude_bench *bench, const char *folder, const char *opt_device, size_t poses,
                            bt_error *opt_error) {
  const char *name = opt_device != NULL ? opt_device : "auto";
  bench->device = bt_copy_text(name, strlen(name));
  if (bench->device == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_bude_deck_read(folder, poses, &bench->deck, opt_error));
  if (bench->deck->reference == NULL)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = folder}, "add ref_energies.out",
                   "the deck has no reference energies, so nothing could be proved");
  bench->energies = bt_allocate(bench->deck->n_poses, sizeof *bench->energies);
  if (bench->energies == NULL) return bt_fail_memory(opt_error);
  return prepare(bench, &(bt_bude_bench_choice){0}, opt_error);
}

bt_status bt_bude_bench_open(const char *deck, const char *opt_device, int threads, size_t poses,
                             bt_bude_bench **ret_bench, bt_error *opt_error) {
  bt_bude_bench *bench = calloc(1, sizeof *bench);
  if (bench == NULL) return bt_fail_memory(opt_error);
  bench->threads = threads;
  bt_status status = open_bench(bench, deck, opt_device, poses, opt_error);
  if (status != BT_OK) {
    bt_bude_bench_close(bench);
    return status;
  }
  *ret_bench = bench;
  return BT_OK;
}

void bt_bude_bench_close(bt_bude_bench *opt_bench) {
  if (opt_bench == NULL) return;
  bt_bude_engine_destroy(opt_bench->engine);
  bt_bude_deck_destroy(opt_bench->deck);
  free(opt_bench->device);
  free(opt_bench->energies);
  free(opt_bench);
}

size_t bt_bude_bench_poses(const bt_bude_bench *bench) { return bench->deck->n_poses; }
size_t bt_bude_bench_protein_atoms(const bt_bude_bench *bench) { return bench->deck->n_protein; }
size_t bt_bude_bench_ligand_atoms(const bt_bude_bench *bench) { return bench->deck->n_ligand; }
const char *bt_bude_bench_device(const bt_bude_bench *bench) {
  return bench->engine != NULL ? bt_bude_engine_device(bench->engine) : bench->device;
}
const char *bt_bude_bench_description(const bt_bude_bench *bench) {
  return bench->engine != NULL ? bt_bude_engine_description(bench->engine) : "";
}

static void fill_result(const bt_bude_bench *bench, bt_bude_bench_result *result) {
  const bt_bude_deck *deck = bench->deck;
  bt_bude_engine_options used = bt_bude_engine_options_used(bench->engine);
  double ligand = (double)deck->n_ligand, protein = (double)deck->n_protein, poses = (double)deck->n_poses;
  result->choice = (bt_bude_bench_choice){used.poses_per_item, used.group, used.part_atoms, used.without};
  result->lanes = bench->engine->limits.lanes;
  double w = (double)used.poses_per_item * result->lanes;
  result->deviation = bt_bude_deck_deviation(deck->reference, bench->energies, deck->n_poses, &result->worst_pose);
  result->valid = result->deviation < BT_BUDE_DECK_TOLERANCE;
  if (!result->valid) return;
  result->interactions = ligand * protein * poses / result->seconds;
  result->operations = (27 * w + ligand * (2 + 18 * w + protein * (10 + 30 * w)) + w) * poses / w / result->seconds;
}

bt_status bt_bude_bench_run(bt_bude_bench *bench, const bt_bude_bench_choice *choice, int warm_up, int iterations,
                            bt_bude_bench_result *ret_result, bt_error *opt_error) {
  bt_bude_bench_result result = {.seconds_best = INFINITY};
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
    if (seconds < result.seconds_best) result.seconds_best = seconds;
  }
  result.seconds = sum / iterations;
  fill_result(bench, &result);
  *ret_result = result;
  return BT_OK;
}

bt_status bt_bude_bench_peak(bt_bude_bench *bench, double *ret_operations, bt_error *opt_error) {
  enum { PER_COUNT = 2 * 12 * 8, REPEATS = 3 }; /* 2 BT_BUDE_PEAK_CHAINS BT_BUDE_PEAK_STEPS of kernel/bude/more.h */
  if (bench->engine == NULL || bench->engine->launch.n_ligands == 0)
    BT_TRY(prepare(bench, &(bt_bude_bench_choice){0}, opt_error));
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

static bt_status search(bt_bude_bench *bench, size_t n, int generations, const bt_bude_atom *atoms, const size_t *first,
                        const uint32_t *ids, double *ret_seconds, double *ret_energy_seconds, bt_error *opt_error) {
  enum { PARENTS = 100 };
  bt_bude_search_options options = {.generations = generations, .population = (int)bench->deck->n_poses, .seed = 42};
  options.parents = options.population < PARENTS ? options.population : PARENTS;
  options.distinct = true;
  BT_TRY(bt_bude_grid_make((double[3]){15, 15, 15}, 1, 10, &options.grid, opt_error));
  bt_bude_found *found = bt_allocate(n * (size_t)options.parents, sizeof *found);
  int *counts = bt_allocate(n, sizeof *counts);
  bt_status status = found == NULL || counts == NULL ? bt_fail_memory(opt_error) : BT_OK;
  for (int i = 0; i < 2 && status == BT_OK; i++) { /* the first one warms up */
    double began = bt_seconds();
    status = bt_bude_search_run(bench->engine, &options, atoms, first, n, ids, NULL, NULL, found, counts, opt_error);
    *ret_seconds = bt_seconds() - began;
  }
  free(found);
  free(counts);
  double began = bt_seconds();
  for (int g = 0; g < generations && status == BT_OK; g++) status = bt_bude_engine_energies(bench->engine, opt_error);
  if (status == BT_OK) status = bt_bude_engine_synchronize(bench->engine, opt_error);
  *ret_energy_seconds = bt_seconds() - began;
  return status;
}

bt_status bt_bude_bench_search(bt_bude_bench *bench, const bt_bude_bench_choice *choice, int n_ligands, int generations,
                               double *ret_seconds, double *ret_energy_seconds, bt_error *opt_error) {
  size_t n = (size_t)n_ligands, each = bench->deck->n_ligand;
  BT_TRY(prepare(bench, choice, opt_error));
  BT_SCOPED bt_bude_atom *atoms = bt_allocate(n * each, sizeof *atoms);
  BT_SCOPED size_t *first = bt_allocate(n + 1, sizeof *first);
  BT_SCOPED uint32_t *ids = bt_allocate(n, sizeof *ids);
  bt_status status = atoms == NULL || first == NULL || ids == NULL ? bt_fail_memory(opt_error) : BT_OK;
  for (size_t i = 0; i <= n && status == BT_OK; i++) {
    first[i] = i * each;
    if (i == n) break;
    ids[i] = (uint32_t)i;
    memcpy(atoms + i * each, bench->deck->ligand, each * sizeof *atoms);
  }
  if (status == BT_OK)
    status = search(bench, n, generations, atoms, first, ids, ret_seconds, ret_energy_seconds, opt_error);
  return status;
}
