/* kernels.c - the shared kernels for one instruction set of the CPU: this file is compiled once per set.
 *
 * BT_CPU_ISA_<name> selects the lane type. A vector holds one pose per lane. In a local search the lanes advance
 * independently: a lane that has finished takes the next individual of any run, so no lane waits for another.
 */
#include <stdbool.h>
#include <string.h>

#include "backend/cpu/job.h"
#include "backend/cpu/lane.h"
#include "kernel/ad4/kernel.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define KERNELS_NAME JOIN(bt_cpu_kernels_, BT_CPU_ISA)

/* Scratch memory of one thread, carved from one aligned block. */
typedef struct workspace {
  bt_pose_scratch pose;
  bt_real *genes, *trial;                                       /* BT_GENES each */
  bt_real *bias, *move, *mean_gradient, *mean_step;             /* BT_DOFS each */
} workspace;

static size_t workspace_vectors(const bt_kernel_data *data) {
  size_t atoms = (size_t)data->sizes.n_atoms, bodies = (size_t)data->sizes.n_bodies;
  size_t torsions = (size_t)data->sizes.n_torsions;
  return 6 * atoms + 6 * bodies + 2 * (7 + torsions) + 4 * (6 + torsions);
}

static size_t scratch_floats(const bt_kernel_data *data) { return workspace_vectors(data) * BT_CPU_LANES; }

static workspace workspace_carve(const bt_kernel_data *data, float *scratch) {
  memset(scratch, 0, scratch_floats(data) * sizeof(float));
  bt_real *at = (bt_real *)(void *)scratch;
  size_t atoms = (size_t)data->sizes.n_atoms, bodies = (size_t)data->sizes.n_bodies;
  size_t genes = 7 + (size_t)data->sizes.n_torsions, dofs = 6 + (size_t)data->sizes.n_torsions;
  workspace w = {.pose = {.rank = 0}};
  w.pose.xyz = at, at += 3 * atoms;
  w.pose.atom_gradient = at, at += 3 * atoms;
  at += 6 * bodies; /* of bodies of one atom */
  w.genes = at, at += genes;
  w.trial = at, at += genes;
  w.bias = at, at += dofs;
  w.move = at, at += dofs;
  w.mean_gradient = at, at += dofs;
  w.mean_step = at;
  for (size_t k = 0; k < 2; k++) (k ? w.trial : w.genes)[BT_GENE_QUATERNION + 3] = bt_splat(1.0f);
  return w;
}

static bt_mask mask_from_flags(const int *flags) {
  bt_int set;
  for (int l = 0; l < BT_CPU_LANES; l++) set[l] = flags[l];
  return bt_not(bt_eq_int(set, bt_splat_int(0)));
}

static void store_lane(const bt_real *vectors, int lane, int count, float *to) {
  for (int k = 0; k < count; k++) to[k] = vectors[k][lane];
}

static void load_lane(bt_real *vectors, int lane, int count, const float *from) {
  for (int k = 0; k < count; k++) vectors[k][lane] = from[k];
}

/* Chunks of one vector of individuals [first_individual, population) of each run. */
static int take_chunk(bt_cpu_job *job, int first_individual, int *ret_run, int *ret_first) {
  int per_run = (job->parameters->population - first_individual + BT_CPU_LANES - 1) / BT_CPU_LANES;
  int chunk = atomic_fetch_add(&job->next, 1);
  if (chunk >= per_run * job->parameters->runs) return 0;
  *ret_run = chunk / per_run;
  *ret_first = first_individual + (chunk % per_run) * BT_CPU_LANES;
  return 1;
}

static void store_chunk(const bt_cpu_job *job, int run, int first, const bt_real *genes, bt_real energy, bt_int cost,
                        float *all_genes, float *all_energies) {
  int population = job->parameters->population, n_genes = BT_GENES(job->data->sizes.n_torsions);
  for (int l = 0; l < BT_CPU_LANES && first + l < population; l++) {
    size_t slot = (size_t)run * (size_t)population + (size_t)(first + l);
    store_lane(genes, l, n_genes, all_genes + slot * (size_t)n_genes);
    all_energies[slot] = energy[l];
    job->costs[slot] += cost[l];
  }
}

/* Individuals side by side: of the first population, or children. Those outside the box are drawn again, for which their
 * coordinates alone are made; a lane that is done repeats its draw while others go on. Returns how many evaluations each
 * one counts. */
static bt_int breed(const bt_cpu_job *job, const workspace *w, int run, int first, bool child) {
  bt_uint individual = bt_int_to_uint(bt_splat_int(first) + bt_lane_index());
  bt_uint runs = bt_splat_uint((unsigned int)run), generation = bt_splat_uint(job->generation);
  bt_int attempt = bt_splat_int(0), one = bt_splat_int(1);
  for (;;) {
    bt_uint which = bt_int_to_uint(attempt);
    if (child) {
      bt_offspring_genes(job->data, job->parameters, job->genes, job->energies, job->cumulative, runs, generation,
                         individual, which, w->genes);
      bt_mutate_genes(job->data, job->parameters, runs, generation, individual, which, w->genes);
    } else {
      bt_initial_genes(job->data, job->parameters, runs, individual, which, w->genes);
    }
    bt_pose_coordinates(job->data, w->genes, w->pose);
    bt_mask again = bt_and(bt_pose_outside(job->data, w->pose),
                           bt_lt_int(attempt, bt_splat_int(job->parameters->redraws)));
    if (!bt_any(again)) return attempt + one;
    attempt = attempt + bt_select_int(again, one, bt_splat_int(0));
  }
}

static void initial(bt_cpu_job *job, float *scratch) {
  workspace w = workspace_carve(job->data, scratch);
  for (int run, first; take_chunk(job, 0, &run, &first);) {
    bt_int cost = breed(job, &w, run, first, false);
    bt_real energy = bt_pose_energy(job->data, job->parameters, w.genes, w.pose);
    store_chunk(job, run, first, w.genes, energy, cost, job->genes, job->energies);
  }
}

static void offspring(bt_cpu_job *job, float *scratch) {
  workspace w = workspace_carve(job->data, scratch);
  for (int run, first; take_chunk(job, job->parameters->elitism, &run, &first);) {
    bt_int cost = breed(job, &w, run, first, true);
    bt_real energy = bt_pose_energy(job->data, job->parameters, w.genes, w.pose);
    store_chunk(job, run, first, w.genes, energy, cost, job->next_genes, job->next_energies);
  }
}

/* Lanes of a local search: which task each one works on (-1: none) and what it has cost. */
typedef struct lanes {
  int task[BT_CPU_LANES];
  int cost[BT_CPU_LANES];
  int active;
  bt_uint run, individual;
  bt_mask fresh;
} lanes;

static size_t task_slot(const bt_cpu_job *job, int task) {
  return (size_t)job->tasks[task].run * (size_t)job->parameters->population + (size_t)job->tasks[task].individual;
}

/* Gives every idle lane the next task; its genes go into the vectors. */
static void refill(bt_cpu_job *job, lanes *lane, bt_real *genes, bt_real *energy) {
  int fresh[BT_CPU_LANES] = {0}, n_genes = BT_GENES(job->data->sizes.n_torsions);
  for (int l = 0; l < BT_CPU_LANES; l++) {
    if (lane->task[l] >= 0) continue;
    int task = atomic_load(&job->next) < job->n_tasks ? atomic_fetch_add(&job->next, 1) : job->n_tasks;
    if (task >= job->n_tasks) continue;
    size_t slot = task_slot(job, task);
    load_lane(genes, l, n_genes, job->next_genes + slot * (size_t)n_genes);
    (*energy)[l] = job->next_energies[slot];
    lane->run[l] = (unsigned int)(job->tasks[task].run + job->parameters->first_run);
    lane->individual[l] = (unsigned int)job->tasks[task].individual;
    lane->task[l] = task;
    lane->cost[l] = 0;
    lane->active++;
    fresh[l] = 1;
  }
  lane->fresh = mask_from_flags(fresh);
}

/* Counts the evaluation and writes back the lanes that have finished. Returns true when lanes became idle. */
static int retire(bt_cpu_job *job, lanes *lane, bt_mask going_on, const bt_real *best, bt_real energy) {
  int retired = 0, n_genes = BT_GENES(job->data->sizes.n_torsions);
  for (int l = 0; l < BT_CPU_LANES; l++) {
    if (lane->task[l] < 0) continue;
    lane->cost[l]++;
    if (bt_mask_lane(going_on, l)) continue;
    size_t slot = task_slot(job, lane->task[l]);
    store_lane(best, l, n_genes, job->next_genes + slot * (size_t)n_genes);
    job->next_energies[slot] = energy[l];
    job->costs[slot] += lane->cost[l];
    lane->task[l] = -1;
    lane->active--;
    retired = 1;
  }
  return retired;
}

static void local_search(bt_cpu_job *job, float *scratch) {
  workspace w = workspace_carve(job->data, scratch);
  lanes lane = {.active = 0};
  for (int l = 0; l < BT_CPU_LANES; l++) lane.task[l] = -1;
  bt_uint generation = bt_splat_uint(job->generation);
  int n_torsions = job->data->sizes.n_torsions, idle = 1;
  if (job->parameters->local_search == BT_KERNEL_LS_ADADELTA) {
    bt_adadelta state = {.genes = w.genes, .best = w.trial, .mean_gradient = w.mean_gradient,
                         .mean_step = w.mean_step};
    for (;;) {
      bt_real unused = bt_splat(0.0f);
      if (idle) {
        refill(job, &lane, state.genes, &unused);
        bt_adadelta_begin(&state, n_torsions, lane.fresh, 0);
      }
      if (lane.active == 0) break;
      bt_mask going_on = bt_adadelta_step(&state, job->data, job->parameters, w.pose);
      idle = retire(job, &lane, going_on, state.best, state.best_energy);
    }
  } else if (job->parameters->local_search == BT_KERNEL_LS_ADAM) {
    bt_adam state = {.genes = w.genes, .best = w.trial, .mean = w.mean_gradient, .square = w.mean_step};
    for (;;) {
      bt_real unused = bt_splat(0.0f);
      if (idle) {
        refill(job, &lane, state.genes, &unused);
        bt_adam_begin(&state, n_torsions, lane.fresh, 0);
      }
      if (lane.active == 0) break;
      bt_mask going_on = bt_adam_step(&state, job->data, job->parameters, w.pose);
      idle = retire(job, &lane, going_on, state.best, state.best_energy);
    }
  } else {
    bt_solis_wets state = {.genes = w.genes, .trial = w.trial, .bias = w.bias, .move = w.move,
                           .backward = bt_mask_none()};
    for (;;) {
      if (idle) {
        refill(job, &lane, state.genes, &state.energy);
        bt_solis_wets_begin(&state, n_torsions, lane.fresh, 0);
      }
      if (lane.active == 0) break;
      bt_mask going_on = bt_solis_wets_step(&state, job->data, job->parameters, lane.run, generation, lane.individual,
                                            w.pose);
      idle = retire(job, &lane, going_on, state.genes, state.energy);
    }
  }
}

/* The gene gradient goes into w->move. */
static bt_real evaluate_gradient(const bt_kernel_data *data, const bt_search_parameters *parameters, workspace *w) {
  bt_real limit = bt_splat(parameters->force_limit);
  bt_real energy = bt_pose_energy_gradient(data, parameters, limit, w->genes, w->pose);
  for (int unit = 0; unit < BT_UNITS(data->sizes.n_torsions); unit++) {
    bt_unit_gradient g = bt_pose_gradient_unit(data, unit, w->genes[0], w->genes[1], w->genes[2], w->pose);
    w->move[BT_UNIT_DOF(unit)] = g.x;
    if (unit != BT_UNIT_ORIENTATION) continue;
    w->move[BT_UNIT_DOF(unit) + 1] = g.y;
    w->move[BT_UNIT_DOF(unit) + 2] = g.z;
  }
  return energy;
}

static void evaluate(bt_cpu_job *job, float *scratch) {
  workspace w = workspace_carve(job->data, scratch);
  int n_genes = BT_GENES(job->data->sizes.n_torsions), n_dofs = BT_DOFS(job->data->sizes.n_torsions);
  for (;;) {
    int first = atomic_fetch_add(&job->next, 1) * BT_CPU_LANES;
    if (first >= job->evaluate_count) return;
    for (int l = 0; l < BT_CPU_LANES; l++) {
      int pose = first + l < job->evaluate_count ? first + l : first;
      load_lane(w.genes, l, n_genes, job->evaluate_genes + (size_t)pose * (size_t)n_genes);
    }
    bt_real energy = job->opt_evaluate_gradients != NULL ? evaluate_gradient(job->data, job->parameters, &w)
                                                         : bt_pose_energy(job->data, job->parameters, w.genes, w.pose);
    for (int l = 0; l < BT_CPU_LANES && first + l < job->evaluate_count; l++) {
      job->evaluate_energies[first + l] = energy[l];
      if (job->opt_evaluate_gradients != NULL)
        store_lane(w.move, l, n_dofs, job->opt_evaluate_gradients + (size_t)(first + l) * (size_t)n_dofs);
    }
  }
}

static void prepare(bt_cpu_job *job) {
  const bt_search_parameters *p = job->parameters;
  size_t population = (size_t)p->population, n_genes = (size_t)BT_GENES(job->data->sizes.n_torsions);
  for (size_t run = 0; run < (size_t)p->runs; run++) {
    const float *energies = job->energies + run * population;
    bt_population_elite((int)n_genes, p->population, p->elitism, job->genes + run * population * n_genes, energies,
                        job->next_genes + run * population * n_genes, job->next_energies + run * population);
    if (p->selection == BT_KERNEL_SELECT_PROPORTIONAL)
      bt_population_wheel(p->population, job->generation, energies, job->worst + run * BT_SELECTION_WINDOW,
                          job->cumulative + run * population);
  }
}

static void choose(bt_cpu_job *job) {
  const bt_search_parameters *p = job->parameters;
  int count = bt_population_searched(p);
  job->n_tasks = 0;
  for (int run = 0; run < p->runs; run++)
    for (int i = 0; i < count; i++) {
      bt_int individual = bt_population_task(p, bt_splat_uint((unsigned int)run), job->generation, bt_splat_int(i));
      job->tasks[job->n_tasks++] = (bt_cpu_task){run, individual[0]};
    }
}

/* One share is one class of maps. */
static void fold(bt_cpu_job *job, float *scratch) {
  (void)scratch;
  const bt_kernel_grid *grid = job->data->grid;
  long row = grid->points_x, plane = row * grid->points_y, points = plane * grid->points_z;
  for (int c; (c = atomic_fetch_add(&job->next, 1)) < job->data->sizes.n_classes;) {
    const float *affinity = grid->affinity[job->data->classes[c].affinity];
    float charge = job->data->classes[c].charge, *folded = job->maps + (size_t)c * (size_t)job->data->box.map_stride;
    if (job->data->box.stride_x == 1)
      for (long k = 0; k < points; k++)
        folded[k] = bt_fold_value(affinity, grid->electrostatic, grid->desolvation, charge, k);
    else
      for (long k = 0; k < points; k++)
        bt_fold_packed(affinity, grid->electrostatic, grid->desolvation, charge, row, plane, points, k, folded);
  }
}

static void draw(const bt_search_parameters *parameters, unsigned int purpose, unsigned int run,
                 unsigned int generation, unsigned int step, int count, uint32_t *words) {
  bt_random_key key = {parameters->key0, parameters->key1};
  for (int first = 0; first < count; first += BT_CPU_LANES) {
    bt_uint individual = bt_int_to_uint(bt_splat_int(first) + bt_lane_index());
    bt_draw drawn = bt_draw_words(key, purpose, bt_splat_uint(run), bt_splat_uint(generation), individual,
                                  bt_splat_uint(step));
    for (int l = 0; l < BT_CPU_LANES && first + l < count; l++)
      for (int w = 0; w < 4; w++) words[4 * (size_t)(first + l) + (size_t)w] = drawn.w[w][l];
  }
}

extern const bt_cpu_kernels KERNELS_NAME;
const bt_cpu_kernels KERNELS_NAME = {
    .lanes = BT_CPU_LANES,
    .scratch_floats = scratch_floats,
    .initial = initial,
    .offspring = offspring,
    .local_search = local_search,
    .evaluate = evaluate,
    .prepare = prepare,
    .choose = choose,
    .fold = fold,
    .draw = draw,
};
