/* entries.h - whole generations on a device: the body of every kernel of launch.h.
 *
 * A work-item is rank item / BT_POSES of the team of pose item % BT_POSES, with BT_LANES poses side by side. Besides
 * what lane_math.h and team.h ask for, the compat header supplies: BT_POSES, BT_LANES; BT_ITEM, BT_GROUP (indices of the
 * work-item in its block, and of the block); BT_BLOCK_ANY(flag, scratch): whether any work-item of the block passes a
 * true flag, with a sync; BT_ATOMIC_NEXT(counter): the value before adding 1; bt_lane_index(), bt_mask_lane(mask, l),
 * BT_TABLES_LOCAL where local and global memory can be named alike: the ligand's tables are copied to local memory then;
 * BT_KEEP(integer): the same value, which the compiler should keep and not compute again;
 * bt_lane_get(real, l), bt_lane_get_int(integer, l), bt_lane_set_int(&integer, l, value), bt_mask_none().
 */
#ifndef BERTH_KERNEL_AD4_ENTRIES_H
#define BERTH_KERNEL_AD4_ENTRIES_H

#include "autostop.h"

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
#ifdef BT_TABLES_LOCAL /* all that is not pairs or maps, where it takes a tenth of the time to read */
  const BT_GLOBAL char *tables = (const char *)memory + launch->tables_at;
  for (int k = BT_ITEM; k < ligand->table_bytes / 16; k += BT_GROUP_SIZE)
    ((float4 *)tables)[k] = ((const float4 *)(arena + ligand->atoms))[k];
#else
  const BT_GLOBAL char *tables = arena + ligand->atoms;
#endif
  d.data.atoms = (const BT_GLOBAL bt_kernel_atom *)tables;
  d.data.bodies = (const BT_GLOBAL bt_kernel_body *)(tables + (ligand->bodies - ligand->atoms));
  d.data.parts = (const BT_GLOBAL bt_kernel_part *)(tables + (ligand->parts - ligand->atoms));
  d.data.places = (const BT_GLOBAL bt_kernel_part *)(tables + (ligand->places - ligand->atoms));
  d.data.torsion_bodies = (const BT_GLOBAL int *)(tables + (ligand->torsion_bodies - ligand->atoms));
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
#if BT_TEAM_SUBTREES
  int moments = BT_LAUNCH_MOMENT_REALS(ligand->sizes.n_parts);
  d.scratch.subtrees = d.scratch.atom_gradient;
  d.scratch.moments = at;
  at += moments * BT_POSES;
#else
  const int moments = 0;
#endif
  d.scratch.sums = at;
  d.tasks = (BT_SCRATCH int *)((BT_SCRATCH bt_real *)memory +
                               (moments + BT_LAUNCH_LOCAL_REALS(n, ligand->sizes.n_single, schedule->n_gradients,
                                                               BT_TEAM)) * BT_POSES);
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
#ifdef BT_TABLES_LOCAL
  BT_BLOCK_ANY(0, d.flag);
#endif
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

/* Every lane's genes, energy and cost to its place in a population; lanes past the end are left out. */
BT_FUNCTION void bt_device_store_all(const bt_device *d, bt_int slot, int count, bt_real energy, bt_int cost,
                                     int side) {
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
    costs[at] = bt_lane_get_int(cost, l);
  }
}

/* An individual per lane: of the first population, or a child. Those outside the box are drawn again, for which their
 * coordinates alone are made; a lane that is done repeats its draw while others of the block go on. Returns how many
 * evaluations each one counts. */
BT_FUNCTION bt_int bt_device_breed(const bt_device *d, const bt_launch *launch, bt_int in_run, bt_int in_population,
                                   int child) {
  bt_uint run = bt_int_to_uint(in_run), individual = bt_int_to_uint(in_population);
  bt_uint generation = bt_splat_uint(launch->generation);
  bt_int attempt = bt_splat_int(0), one = bt_splat_int(1);
  for (;;) {
    if (d->rank == 0 && !child)
      bt_initial_genes(&d->data, d->parameters, run, individual, bt_int_to_uint(attempt), d->genes);
    if (d->rank == 0 && child) {
      bt_offspring_genes(&d->data, d->parameters,
                         (const BT_GLOBAL float *)(d->arena + d->ligand->genes[launch->present]),
                         (const BT_GLOBAL float *)(d->arena + d->ligand->energies[launch->present]),
                         (const BT_GLOBAL float *)(d->arena + d->ligand->cumulative), run, generation, individual,
                         bt_int_to_uint(attempt), d->genes);
      bt_mutate_genes(&d->data, d->parameters, run, generation, individual, bt_int_to_uint(attempt), d->genes);
    }
    BT_SYNC();
    bt_pose_coordinates(&d->data, d->genes, d->scratch);
    bt_mask again = bt_and(bt_pose_outside(&d->data, d->scratch),
                           bt_lt_int(attempt, bt_splat_int(d->parameters->redraws)));
    if (!BT_BLOCK_ANY(bt_any(again), d->flag)) return attempt + one;
    attempt = attempt + bt_select_int(again, one, bt_splat_int(0));
  }
}

BT_FUNCTION void bt_entry_initial_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                       BT_SCRATCH float *memory) {
  bt_device d = bt_device_open(arena, maps, launch, memory);
  int population = d.parameters->population, count = d.parameters->runs * population;
  bt_int slot = bt_device_poses(&d, count), run = slot / bt_splat_int(population);
  bt_int cost = bt_device_breed(&d, launch, run, slot - run * bt_splat_int(population), 0);
  bt_real energy = bt_pose_energy(&d.data, d.parameters, d.genes, d.scratch);
  bt_device_store_all(&d, slot, count, energy, cost, launch->present);
}

/* Individuals from the elite on; the numbers of a block's poses leave the elite out. */
BT_FUNCTION void bt_entry_offspring_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                         BT_SCRATCH float *memory) {
  bt_device d = bt_device_open(arena, maps, launch, memory);
  int population = d.parameters->population, elitism = d.parameters->elitism, children = population - elitism;
  int count = d.parameters->runs * children;
  bt_int child = bt_device_poses(&d, count), run = child / bt_splat_int(children);
  bt_int individual = child - run * bt_splat_int(children) + bt_splat_int(elitism);
  bt_int cost = bt_device_breed(&d, launch, run, individual, 1);
  bt_real energy = bt_pose_energy(&d.data, d.parameters, d.genes, d.scratch);
  bt_device_store_all(&d, run * bt_splat_int(population) + individual, count, energy, cost, 1 - launch->present);
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

/* The ligand's individuals of all runs. Without a sync (BT_TEAM == 1) one work-item does it all. */
BT_FUNCTION void bt_entry_autostop_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                        BT_SCRATCH float *memory) {
  bt_device d = bt_device_open(arena, maps, launch, memory);
  const int items = BT_TEAM == 1 ? 1 : BT_GROUP_SIZE;
  int count = d.parameters->runs * d.parameters->population;
  const BT_GLOBAL float *energies = (const BT_GLOBAL float *)(arena + d.ligand->energies[launch->present]);
  BT_GLOBAL bt_autostop_state *state = (BT_GLOBAL bt_autostop_state *)(arena + d.ligand->autostop);
  BT_GLOBAL bt_autostop_bin *bins = (BT_GLOBAL bt_autostop_bin *)(arena + d.ligand->bins);
  BT_GLOBAL float *lowest = (BT_GLOBAL float *)bins;
  if (BT_ITEM >= items) return;
  if (BT_ITEM == 0 && state->bins == 0) /* the first test: the host has cleared it */
    bt_autostop_begin(state, d.parameters->autostop_tolerance, d.parameters->population);
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
  *(BT_GLOBAL int *)(arena + d.ligand->converged) = state->converged;
}

#include "search_entries.h"

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
  bt_real limit = bt_splat(d.parameters->force_limit);
  bt_real energy = with_gradient ? bt_pose_energy_gradient(&d.data, d.parameters, limit, d.genes, d.scratch)
                                 : bt_pose_energy(&d.data, d.parameters, d.genes, d.scratch);
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
