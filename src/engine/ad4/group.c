/* group.c - see group.h. */
#include "engine/ad4/group.h"
#include "engine/ad4/devices.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"

void bt_dock_group_close(bt_dock_group *group) {
  for (int p = 0; group->parts != NULL && p < group->n_parts; p++) {
    bt_dock_part *part = &group->parts[p];
    if (part->job != NULL) bt_job_destroy(part->job);
    free(part->parameters);
    free(part->ligands);
    free(part->progress);
  }
  free(group->parts);
  free(group->active);
  free(group->ended);
  free(group->test);
  free(group->converged);
  *group = (bt_dock_group){0};
}

int bt_dock_group_failed(const bt_dock_group *group) {
  for (int p = 0; p < group->n_parts; p++)
    if (group->parts[p].status == BT_ERR_DEVICE) return p;
  return -1;
}

/* What all parts do at the same time. */
typedef struct step {
  bt_dock_group *group;
  bt_status (*function)(bt_dock_group *group, bt_dock_part *part, int argument);
  int argument;
} step;

static void step_thread(void *context, int thread) {
  const step *what = context;
  bt_dock_part *part = &what->group->parts[thread];
  part->status = what->function(what->group, part, what->argument);
}

static bt_status all_parts(bt_dock_group *group, bt_status (*function)(bt_dock_group *, bt_dock_part *, int),
                           int argument, bt_error *opt_error) {
  step what = {group, function, argument};
  bt_parallel(group->n_parts, step_thread, &what);
  for (int p = 0; p < group->n_parts; p++) {
    if (group->parts[p].status == BT_OK) continue;
    if (opt_error != NULL) *opt_error = group->parts[p].error;
    return group->parts[p].status;
  }
  return BT_OK;
}

static bt_status create_job(bt_dock_group *group, bt_dock_part *part, int unused) {
  (void)unused;
  const bt_dock_options *o = group->tasks[0]->options;
  part->parameters = bt_allocate((size_t)group->count, sizeof *part->parameters);
  part->ligands = bt_allocate((size_t)group->count, sizeof *part->ligands);
  part->progress = bt_allocate((size_t)group->count, sizeof *part->progress);
  if (part->parameters == NULL || part->ligands == NULL || part->progress == NULL) return bt_fail_memory(&part->error);
  for (int t = 0; t < group->count; t++) {
    part->parameters[t] = group->tasks[t]->parameters;
    part->parameters[t].first_run = part->first_run;
    part->parameters[t].runs = part->runs;
    part->ligands[t] = (bt_job_ligand){&group->tasks[t]->data->kernel, &part->parameters[t]};
  }
  bt_job_options options = {
      .threads = o->threads, .team = o->team, .reduction = o->reduction, .opt_turns = group->opt_turns};
  return bt_job_create(part->backend, part->ligands, group->count, &options, &part->job, &part->error);
}

bt_status bt_dock_group_open(bt_dock_group *group, bt_dock_task *const *tasks, int count,
                             const bt_backend *const *backends, int n_backends, bt_turns *opt_turns,
                             bt_error *opt_error) {
  int runs = tasks[0]->options->runs;
  *group = (bt_dock_group){.tasks = tasks, .count = count, .n_parts = n_backends < runs ? n_backends : runs,
                            .opt_turns = opt_turns};
  group->parts = bt_allocate((size_t)group->n_parts, sizeof *group->parts);
  group->active = bt_allocate((size_t)count, sizeof *group->active);
  group->ended = bt_allocate((size_t)count, sizeof *group->ended);
  group->test = bt_allocate((size_t)count, sizeof *group->test);
  group->converged = bt_allocate((size_t)count, sizeof *group->converged);
  if (group->parts == NULL || group->active == NULL || group->ended == NULL || group->test == NULL ||
      group->converged == NULL)
    return bt_fail_memory(opt_error);
  for (int p = 0; p < group->n_parts; p++) {
    int first = (int)((int64_t)runs * p / group->n_parts), end = (int)((int64_t)runs * (p + 1) / group->n_parts);
    group->remote = group->remote || bt_device_describe(backends[p]).accelerator;
    group->parts[p] = (bt_dock_part){.backend = backends[p], .first_run = first, .runs = end - first};
  }
  for (int t = 0; t < count; t++) {
    group->active[t] = true;
    BT_TRY(bt_dock_task_reset(tasks[t], opt_error));
  }
  return all_parts(group, create_job, 0, opt_error);
}

static bt_status initialize(bt_dock_group *group, bt_dock_part *part, int unused) {
  (void)group;
  (void)unused;
  return bt_job_initialize(part->job, &part->error);
}

bt_status bt_dock_group_initialize(bt_dock_group *group, bt_error *opt_error) {
  return all_parts(group, initialize, 0, opt_error);
}

/* Parts do not wait for each other: while the last searches of one part's generation end, another part keeps a GPU busy. */
static bt_status generations(bt_dock_group *group, bt_dock_part *part, int count) {
  for (int g = 0; g < count; g++)
    BT_TRY(bt_job_generation(part->job, group->next_generation + (uint32_t)g, group->active, &part->error));
  return BT_OK;
}

bt_status bt_dock_group_generations(bt_dock_group *group, uint32_t first, int count, bt_error *opt_error) {
  group->next_generation = first;
  return all_parts(group, generations, count, opt_error);
}

static bt_status read_progress(bt_dock_group *group, bt_dock_part *part, int unused) {
  (void)group;
  (void)unused;
  return bt_job_read_progress(part->job, part->progress, &part->error);
}

bt_status bt_dock_group_progress(bt_dock_group *group, bt_error *opt_error) {
  BT_TRY(all_parts(group, read_progress, 0, opt_error));
  for (int t = 0; t < group->count; t++) {
    bt_dock_task *task = group->tasks[t];
    task->evaluations = 0;
    task->best_energy = INFINITY;
    for (int p = 0; p < group->n_parts; p++) {
      task->evaluations += group->parts[p].progress[t].evaluations;
      task->best_energy = fmin(task->best_energy, (double)group->parts[p].progress[t].best_energy);
    }
  }
  return BT_OK;
}

static bt_status read_energies(bt_dock_group *group, bt_dock_part *part, int t) {
  bt_dock_task *task = group->tasks[t];
  size_t first = (size_t)part->first_run * (size_t)task->options->population;
  return bt_job_read_energies(part->job, t, task->energies + first, task->run_evaluations + part->first_run,
                                      &part->error);
}

bt_status bt_dock_group_energies(bt_dock_group *group, int task, bt_error *opt_error) {
  return all_parts(group, read_energies, task, opt_error);
}

static bt_status test_on_device(bt_dock_group *group, bt_dock_part *part, int unused) {
  (void)unused;
  return bt_job_autostop(part->job, group->test, group->converged, &part->error);
}

bt_status bt_dock_group_autostop(bt_dock_group *group, bt_error *opt_error) {
  if (group->n_parts == 1) return all_parts(group, test_on_device, 0, opt_error);
  for (int t = 0; t < group->count; t++) {
    bt_dock_task *task = group->tasks[t];
    if (!group->test[t]) continue;
    BT_TRY(bt_dock_group_energies(group, t, opt_error));
    group->converged[t] = bt_autostop_test(task->autostop, task->energies, task->options->runs * task->options->population);
  }
  return BT_OK;
}

static bt_status read_genes(bt_dock_group *group, bt_dock_part *part, int t) {
  bt_dock_task *task = group->tasks[t];
  size_t first = (size_t)part->first_run * (size_t)task->options->population;
  size_t n_genes = (size_t)BT_GENES(task->data->ligand->n_torsions);
  return bt_job_read_genes(part->job, t, task->genes + first * n_genes, &part->error);
}

bt_status bt_dock_group_genes(bt_dock_group *group, int task, bt_error *opt_error) {
  return all_parts(group, read_genes, task, opt_error);
}
