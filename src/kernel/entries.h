/* entries.h - whole generations on a device: the body of every kernel of launch.h.
 *
 * A work-item is rank item / BT_POSES of the team of pose item % BT_POSES, with BT_LANES poses side by side. Besides
 * what lane_math.h and team.h ask for, the compat header supplies: BT_POSES, BT_LANES; BT_ITEM, BT_GROUP (indices of the
 * work-item in its block, and of the block); BT_BLOCK_ANY(flag, scratch): whether any work-item of the block passes a
 * true flag, with a sync; BT_ATOMIC_NEXT(counter): the value before adding 1; bt_lane_index(), bt_mask_lane(mask, l),
 * BT_KEEP(integer): the same value, which the compiler should keep and not compute again;
 * bt_lane_get(real, l), bt_lane_get_int(integer, l), bt_lane_set_int(&integer, l, value), bt_mask_none().
 */
#ifndef BERTH_KERNEL_ENTRIES_H
#define BERTH_KERNEL_ENTRIES_H

/* A back end that can name local and global memory alike defines BT_STATE_MAY_BE_LOCAL. */
#define BT_GROUP_SIZE (BT_TEAM * BT_POSES)

/* What one work-item works with. */
typedef struct bt_device {
  BT_GLOBAL char *arena;
  const BT_GLOBAL bt_launch_ligand *ligand;
  const BT_GLOBAL bt_search_parameters *parameters;
  bt_kernel_data data;
  bt_pose_scratch scratch;
  BT_SCRATCH int *tasks; /* [BT_POSES * BT_LANES] */
  BT_SCRATCH int *flag;
  BT_STATE bt_real *genes, *trial; /* [BT_GENES] */
  BT_STATE bt_real *first, *second; /* [BT_DOFS] */
  int pose, rank;
  int block_first; /* first pose, run, class of this block */
} bt_device;

BT_FUNCTION bt_device bt_device_open(BT_GLOBAL char *arena, const BT_GLOBAL float *maps, const bt_launch *launch,
                                     BT_SCRATCH float *memory) {
  bt_device d;
  const BT_GLOBAL bt_launch_block *block = (const BT_GLOBAL bt_launch_block *)(arena + launch->blocks) + BT_GROUP;
  const BT_GLOBAL bt_launch_ligand *ligand =
      (const BT_GLOBAL bt_launch_ligand *)(arena + launch->ligands) + block->ligand;
  d.arena = arena;
  d.ligand = ligand;
  d.parameters = &ligand->parameters;
  d.block_first = block->first;
  d.pose = BT_KEEP(BT_ITEM % BT_POSES);
  d.rank = BT_ITEM / BT_POSES;

  const BT_GLOBAL bt_launch_schedule *schedule = &ligand->schedules[launch->schedule];
  d.data.sizes = ligand->sizes;
  d.data.sizes.n_phases = schedule->n_phases;
  d.data.sizes.n_gradients = schedule->n_gradients;
  d.data.box = ligand->box;
  d.data.n_rows_12_6 = d.data.n_rows_12_10 = 0;
  d.data.atoms = (const BT_GLOBAL bt_kernel_atom *)(arena + ligand->atoms);
  d.data.bodies = (const BT_GLOBAL bt_kernel_body *)(arena + ligand->bodies);
  d.data.parts = (const BT_GLOBAL bt_kernel_part *)(arena + ligand->parts);
  d.data.levels = (const BT_GLOBAL int *)(arena + ligand->levels);
  d.data.torsion_bodies = (const BT_GLOBAL int *)(arena + ligand->torsion_bodies);
  d.data.slots = (const BT_GLOBAL bt_kernel_slot *)(arena + schedule->slots);
  d.data.blocks = (const BT_GLOBAL bt_kernel_block *)(arena + schedule->blocks);
  d.data.pairs = (const BT_GLOBAL bt_kernel_pair *)(arena + schedule->pairs);
  d.data.glue = (const BT_GLOBAL bt_kernel_glue *)(arena + ligand->glue);
  d.data.maps = maps + ligand->maps;

  int n = ligand->sizes.n_atoms, n_genes = BT_GENES(ligand->sizes.n_torsions);
  int n_dofs = BT_DOFS(ligand->sizes.n_torsions);
  BT_SCRATCH bt_real *at = (BT_SCRATCH bt_real *)memory + d.pose;
  d.scratch.rank = d.rank;
#ifdef BT_STUDY
  d.scratch.study.cycles = 0;
  d.scratch.study.partials = 0;
#endif
  d.scratch.xyz = at;
  at += 3 * n * BT_POSES;
  d.scratch.atom_gradient = at;
  at += (3 * n * schedule->n_gradients + 6 * ligand->sizes.n_single) * BT_POSES;
  d.scratch.sums = at;
  d.tasks = (BT_SCRATCH int *)((BT_SCRATCH bt_real *)memory +
                               BT_LAUNCH_LOCAL_REALS(n, ligand->sizes.n_single, schedule->n_gradients, BT_TEAM) *
                                   BT_POSES);
  d.flag = d.tasks + BT_POSES * BT_LANES;
#if BT_TEAM_MATRIX
  d.scratch.subtrees = (BT_SCRATCH bt_real *)(d.flag + 1) + d.pose;
#endif

  BT_STATE bt_real *state =
      (BT_STATE bt_real *)((BT_STATE float *)(arena + launch->state) + launch->state_floats * BT_GROUP) + d.pose;
#ifdef BT_STREAM
  d.scratch.stream = (char *)memory + launch->stream_at + BT_STREAM_BYTES * d.rank;
#endif
#ifdef BT_STATE_MAY_BE_LOCAL
  if (launch->state_at > 0) state = (bt_real *)((char *)memory + launch->state_at) + d.pose;
#endif
  d.genes = state;
  d.trial = state + n_genes * BT_POSES;
  d.first = state + 2 * n_genes * BT_POSES;
  d.second = state + (2 * n_genes + n_dofs) * BT_POSES;
  return d;
}

/* Lanes of this work-item as indices of poses, held below count. */
BT_FUNCTION bt_int bt_device_poses(const bt_device *d, int count) {
  bt_int index = bt_splat_int(d->block_first + d->pose * BT_LANES) + bt_lane_index();
  return bt_select_int(bt_lt_int(index, bt_splat_int(count)), index, bt_splat_int(count - 1));
}

/* One lane's genes to or from an array of individuals; each rank takes care of its units. */
BT_FUNCTION void bt_device_store(const bt_device *d, const BT_STATE bt_real *genes, int lane, BT_GLOBAL float *to) {
  BT_TEAM_FOR(unit, BT_UNITS(d->data.sizes.n_torsions), d->rank) {
    for (int k = BT_UNIT_GENE(unit); k < BT_UNIT_GENE_END(unit); k++)
      to[k] = ((const BT_STATE float *)&BT_AT(genes, k))[lane];
  }
}

BT_FUNCTION void bt_device_load(const bt_device *d, BT_STATE bt_real *genes, int lane, const BT_GLOBAL float *from) {
  BT_TEAM_FOR(unit, BT_UNITS(d->data.sizes.n_torsions), d->rank) {
    for (int k = BT_UNIT_GENE(unit); k < BT_UNIT_GENE_END(unit); k++)
      ((BT_STATE float *)&BT_AT(genes, k))[lane] = from[k];
  }
}

/* Every lane's genes, energy and cost of one evaluation to its place in a population; lanes past the end are left out. */
BT_FUNCTION void bt_device_store_all(const bt_device *d, bt_int slot, int count, bt_real energy, int side) {
  int n_genes = BT_GENES(d->data.sizes.n_torsions);
  BT_GLOBAL float *genes = (BT_GLOBAL float *)(d->arena + d->ligand->genes[side]);
  BT_GLOBAL float *energies = (BT_GLOBAL float *)(d->arena + d->ligand->energies[side]);
  BT_GLOBAL int *costs = (BT_GLOBAL int *)(d->arena + d->ligand->costs);
  for (int l = 0; l < BT_LANES; l++) {
    if (d->block_first + d->pose * BT_LANES + l >= count) return;
    int at = bt_lane_get_int(slot, l);
    bt_device_store(d, d->genes, l, genes + (long)at * n_genes);
    if (d->rank != 0) continue;
    energies[at] = bt_lane_get(energy, l);
    costs[at] = 1;
  }
}

BT_FUNCTION void bt_entry_initial_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                       BT_SCRATCH float *memory) {
  bt_device d = bt_device_open(arena, maps, launch, memory);
  int population = d.parameters->population, count = d.parameters->runs * population;
  bt_int slot = bt_device_poses(&d, count), run = slot / bt_splat_int(population);
  if (d.rank == 0)
    bt_initial_genes(&d.data, d.parameters, bt_int_to_uint(run), bt_int_to_uint(slot - run * bt_splat_int(population)),
                     d.genes);
  BT_SYNC();
  bt_real energy = bt_pose_energy(&d.data, d.genes, d.scratch);
  bt_device_store_all(&d, slot, count, energy, launch->present);
}

/* Individuals from the elite on; the numbers of a block's poses leave the elite out. */
BT_FUNCTION void bt_entry_offspring_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                         BT_SCRATCH float *memory) {
  bt_device d = bt_device_open(arena, maps, launch, memory);
  int population = d.parameters->population, elitism = d.parameters->elitism, children = population - elitism;
  int count = d.parameters->runs * children;
  bt_int child = bt_device_poses(&d, count), run = child / bt_splat_int(children);
  bt_int individual = child - run * bt_splat_int(children) + bt_splat_int(elitism);
  if (d.rank == 0) {
    bt_uint generation = bt_splat_uint(launch->generation);
    bt_offspring_genes(&d.data, d.parameters, (const BT_GLOBAL float *)(arena + d.ligand->genes[launch->present]),
                       (const BT_GLOBAL float *)(arena + d.ligand->energies[launch->present]),
                       (const BT_GLOBAL float *)(arena + d.ligand->cumulative), bt_int_to_uint(run), generation,
                       bt_int_to_uint(individual), d.genes);
    bt_mutate_genes(&d.data, d.parameters, bt_int_to_uint(run), generation, bt_int_to_uint(individual), d.genes);
  }
  BT_SYNC();
  bt_real energy = bt_pose_energy(&d.data, d.genes, d.scratch);
  bt_device_store_all(&d, run * bt_splat_int(population) + individual, count, energy, 1 - launch->present);
}

/* The runs of one ligand, one per work-item. */
BT_FUNCTION void bt_entry_prepare_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                       BT_SCRATCH float *memory) {
  bt_device d = bt_device_open(arena, maps, launch, memory);
  const BT_GLOBAL bt_search_parameters *p = d.parameters;
  int run = d.block_first + BT_ITEM, n_genes = BT_GENES(d.data.sizes.n_torsions);
  if (run >= p->runs) return;
  long base = (long)run * p->population;
  BT_GLOBAL float *genes = (BT_GLOBAL float *)(arena + d.ligand->genes[launch->present]);
  BT_GLOBAL float *energies = (BT_GLOBAL float *)(arena + d.ligand->energies[launch->present]);
  BT_GLOBAL float *next_genes = (BT_GLOBAL float *)(arena + d.ligand->genes[1 - launch->present]);
  BT_GLOBAL float *next_energies = (BT_GLOBAL float *)(arena + d.ligand->energies[1 - launch->present]);
  BT_GLOBAL int *costs = (BT_GLOBAL int *)(arena + d.ligand->costs);
  bt_population_elite(n_genes, p->population, p->elitism, genes + base * n_genes, energies + base,
                      next_genes + base * n_genes, next_energies + base);
  for (int e = 0; e < p->elitism; e++) costs[base + e] = 0;
  if (p->selection == BT_KERNEL_SELECT_PROPORTIONAL)
    bt_population_wheel(p->population, launch->generation, energies + base,
                        (BT_GLOBAL float *)(arena + d.ligand->worst) + run * BT_SELECTION_WINDOW,
                        (BT_GLOBAL float *)(arena + d.ligand->cumulative) + base);
  if (run != 0) return;
  BT_GLOBAL bt_launch_rounds *rounds = (BT_GLOBAL bt_launch_rounds *)(arena + d.ligand->rounds);
  for (int r = 0; r < BT_LAUNCH_ROUNDS; r++) rounds->taken[r] = rounds->left[r + 1] = 0;
}

/* Adds up the costs of a generation and finds the best individual of each run in the population that is present. */
BT_FUNCTION void bt_entry_finish_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                      BT_SCRATCH float *memory) {
  bt_device d = bt_device_open(arena, maps, launch, memory);
  int run = d.block_first + BT_ITEM, population = d.parameters->population;
  if (run >= d.parameters->runs) return;
  const BT_GLOBAL float *energies =
      (const BT_GLOBAL float *)(arena + d.ligand->energies[launch->present]) + (long)run * population;
  const BT_GLOBAL int *costs = (const BT_GLOBAL int *)(arena + d.ligand->costs) + (long)run * population;
  BT_GLOBAL bt_launch_run *result = (BT_GLOBAL bt_launch_run *)(arena + d.ligand->runs) + run;
  bt_offset evaluations = 0;
  float lowest = energies[0];
  int best = 0;
  for (int i = 0; i < population; i++) {
    float energy = energies[i];
    evaluations += costs[i];
    if (energy < lowest || lowest != lowest) {
      lowest = energy;
      best = i;
    }
  }
  result->evaluations += evaluations;
  result->best_energy = lowest;
  result->best = best;
}

/* Which search each lane works on. */
typedef struct bt_device_task {
  bt_int number; /* -1: wants one, -2: there are none left */
  bt_int slot;   /* its individual's place in the population */
  bt_int budget; /* iterations that it may still do in this round */
  bt_uint run, individual; /* as the random numbers name them */
} bt_device_task;

/* What a local search of any method knows besides its arrays; the meaning of scale and power is the method's own. */
typedef struct bt_device_state {
  bt_real energy, scale, power;
  bt_int iteration, successes, failures, backward, cost;
} bt_device_state;

/* Saves or restores the state of one lane's search: arrays unit by unit, numbers by rank 0 or into all ranks. */
BT_FUNCTION void bt_device_save(const bt_device *d, const bt_device_state *state, int lane, BT_GLOBAL float *to) {
  int n_genes = BT_GENES(d->data.sizes.n_torsions), n_dofs = BT_DOFS(d->data.sizes.n_torsions);
  bt_device_store(d, d->genes, lane, to + BT_LAUNCH_SAVED);
  bt_device_store(d, d->trial, lane, to + BT_LAUNCH_SAVED + n_genes);
  to += BT_LAUNCH_SAVED + 2 * n_genes;
  BT_TEAM_FOR(unit, BT_UNITS(d->data.sizes.n_torsions), d->rank) {
    for (int k = BT_UNIT_DOF(unit); k < BT_UNIT_DOF_END(unit); k++) {
      to[k] = ((const BT_STATE float *)&BT_AT(d->first, k))[lane];
      to[n_dofs + k] = ((const BT_STATE float *)&BT_AT(d->second, k))[lane];
    }
  }
  if (d->rank != 0) return;
  to -= BT_LAUNCH_SAVED + 2 * n_genes;
  to[0] = bt_lane_get(state->energy, lane);
  to[1] = bt_lane_get(state->scale, lane);
  to[2] = bt_lane_get(state->power, lane);
  to[3] = (float)bt_lane_get_int(state->iteration, lane);
  to[4] = (float)bt_lane_get_int(state->successes, lane);
  to[5] = (float)bt_lane_get_int(state->failures, lane);
  to[6] = (float)bt_lane_get_int(state->backward, lane);
  to[7] = (float)bt_lane_get_int(state->cost, lane);
}

BT_FUNCTION void bt_device_restore(const bt_device *d, bt_device_state *state, int lane,
                                   const BT_GLOBAL float *from) {
  int n_genes = BT_GENES(d->data.sizes.n_torsions), n_dofs = BT_DOFS(d->data.sizes.n_torsions);
  bt_lane_set(&state->energy, lane, from[0]);
  bt_lane_set(&state->scale, lane, from[1]);
  bt_lane_set(&state->power, lane, from[2]);
  bt_lane_set_int(&state->iteration, lane, (int)from[3]);
  bt_lane_set_int(&state->successes, lane, (int)from[4]);
  bt_lane_set_int(&state->failures, lane, (int)from[5]);
  bt_lane_set_int(&state->backward, lane, (int)from[6]);
  bt_lane_set_int(&state->cost, lane, (int)from[7]);
  bt_device_load(d, d->genes, lane, from + BT_LAUNCH_SAVED);
  bt_device_load(d, d->trial, lane, from + BT_LAUNCH_SAVED + n_genes);
  from += BT_LAUNCH_SAVED + 2 * n_genes;
  BT_TEAM_FOR(unit, BT_UNITS(d->data.sizes.n_torsions), d->rank) {
    for (int k = BT_UNIT_DOF(unit); k < BT_UNIT_DOF_END(unit); k++) {
      ((BT_STATE float *)&BT_AT(d->first, k))[lane] = from[k];
      ((BT_STATE float *)&BT_AT(d->second, k))[lane] = from[n_dofs + k];
    }
  }
}

BT_FUNCTION BT_GLOBAL float *bt_device_saved(const bt_device *d, int slot) {
  int size = BT_LAUNCH_STATE_REALS(d->data.sizes.n_torsions) + BT_LAUNCH_SAVED;
  return (BT_GLOBAL float *)(d->arena + d->ligand->saved) + (long)slot * size;
}

/* Gives searches to the lanes that want one. Lanes that go on with one have their state restored; the others, which are
 * returned, have genes and energy and begin. */
BT_FUNCTION bt_mask bt_device_refill(const bt_device *d, const bt_launch *launch, bt_device_task *task,
                                     bt_device_state *state) {
  int per_run = bt_population_searched(d->parameters), given = launch->count > 0, round = launch->round;
  int population = d->parameters->population, slots = d->parameters->runs * population;
  int n_genes = BT_GENES(d->data.sizes.n_torsions), side = 1 - launch->present;
  const BT_GLOBAL float *genes = (const BT_GLOBAL float *)(d->arena + d->ligand->genes[side]);
  const BT_GLOBAL float *energies = (const BT_GLOBAL float *)(d->arena + d->ligand->energies[side]);
  BT_GLOBAL bt_launch_rounds *rounds = (BT_GLOBAL bt_launch_rounds *)(d->arena + d->ligand->rounds);
  const BT_GLOBAL int *list = (const BT_GLOBAL int *)(d->arena + d->ligand->lists) + (round % 2) * slots;
  bt_int fresh = bt_splat_int(0);
  if (d->rank == 0) {
    int end = round > 0 ? rounds->left[round] : given ? launch->count : per_run * d->parameters->runs;
    for (int l = 0; l < BT_LANES; l++) {
      if (bt_lane_get_int(task->number, l) != -1) continue;
      int next = BT_ATOMIC_NEXT(&rounds->taken[round]);
      d->tasks[d->pose * BT_LANES + l] = next >= end ? -2 : round > 0 ? list[next] : next;
    }
  }
  BT_SYNC();
  for (int l = 0; l < BT_LANES; l++) {
    if (bt_lane_get_int(task->number, l) != -1) continue;
    int number = d->tasks[d->pose * BT_LANES + l];
    bt_lane_set_int(&task->number, l, number);
    if (number < 0) continue;
    int run = given ? 0 : number / per_run, individual = given ? number : number % per_run;
    if (!given)
      individual = bt_lane_get_int(bt_population_task(d->parameters, bt_splat_uint((unsigned int)run),
                                                      launch->generation, bt_splat_int(individual)), 0);
    int slot = run * population + individual;
    bt_lane_set_int(&task->slot, l, slot);
    bt_lane_set_int(&task->budget, l, launch->round_iterations);
    bt_lane_set_uint(&task->run, l, (unsigned int)(run + d->parameters->first_run));
    bt_lane_set_uint(&task->individual, l, (unsigned int)individual);
    if (round > 0) {
      bt_device_restore(d, state, l, bt_device_saved(d, slot));
      continue;
    }
    bt_lane_set_int(&fresh, l, 1);
    bt_lane_set_int(&state->cost, l, 0);
    bt_device_load(d, d->genes, l, genes + (long)slot * n_genes);
    bt_lane_set(&state->energy, l, energies[slot]);
  }
  return bt_not(bt_eq_int(fresh, bt_splat_int(0)));
}

/* Counts the evaluation; writes back the lanes that have finished, saves those whose round is over. */
BT_FUNCTION void bt_device_retire(const bt_device *d, const bt_launch *launch, bt_device_task *task,
                                  bt_device_state *state, bt_mask going_on, const BT_STATE bt_real *best) {
  int n_genes = BT_GENES(d->data.sizes.n_torsions), side = 1 - launch->present;
  int slots = d->parameters->runs * d->parameters->population;
  BT_GLOBAL float *genes = (BT_GLOBAL float *)(d->arena + d->ligand->genes[side]);
  BT_GLOBAL float *energies = (BT_GLOBAL float *)(d->arena + d->ligand->energies[side]);
  BT_GLOBAL int *costs = (BT_GLOBAL int *)(d->arena + d->ligand->costs);
  state->cost = state->cost + bt_splat_int(1);
  task->budget = task->budget - bt_splat_int(1);
  for (int l = 0; l < BT_LANES; l++) {
    int number = bt_lane_get_int(task->number, l), slot = bt_lane_get_int(task->slot, l);
    if (number < 0) continue;
    if (bt_mask_lane(going_on, l)) {
      if (bt_lane_get_int(task->budget, l) != 0) continue;
      bt_device_save(d, state, l, bt_device_saved(d, slot));
      if (d->rank == 0) {
        BT_GLOBAL bt_launch_rounds *rounds = (BT_GLOBAL bt_launch_rounds *)(d->arena + d->ligand->rounds);
        BT_GLOBAL int *list = (BT_GLOBAL int *)(d->arena + d->ligand->lists) + ((launch->round + 1) % 2) * slots;
        list[BT_ATOMIC_NEXT(&rounds->left[launch->round + 1])] = number;
      }
    } else {
      bt_device_store(d, best, l, genes + (long)slot * n_genes);
      if (d->rank == 0) {
        energies[slot] = bt_lane_get(state->energy, l);
        costs[slot] += bt_lane_get_int(state->cost, l);
      }
    }
    bt_lane_set_int(&task->number, l, -1);
  }
}

/* Whether any lane of this work-item wants a search, or has one. */
BT_FUNCTION int bt_device_wants(const bt_device_task *task) {
  int any = 0;
  for (int l = 0; l < BT_LANES; l++) any |= bt_lane_get_int(task->number, l) == -1;
  return any;
}

BT_FUNCTION int bt_device_busy(const bt_device_task *task) {
  int any = 0;
  for (int l = 0; l < BT_LANES; l++) any |= bt_lane_get_int(task->number, l) >= 0;
  return any;
}

/* One iteration of every lane; begins those of fresh first (there are none unless begin). method is a constant,
 * BT_KERNEL_LS_... Returns the lanes that go on. */
BT_FUNCTION bt_mask bt_device_iterate(const bt_device *d, const bt_launch *launch, const bt_device_task *task,
                                      bt_device_state *s, int method, int begin, bt_mask fresh) {
  int n_torsions = d->data.sizes.n_torsions;
  bt_mask going_on = bt_mask_none();
  if (method == BT_KERNEL_LS_ADADELTA) {
    bt_adadelta state = {d->genes, d->trial, d->first, d->second, s->energy, s->scale,
                         s->iteration, s->successes, s->failures};
    if (begin)
      bt_adadelta_begin(&state, n_torsions, fresh, d->rank);
    else
      going_on = bt_adadelta_step(&state, &d->data, d->parameters, d->scratch);
    s->energy = state.best_energy;
    s->scale = state.control;
    s->iteration = state.iteration;
    s->successes = state.successes;
    s->failures = state.failures;
  } else if (method == BT_KERNEL_LS_ADAM) {
    bt_adam state = {d->genes, d->trial, d->first, d->second, s->energy, s->scale, s->power, s->iteration};
    if (begin)
      bt_adam_begin(&state, n_torsions, fresh, d->rank);
    else
      going_on = bt_adam_step(&state, &d->data, d->parameters, d->scratch);
    s->energy = state.best_energy;
    s->scale = state.mean_power;
    s->power = state.square_power;
    s->iteration = state.iteration;
  } else {
    bt_solis_wets state = {d->genes, d->trial, d->first, d->second, s->energy, s->scale,
                           s->iteration, s->successes, s->failures, bt_not(bt_eq_int(s->backward, bt_splat_int(0)))};
    if (begin)
      bt_solis_wets_begin(&state, n_torsions, fresh, d->rank);
    else
      going_on = bt_solis_wets_step(&state, &d->data, d->parameters, task->run, bt_splat_uint(launch->generation),
                                    task->individual, d->scratch);
    s->energy = state.energy;
    s->scale = state.rho;
    s->iteration = state.iteration;
    s->successes = state.successes;
    s->failures = state.failures;
    s->backward = bt_select_int(state.backward, bt_splat_int(1), bt_splat_int(0));
  }
  return going_on;
}

/* Local searches until none is left in this round: a lane that has finished takes the next one, so none waits for
 * another. */
BT_FUNCTION void bt_device_searches(bt_device *d, const bt_launch *launch, int method) {
  bt_real none = bt_splat(0.0f);
  bt_int zero = bt_splat_int(0);
  bt_device_task task = {bt_splat_int(-1), zero, zero, bt_splat_uint(0), bt_splat_uint(0)};
  bt_device_state state = {none, none, none, zero, zero, zero, zero, zero};
  for (int busy = 0;;) {
    if (BT_BLOCK_ANY(bt_device_wants(&task), d->flag)) {
      bt_mask fresh = bt_device_refill(d, launch, &task, &state);
      if (launch->round == 0) bt_device_iterate(d, launch, &task, &state, method, 1, fresh);
      busy = BT_BLOCK_ANY(bt_device_busy(&task), d->flag);
    }
    if (!busy) return;
    bt_mask going_on = bt_device_iterate(d, launch, &task, &state, method, 0, bt_mask_none());
    bt_device_retire(d, launch, &task, &state, going_on,
                     method == BT_KERNEL_LS_SOLIS_WETS ? d->genes : d->trial);
  }
}

BT_FUNCTION void bt_device_search(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                  BT_SCRATCH float *memory, int method) {
  bt_device d = bt_device_open(arena, maps, launch, memory);
  bt_device_searches(&d, launch, method);
}

BT_FUNCTION void bt_entry_adadelta_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                        BT_SCRATCH float *memory) {
  bt_device_search(arena, maps, launch, memory, BT_KERNEL_LS_ADADELTA);
}

BT_FUNCTION void bt_entry_solis_wets_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                          BT_SCRATCH float *memory) {
  bt_device_search(arena, maps, launch, memory, BT_KERNEL_LS_SOLIS_WETS);
}

BT_FUNCTION void bt_entry_adam_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                    BT_SCRATCH float *memory) {
  bt_device_search(arena, maps, launch, memory, BT_KERNEL_LS_ADAM);
}

/* Given poses: energies, and gradients if asked for. */
BT_FUNCTION void bt_device_evaluate(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                    BT_SCRATCH float *memory, int with_gradient) {
  bt_device d = bt_device_open(arena, maps, launch, memory);
  int n_torsions = d.data.sizes.n_torsions, n_genes = BT_GENES(n_torsions), n_dofs = BT_DOFS(n_torsions);
  bt_int index = bt_device_poses(&d, launch->count);
  for (int l = 0; l < BT_LANES; l++)
    bt_device_load(&d, d.genes, l,
                   (const BT_GLOBAL float *)(arena + launch->genes) + (long)bt_lane_get_int(index, l) * n_genes);
  BT_SYNC();
  bt_real energy = with_gradient ? bt_pose_energy_gradient(&d.data, d.genes, d.scratch)
                                 : bt_pose_energy(&d.data, d.genes, d.scratch);
  if (with_gradient) {
    BT_TEAM_FOR(unit, BT_UNITS(n_torsions), d.rank) {
      bt_unit_gradient g = bt_pose_gradient_unit(&d.data, unit, BT_AT(d.genes, 0), BT_AT(d.genes, 1),
                                                 BT_AT(d.genes, 2), d.scratch);
      for (int l = 0; l < BT_LANES; l++) {
        BT_GLOBAL float *to = (BT_GLOBAL float *)(arena + launch->gradients) +
                              (long)bt_lane_get_int(index, l) * n_dofs + BT_UNIT_DOF(unit);
        to[0] = bt_lane_get(g.x, l);
        if (unit != BT_UNIT_ORIENTATION) continue;
        to[1] = bt_lane_get(g.y, l);
        to[2] = bt_lane_get(g.z, l);
      }
    }
  }
  if (d.rank != 0) return;
  for (int l = 0; l < BT_LANES; l++)
    ((BT_GLOBAL float *)(arena + launch->energies))[bt_lane_get_int(index, l)] = bt_lane_get(energy, l);
}

BT_FUNCTION void bt_entry_energy_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                      BT_SCRATCH float *memory) {
  bt_device_evaluate(arena, maps, launch, memory, 0);
}

BT_FUNCTION void bt_entry_gradient_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                        BT_SCRATCH float *memory) {
  bt_device_evaluate(arena, maps, launch, memory, 1);
}

/* One class, launch->count blocks of it: block_first is class * count + part. */
BT_FUNCTION void bt_entry_fold_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                    BT_SCRATCH float *memory) {
  bt_device d = bt_device_open(arena, maps, launch, memory);
  int index = d.block_first / launch->count, part = d.block_first % launch->count;
  const BT_GLOBAL bt_launch_class *c = (const BT_GLOBAL bt_launch_class *)(arena + d.ligand->classes) + index;
  const BT_GLOBAL bt_kernel_box *box = &d.ligand->box;
  long points_x = box->stride_y / 4, points_xy = box->stride_z / 4, points = box->map_stride / 4;
  BT_GLOBAL float *folded = maps + d.ligand->maps + (long)index * box->map_stride;
  for (long at = (long)part * BT_GROUP_SIZE + BT_ITEM; at < points; at += (long)launch->count * BT_GROUP_SIZE)
    bt_fold_packed(maps + c->affinity, maps + launch->electrostatic, maps + launch->desolvation, c->charge, points_x,
                   points_xy, points, at, folded);
}

/* Random words of launch->count individuals. */
BT_FUNCTION void bt_entry_draw_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                    BT_SCRATCH float *memory) {
  bt_device d = bt_device_open(arena, maps, launch, memory);
  if (d.rank != 0) return;
  bt_random_key key = {d.parameters->key0, d.parameters->key1};
  bt_int individual = bt_device_poses(&d, launch->count);
  bt_draw draw = bt_draw_words(key, launch->purpose, bt_splat_uint(launch->run), bt_splat_uint(launch->generation),
                               bt_int_to_uint(individual), bt_splat_uint(launch->step));
  for (int l = 0; l < BT_LANES; l++)
    BT_UNROLL for (int k = 0; k < 4; k++)
      ((BT_GLOBAL int *)(arena + launch->genes))[4 * bt_lane_get_int(individual, l) + k] =
          bt_lane_get_int(bt_uint_to_int(draw.w[k]), l);
}

#include "study_entries.h"

#endif
