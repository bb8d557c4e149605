/* device.c - one reduction on a GPU: validation, errors, cycles, and times of whole dockings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/reductions/reductions.h"

/* Compares energies, gradients and sums of the early or the late poses. */
static bt_status compare(reduction_bench *b, int side, reduction_row *row, bt_error *opt_error) {
  bench_job *j = &b->job;
  bt_reduction_case c = reduction_case_of(b, row->team);
  reduction_errors errors = {.overflow = {0}};
  size_t n_values = bt_reduction_value_count(&c), stride = n_values + bt_reduction_sum_count(&c);
  BT_SCOPED float *values = bench_allocate(REDUCTION_POSES * (stride + j->n_dofs + 1), sizeof *values);
  float *gradients = values + REDUCTION_POSES * stride, *energies = gradients + REDUCTION_POSES * j->n_dofs;
  BT_TRY(bt_job_evaluate(j->job, 0, REDUCTION_POSES, b->genes[side], energies, gradients, opt_error));
  BT_TRY(bt_job_study_sums(j->job, 0, REDUCTION_POSES, b->genes[side], values, opt_error));
  for (size_t i = 0; i < REDUCTION_POSES; i++) {
    const float *of_pose = values + i * stride, *gradient = gradients + i * j->n_dofs;
    bench_pose_set(&j->pose, j->data, b->genes[side] + i * j->n_genes);
    bench_deviation_add(&j->pose, energies[i], gradient, &row->worst);
    reduction_errors_add(&j->pose, &c, of_pose, of_pose + n_values, gradient, &errors);
  }
  *(side == 0 ? &row->early : &row->late) = reduction_errors_mean(errors);
  return BT_OK;
}

/* Counts the fraction of cycles spent in sums, in local searches that keep the whole GPU busy. */
static bt_status count_cycles(const bench_job *j, reduction_row *row, bt_error *opt_error) {
  size_t poses = (size_t)j->options.runs * (size_t)j->options.population;
  BT_SCOPED float *genes = bench_allocate(poses * (j->n_genes + 1), sizeof *genes);
  int64_t sums = 0, all = 0, evaluations = 0;
  BT_TRY(bt_job_initialize(j->job, opt_error));
  BT_TRY(bt_job_read_genes(j->job, 0, genes, opt_error));
  float *energies = genes + poses * j->n_genes;
  BT_TRY(bt_job_study_cycles(j->job, 0, (int)poses, genes, energies, &evaluations, &sums, &all, opt_error));
  if (all > 0) row->fraction = (double)sums / (double)all;
  if (all > 0 && evaluations > 0) row->cycles = (double)sums / (double)evaluations;
  return BT_OK;
}

/* Adds a docking to the row. */
static void note(reduction_row *row, const bt_result *result) {
  double seconds = bt_result_seconds(result);
  for (int r = 0; r < bt_result_run_count(result); r++) {
    bt_run_summary run = bt_result_ranked(result, r);
    double energy = run.energy.inter + run.energy.intra;
    row->energies[row->runs++] = energy;
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

static bt_status time_dockings(const reduction_bench *b, reduction_row *row, bt_error *error) {
  bt_dock_options o = b->job.options;
  o.opt_device = b->job.backend->name;
  o.heuristics = o.autostop = false;
  row->energies = bench_keep((size_t)b->repeats * (size_t)o.runs, sizeof *row->energies);
  row->seconds_min = row->best_energy = row->best_rmsd = INFINITY;
  for (int r = -1; r < b->repeats; r++) { /* the first loads kernels and raises the clocks */
    bt_result *result;
    o.seed = b->job.options.seed + (uint64_t)(r < 0 ? 0 : r);
    bt_status status = bt_dock(b->of.ligand, b->of.maps, b->of.opt_reference, &o, &result, error);
    if (status != BT_OK && row->valid) return status;
    if (status != BT_OK) { /* with wrong sums a docking may well fail */
      snprintf(row->reason, sizeof row->reason, "%.250s", error->message);
      break;
    }
    if (r >= 0) note(row, result);
    bt_result_destroy(result);
  }
  double n = fmax(1, row->dockings);
  row->microseconds = row->valid ? 1e6 * row->seconds / (double)row->evaluations : NAN;
  row->evaluations = (int64_t)((double)row->evaluations / (n * o.runs));
  row->seconds /= n;
  row->seconds_deviation = sqrt(fmax(0, row->seconds_deviation / n - row->seconds * row->seconds));
  if (!row->valid) /* no speed is reported for wrong results */
    row->seconds = row->seconds_min = row->seconds_max = row->seconds_deviation = NAN;
  return BT_OK;
}

bt_status reduction_measure(reduction_bench *b, reduction_row *row, bt_error *error) {
  bench_job *j = &b->job;
  j->options.local_search = BT_LS_ADADELTA;
  j->options.team = row->team;
  j->options.reduction = row->reduction;
  if (bench_job_start(j, error) != BT_OK) {
    snprintf(row->reason, sizeof row->reason, "%.250s", error->message);
    return BT_OK;
  }
  for (int side = 0; side < 2; side++) BT_TRY(compare(b, side, row, error));
  BT_TRY(count_cycles(j, row, error));
  bt_job_destroy(j->job); /* dockings create their own */
  j->job = NULL;
  row->measured = true;
  row->valid = row->worst.energy <= 1 && row->worst.gradient <= 1;
  return time_dockings(b, row, error);
}
