/* minimize.c - local search from the input pose. */
#include "base/clock.h"
#include "engine/lga/device/devices.h"
#include "engine/lga/search/lga.h"
#include "engine/lga/search/options.h"

#include <stdio.h>

static bt_status local_search(bt_dock_task *task, bt_job *job, bt_error *opt_error) {
  bt_result *result = task->result;
  bt_genotype *genotype = &result->runs[0].genotype;
  bt_genotype_identity(task->data->ligand, genotype);
  bt_genotype_to_genes(task->data, genotype, task->genes);
  double start = bt_seconds();
  BT_TRY(bt_job_local_search(job, 0, 1, task->genes, task->energies, task->run_evaluations, opt_error));
  result->seconds = bt_seconds() - start;
  task->energies[1] = task->energies[0]; /* a population of two; the first one is taken */
  return bt_dock_task_finish(task, 1, opt_error);
}

/* Vina's ligands need no device: a search ends with a refinement, and so does this. */
static bt_status refine(bt_dock_task *task, bt_error *opt_error) {
  bt_genotype *genotype = &task->result->runs[0].genotype;
  double start = bt_seconds();
  bt_genotype_identity(task->data->ligand, genotype);
  bt_genotype_to_genes(task->data, genotype, task->genes);
  task->energies[0] = task->energies[1] = (float)bt_score_objective(task->scorer, task->data->ligand->xyz, NULL);
  snprintf(task->result->device, sizeof task->result->device, "cpu");
  BT_TRY(bt_dock_task_finish(task, 1, opt_error));
  task->result->seconds = bt_seconds() - start;
  return BT_OK;
}

static bt_status minimize(bt_dock_task *task, const bt_backend *backend, bt_error *opt_error) {
  const bt_dock_options *o = task->options;
  bt_job_ligand one = {&task->data->kernel, &task->parameters};
  bt_job_options how = {.threads = o->threads, .team = o->team, .reduction = o->reduction};
  bt_job *job;
  BT_TRY(bt_job_create(backend, &one, 1, &how, &job, opt_error));
  snprintf(task->result->device, sizeof task->result->device, "%s", backend->name);
  bt_status status = local_search(task, job, opt_error);
  bt_job_destroy(job);
  return status;
}

bt_status bt_minimize(const bt_ligand *ligand, const bt_maps *maps, const bt_dock_options *options,
                      bt_result **ret_result, bt_error *opt_error) {
  bt_dock_options single = *options;
  single.runs = 1;
  single.population = 2;
  single.elitism = 1;
  single.poses = 1;
  single.threads = 1;
  BT_TRY(bt_dock_options_check(&single, opt_error));
  const bt_backend *backend;
  BT_TRY(bt_device_single(options->opt_device, options->opt_isa, &backend, opt_error));
  bt_dock_task task;
  bt_status status = bt_dock_task_open(&task, 0, ligand, maps, NULL, &single, opt_error);
  task.keeps_outside = true; /* it may have begun there */
  if (status == BT_OK)
    status = bt_scoring_traits_of(ligand->scoring)->sums ? refine(&task, opt_error) : minimize(&task, backend, opt_error);
  if (status == BT_OK) {
    *ret_result = task.result;
    task.result = NULL;
  }
  bt_dock_task_close(&task);
  return status;
}
