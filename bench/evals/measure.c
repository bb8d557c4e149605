/* measure.c - how long an evaluation takes, beside the proof that it is right. */
#include "base/clock.h"
#include "bench/common/results.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/backend.h"
#include "base/status.h"
#include "score/score.h"
#include "bench/common/deviation.h"
#include "engine/ad4/devices.h"
#include "engine/ad4/kernel_data.h"
#include "engine/ad4/lga.h"
#include "engine/ad4/options.h"
#include "engine/ad4/preflight.h"

/* Poses that are checked and timed; every second one lies near the input pose, as at the end of a search. A GPU gets
 * as many times BATCH as keep it busy. */
enum { BATCH = 960, CHECKED = 192, REPEATS = 15, LARGEST_POSES = 1 << 18, GPU_RUNS = 100, RUNS = 4 };

typedef struct bench {
  const bt_backend *backend;
  bt_backend_job *job;
  bt_dock_data *data;
  bt_scorer *scorer;
  bt_dock_options options;
  bt_search_parameters parameters;
  float *genes, *energies, *gradients;
  int poses;
  bool processor; /* our own kernels on one thread */
} bench;

/* Of the process alone, or of the clock on the wall while a GPU works. */
static double seconds(const bench *b) {
  if (!b->processor) return bt_seconds();
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void bench_close(bench *b) {
  if (b->job != NULL) b->backend->job_destroy(b->job);
  bt_dock_data_destroy(b->data);
  bt_scorer_destroy(b->scorer);
  free(b->genes);
  free(b->energies);
  free(b->gradients);
}

static bt_status new_job(bench *b, bt_local_search method, bt_error *opt_error) {
  if (b->job != NULL) b->backend->job_destroy(b->job);
  b->job = NULL;
  b->options.local_search = method;
  b->parameters = bt_search_parameters_bare(bt_search_parameters_make(&b->options, b->data->ligand));
  bt_job_ligand one = {&b->data->kernel, &b->parameters};
  bt_job_options how = {.threads = 1, .team = b->options.team, .reduction = b->options.reduction};
  return b->backend->job_create(b->backend, &one, 1, &how, &b->job, opt_error);
}

/* Random individuals of a first population, half of them moved close to the input pose. */
static bt_status make_poses(bench *b, bt_error *opt_error) {
  size_t n_genes = (size_t)BT_GENES(b->data->ligand->n_torsions);
  bt_dock_options kept = b->options;
  b->options.runs = b->poses / BATCH;
  b->options.population = BATCH;
  BT_TRY(new_job(b, BT_LS_NONE, opt_error));
  b->options = kept;
  BT_TRY(b->backend->initialize(b->job, opt_error));
  BT_TRY(b->backend->read_genes(b->job, 0, b->genes, opt_error));
  bt_genotype input;
  BT_TRY(bt_genotype_create(b->data->ligand->n_torsions, &input, opt_error));
  bt_genotype_identity(b->data->ligand, &input);
  float *near = b->gradients; /* scratch that is free for now and large enough */
  bt_genotype_to_genes(b->data, &input, near);
  bt_genotype_destroy(&input);
  for (int i = 0; i < b->poses; i++) {
    float *pose = b->genes + (size_t)i * n_genes, *q = pose + BT_GENE_QUATERNION, norm = 0;
    if (i % 2 == 0) continue;
    for (size_t k = 0; k < n_genes; k++) pose[k] = near[k] + 0.01f * (k < 3 ? fmodf(pose[k], 10.0f) : pose[k]);
    for (int k = 0; k < 4; k++) norm += q[k] * q[k];
    for (int k = 0; k < 4; k++) q[k] /= sqrtf(norm);
  }
  return BT_OK;
}

static bt_status check(bench *b, const bt_maps *maps, bt_bench_evals_result *result, bt_error *opt_error) {
  size_t n_genes = (size_t)BT_GENES(b->data->ligand->n_torsions), n_dofs = (size_t)BT_DOFS(b->data->ligand->n_torsions);
  bt_bench_deviation deviation = {0};
  bt_bench_pose pose;
  BT_TRY(b->backend->evaluate(b->job, 0, CHECKED, b->genes, b->energies, b->gradients, opt_error));
  BT_TRY(bt_bench_pose_create(b->data->ligand, maps, b->scorer, bt_search_law_of(&b->parameters), &pose, opt_error));
  for (size_t i = 0; i < CHECKED; i++) {
    bt_bench_pose_set(&pose, b->data, b->genes + i * n_genes);
    bt_bench_deviation_add(&pose, b->energies[i], b->gradients + i * n_dofs, &deviation);
  }
  bt_bench_pose_destroy(&pose);
  result->worst_energy = deviation.energy;
  result->worst_gradient = deviation.gradient;
  result->valid = result->worst_energy <= 1.0 && result->worst_gradient <= 1.0;
  return BT_OK;
}

/* The shortest of several repetitions, microseconds per pose. */
static bt_status time_evaluate(bench *b, bool gradient, double *ret_microseconds, bt_error *opt_error) {
  *ret_microseconds = INFINITY;
  for (int r = 0; r < REPEATS; r++) {
    double start = seconds(b);
    BT_TRY(b->backend->evaluate(b->job, 0, b->poses, b->genes, b->energies, gradient ? b->gradients : NULL, opt_error));
    *ret_microseconds = fmin(*ret_microseconds, 1e6 * (seconds(b) - start) / b->poses);
  }
  return BT_OK;
}

static bt_status dock_until(bench *b, int64_t limit, int64_t *ret_evaluations, bt_error *opt_error) {
  bt_job_progress progress = {.evaluations = 0};
  BT_TRY(b->backend->initialize(b->job, opt_error));
  for (int64_t g = 1; progress.evaluations < limit;) {
    int64_t end = g + bt_lga_stride(&b->parameters, (double)(limit - progress.evaluations));
    for (; g < end; g++) BT_TRY(b->backend->generation(b->job, (uint32_t)g, NULL, opt_error));
    BT_TRY(b->backend->read_progress(b->job, &progress, opt_error));
  }
  *ret_evaluations = progress.evaluations;
  return BT_OK;
}

static bt_status time_docking(bench *b, bt_local_search method, double *ret_microseconds, int64_t *ret_evaluations,
                              bt_error *opt_error) {
  BT_TRY(new_job(b, method, opt_error));
  if (!b->processor) BT_TRY(dock_until(b, 1, ret_evaluations, opt_error)); /* kernels are loaded when first used */
  double start = seconds(b);
  BT_TRY(dock_until(b, b->options.evaluations * b->options.runs, ret_evaluations, opt_error));
  *ret_microseconds = 1e6 * (seconds(b) - start) / (double)*ret_evaluations;
  return BT_OK;
}

static bt_status choose_device(bench *b, const bt_dock_options *options, bt_bench_evals_result *result,
                               bt_error *opt_error) {
  BT_TRY(bt_device_single(options->opt_device, options->opt_isa, &b->backend, opt_error));
  bt_device_info info = b->backend->describe(b->backend);
  b->processor = strncmp(b->backend->name, "cpu/", 4) == 0;
  b->poses = b->processor ? BATCH : (info.poses / BATCH + 1) * BATCH;
  if (b->poses > LARGEST_POSES) b->poses = LARGEST_POSES / BATCH * BATCH;
  b->options = *options;
  if (b->options.runs == 0) b->options.runs = info.accelerator ? GPU_RUNS : RUNS;
  *result = (bt_bench_evals_result){
      .threads = b->processor ? 1 : 0, .poses = b->poses, .runs = b->options.runs, .population = b->options.population};
  snprintf(result->device, sizeof result->device, "%s", b->backend->name);
  snprintf(result->device_description, sizeof result->device_description, "%s", info.description);
  return bt_dock_options_check(&b->options, opt_error);
}

static bt_status bench_run(bench *b, const bt_ligand *ligand, const bt_maps *maps, const bt_dock_options *options,
                           bt_bench_evals_result *result, bt_error *opt_error) {
  BT_TRY(choose_device(b, options, result, opt_error));
  BT_TRY(bt_scorer_create(ligand, maps, BT_FORM_CONTINUOUS, options->torsional, &b->scorer, opt_error));
  BT_TRY(bt_preflight(ligand, maps, opt_error));
  BT_TRY(bt_dock_data_create(ligand, maps, &b->data, opt_error));
  size_t poses = (size_t)b->poses;
  b->genes = calloc(poses * (size_t)BT_GENES(ligand->n_torsions), sizeof *b->genes);
  b->energies = calloc(poses, sizeof *b->energies);
  b->gradients = calloc(poses * (size_t)BT_DOFS(ligand->n_torsions), sizeof *b->gradients);
  if (b->genes == NULL || b->energies == NULL || b->gradients == NULL) return bt_fail_memory(opt_error);
  result->atoms = ligand->n_atoms;
  result->torsions = ligand->n_torsions;
  result->pairs = ligand->n_pairs;
  BT_TRY(make_poses(b, opt_error));
  BT_TRY(check(b, maps, result, opt_error));
  BT_TRY(time_evaluate(b, false, &result->microseconds_energy, opt_error));
  BT_TRY(time_evaluate(b, true, &result->microseconds_gradient, opt_error));
  BT_TRY(
      time_docking(b, BT_LS_SOLIS_WETS, &result->microseconds_solis_wets, &result->evaluations_solis_wets, opt_error));
  BT_TRY(time_docking(b, BT_LS_ADAM, &result->microseconds_adam, &result->evaluations_adam, opt_error));
  return time_docking(b, BT_LS_ADADELTA, &result->microseconds_adadelta, &result->evaluations_adadelta, opt_error);
}

bt_status bt_bench_evals(const bt_ligand *ligand, const bt_maps *maps, const bt_dock_options *options,
                         bt_bench_evals_result *ret_result, bt_error *opt_error) {
  bench b = {0};
  bt_status status = bench_run(&b, ligand, maps, options, ret_result, opt_error);
  bench_close(&b);
  return status;
}
