/* device.c - one way of adding up on a GPU: proof, errors, cycles, and times of whole dockings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/reductions/measure.h"
#include "engine/ad4/options.h"

/* A job on which kernels of the row's team and reduction run. */
static bt_status open_job(const bt_reduction_bench *b, const bt_bench_reduction_row *row,
                          const bt_search_parameters *parameters, bt_backend_job **ret_job, bt_error *opt_error) {
  bt_job_ligand one = {&b->data->kernel, parameters};
  bt_job_options how = {.team = row->team, .reduction = row->reduction};
  return b->backend->job_create(b->backend, &one, 1, &how, ret_job, opt_error);
}

/* Energies, gradients and sums of the early or the late poses. */
static bt_status compare(bt_reduction_bench *b, bt_backend_job *job, int side, bt_bench_reduction_row *row,
                         bt_bench_deviation *deviation, bt_error *opt_error) {
  bt_reduction_case c = bt_reduction_case_of(b, row->team);
  bt_reduction_tally tally;
  memset(&tally, 0, sizeof tally);
  size_t n_values = bt_reduction_value_count(&c), stride = n_values + bt_reduction_sum_count(&c);
  size_t n_dofs = (size_t)BT_DOFS(b->ligand->n_torsions), n_genes = (size_t)BT_GENES(b->ligand->n_torsions);
  float *values = calloc(BT_STUDY_POSES * (stride + n_dofs + 1), sizeof *values);
  if (values == NULL) return bt_fail_memory(opt_error);
  float *gradients = values + BT_STUDY_POSES * stride, *energies = gradients + BT_STUDY_POSES * n_dofs;
  bt_status status = b->backend->evaluate(job, 0, BT_STUDY_POSES, b->genes[side], energies, gradients, opt_error);
  if (status == BT_OK)
    status = b->backend->opt_study_sums(job, 0, BT_STUDY_POSES, b->genes[side], values, opt_error);
  for (size_t i = 0; i < BT_STUDY_POSES && status == BT_OK; i++) {
    const float *of_pose = values + i * stride, *gradient = gradients + i * n_dofs;
    bt_bench_pose_set(&b->pose, b->data, b->genes[side] + i * n_genes);
    bt_bench_deviation_add(&b->pose, energies[i], gradient, deviation);
    status = bt_reduction_tally_add(b, &c, of_pose, of_pose + n_values, gradient, &tally, opt_error);
  }
  free(values);
  *(side == 0 ? &row->early : &row->late) = bt_reduction_tally_mean(&tally);
  return status;
}

/* The share of sums in the cycles of local searches that keep the whole GPU busy. */
static bt_status count_cycles(const bt_reduction_bench *b, bt_backend_job *job, const bt_search_parameters *parameters,
                              bt_bench_reduction_row *row, bt_error *opt_error) {
  size_t poses = (size_t)parameters->runs * (size_t)parameters->population;
  float *genes = calloc(poses * (size_t)(BT_GENES(b->ligand->n_torsions) + 1), sizeof *genes);
  if (genes == NULL) return bt_fail_memory(opt_error);
  float *energies = genes + poses * (size_t)BT_GENES(b->ligand->n_torsions);
  int64_t sums = 0, all = 0;
  bt_status status = b->backend->initialize(job, opt_error);
  if (status == BT_OK) status = b->backend->read_genes(job, 0, genes, opt_error);
  if (status == BT_OK)
    status = b->backend->opt_study_cycles(job, 0, (int)poses, genes, energies, &sums, &all, opt_error);
  free(genes);
  if (status == BT_OK && all > 0) row->fraction = (double)sums / (double)all;
  return status;
}

/* One docking more into the row. */
static void note(bt_reduction_bench *b, int index, bt_bench_reduction_row *row, const bt_result *result) {
  double seconds = bt_result_seconds(result);
  for (int r = 0; r < bt_result_run_count(result); r++) {
    bt_run_summary run = bt_result_ranked(result, r);
    double energy = run.energy.inter + run.energy.intra;
    b->energies[index][b->n_energies[index]++] = energy;
    if (energy < row->best_energy) {
      row->best_energy = energy;
      row->best_energy_rmsd = run.reference_rmsd;
    }
    if (run.reference_rmsd < row->best_rmsd) {
      row->best_rmsd = run.reference_rmsd;
      row->best_rmsd_energy = energy;
    }
  }
  row->dockings++;
  row->evaluations += bt_result_evaluations(result);
  row->seconds += seconds;
  row->seconds_deviation += seconds * seconds;
  row->seconds_min = fmin(row->seconds_min, seconds);
  row->seconds_max = fmax(row->seconds_max, seconds);
}

static bt_status time_dockings(bt_reduction_bench *b, int index, bt_bench_reduction_row *row, bt_error *opt_error) {
  bt_dock_options o = b->options;
  o.opt_device = b->backend->name;
  o.team = row->team;
  o.reduction = row->reduction;
  o.local_search = BT_LS_ADADELTA;
  o.heuristics = o.autostop = false;
  b->energies[index] = calloc((size_t)b->repeats * (size_t)o.runs, sizeof *b->energies[index]);
  if (b->energies[index] == NULL) return bt_fail_memory(opt_error);
  row->seconds_min = row->best_energy = row->best_rmsd = INFINITY;
  for (int r = -1; r < b->repeats; r++) { /* the first one is for loading and clocks */
    bt_result *result;
    o.seed = b->options.seed + (uint64_t)(r < 0 ? 0 : r);
    bt_error error;
    bt_status status = bt_dock(b->ligand, b->maps, NULL, &o, &result, &error);
    if (status != BT_OK && row->valid) {
      if (opt_error != NULL) *opt_error = error;
      return status;
    }
    if (status != BT_OK) { /* wrong sums may well end nowhere */
      snprintf(row->reason, sizeof row->reason, "%.250s", error.message);
      break;
    }
    if (r >= 0) note(b, index, row, result);
    bt_result_destroy(result);
  }
  double n = fmax(1, row->dockings);
  row->microseconds = row->valid ? 1e6 * row->seconds / (double)row->evaluations : NAN;
  row->evaluations = (int64_t)((double)row->evaluations / (n * o.runs));
  row->seconds /= n;
  row->seconds_deviation = sqrt(fmax(0, row->seconds_deviation / n - row->seconds * row->seconds));
  if (!row->valid) /* a program that is wrong has no speed */
    row->seconds = row->seconds_min = row->seconds_max = row->seconds_deviation = NAN;
  return BT_OK;
}

bt_status bt_reduction_measure(bt_reduction_bench *b, int index, bt_bench_reduction_row *row, bt_error *opt_error) {
  bt_error error;
  bt_backend_job *job;
  bt_bench_deviation deviation = {0};
  bt_dock_options options = b->options;
  options.local_search = BT_LS_ADADELTA;
  bt_search_parameters parameters = bt_search_parameters_bare(bt_search_parameters_make(&options, b->ligand));
  if (open_job(b, row, &parameters, &job, &error) != BT_OK) {
    snprintf(row->reason, sizeof row->reason, "%.250s", error.message);
    return BT_OK;
  }
  bt_status status = compare(b, job, 0, row, &deviation, opt_error);
  if (status == BT_OK) status = compare(b, job, 1, row, &deviation, opt_error);
  if (status == BT_OK) status = count_cycles(b, job, &parameters, row, opt_error);
  b->backend->job_destroy(job);
  BT_TRY(status);
  row->measured = true;
  row->worst_energy = deviation.energy;
  row->worst_gradient = deviation.gradient;
  row->valid = deviation.energy <= 1 && deviation.gradient <= 1;
  return time_dockings(b, index, row, opt_error);
}
