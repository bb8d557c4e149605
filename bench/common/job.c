/* job.c - see job.h. */
#include "bench/common/job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/common/output.h"
#include "engine/lga/device/devices.h"
#include "engine/lga/search/lga.h"
#include "engine/lga/search/options.h"
#include "engine/lga/preflight.h"

/* Energies above it are clashes, which no search keeps. */
static const double sensible_energy = 100.0;

bt_status bench_device_find(const bt_dock_options *options, const bt_backend **ret_backend, bt_error *opt_error) {
  bool chosen = options->opt_device == NULL || strcmp(options->opt_device, "auto") == 0;
  if (chosen && options->opt_isa == NULL) return bt_backend_find(NULL, ret_backend, opt_error);
  return bt_device_single(options->opt_device, options->opt_isa, ret_backend, opt_error);
}

bt_status bench_job_find(bench_job *j, bench_subject *s, bt_error *opt_error) {
  const bt_ligand *ligand = j->of->ligand;
  *s = (bench_subject){.atoms = ligand->n_atoms, .torsions = ligand->n_torsions, .pairs = ligand->n_pairs};
  snprintf(s->device, sizeof s->device, "%s", j->options.opt_device != NULL ? j->options.opt_device : "auto");
  BT_TRY(bench_device_find(&j->options, &j->backend, opt_error));
  bt_device_info info = bt_device_describe(j->backend);
  s->threads = info.threads > 0 && j->options.threads > 0 ? j->options.threads : info.threads;
  snprintf(s->device, sizeof s->device, "%s", j->backend->name);
  snprintf(s->description, sizeof s->description, "%s", info.description);
  return BT_OK;
}

static void make_parameters(bench_job *j) {
  j->parameters = bt_search_parameters_make(&j->options, j->of->ligand);
  if (j->bare) j->parameters = bt_search_parameters_bare(j->parameters);
}

bt_status bench_job_open(bench_job *j, bt_error *opt_error) {
  const bt_ligand *ligand = j->of->ligand;
  const bt_maps *maps = j->of->maps;
  BT_TRY(bt_dock_options_check(&j->options, opt_error));
  BT_TRY(bt_scorer_create(ligand, maps, BT_FORM_CONTINUOUS, j->options.torsional, &j->scorer, opt_error));
  BT_TRY(bt_preflight(ligand, maps, opt_error));
  BT_TRY(bt_dock_data_create(ligand, maps, &j->data, opt_error));
  j->n_genes = (size_t)BT_GENES(ligand->n_torsions);
  j->n_dofs = (size_t)BT_DOFS(ligand->n_torsions);
  make_parameters(j);
  return bench_pose_create(ligand, maps, j->scorer, bt_search_law_of(&j->parameters), &j->pose, opt_error);
}

bt_status bench_job_start(bench_job *j, bt_error *opt_error) {
  if (j->job != NULL) bt_job_destroy(j->job);
  j->job = NULL;
  make_parameters(j);
  bt_job_ligand one = {&j->data->kernel, &j->parameters};
  bt_job_options how = {.threads = j->options.threads, .team = j->options.team, .reduction = j->options.reduction};
  return bt_job_create(j->backend, &one, 1, &how, &j->job, opt_error);
}

void bench_job_close(bench_job *j) {
  if (j->job != NULL) bt_job_destroy(j->job);
  bench_pose_destroy(&j->pose);
  bt_dock_data_destroy(j->data);
  bt_scorer_destroy(j->scorer);
  bt_arena_destroy(&j->memory);
}

bt_status bench_job_check(bench_job *j, size_t count, const float *genes, const float *opt_noted,
                          bench_deviation *deviation, double *opt_off, bt_error *opt_error) {
  BT_SCOPED float *energies = bench_allocate(count * (j->n_dofs + 1), sizeof *energies);
  float *gradients = energies + count;
  BT_TRY(bt_job_evaluate(j->job, 0, (int)count, genes, energies, gradients, opt_error));
  for (size_t i = 0; i < count; i++) {
    const float seen[2] = {energies[i], opt_noted != NULL ? opt_noted[i] : energies[i]};
    bench_pose_set(&j->pose, j->data, genes + i * j->n_genes);
    for (int k = 0; k < 2; k++) {
      bench_deviation_add(&j->pose, seen[k], gradients + i * j->n_dofs, deviation);
      if (opt_off != NULL && j->pose.energy < sensible_energy)
        *opt_off = fmax(*opt_off, fabs((double)seen[k] - j->pose.energy));
    }
  }
  return BT_OK;
}

bt_status bench_job_dock(bench_job *j, int64_t limit, int64_t *ret_evaluations, bt_error *opt_error) {
  bt_job_progress progress = {.evaluations = 0};
  BT_TRY(bt_job_initialize(j->job, opt_error));
  BT_TRY(bt_job_read_progress(j->job, &progress, opt_error));
  for (int64_t g = 1; progress.evaluations < limit;) {
    int64_t end = g + bt_lga_stride(&j->parameters, (double)(limit - progress.evaluations));
    for (; g < end; g++) BT_TRY(bt_job_generation(j->job, (uint32_t)g, NULL, opt_error));
    BT_TRY(bt_job_read_progress(j->job, &progress, opt_error));
  }
  *ret_evaluations = progress.evaluations;
  return BT_OK;
}

void bench_subject_json(bt_json *json, const bench_subject *s) {
  bench_json(json, "device %s description %s threads %d atoms %d torsions %d pairs %d", s->device, s->description,
             s->threads, s->atoms, s->torsions, s->pairs);
}
