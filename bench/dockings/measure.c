/* measure.c - how many evaluations per second a device makes in whole dockings, beside the proof that they are
 * right. */
#include "base/clock.h"
#include "bench/common/results.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "base/memory.h"
#include "base/status.h"
#include "bench/common/deviation.h"
#include "engine/ad4/devices.h"
#include "engine/ad4/lga.h"
#include "engine/ad4/options.h"
#include "engine/ad4/preflight.h"

/* Poses of each kind that are compared, at most. Energies above the limit belong to clashes, which no search keeps. */
enum { CHECKED = 160 };
static const double sensible_energy = 100.0;

typedef struct bench {
  const bt_backend *backend;
  bt_backend_job *job;
  bt_dock_data *data;
  bt_scorer *scorer;
  bt_bench_pose pose;
  bt_dock_options options;
  bt_search_parameters parameters;
  size_t slots;         /* individuals of all runs */
  size_t checked;       /* CHECKED or slots */
  float *genes;         /* [slots] individuals */
  float *kept;          /* [slots] energies of the search */
  float *energies;      /* [checked] */
  float *gradients;     /* [checked] */
  int64_t *evaluations; /* [runs] */
  double *seconds;      /* [repeats] */
} bench;

static void bench_close(bench *b) {
  if (b->job != NULL) b->backend->job_destroy(b->job);
  bt_bench_pose_destroy(&b->pose);
  bt_dock_data_destroy(b->data);
  bt_scorer_destroy(b->scorer);
  free(b->genes);
  free(b->kept);
  free(b->energies);
  free(b->gradients);
  free(b->evaluations);
  free(b->seconds);
}

static bt_status new_job(bench *b, bt_error *opt_error) {
  if (b->job != NULL) b->backend->job_destroy(b->job);
  b->job = NULL;
  bt_job_ligand one = {&b->data->kernel, &b->parameters};
  bt_job_options how = {.threads = b->options.threads, .team = b->options.team, .reduction = b->options.reduction};
  return b->backend->job_create(b->backend, &one, 1, &how, &b->job, opt_error);
}

static void compare_energy(const bench *b, double energy, bt_bench_docking_result *result) {
  if (b->pose.energy < sensible_energy)
    result->energy_deviation = fmax(result->energy_deviation, fabs(energy - b->pose.energy));
}

/* Compares some individuals of the present populations, spread over all runs: what the kernels say of their genes, and
 * what the search itself had noted. */
static bt_status check(bench *b, bt_bench_docking_result *result, bt_error *opt_error) {
  size_t n_genes = (size_t)BT_GENES(b->data->ligand->n_torsions), n_dofs = (size_t)BT_DOFS(b->data->ligand->n_torsions);
  bt_bench_deviation deviation = {result->worst_energy, result->worst_gradient};
  BT_TRY(b->backend->read_genes(b->job, 0, b->genes, opt_error));
  BT_TRY(b->backend->read_energies(b->job, 0, b->kept, b->evaluations, opt_error));
  for (size_t i = 0; i < b->checked; i++) {
    size_t from = i * b->slots / b->checked;
    memmove(b->genes + i * n_genes, b->genes + from * n_genes, n_genes * sizeof *b->genes);
    b->kept[i] = b->kept[from];
  }
  BT_TRY(b->backend->evaluate(b->job, 0, (int)b->checked, b->genes, b->energies, b->gradients, opt_error));
  for (size_t i = 0; i < b->checked; i++) {
    const float *gradient = b->gradients + i * n_dofs;
    bt_bench_pose_set(&b->pose, b->data, b->genes + i * n_genes);
    bt_bench_deviation_add(&b->pose, b->energies[i], gradient, &deviation);
    bt_bench_deviation_add(&b->pose, b->kept[i], gradient, &deviation);
    compare_energy(b, (double)b->energies[i], result);
    compare_energy(b, (double)b->kept[i], result);
  }
  result->worst_energy = deviation.energy;
  result->worst_gradient = deviation.gradient;
  return BT_OK;
}

/* The lowest energy of all individuals, in double precision. */
static bt_status find_best(bench *b, bt_bench_docking_result *result, bt_error *opt_error) {
  size_t best = 0;
  BT_TRY(b->backend->read_genes(b->job, 0, b->genes, opt_error));
  BT_TRY(b->backend->read_energies(b->job, 0, b->kept, b->evaluations, opt_error));
  for (size_t i = 1; i < b->slots; i++)
    if (b->kept[i] < b->kept[best] || isnan(b->kept[best])) best = i;
  bt_bench_pose_set(&b->pose, b->data, b->genes + best * (size_t)BT_GENES(b->data->ligand->n_torsions));
  result->best_energy = b->pose.energy;
  return BT_OK;
}

static bt_status dock_until(bench *b, int64_t limit, int64_t *ret_evaluations, bt_error *opt_error) {
  bt_job_progress progress = {.evaluations = 0};
  BT_TRY(b->backend->initialize(b->job, opt_error));
  BT_TRY(b->backend->read_progress(b->job, &progress, opt_error));
  for (int64_t g = 1; progress.evaluations < limit;) {
    int64_t end = g + bt_lga_stride(&b->parameters, (double)(limit - progress.evaluations));
    for (; g < end; g++) BT_TRY(b->backend->generation(b->job, (uint32_t)g, NULL, opt_error));
    BT_TRY(b->backend->read_progress(b->job, &progress, opt_error));
  }
  *ret_evaluations = progress.evaluations;
  return BT_OK;
}

static int by_value(const void *a, const void *b) {
  const double *p = a, *q = b;
  return *p < *q ? -1 : *p > *q;
}

static bt_status time_docking(bench *b, int repeats, bt_bench_docking_result *result, bt_error *opt_error) {
  for (int r = 0; r < repeats; r++) {
    double start = bt_seconds();
    BT_TRY(dock_until(b, b->options.evaluations * b->options.runs, &result->evaluations, opt_error));
    b->seconds[r] = bt_seconds() - start;
  }
  qsort(b->seconds, (size_t)repeats, sizeof *b->seconds, by_value);
  result->seconds = b->seconds[repeats / 2];
  result->seconds_min = b->seconds[0];
  result->seconds_max = b->seconds[repeats - 1];
  return BT_OK;
}

static bt_status choose_device(bench *b, bt_bench_docking_result *result, bt_error *opt_error) {
  const char *name = b->options.opt_device;
  if ((name == NULL || strcmp(name, "auto") == 0) && b->options.opt_isa == NULL)
    BT_TRY(bt_backend_find(NULL, &b->backend, opt_error));
  else
    BT_TRY(bt_device_single(name, b->options.opt_isa, &b->backend, opt_error));
  bt_device_info info = b->backend->describe(b->backend);
  result->threads = info.threads > 0 && b->options.threads > 0 ? b->options.threads : info.threads;
  snprintf(result->device, sizeof result->device, "%s", b->backend->name);
  snprintf(result->device_description, sizeof result->device_description, "%s", info.description);
  return BT_OK;
}

static bt_status prepare(bench *b, const bt_ligand *ligand, const bt_maps *maps, int repeats, bt_error *opt_error) {
  BT_TRY(bt_scorer_create(ligand, maps, BT_FORM_CONTINUOUS, b->options.torsional, &b->scorer, opt_error));
  BT_TRY(bt_preflight(ligand, maps, opt_error));
  BT_TRY(bt_dock_data_create(ligand, maps, &b->data, opt_error));
  b->parameters = bt_search_parameters_make(&b->options, ligand);
  BT_TRY(bt_bench_pose_create(ligand, maps, b->scorer, bt_search_law_of(&b->parameters), &b->pose, opt_error));
  b->slots = (size_t)b->options.runs * (size_t)b->options.population;
  b->checked = b->slots < CHECKED ? b->slots : CHECKED;
  b->genes = bt_allocate(b->slots * (size_t)BT_GENES(ligand->n_torsions), sizeof *b->genes);
  b->kept = bt_allocate(b->slots, sizeof *b->kept);
  b->energies = bt_allocate(b->checked, sizeof *b->energies);
  b->gradients = bt_allocate(b->checked * (size_t)BT_DOFS(ligand->n_torsions), sizeof *b->gradients);
  b->evaluations = bt_allocate((size_t)b->options.runs, sizeof *b->evaluations);
  b->seconds = bt_allocate((size_t)repeats, sizeof *b->seconds);
  if (b->genes == NULL || b->kept == NULL || b->energies == NULL || b->gradients == NULL || b->evaluations == NULL ||
      b->seconds == NULL)
    return bt_fail_memory(opt_error);
  return BT_OK;
}

static bt_status bench_run(bench *b, const bt_ligand *ligand, const bt_maps *maps, int repeats,
                           bt_bench_docking_result *result, bt_error *opt_error) {
  BT_TRY(bt_dock_options_check(&b->options, opt_error));
  if (repeats < 1)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "give at least 1", "%d repeats are asked for", repeats);
  BT_TRY(choose_device(b, result, opt_error));
  BT_TRY(prepare(b, ligand, maps, repeats, opt_error));
  result->runs = b->options.runs;
  result->population = b->options.population;
  result->atoms = ligand->n_atoms;
  result->torsions = ligand->n_torsions;
  result->pairs = ligand->n_pairs;
  BT_TRY(new_job(b, opt_error)); /* drivers and kernels are loaded when first used */
  double start = bt_seconds();
  BT_TRY(new_job(b, opt_error));
  BT_TRY(b->backend->initialize(b->job, opt_error));
  BT_TRY(b->backend->read_energies(b->job, 0, b->kept, b->evaluations, opt_error)); /* waits for the device */
  result->setup_seconds = bt_seconds() - start;
  BT_TRY(check(b, result, opt_error));
  result->team = result->team_last = 1;
  if (b->backend->opt_team != NULL) {
    result->team = b->backend->opt_team(b->job, (int)b->slots);
    result->team_last = b->backend->opt_team(b->job, 1);
  }
  BT_TRY(dock_until(b, (int64_t)b->slots + 1, &result->evaluations, opt_error)); /* one generation to warm up */
  BT_TRY(time_docking(b, repeats, result, opt_error));
  BT_TRY(check(b, result, opt_error));
  BT_TRY(find_best(b, result, opt_error));
  result->valid = result->worst_energy <= 1.0 && result->worst_gradient <= 1.0;
  return BT_OK;
}

bt_status bt_bench_docking(const bt_ligand *ligand, const bt_maps *maps, const bt_dock_options *options, int repeats,
                           bt_bench_docking_result *ret_result, bt_error *opt_error) {
  bench b = {.options = *options};
  *ret_result = (bt_bench_docking_result){.valid = false};
  bt_status status = bench_run(&b, ligand, maps, repeats, ret_result, opt_error);
  bench_close(&b);
  return status;
}
