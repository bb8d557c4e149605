/* task.c - see task.h. */
#include "engine/lga/search/task.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "engine/lga/search/further.h"
#include "engine/lga/search/heuristics.h"
#include "engine/lga/search/move_inside.h"
#include "engine/lga/search/options.h"
#include "engine/lga/preflight.h"
#include "pose/restraints.h"
#include "results/docked.h"
#include "score/refine.h"

/* A pose that lies further out is not one of the box. */
static const double nudge_limit_angstrom = 0.5;
/* kcal/mol with the receptor; a ligand that the receptor only repels does not fit. */
static const double clash_energy = 0;

void bt_dock_task_close(bt_dock_task *task) {
  bt_result_destroy(task->result);
  bt_autostop_destroy(task->autostop);
  bt_scorer_destroy(task->scorer);
  bt_dock_data_destroy(task->data);
  free(task->energies);
  free(task->run_evaluations);
  free(task->genes);
  *task = (bt_dock_task){0};
}

/* Evaluations per run: the given limit, or the heuristic's if that is lower. */
static void set_limits(bt_dock_task *task) {
  const bt_dock_options *o = task->options;
  double uncapped = 0;
  task->limit = bt_heuristic_limit(o, task->data->ligand->n_torsions, &uncapped);
  if (o->heuristics) task->autostop_minimum = bt_heuristic_autostop_minimum((double)task->limit, uncapped);
  task->result->options.evaluations = task->limit;
  task->result->options.mutation_rate = (double)task->parameters.mutation_rate; /* what was left open */
  task->result->options.local_search_iterations = task->parameters.iterations;
}

bt_status bt_dock_task_open(bt_dock_task *task, int index, const bt_ligand *ligand, const bt_maps *maps,
                            const bt_molecule *opt_reference, const bt_dock_options *options, bt_error *opt_error) {
  *task = (bt_dock_task){.index = index, .options = options};
  BT_TRY(bt_scorer_create(ligand, maps, BT_FORM_TABULATED, options->torsional, &task->scorer, opt_error));
  BT_TRY(bt_preflight(ligand, maps, opt_error));
  BT_TRY(bt_dock_data_create(ligand, maps, &task->data, opt_error));
  task->parameters = bt_search_parameters_make(options, ligand);
  BT_TRY(bt_result_create(ligand, maps, opt_reference, options, &task->result, opt_error));
  set_limits(task);
  size_t slots = (size_t)options->runs * (size_t)options->population;
  task->energies = bt_allocate(slots, sizeof *task->energies);
  task->run_evaluations = bt_allocate((size_t)options->runs, sizeof *task->run_evaluations);
  task->genes = bt_allocate(slots * (size_t)BT_GENES(ligand->n_torsions), sizeof *task->genes);
  if (task->energies == NULL || task->run_evaluations == NULL || task->genes == NULL) return bt_fail_memory(opt_error);
  return bt_dock_task_reset(task, opt_error);
}

bt_status bt_dock_task_reset(bt_dock_task *task, bt_error *opt_error) {
  bt_autostop_destroy(task->autostop);
  task->autostop = NULL;
  task->evaluations = 0;
  task->best_energy = INFINITY;
  task->fraction = 0;
  task->result->autostopped = false;
  return bt_autostop_create(task->options->autostop_tolerance, task->options->population, &task->autostop, opt_error);
}

double bt_dock_task_mean(const bt_dock_task *task) { return (double)task->evaluations / task->options->runs; }

/* The best individual of one run; never one whose energy is not a number. */
static size_t best_individual(const bt_dock_task *task, int run) {
  size_t first = (size_t)run * (size_t)task->options->population, best = first;
  for (size_t i = first; i < first + (size_t)task->options->population; i++)
    if (task->energies[i] < task->energies[best] || isnan(task->energies[best])) best = i;
  return best;
}

static bool is_inside(const bt_dock_task *task, const double *xyz) {
  return !(bt_score_excess(task->data->ligand, task->result->maps, xyz) > 0);
}

/* The pose of an individual, as the search left it. */
static void take_pose(const bt_dock_task *task, size_t slot, bt_run *to) {
  const bt_ligand *ligand = task->data->ligand;
  bt_genes_to_genotype(task->data, task->genes + slot * (size_t)BT_GENES(ligand->n_torsions), &to->genotype);
  bt_genotype_coordinates(ligand, &to->genotype, to->xyz);
}

static void settle_inside(const bt_dock_task *task, bt_run *to) {
  bt_move_inside(task->data->ligand, task->result->maps, nudge_limit_angstrom, &to->genotype, to->xyz);
  bt_docked_round(task->data->ligand, task->result->maps, to->xyz);
}

/* Moves one individual's pose, with its double-precision energy, into the result. */
static bt_status keep_pose(bt_dock_task *task, size_t slot, int pose, bt_error *opt_error) {
  bt_run *to = &task->result->runs[pose];
  int run = (int)(slot / (size_t)task->options->population);
  to->further = pose >= task->result->n_runs;
  take_pose(task, slot, to);
  double searched = (double)task->energies[slot], wall = (double)task->parameters.wall;
  bool beside_wall = wall > 0 && searched > 0.5 * wall; /* half of it: atoms inside may attract */
  to->search_reference = task->checked || beside_wall ? bt_score_objective(task->scorer, to->xyz, NULL) : NAN;
  /* energies of maps are those that were searched, unless the search left rings open */
  bool refined = bt_scoring_traits_of(task->data->ligand->scoring)->sums || bt_ligand_has_closures(task->data->ligand);
  if (refined) BT_TRY(bt_refine(task->scorer, task->data->ligand, &to->genotype, to->xyz, opt_error));
  settle_inside(task, to);
  if (refined && !is_inside(task, to->xyz)) { /* it does not know the box */
    take_pose(task, slot, to);
    settle_inside(task, to);
  }
  bt_score_coordinates(task->scorer, to->xyz, &to->energy, to->atoms);
  /* the wall is not an energy, and beside it others vanish in single precision */
  to->search_energy = beside_wall ? to->search_reference : searched;
  to->evaluations = task->run_evaluations[run];
  if (!isfinite(to->energy.total))
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = task->data->ligand->molecule->path},
                   "check the maps and the ligand's coordinates", "run %d ended in a pose without a finite energy",
                   run + 1);
  return BT_OK;
}

typedef struct keeping {
  bt_dock_task *task;
  size_t *slots;       /* [poses] their individuals */
  bt_status *statuses; /* [poses] */
  bt_error *errors;
  atomic_int next;
} keeping;

static void keep_some(void *context, int thread) {
  (void)thread;
  keeping *k = context;
  for (int pose; (pose = atomic_fetch_add(&k->next, 1)) < k->task->result->n_poses;)
    k->statuses[pose] = keep_pose(k->task, k->slots[pose], pose, &k->errors[pose]);
}

/* The first pose that failed says why. */
static bt_status keep_poses(bt_dock_task *task, int threads, bt_error *opt_error) {
  bt_result *result = task->result;
  int runs = result->n_runs, most = bt_further_most(task->options), further = 0;
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  keeping k = {.task = task};
  BT_NEW(&arena, k.slots, runs + most);
  BT_NEW(&arena, k.statuses, runs + most);
  BT_NEW(&arena, k.errors, runs + most);
  BT_TRY(bt_arena_status(&arena, opt_error));
  for (int run = 0; run < runs; run++) k.slots[run] = best_individual(task, run);
  if (most > 0) BT_TRY(bt_further_find(task, k.slots, k.slots + runs, &further, opt_error));
  BT_TRY(bt_result_add_room(result, further, opt_error));
  bt_parallel(threads < result->n_poses ? threads : result->n_poses, keep_some, &k);
  result->evaluations = 0;
  for (int pose = 0; pose < result->n_poses; pose++) {
    if (k.statuses[pose] != BT_OK && opt_error != NULL) *opt_error = k.errors[pose];
    if (k.statuses[pose] != BT_OK) return k.statuses[pose];
    if (pose < runs) result->evaluations += result->runs[pose].evaluations;
  }
  return BT_OK;
}

typedef bool (*keeps_fn)(const bt_dock_task *task, const double *xyz);

static bool meets_constraints(const bt_dock_task *task, const double *xyz) {
  return bt_restraints_met(task->data->ligand->restraints, xyz);
}

/* Moves the poses that are kept to the front, in their order, and leaves out the others unless no run would be left.
 * Returns how many runs are kept. */
static int keep_where(bt_dock_task *task, keeps_fn keeps) {
  bt_result *result = task->result;
  int runs = 0, kept = 0, all = result->n_runs;
  for (int pose = 0; pose < result->n_poses; pose++) {
    if (!keeps(task, result->runs[pose].xyz)) continue;
    bt_run taken = result->runs[kept];
    result->runs[kept++] = result->runs[pose];
    result->runs[pose] = taken;
    runs += pose < all;
  }
  if (runs == 0) return 0;
  bt_result_shorten(result, kept);
  result->n_runs = runs;
  return runs;
}

/* Leaves out the runs that have found no pose inside the box, and further minima outside. */
static bt_status leave_out(bt_dock_task *task, bt_error *opt_error) {
  bt_result *result = task->result;
  int all = result->n_runs, kept = keep_where(task, is_inside);
  if (kept == 0)
    return bt_fail(opt_error, BT_ERR_BOX, (bt_where){.file = task->data->ligand->molecule->path},
                   "make the box larger (--size), or search longer",
                   "no run found a pose of the ligand inside the box");
  if (kept < all)
    snprintf(result->warning, sizeof result->warning,
             "%d of %d runs found no pose inside the box and are left out: enlarge the box, or search longer",
             all - kept, all);
  return BT_OK;
}

/* Leaves out the poses that do not meet the constraints. */
static bt_status leave_out_unmet(bt_dock_task *task, bt_error *opt_error) {
  const bt_result *result = task->result;
  const bt_restraints *restraints = task->data->ligand->restraints;
  double nearest = INFINITY;
  const char *name = "";
  if (restraints == NULL || keep_where(task, meets_constraints) > 0) return BT_OK;
  for (int pose = 0; pose < result->n_poses; pose++) {
    const char *of;
    double miss = bt_restraints_miss(restraints, result->runs[pose].xyz, &of);
    if (!(miss < nearest)) continue;
    nearest = miss;
    name = of;
  }
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = task->data->ligand->molecule->path},
                 "search longer, or prefer what cannot be met (--prefer)",
                 "no pose meets the constraints: the nearest misses %s by %.1f A", name, nearest);
}

/* A ligand whose every pose clashes was not docked: its energies say nothing about its binding. */
static bt_status check_clash(const bt_dock_task *task, bt_error *opt_error) {
  const bt_result *result = task->result;
  const bt_energy *best = &result->runs[result->ranking[0]].energy;
  for (int pose = 0; pose < result->n_poses; pose++)
    if (!(result->runs[pose].energy.inter > clash_energy)) return BT_OK;
  const bt_box *box = &result->maps->box;
  return bt_fail(
      opt_error, BT_ERR_BOX, (bt_where){.file = task->data->ligand->molecule->path},
      "make the box larger (--size), move it, or search longer",
      "every pose clashes with the receptor, the best by %+.1f kcal/mol: the box of %.1f x %.1f x %.1f A has "
      "no room for the ligand",
      best->inter, box->npts[0] * box->spacing, box->npts[1] * box->spacing, box->npts[2] * box->spacing);
}

bt_status bt_dock_task_finish(bt_dock_task *task, int threads, bt_error *opt_error) {
  BT_TRY(keep_poses(task, threads, opt_error));
  if (!task->keeps_outside) {
    BT_TRY(leave_out(task, opt_error));
    BT_TRY(leave_out_unmet(task, opt_error));
  }
  bt_run *runs = task->result->runs;
  bt_refine_affinities(task->data->ligand, &runs->energy, task->result->n_poses, sizeof *runs);
  BT_TRY(bt_result_cluster(task->result, opt_error));
  return task->keeps_outside ? BT_OK : check_clash(task, opt_error);
}
