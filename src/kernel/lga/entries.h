/* entries.h - whole generations on a device: the body of every kernel of launch.h.
 *
 * A work-item is rank item / BT_POSES of the team of pose item % BT_POSES, with BT_LANES poses side by side. In
 * addition to what lane_math.h and team.h require, the compat header supplies: BT_POSES, BT_LANES; BT_ITEM, BT_GROUP
 * (index of the work-item in its block, and of the block); BT_BLOCK_ANY(flag, scratch): whether the flag of any
 * work-item of the block is true, with a sync; BT_ATOMIC_NEXT(counter): the value before adding 1; bt_lane_index(),
 * bt_mask_lane(mask, l); BT_TABLES_LOCAL if local and global memory share an address space: the ligand's tables are
 * then copied to local memory; BT_SCHEDULE_MAY_BE_LOCAL likewise, for variants that do not stream pairs, where
 * launch.schedule_at says so; BT_SCRATCH_IN_ARENA for the study that keeps nothing in local memory (study/study.h);
 * BT_KEEP(integer): the same value, kept in a register rather than recomputed; bt_lane_get(real, l),
 * bt_lane_get_int(integer, l), bt_lane_set_int(&integer, l, value), bt_mask_none().
 */
#ifndef BERTH_KERNEL_LGA_ENTRIES_H
#define BERTH_KERNEL_LGA_ENTRIES_H

#include "autostop.h"

/* A back end whose local and global memory share an address space defines BT_STATE_MAY_BE_LOCAL. */
#define BT_GROUP_SIZE (BT_TEAM * BT_POSES)

#ifdef BT_TABLES_LOCAL
/* Copy by all work-items of a block; bytes is a multiple of 16. */
BT_FUNCTION const char *bt_item_copy(const char *from, int bytes, char *to) {
  for (int k = BT_ITEM; k < bytes / 16; k += BT_GROUP_SIZE) ((BT_FLOAT4 *)to)[k] = ((const BT_FLOAT4 *)from)[k];
  return to;
}
#endif

/* The view of one work-item. */
typedef struct bt_work_item {
  BT_GLOBAL char *arena;
  const BT_GLOBAL bt_launch_ligand *ligand;
  const BT_GLOBAL bt_search_parameters *parameters;
  bt_kernel_data data;
  bt_pose_scratch scratch;
  BT_SCRATCH int *flag;
  BT_STATE_ARRAYS(BT_STATE_MEMBER)
  int pose, rank;
  int block_first; /* first pose, run or class of this block */
} bt_work_item;

BT_FUNCTION bt_work_item bt_item_open(BT_GLOBAL char *arena, const BT_GLOBAL float *maps, const bt_launch *launch,
                                      BT_SCRATCH float *memory) {
  bt_work_item w;
  const BT_GLOBAL bt_launch_block *block = (const BT_GLOBAL bt_launch_block *)(arena + launch->blocks) + BT_GROUP;
  const BT_GLOBAL bt_launch_ligand *ligand =
      (const BT_GLOBAL bt_launch_ligand *)(arena + launch->ligands) + block->ligand;
  w.arena = arena;
  w.ligand = ligand;
  w.parameters = &ligand->parameters;
  w.block_first = block->first;
  w.pose = BT_KEEP(BT_ITEM % BT_POSES);
  w.rank = BT_ITEM / BT_POSES;

  const BT_GLOBAL bt_launch_schedule *schedule = &ligand->schedules[launch->schedule];
  w.data.sizes = ligand->sizes;
  w.data.sizes.n_phases = schedule->n_phases;
  w.data.sizes.n_gradients = schedule->n_gradients;
  w.data.box = ligand->box;
#ifdef BT_TABLES_LOCAL /* all but pairs and maps; read in a tenth of the time */
  const BT_GLOBAL char *tables =
      bt_item_copy(arena + ligand->atoms, ligand->table_bytes, (char *)memory + launch->tables_at);
#else
  const BT_GLOBAL char *tables = arena + ligand->atoms;
#endif
  w.data.atoms = (const BT_GLOBAL bt_kernel_atom *)tables;
  w.data.bodies = (const BT_GLOBAL bt_kernel_body *)(tables + (ligand->bodies - ligand->atoms));
  w.data.fragments = (const BT_GLOBAL bt_kernel_fragment *)(tables + (ligand->fragments - ligand->atoms));
  w.data.by_depth = (const BT_GLOBAL bt_kernel_fragment *)(tables + (ligand->by_depth - ligand->atoms));
  w.data.torsion_bodies = (const BT_GLOBAL int *)(tables + (ligand->torsion_bodies - ligand->atoms));
  for (int kind = 0; kind < BT_PAIR_KINDS; kind++) w.data.n_rows[kind] = schedule->n_rows[kind];
  w.data.rows = (const BT_GLOBAL bt_kernel_row *)(arena + schedule->rows);
  const BT_GLOBAL char *slots = arena + schedule->slots;
#ifdef BT_SCHEDULE_MAY_BE_LOCAL
  if (launch->schedule_at > 0) slots = bt_item_copy(slots, schedule->bytes, (char *)memory + launch->schedule_at);
#endif
  w.data.slots = (const BT_GLOBAL bt_kernel_slot *)slots;
  w.data.tiles = (const BT_GLOBAL bt_kernel_tile *)(slots + (schedule->tiles - schedule->slots));
  w.data.pairs = (const BT_GLOBAL bt_kernel_pair *)(slots + (schedule->pairs - schedule->slots));
  w.data.glue = (const BT_GLOBAL bt_kernel_glue *)(arena + ligand->glue);
  w.data.restraints = (const BT_GLOBAL bt_kernel_restraint *)(arena + ligand->restraints);
  w.data.contacts = (const BT_GLOBAL bt_kernel_contact *)(arena + ligand->contacts);
  w.data.classes = (const BT_GLOBAL bt_kernel_class *)(tables + (ligand->classes - ligand->atoms));
  w.data.maps = maps + ligand->maps;
  w.data.charged = ligand->charged > 0 ? maps + ligand->charged : 0;

  BT_STATE bt_real *state =
      (BT_STATE bt_real *)((BT_STATE float *)(arena + launch->state) + launch->state_floats * BT_GROUP) + w.pose;
#ifdef BT_STATE_MAY_BE_LOCAL
  if (launch->state_at > 0) state = (bt_real *)((char *)memory + launch->state_at) + w.pose;
#endif
#define BT_PLACE_STATE(name, kind) w.name = state, state += kind(ligand->sizes.n_torsions) * BT_POSES;
  BT_STATE_ARRAYS(BT_PLACE_STATE)

#ifdef BT_SCRATCH_IN_ARENA
  BT_SCRATCH bt_real *at = state;
#else
  BT_SCRATCH bt_real *at = (BT_SCRATCH bt_real *)memory + w.pose;
#endif
#define BT_PLACE(name, length) w.scratch.name = at, at += (length)*BT_POSES;
  BT_SCRATCH_ARRAYS(BT_PLACE, w.data.sizes, BT_TEAM, BT_TEAM_KIND)
#ifdef BT_SCRATCH_IN_ARENA
  w.flag = (BT_SCRATCH int *)memory;
#else
  w.flag = (BT_SCRATCH int *)(at - w.pose);
#endif
  w.scratch.rank = w.rank;
#if BT_TEAM_SUBTREES
  w.scratch.subtrees = w.scratch.atom_gradient;
#endif
#ifdef BT_STUDY
  w.scratch.study.cycles = 0;
  w.scratch.study.partials = 0;
#endif
#ifdef BT_STREAM
  w.scratch.stream = (char *)memory + launch->stream_at + BT_STREAM_BYTES * w.rank;
#endif
#ifdef BT_TABLES_LOCAL
  BT_BLOCK_ANY(0, w.flag);
#endif
  return w;
}

/* The pose indices of this work-item's lanes, clamped below count. */
BT_FUNCTION bt_int bt_item_poses(const bt_work_item *w, int count) {
  bt_int index = bt_splat_int(w->block_first + w->pose * BT_LANES) + bt_lane_index();
  return bt_select_int(bt_lt_int(index, bt_splat_int(count)), index, bt_splat_int(count - 1));
}

/* One lane's genes to or from an array of individuals; each rank handles its own units. */
BT_FUNCTION void bt_item_store(const bt_work_item *w, const BT_STATE bt_real *genes, int lane, BT_GLOBAL float *to) {
  BT_GENES_FOR(k, w->data.sizes.n_torsions, w->rank) to[k] = ((const BT_STATE float *)&BT_AT(genes, k))[lane];
}

BT_FUNCTION void bt_item_load(const bt_work_item *w, BT_STATE bt_real *genes, int lane, const BT_GLOBAL float *from) {
  BT_GENES_FOR(k, w->data.sizes.n_torsions, w->rank)((BT_STATE float *)&BT_AT(genes, k))[lane] = from[k];
}

/* Stores every lane's genes, energy and cost in a population; lanes past the end are skipped. */
BT_FUNCTION void bt_item_store_all(const bt_work_item *w, bt_int slot, int count, bt_real energy, bt_int cost,
                                   int side) {
  int n_genes = BT_GENES(w->data.sizes.n_torsions);
  BT_GLOBAL float *genes = (BT_GLOBAL float *)(w->arena + w->ligand->genes[side]);
  BT_GLOBAL float *energies = (BT_GLOBAL float *)(w->arena + w->ligand->energies[side]);
  BT_GLOBAL int *costs = (BT_GLOBAL int *)(w->arena + w->ligand->costs);
  for (int l = 0; l < BT_LANES; l++) {
    if (w->block_first + w->pose * BT_LANES + l >= count) return;
    int at = bt_lane_get_int(slot, l);
    bt_item_store(w, w->genes, l, genes + (long)at * n_genes);
    if (w->rank != 0) continue;
    energies[at] = bt_lane_get(energy, l);
    costs[at] = bt_lane_get_int(cost, l);
  }
}

/* The genes of a child of each lane. */
BT_FUNCTION void bt_item_child(const bt_work_item *w, const bt_launch *launch, bt_uint run, bt_uint individual,
                               bt_uint attempt) {
  const BT_GLOBAL float *population = (const BT_GLOBAL float *)(w->arena + w->ligand->genes[launch->present]);
  const BT_GLOBAL float *energies = (const BT_GLOBAL float *)(w->arena + w->ligand->energies[launch->present]);
  const BT_GLOBAL float *cumulative = (const BT_GLOBAL float *)(w->arena + w->ligand->cumulative);
  bt_uint generation = bt_splat_uint(launch->generation);
  bt_int last = bt_splat_int(0);
  for (int again = BT_STUDY_BREEDS(launch); again >= 0; again--) { /* once, except in studies */
    bt_uint other = attempt + BT_STUDY_ATTEMPT(launch, again, last);
    bt_parents of = bt_select_parents(w->parameters, energies, cumulative, run, generation, individual, other);
    last = of.mother + of.father;
    if (BT_STUDY_STOPS(launch, again, BT_STUDY_PARENTS)) continue;
    bt_offspring_genes(&w->data, w->parameters, population, of, run, generation, individual, other, w->genes);
    if (BT_STUDY_STOPS(launch, again, BT_STUDY_CROSSOVER)) continue;
    bt_mutate_genes(&w->data, w->parameters, run, generation, individual, other, w->genes);
  }
}

/* The energy of each lane's child. */
BT_FUNCTION bt_real bt_item_child_energy(const bt_work_item *w, const bt_launch *launch) {
  bt_real energy = bt_splat(0.0f);
  for (int again = BT_STUDY_AGAIN(launch, BT_STUDY_ENERGY); again >= 0; again--) {
    energy = bt_pose_energy(&w->data, w->parameters, w->genes, w->scratch);
    if (again > 0) BT_SYNC();
  }
  return energy;
}

/* Breeds one individual per lane: of the initial population, or a child. Individuals outside the box are redrawn, which
 * takes only their coordinates; a lane that is done repeats its draw while others of the block continue. Returns the
 * number of evaluations that each one counts. */
BT_FUNCTION bt_int bt_item_breed(const bt_work_item *w, const bt_launch *launch, bt_int in_run, bt_int in_population,
                                 int child) {
  bt_uint run = bt_int_to_uint(in_run), individual = bt_int_to_uint(in_population);
  bt_int attempt = bt_splat_int(0), one = bt_splat_int(1);
  for (;;) {
    if (w->rank == 0 && !child)
      bt_initial_genes(&w->data, w->parameters, run, individual, bt_int_to_uint(attempt), w->genes);
    if (w->rank == 0 && child) bt_item_child(w, launch, run, individual, bt_int_to_uint(attempt));
    BT_SYNC();
    bt_pose_coordinates(&w->data, w->genes, w->scratch);
    bt_int redraws = bt_splat_int(BT_STUDY_UNGUARDED < 2 ? w->parameters->redraws : 0);
    bt_mask again = bt_and(bt_pose_outside(&w->data, w->scratch), bt_lt_int(attempt, redraws));
    if (!BT_BLOCK_ANY(bt_any(again), w->flag)) return attempt + one;
    attempt = attempt + bt_select_int(again, one, bt_splat_int(0));
  }
}

BT_FUNCTION void bt_entry_initial_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                       BT_SCRATCH float *memory) {
  bt_work_item w = bt_item_open(arena, maps, launch, memory);
  int population = w.parameters->population, count = w.parameters->runs * population;
  bt_int slot = bt_item_poses(&w, count), run = slot / bt_splat_int(population);
  bt_int cost = bt_item_breed(&w, launch, run, slot - run * bt_splat_int(population), 0);
  bt_real energy = bt_pose_energy(&w.data, w.parameters, w.genes, w.scratch);
  bt_item_store_all(&w, slot, count, energy, cost, launch->present);
}

/* Children fill the slots after the elite; the block's pose numbers do not count the elite. */
BT_FUNCTION void bt_entry_offspring_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                         BT_SCRATCH float *memory) {
  bt_work_item w = bt_item_open(arena, maps, launch, memory);
  int population = w.parameters->population, elitism = w.parameters->elitism, children = population - elitism;
  int count = w.parameters->runs * children;
  bt_int child = bt_item_poses(&w, count), run = child / bt_splat_int(children);
  bt_int individual = child - run * bt_splat_int(children) + bt_splat_int(elitism);
  bt_int cost = bt_item_breed(&w, launch, run, individual, 1);
  bt_real energy = bt_item_child_energy(&w, launch);
  bt_item_store_all(&w, run * bt_splat_int(population) + individual, count, energy, cost, 1 - launch->present);
}

/* One run of a ligand. */
BT_FUNCTION void bt_item_prepare(const bt_work_item *w, const bt_launch *launch, int run) {
  const BT_GLOBAL bt_search_parameters *p = w->parameters;
  int n_genes = BT_GENES(w->data.sizes.n_torsions);
  long base = (long)run * p->population;
  BT_GLOBAL float *genes = (BT_GLOBAL float *)(w->arena + w->ligand->genes[launch->present]);
  BT_GLOBAL float *energies = (BT_GLOBAL float *)(w->arena + w->ligand->energies[launch->present]);
  BT_GLOBAL float *next_genes = (BT_GLOBAL float *)(w->arena + w->ligand->genes[1 - launch->present]);
  BT_GLOBAL float *next_energies = (BT_GLOBAL float *)(w->arena + w->ligand->energies[1 - launch->present]);
  BT_GLOBAL int *costs = (BT_GLOBAL int *)(w->arena + w->ligand->costs);
  for (int again = BT_STUDY_AGAIN(launch, BT_STUDY_ELITE); again >= 0; again--)
    bt_population_elite(n_genes, p->population, p->elitism, genes + base * n_genes, energies + base,
                        next_genes + base * n_genes, next_energies + base);
  for (int e = 0; e < p->elitism; e++) costs[base + e] = 0;
  int wheels = p->selection == BT_KERNEL_SELECT_PROPORTIONAL ? BT_STUDY_AGAIN(launch, BT_STUDY_WHEEL) : -1;
  for (int again = wheels; again >= 0; again--)
    bt_population_wheel(p->population, launch->generation, energies + base,
                        (BT_GLOBAL float *)(w->arena + w->ligand->worst) + run * BT_SELECTION_WINDOW,
                        (BT_GLOBAL float *)(w->arena + w->ligand->cumulative) + base);
  if (run != 0) return;
  BT_GLOBAL bt_launch_rounds *rounds = (BT_GLOBAL bt_launch_rounds *)(w->arena + w->ligand->rounds);
  for (int r = 0; r < BT_LAUNCH_ROUNDS; r++) rounds->taken[r] = rounds->left[r + 1] = 0;
}

/* Adds up the costs of a generation and finds the best individual of a run in the present population. */
BT_FUNCTION void bt_item_finish(const bt_work_item *w, const bt_launch *launch, int run) {
  int population = w->parameters->population;
  const BT_GLOBAL float *energies =
      (const BT_GLOBAL float *)(w->arena + w->ligand->energies[launch->present]) + (long)run * population;
  const BT_GLOBAL int *costs = (const BT_GLOBAL int *)(w->arena + w->ligand->costs) + (long)run * population;
  BT_GLOBAL bt_launch_run *result = (BT_GLOBAL bt_launch_run *)(w->arena + w->ligand->runs) + run;
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

/* The runs of one ligand that this work-item handles; a block handles launch->count of them. */
#define BT_RUNS_FOR(run, w, launch)                                                                                \
  for (int run = (w).block_first + BT_ITEM; run < (w).parameters->runs && run < (w).block_first + (launch)->count; \
       run += BT_GROUP_SIZE)

BT_FUNCTION void bt_entry_prepare_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                       BT_SCRATCH float *memory) {
  bt_work_item w = bt_item_open(arena, maps, launch, memory);
  BT_RUNS_FOR(run, w, launch) bt_item_prepare(&w, launch, run);
}

BT_FUNCTION void bt_entry_finish_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                      BT_SCRATCH float *memory) {
  bt_work_item w = bt_item_open(arena, maps, launch, memory);
  BT_RUNS_FOR(run, w, launch) bt_item_finish(&w, launch, run);
}

/* Pools the ligand's individuals of all runs. Without a sync (BT_TEAM == 1) one work-item does everything. */
BT_FUNCTION void bt_entry_autostop_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                        BT_SCRATCH float *memory) {
  bt_work_item w = bt_item_open(arena, maps, launch, memory);
  const int items = BT_TEAM == 1 ? 1 : BT_GROUP_SIZE;
  int count = w.parameters->runs * w.parameters->population;
  const BT_GLOBAL float *energies = (const BT_GLOBAL float *)(arena + w.ligand->energies[launch->present]);
  BT_GLOBAL bt_autostop_state *state = (BT_GLOBAL bt_autostop_state *)(arena + w.ligand->autostop);
  BT_GLOBAL bt_autostop_bin *bins = (BT_GLOBAL bt_autostop_bin *)(arena + w.ligand->bins);
  BT_GLOBAL float *lowest = (BT_GLOBAL float *)bins;
  if (BT_ITEM >= items) return;
  if (BT_ITEM == 0 && state->bins == 0) /* first test: zeroed by the host */
    bt_autostop_begin(state, w.parameters->autostop_tolerance, w.parameters->population);
  lowest[BT_ITEM] = bt_autostop_lowest(energies, BT_ITEM, count, items);
  BT_SYNC();
  int passes = bt_autostop_passes(state);
  if (BT_ITEM == 0) state->lowest = bt_autostop_lowest(lowest, 0, items, 1);
  BT_SYNC();
  for (int pass = 0; pass < passes; pass++) {
    for (int k = BT_ITEM; k < state->bins; k += items) bins[k] = bt_autostop_gather(state, energies, count, k);
    BT_SYNC();
    if (BT_ITEM == 0) bt_autostop_pass(state, bins);
    BT_SYNC();
  }
  if (BT_ITEM != 0) return;
  bt_autostop_judge(state);
  *(BT_GLOBAL int *)(arena + w.ligand->converged) = state->converged;
}

#include "search_entries.h"

/* Evaluates given poses: energies, and gradients on request. */
BT_FUNCTION void bt_item_evaluate(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                  BT_SCRATCH float *memory, int with_gradient) {
  bt_work_item w = bt_item_open(arena, maps, launch, memory);
  int n_torsions = w.data.sizes.n_torsions, n_genes = BT_GENES(n_torsions), n_dofs = BT_DOFS(n_torsions);
  bt_int index = bt_item_poses(&w, launch->count);
  for (int l = 0; l < BT_LANES; l++)
    bt_item_load(&w, w.genes, l,
                 (const BT_GLOBAL float *)(arena + launch->genes) + (long)bt_lane_get_int(index, l) * n_genes);
  BT_SYNC();
  bt_real limit = bt_splat(w.parameters->force_limit), energy = limit;
  for (int k = 0; k == 0 || k < launch->repeats; k++) {
    if (k > 0) BT_SYNC();
    energy = with_gradient ? bt_pose_energy_gradient(&w.data, w.parameters, limit, w.genes, w.scratch)
                           : bt_pose_energy(&w.data, w.parameters, w.genes, w.scratch);
  }
  if (with_gradient) {
    BT_TEAM_FOR(unit, BT_UNITS(n_torsions), w.rank) {
      bt_unit_gradient g =
          bt_pose_gradient_unit(&w.data, unit, BT_AT(w.genes, 0), BT_AT(w.genes, 1), BT_AT(w.genes, 2), w.scratch);
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
  if (w.rank != 0) return;
  for (int l = 0; l < BT_LANES; l++)
    ((BT_GLOBAL float *)(arena + launch->energies))[bt_lane_get_int(index, l)] = bt_lane_get(energy, l);
}

BT_FUNCTION void bt_entry_energy_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                      BT_SCRATCH float *memory) {
  bt_item_evaluate(arena, maps, launch, memory, 0);
}

BT_FUNCTION void bt_entry_gradient_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                        BT_SCRATCH float *memory) {
  bt_item_evaluate(arena, maps, launch, memory, 1);
}

/* Packs a map shared by all ligands: index is the affinity, or the number of affinities for the pair of charge maps. */
BT_FUNCTION void bt_entry_pack(BT_GLOBAL float *maps, const bt_launch *launch, const bt_work_item *w, int index,
                               long first, long end) {
  const BT_GLOBAL bt_kernel_box *box = &w->ligand->box;
  long points_x = box->stride_y / 4, points_xy = box->stride_z / 4, points = box->map_stride / 4;
  int charged = points * index == launch->electrostatic;
  BT_GLOBAL float *packed = charged ? maps + w->ligand->charged : maps + w->ligand->maps + index * box->map_stride;
  for (long at = first + BT_ITEM; at < end; at += BT_GROUP_SIZE) {
    if (charged) {
      bt_pack_point(maps + launch->electrostatic, points_x, points_xy, points, at, packed + 8 * at);
      bt_pack_point(maps + launch->desolvation, points_x, points_xy, points, at, packed + 8 * at + 4);
    } else {
      bt_pack_point(maps + points * index, points_x, points_xy, points, at, packed + 4 * at);
    }
  }
}

/* One class or shared map, split over launch->count blocks: block_first is index * count + part. */
BT_FUNCTION void bt_entry_fold_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                    BT_SCRATCH float *memory) {
  bt_work_item w = bt_item_open(arena, maps, launch, memory);
  int index = w.block_first / launch->count, part = w.block_first % launch->count;
  const BT_GLOBAL bt_kernel_box *box = &w.ligand->box;
  int packed = box->corner_y == 1, step = packed ? 4 : 1;
  long points_x = box->stride_y / step, points_xy = box->stride_z / step, points = box->map_stride / step;
  long first = points * part / launch->count, end = points * (part + 1) / launch->count;
  if (w.ligand->charged > 0) {
    bt_entry_pack(maps, launch, &w, index, first, end);
    return;
  }
  /* hoisted: the compiler must assume that a store to a map changes them */
  const BT_GLOBAL float *affinity = maps + points * w.data.classes[index].affinity;
  const BT_GLOBAL float *electrostatic = maps + launch->electrostatic, *desolvation = maps + launch->desolvation;
  BT_GLOBAL float *folded = maps + w.ligand->maps + (long)index * box->map_stride;
  float charge = w.data.classes[index].charge;
  for (long at = first + BT_ITEM; at < end; at += BT_GROUP_SIZE)
    if (packed)
      bt_fold_packed(affinity, electrostatic, desolvation, charge, points_x, points_xy, points, at, folded);
    else
      folded[at] = bt_fold_value(affinity, electrostatic, desolvation, charge, at);
}

/* Random words of launch->count individuals. */
BT_FUNCTION void bt_entry_draw_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                    BT_SCRATCH float *memory) {
  bt_work_item w = bt_item_open(arena, maps, launch, memory);
  if (w.rank != 0) return;
  bt_random_key key = {w.parameters->key0, w.parameters->key1};
  bt_int individual = bt_item_poses(&w, launch->count);
  bt_draw draw = bt_draw_words(key, launch->purpose, bt_splat_uint(launch->run), bt_splat_uint(launch->generation),
                               bt_int_to_uint(individual), bt_splat_uint(launch->step));
  for (int l = 0; l < BT_LANES; l++)
    BT_UNROLL for (int k = 0; k < 4;
                   k++)((BT_GLOBAL int *)(arena + launch->genes))[4 * bt_lane_get_int(individual, l) + k] =
        bt_lane_get_int(bt_uint_to_int(draw.w[k]), l);
}

#include "study/study_entries.h"

#endif
