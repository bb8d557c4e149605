/* convergence.c - how the runs of a search come down: energy and RMSD of the best pose against evaluations. */
#include "base/clock.h"
#include "bench/common/results.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "base/memory.h"
#include "base/status.h"
#include "results/result.h"
#include "bench/common/deviation.h"
#include "engine/ad4/devices.h"
#include "engine/ad4/lga.h"
#include "engine/ad4/options.h"
#include "engine/ad4/preflight.h"

/* Smaller improvements are those of rounding. */
static const double worth_telling = 0.001;

typedef struct observer {
  const bt_backend *backend;
  bt_backend_job *job;
  bt_dock_data *data;
  bt_scorer *scorer;
  bt_bench_pose pose;
  bt_result *reference; /* for its RMSD */
  const bt_dock_options *options;
  bt_search_parameters parameters;
  float *genes, *energies; /* [runs * population] individuals */
  double *best;            /* [runs] lowest energy that was told, as the search saw it */
  int *improved;           /* [runs] individual that is better; -1: none */
  bt_bench_step_fn step;
  void *user;
  bt_bench_deviation deviation;
  bool enough;
} observer;

static void observer_close(observer *o) {
  if (o->job != NULL) o->backend->job_destroy(o->job);
  bt_bench_pose_destroy(&o->pose);
  bt_result_destroy(o->reference);
  bt_dock_data_destroy(o->data);
  bt_scorer_destroy(o->scorer);
  free(o->genes);
  free(o->energies);
  free(o->best);
  free(o->improved);
}

static bt_status observer_open(observer *o, const bt_ligand *ligand, const bt_maps *maps,
                               const bt_molecule *opt_reference, bt_error *opt_error) {
  size_t runs = (size_t)o->options->runs, slots = runs * (size_t)o->options->population;
  BT_TRY(bt_scorer_create(ligand, maps, BT_FORM_CONTINUOUS, o->options->torsional, &o->scorer, opt_error));
  BT_TRY(bt_preflight(ligand, maps, opt_error));
  BT_TRY(bt_dock_data_create(ligand, maps, &o->data, opt_error));
  o->parameters = bt_search_parameters_make(o->options, ligand);
  BT_TRY(bt_bench_pose_create(ligand, maps, o->scorer, bt_search_law_of(&o->parameters), &o->pose, opt_error));
  bt_dock_options one = *o->options;
  one.runs = 1;
  BT_TRY(bt_result_create(ligand, maps, opt_reference, &one, &o->reference, opt_error));
  if (o->reference->reference_xyz == NULL)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){0}, "give the ligand's own pose",
                   "the reference does not match");
  o->genes = bt_allocate(slots * (size_t)BT_GENES(ligand->n_torsions), sizeof *o->genes);
  o->energies = bt_allocate(slots, sizeof *o->energies);
  o->best = bt_allocate(runs, sizeof *o->best);
  o->improved = bt_allocate(runs, sizeof *o->improved);
  if (o->genes == NULL || o->energies == NULL || o->best == NULL || o->improved == NULL)
    return bt_fail_memory(opt_error);
  for (size_t run = 0; run < runs; run++) o->best[run] = INFINITY;
  bt_job_ligand job_ligand = {&o->data->kernel, &o->parameters};
  bt_job_options how = {.threads = o->options->threads, .team = o->options->team, .reduction = o->options->reduction};
  return o->backend->job_create(o->backend, &job_ligand, 1, &how, &o->job, opt_error);
}

/* Notes the runs that are better than when they were last told of; NaN is never better. */
static bool find_improved(observer *o) {
  int population = o->options->population;
  bool any = false;
  for (int run = 0; run < o->options->runs; run++) {
    const float *energies = o->energies + (size_t)run * (size_t)population;
    int best = -1;
    for (int i = 0; i < population; i++)
      if ((double)energies[i] < (best < 0 ? o->best[run] - worth_telling : (double)energies[best])) best = i;
    o->improved[run] = best;
    any = any || best >= 0;
  }
  return any;
}

static bt_status tell(observer *o, const int64_t *run_evaluations, bt_error *opt_error) {
  size_t n_genes = (size_t)BT_GENES(o->data->ligand->n_torsions);
  for (int run = 0; run < o->options->runs; run++) {
    if (o->improved[run] < 0) continue;
    size_t slot = (size_t)run * (size_t)o->options->population + (size_t)o->improved[run];
    bt_bench_step step = {.run = run, .evaluations = run_evaluations[run]};
    bt_bench_pose_set(&o->pose, o->data, o->genes + slot * n_genes);
    BT_TRY(bt_rmsd_distance(o->reference->rmsd, o->pose.xyz, o->reference->reference_xyz, &step.rmsd, opt_error));
    step.energy = o->pose.energy;
    /* above zero two atoms still stand within each other, where the kernels' polynomials are coarse */
    if (step.energy < 0) bt_bench_deviation_add_energy(&o->pose, o->energies[slot], &o->deviation);
    o->best[run] = (double)o->energies[slot];
    if (!o->step(o->user, &step)) o->enough = true;
  }
  return BT_OK;
}

static bt_status look(observer *o, int64_t *run_evaluations, bt_error *opt_error) {
  BT_TRY(o->backend->read_energies(o->job, 0, o->energies, run_evaluations, opt_error));
  if (!find_improved(o)) return BT_OK;
  BT_TRY(o->backend->read_genes(o->job, 0, o->genes, opt_error));
  return tell(o, run_evaluations, opt_error);
}

/* Generation `number`, 0: the first populations. Waits for the device, so that the time is that of the work. */
static bt_status advance(observer *o, int64_t number, double *seconds, bt_error *opt_error) {
  bt_job_progress progress;
  double start = bt_seconds();
  if (number == 0)
    BT_TRY(o->backend->initialize(o->job, opt_error));
  else
    BT_TRY(o->backend->generation(o->job, (uint32_t)number, NULL, opt_error));
  BT_TRY(o->backend->read_progress(o->job, &progress, opt_error));
  *seconds += bt_seconds() - start;
  return BT_OK;
}

/* One generation that is thrown away: kernels are loaded when they are first used, threads started, memory touched. */
static bt_status warm_up(observer *o, bt_error *opt_error) {
  double seconds = 0;
  BT_TRY(advance(o, 0, &seconds, opt_error));
  return advance(o, 1, &seconds, opt_error);
}

static bt_status observe(observer *o, int64_t *run_evaluations, bt_bench_convergence_result *result,
                         bt_error *opt_error) {
  const bt_dock_options *options = o->options;
  BT_TRY(warm_up(o, opt_error));
  BT_TRY(advance(o, 0, &result->docking_seconds, opt_error));
  BT_TRY(look(o, run_evaluations, opt_error));
  while (!o->enough) {
    double fraction = 0;
    result->evaluations = 0;
    for (int run = 0; run < options->runs; run++) result->evaluations += run_evaluations[run];
    fraction = (double)result->evaluations / ((double)options->evaluations * options->runs);
    if (options->opt_progress != NULL &&
        !options->opt_progress(options->opt_progress_user, fmin(1.0, fraction), result->evaluations, NAN))
      return bt_fail(opt_error, BT_ERR_CANCELLED, (bt_where){0}, "", "the search was stopped");
    if (fraction >= 1.0 || result->generations >= options->generations) break;
    result->generations++;
    BT_TRY(advance(o, result->generations, &result->docking_seconds, opt_error));
    BT_TRY(look(o, run_evaluations, opt_error));
  }
  result->evaluations = 0;
  for (int run = 0; run < options->runs; run++) result->evaluations += run_evaluations[run];
  return BT_OK;
}

static bt_status choose_device(observer *o, bt_bench_convergence_result *result, bt_error *opt_error) {
  const char *name = o->options->opt_device;
  if ((name == NULL || strcmp(name, "auto") == 0) && o->options->opt_isa == NULL)
    BT_TRY(bt_backend_find(NULL, &o->backend, opt_error));
  else
    BT_TRY(bt_device_single(name, o->options->opt_isa, &o->backend, opt_error));
  bt_device_info info = o->backend->describe(o->backend);
  result->threads = info.threads > 0 && o->options->threads > 0 ? o->options->threads : info.threads;
  snprintf(result->device, sizeof result->device, "%s", o->backend->name);
  snprintf(result->device_description, sizeof result->device_description, "%s", info.description);
  return BT_OK;
}

bt_status bt_bench_convergence(const bt_ligand *ligand, const bt_maps *maps, const bt_molecule *opt_reference,
                               const bt_dock_options *options, bt_bench_step_fn step, void *user,
                               int64_t *run_evaluations, bt_bench_convergence_result *ret_result, bt_error *opt_error) {
  observer o = {.options = options, .step = step, .user = user};
  *ret_result =
      (bt_bench_convergence_result){.atoms = ligand->n_atoms, .torsions = ligand->n_torsions, .pairs = ligand->n_pairs};
  double start = bt_seconds();
  bt_status status = bt_dock_options_check(options, opt_error);
  if (status == BT_OK) status = choose_device(&o, ret_result, opt_error);
  if (status == BT_OK) status = observer_open(&o, ligand, maps, opt_reference, opt_error);
  if (status == BT_OK) status = observe(&o, run_evaluations, ret_result, opt_error);
  observer_close(&o);
  ret_result->seconds = bt_seconds() - start;
  ret_result->worst_energy = o.deviation.energy;
  ret_result->valid = status == BT_OK && o.deviation.energy <= 1.0;
  return status;
}
