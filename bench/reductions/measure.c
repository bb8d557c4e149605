/* measure.c - `berth bench reductions`: poses of a real search, how each way of adding up errs on them, and what
 * a GPU measures.
 *
 * The tables of Solis-Vasquez et al. (IA3 2025) for this program. The values that a team adds up come from the kernels
 * of a GPU (bt_backend.opt_study_sums); on the host they are made from double-precision energies and gradients.
 */
#include "bench/reductions/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ad4/devices.h"
#include "engine/ad4/options.h"
#include "engine/ad4/preflight.h"

static const bt_reduction strategies[] = {BT_REDUCTION_SIMT, BT_REDUCTION_TENSOR_EC, BT_REDUCTION_TENSOR_FP16};
static const int teams[] = {64, 128, 256};
enum { STRATEGIES = 3, TEAMS = 3, HOST_TEAM = 64, GPU_RUNS = 20, GENERATIONS = 5 };

double bt_bench_reductions_model(double fraction, double peak) { return 1.0 / (fraction / peak + 1.0 - fraction); }

/* TF32 on tensor cores over single precision on the other units, as the makers state them; H200 is an H100 in this. */
static double peak_of(const char *description) {
  static const struct {
    const char *name;
    double ratio;
  } known[] = {{"A100", 8.0}, {"H100", 7.4}, {"H200", 7.4}, {"GH200", 7.4}, {"B200", 15.0}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strstr(description, known[i].name) != NULL) return known[i].ratio;
  return NAN;
}

static void bench_close(bt_reduction_bench *b) {
  bt_bench_pose_destroy(&b->pose);
  bt_dock_data_destroy(b->data);
  bt_scorer_destroy(b->scorer);
  for (int side = 0; side < 2; side++) free(b->genes[side]);
  for (int r = 0; r < BT_BENCH_REDUCTION_ROWS; r++) free(b->energies[r]);
}

/* Early poses: a first population. Late ones: the same after some generations with local searches. Always from the
 * processor, so that they are the same whatever is measured. */
static bt_status make_poses(bt_reduction_bench *b, bt_error *opt_error) {
  const bt_backend *processor;
  bt_dock_options options = b->options;
  bt_backend_job *job;
  size_t bytes = BT_STUDY_POSES * (size_t)BT_GENES(b->ligand->n_torsions) * sizeof(float);
  for (int side = 0; side < 2; side++) {
    b->genes[side] = calloc(1, bytes);
    if (b->genes[side] == NULL) return bt_fail_memory(opt_error);
  }
  options.runs = 1;
  options.population = BT_STUDY_POSES;
  options.local_search = BT_LS_ADADELTA;
  bt_search_parameters parameters = bt_search_parameters_bare(bt_search_parameters_make(&options, b->ligand));
  bt_job_ligand one = {&b->data->kernel, &parameters};
  bt_job_options how = {.threads = options.threads};
  BT_TRY(bt_device_single("cpu", options.opt_isa, &processor, opt_error));
  BT_TRY(processor->job_create(processor, &one, 1, &how, &job, opt_error));
  bt_status status = processor->initialize(job, opt_error);
  if (status == BT_OK) status = processor->read_genes(job, 0, b->genes[0], opt_error);
  for (uint32_t g = 1; g <= GENERATIONS && status == BT_OK; g++) status = processor->generation(job, g, NULL, opt_error);
  if (status == BT_OK) status = processor->read_genes(job, 0, b->genes[1], opt_error);
  processor->job_destroy(job);
  return status;
}

/* What a team would add up in b->pose: each rank has every ranks-th atom in the maps and every ranks-th pair. */
static void host_values(const bt_reduction_bench *b, const bt_reduction_case *c, bt_atom_energy *atoms, float *values) {
  const bt_bench_pose *p = &b->pose;
  bt_energy energy;
  memset(values, 0, bt_reduction_value_count(c) * sizeof *values);
  bt_score_coordinates(b->scorer, p->xyz, &energy, atoms);
  for (int k = 0; k < c->n_atoms; k++) {
    int i = b->data->order[k];
    float g[3], r[3], *to = values + c->ranks + 6 * (size_t)k;
    values[k % c->ranks] += (float)(atoms[i].vdw_hbond + atoms[i].electrostatic + atoms[i].desolvation);
    for (size_t d = 0; d < 3; d++) {
      g[d] = to[d] = (float)p->atom_gradient[3 * (size_t)i + d];
      r[d] = (float)(p->xyz[3 * (size_t)i + d] - p->genotype.position[d]);
    }
    for (int d = 0; d < 3; d++) {
      int u = (d + 1) % 3, v = (d + 2) % 3;
      to[3 + d] = fmaf(r[u], g[v], -(r[v] * g[u]));
    }
  }
  for (int k = 0; k < b->ligand->n_pairs; k++) {
    bt_pair_energy pair = bt_score_pair(b->scorer, p->xyz, k);
    values[k % c->ranks] += (float)(pair.vdw + pair.hbond + pair.electrostatic + pair.desolvation);
  }
}

/* Rows reckoned number by number: errors alone. */
static bt_status host_rows(bt_reduction_bench *b, bt_bench_reductions_result *result, bt_error *opt_error) {
  bt_reduction_case c = bt_reduction_case_of(b, HOST_TEAM);
  bt_reduction_tally tally[2][STRATEGIES];
  memset(tally, 0, sizeof tally);
  float *values = calloc(bt_reduction_value_count(&c) + bt_reduction_sum_count(&c), sizeof *values);
  bt_atom_energy *atoms = calloc((size_t)c.n_atoms + 1, sizeof *atoms);
  bt_status status = values == NULL || atoms == NULL ? bt_fail_memory(opt_error) : BT_OK;
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < BT_STUDY_POSES && status == BT_OK; i++) {
      float *sums = values + bt_reduction_value_count(&c);
      bt_bench_pose_set(&b->pose, b->data, b->genes[side] + i * (size_t)BT_GENES(b->ligand->n_torsions));
      host_values(b, &c, atoms, values);
      for (int s = 0; s < STRATEGIES && status == BT_OK; s++) {
        bt_reduction_model(strategies[s], &c, values, sums);
        status = bt_reduction_tally_add(b, &c, values, sums, NULL, &tally[side][s], opt_error);
      }
    }
  free(values);
  free(atoms);
  for (int s = 0; s < STRATEGIES && status == BT_OK; s++)
    result->rows[result->n_rows++] = (bt_bench_reduction_row){.reduction = strategies[s], .team = HOST_TEAM,
                                                              .early = bt_reduction_tally_mean(&tally[0][s]),
                                                              .late = bt_reduction_tally_mean(&tally[1][s]),
                                                              .fraction = NAN};
  return status;
}

/* Runs that came within 1 kcal/mol of the best that any row found. */
static void count_successes(const bt_reduction_bench *b, bt_bench_reductions_result *result) {
  double best = INFINITY;
  for (int r = 0; r < result->n_rows; r++)
    for (int k = 0; k < b->n_energies[r]; k++) best = fmin(best, b->energies[r][k]);
  for (int r = 0; r < result->n_rows; r++) {
    result->rows[r].runs = b->n_energies[r];
    for (int k = 0; k < b->n_energies[r]; k++) result->rows[r].successes += b->energies[r][k] <= best + 1.0;
  }
}

static bt_status device_rows(bt_reduction_bench *b, bt_bench_reductions_result *result, bt_error *opt_error) {
  for (int t = 0; t < TEAMS; t++)
    for (int s = 0; s < STRATEGIES; s++) {
      if (b->options.team != 0 && b->options.team != teams[t]) continue;
      if (b->options.reduction != BT_REDUCTION_AUTO && b->options.reduction != strategies[s] &&
          strategies[s] != BT_REDUCTION_SIMT)
        continue; /* all are compared with simt */
      bt_bench_reduction_row *row = &result->rows[result->n_rows];
      *row = (bt_bench_reduction_row){.reduction = strategies[s], .team = teams[t], .fraction = NAN};
      BT_TRY(bt_reduction_measure(b, result->n_rows++, row, opt_error));
      if (row->measured && !row->valid && strategies[s] != BT_REDUCTION_TENSOR_FP16) result->valid = false;
    }
  count_successes(b, result);
  return BT_OK;
}

/* The device, and why nothing can be measured on it. */
static bt_status choose_device(bt_reduction_bench *b, bt_bench_reductions_result *result, bt_error *opt_error) {
  const char *name = b->options.opt_device;
  if (name == NULL || strcmp(name, "auto") == 0)
    BT_TRY(bt_backend_find(NULL, &b->backend, opt_error));
  else
    BT_TRY(bt_device_single(name, b->options.opt_isa, &b->backend, opt_error));
  bt_device_info info = b->backend->describe(b->backend);
  snprintf(result->device, sizeof result->device, "%s", info.name);
  snprintf(result->device_description, sizeof result->device_description, "%s", info.description);
  result->peak = peak_of(info.description);
  if (!info.accelerator)
    snprintf(result->reason, sizeof result->reason,
             "%s has no tensor cores: errors are reckoned on the host, and there is nothing to time", info.name);
  else if (b->backend->opt_study_sums == NULL || (info.reductions & (1u << BT_REDUCTION_TENSOR_EC)) == 0)
    snprintf(result->reason, sizeof result->reason,
             "this build has no kernels for tensor cores on %s (they need CUDA and sm_80 or newer): errors are reckoned "
             "on the host", info.name);
  return BT_OK;
}

static bt_status bench_run(bt_reduction_bench *b, bt_bench_reductions_result *result, bt_error *opt_error) {
  if (b->options.runs == 0) b->options.runs = GPU_RUNS;
  BT_TRY(bt_dock_options_check(&b->options, opt_error));
  if (b->options.team != 0 && b->options.team != 64 && b->options.team != 128 && b->options.team != 256)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "give 64, 128 or 256, or leave it out",
                   "reductions are compared in teams of 64, 128 and 256 lanes, not %d", b->options.team);
  BT_TRY(choose_device(b, result, opt_error));
  BT_TRY(bt_scorer_create(b->ligand, b->maps, BT_FORM_CONTINUOUS, b->options.torsional, &b->scorer, opt_error));
  BT_TRY(bt_preflight(b->ligand, b->maps, opt_error));
  BT_TRY(bt_dock_data_create(b->ligand, b->maps, &b->data, opt_error));
  const bt_search_law plain = {.force_limit = INFINITY};
  BT_TRY(bt_bench_pose_create(b->ligand, b->maps, b->scorer, plain, &b->pose, opt_error));
  result->valid = true;
  result->poses = BT_STUDY_POSES;
  result->runs = b->options.runs;
  result->population = b->options.population;
  result->evaluations = b->options.evaluations;
  result->atoms = b->ligand->n_atoms;
  result->torsions = b->ligand->n_torsions;
  result->bodies = b->ligand->n_bodies;
  result->pairs = b->ligand->n_pairs;
  BT_TRY(make_poses(b, opt_error));
  BT_TRY(host_rows(b, result, opt_error));
  return result->reason[0] == '\0' ? device_rows(b, result, opt_error) : BT_OK;
}

bt_status bt_bench_reductions(const bt_ligand *ligand, const bt_maps *maps, const bt_dock_options *options, int repeats,
                              bt_bench_reductions_result *ret_result, bt_error *opt_error) {
  bt_reduction_bench b = {.ligand = ligand, .maps = maps, .options = *options, .repeats = repeats};
  memset(ret_result, 0, sizeof *ret_result);
  bt_status status = bench_run(&b, ret_result, opt_error);
  bench_close(&b);
  return status;
}
