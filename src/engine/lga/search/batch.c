/* batch.c - see batch.h. */
#include "engine/lga/search/batch.h"
#include "engine/lga/device/devices.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"

void bt_dock_batch_close(bt_dock_batch *batch) {
  for (int p = 0; batch->ranges != NULL && p < batch->n_ranges; p++) bt_job_destroy(batch->ranges[p].job);
  bt_arena_destroy(&batch->memory);
}

int bt_dock_batch_failed(const bt_dock_batch *batch) {
  for (int p = 0; batch->ranges != NULL && p < batch->n_ranges; p++)
    if (batch->ranges[p].status == BT_ERR_DEVICE) return p;
  return -1;
}

/* What all ranges do concurrently. */
typedef struct step {
  bt_dock_batch *batch;
  bt_status (*function)(bt_dock_batch *batch, bt_run_range *range, int argument);
  int argument;
} step;

static void step_thread(void *context, int thread) {
  const step *what = context;
  bt_run_range *range = &what->batch->ranges[thread];
  range->status = what->function(what->batch, range, what->argument);
}

static bt_status all_ranges(bt_dock_batch *batch, bt_status (*function)(bt_dock_batch *, bt_run_range *, int),
                            int argument, bt_error *opt_error) {
  step what = {batch, function, argument};
  bt_parallel(batch->n_ranges, step_thread, &what);
  for (int p = 0; p < batch->n_ranges; p++) {
    if (batch->ranges[p].status == BT_OK) continue;
    if (opt_error != NULL) *opt_error = batch->ranges[p].error;
    return batch->ranges[p].status;
  }
  return BT_OK;
}

/* Of a range; the range behind the last one begins behind the last run. */
static int first_run_of(const bt_dock_batch *batch, int t, int range) {
  return (int)((int64_t)batch->tasks[t]->options->runs * range / batch->n_ranges);
}

static bt_status create_job(bt_dock_batch *batch, bt_run_range *range, int unused) {
  (void)unused;
  const bt_dock_options *o = batch->tasks[0]->options;
  for (int t = 0; t < batch->count; t++) {
    range->parameters[t] = batch->tasks[t]->parameters;
    range->parameters[t].first_run += range->first_runs[t];
    range->parameters[t].runs = first_run_of(batch, t, (int)(range - batch->ranges) + 1) - range->first_runs[t];
    range->ligands[t] = (bt_job_ligand){&batch->tasks[t]->data->kernel, &range->parameters[t]};
  }
  bt_job_options options = {.threads = o->threads,
                            .team = o->team,
                            .reduction = o->reduction,
                            .opt_lock = batch->opt_lock,
                            .opt_held = batch->n_ranges == 1 ? batch->opt_held : NULL};
  return bt_job_create(range->backend, range->ligands, batch->count, &options, &range->job, &range->error);
}

bt_status bt_dock_batch_open(bt_dock_batch *batch, bt_dock_task *const *tasks, int count,
                             const bt_backend *const *backends, int n_backends, pthread_rwlock_t *opt_lock,
                             bt_held_device *opt_held, bt_error *opt_error) {
  int runs = tasks[0]->options->runs; /* of that with the fewest */
  for (int t = 1; t < count; t++)
    if (tasks[t]->options->runs < runs) runs = tasks[t]->options->runs;
  *batch = (bt_dock_batch){.tasks = tasks,
                           .count = count,
                           .n_ranges = n_backends < runs ? n_backends : runs,
                           .opt_lock = opt_lock,
                           .opt_held = opt_held};
  bt_arena *memory = &batch->memory;
  BT_NEW(memory, batch->ranges, batch->n_ranges);
  BT_NEW(memory, batch->active, count);
  BT_NEW(memory, batch->ended, count);
  BT_NEW(memory, batch->test, count);
  BT_NEW(memory, batch->converged, count);
  BT_NEW(memory, batch->wanted, count);
  BT_TRY(bt_arena_status(memory, opt_error));
  for (int p = 0; p < batch->n_ranges; p++) {
    bt_run_range *range = &batch->ranges[p];
    batch->remote = batch->remote || bt_device_describe(backends[p]).accelerator;
    *range = (bt_run_range){.backend = backends[p]};
    BT_NEW(memory, range->first_runs, count);
    BT_NEW(memory, range->parameters, count);
    BT_NEW(memory, range->ligands, count);
    BT_NEW(memory, range->progress, count);
    BT_NEW(memory, range->populations, count);
  }
  BT_TRY(bt_arena_status(memory, opt_error));
  for (int t = 0; t < count; t++) {
    for (int p = 0; p < batch->n_ranges; p++) batch->ranges[p].first_runs[t] = first_run_of(batch, t, p);
    batch->active[t] = true;
    BT_TRY(bt_dock_task_reset(tasks[t], opt_error));
  }
  return all_ranges(batch, create_job, 0, opt_error);
}

/* Searches in the conformer of a seed pose start from it as well. */
static bt_status initialize(bt_dock_batch *batch, bt_run_range *range, int unused) {
  (void)unused;
  BT_TRY(bt_job_initialize(range->job, &range->error));
  for (int t = 0; t < batch->count; t++) {
    const bt_dock_data *data = batch->tasks[t]->data;
    if (data->ligand->molecule->seed == 0) continue;
    BT_ENDED_BY(bt_genotype_destroy) bt_genotype genotype = {0};
    BT_SCOPED float *genes = bt_allocate((size_t)BT_GENES(data->ligand->n_torsions), sizeof *genes);
    if (genes == NULL) return bt_fail_memory(&range->error);
    BT_TRY(bt_genotype_create(data->ligand->n_torsions, &genotype, &range->error));
    bt_genotype_identity(data->ligand, &genotype);
    bt_genotype_to_genes(data, &genotype, genes);
    BT_TRY(bt_job_start_from(range->job, t, genes, &range->error));
  }
  return BT_OK;
}

bt_status bt_dock_batch_initialize(bt_dock_batch *batch, bt_error *opt_error) {
  return all_ranges(batch, initialize, 0, opt_error);
}

/* Ranges do not wait for each other: while the last searches of one range's generation finish, another range keeps the
 * GPU busy. */
static bt_status generations(bt_dock_batch *batch, bt_run_range *range, int count) {
  for (int g = 0; g < count; g++)
    BT_TRY(bt_job_generation(range->job, batch->next_generation + (uint32_t)g, batch->active, &range->error));
  return BT_OK;
}

bt_status bt_dock_batch_generations(bt_dock_batch *batch, uint32_t first, int count, bt_error *opt_error) {
  batch->next_generation = first;
  return all_ranges(batch, generations, count, opt_error);
}

static bt_status read_progress(bt_dock_batch *batch, bt_run_range *range, int unused) {
  (void)batch;
  (void)unused;
  return bt_job_read_progress(range->job, range->progress, &range->error);
}

bt_status bt_dock_batch_progress(bt_dock_batch *batch, bt_error *opt_error) {
  BT_TRY(all_ranges(batch, read_progress, 0, opt_error));
  for (int t = 0; t < batch->count; t++) {
    bt_dock_task *task = batch->tasks[t];
    task->evaluations = 0;
    task->best_energy = INFINITY;
    for (int p = 0; p < batch->n_ranges; p++) {
      task->evaluations += batch->ranges[p].progress[t].evaluations;
      task->best_energy = fmin(task->best_energy, (double)batch->ranges[p].progress[t].best_energy);
    }
  }
  return BT_OK;
}

static bt_status read_energies(bt_dock_batch *batch, bt_run_range *range, int t) {
  bt_dock_task *task = batch->tasks[t];
  size_t first = (size_t)range->first_runs[t] * (size_t)task->options->population;
  return bt_job_read_energies(range->job, t, task->energies + first, task->run_evaluations + range->first_runs[t],
                              &range->error);
}

static bt_status test_on_device(bt_dock_batch *batch, bt_run_range *range, int unused) {
  (void)unused;
  return bt_job_autostop(range->job, batch->test, batch->converged, &range->error);
}

bt_status bt_dock_batch_autostop(bt_dock_batch *batch, bt_error *opt_error) {
  if (batch->n_ranges == 1) return all_ranges(batch, test_on_device, 0, opt_error);
  for (int t = 0; t < batch->count; t++) {
    bt_dock_task *task = batch->tasks[t];
    if (!batch->test[t]) continue;
    BT_TRY(all_ranges(batch, read_energies, t, opt_error));
    batch->converged[t] =
        bt_autostop_test(task->autostop, task->energies, task->options->runs * task->options->population);
  }
  return BT_OK;
}

static bt_status read_populations(bt_dock_batch *batch, bt_run_range *range, int unused) {
  (void)unused;
  for (int t = 0; t < batch->count; t++) {
    if (!batch->wanted[t]) continue; /* others may be closed */
    const bt_dock_task *task = batch->tasks[t];
    size_t first = (size_t)range->first_runs[t] * (size_t)task->options->population;
    size_t n_genes = (size_t)BT_GENES(task->data->ligand->n_torsions);
    range->populations[t] = (bt_job_population){task->energies + first, task->genes + first * n_genes,
                                                task->run_evaluations + range->first_runs[t]};
  }
  return bt_job_read_populations(range->job, batch->wanted, range->populations, &range->error);
}

bt_status bt_dock_batch_populations(bt_dock_batch *batch, bt_error *opt_error) {
  return all_ranges(batch, read_populations, 0, opt_error);
}
