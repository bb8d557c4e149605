/* search_entries.h - local searches on a device: lanes claim searches, save the unfinished ones at the end of a round,
 * and write back the rest. Part of entries.h.
 */
#ifndef BERTH_KERNEL_LGA_SEARCH_ENTRIES_H
#define BERTH_KERNEL_LGA_SEARCH_ENTRIES_H

/* The search that each lane works on. */
typedef struct bt_search_task {
  bt_int number;           /* -1: needs one, -2: none left */
  bt_int slot;             /* its individual's slot in the population */
  bt_int budget;           /* iterations left in this round */
  bt_uint run, individual; /* as in the random counter */
} bt_search_task;

/* Saves or restores the state of one lane's search: arrays unit by unit; scalars are saved by rank 0 and restored in
 * all ranks. */
BT_FUNCTION void bt_search_save(const bt_work_item *w, const bt_search_state *state, int lane, BT_GLOBAL float *to) {
  int n_torsions = w->data.sizes.n_torsions;
#define BT_SAVE(name, kind)                                                                      \
  kind##_FOR(k, n_torsions, w->rank) to[k] = ((const BT_STATE float *)&BT_AT(w->name, k))[lane]; \
  to += kind(n_torsions);
  BT_STATE_ARRAYS(BT_SAVE)
  if (w->rank != 0) return;
#define BT_SAVE_REAL(name) *to++ = bt_lane_get(state->name, lane);
#define BT_SAVE_INT(name) *to++ = (float)bt_lane_get_int(state->name, lane);
  BT_STATE_NUMBERS(BT_SAVE_REAL, BT_SAVE_INT)
}

BT_FUNCTION void bt_search_restore(const bt_work_item *w, bt_search_state *state, int lane,
                                   const BT_GLOBAL float *from) {
  int n_torsions = w->data.sizes.n_torsions;
#define BT_RESTORE(name, kind)                                                              \
  kind##_FOR(k, n_torsions, w->rank)((BT_STATE float *)&BT_AT(w->name, k))[lane] = from[k]; \
  from += kind(n_torsions);
  BT_STATE_ARRAYS(BT_RESTORE)
#define BT_RESTORE_REAL(name) bt_lane_set(&state->name, lane, *from++);
#define BT_RESTORE_INT(name) bt_lane_set_int(&state->name, lane, (int)*from++);
  BT_STATE_NUMBERS(BT_RESTORE_REAL, BT_RESTORE_INT)
}

BT_FUNCTION BT_GLOBAL float *bt_search_saved(const bt_work_item *w, int slot) {
  return (BT_GLOBAL float *)(w->arena + w->ligand->saved) + (long)slot * BT_SAVED_REALS(w->data.sizes.n_torsions);
}

/* Assigns searches to the lanes that need one. Resumed searches have their state restored; the lanes with a new search,
 * which are returned, have genes and energy set and still have to begin. */
BT_FUNCTION bt_mask bt_search_refill(const bt_work_item *w, const bt_launch *launch, bt_search_task *task,
                                     bt_search_state *state) {
  int per_run = bt_population_searched(w->parameters), given = launch->count > 0, round = launch->round;
  int population = w->parameters->population, slots = w->parameters->runs * population;
  int n_genes = BT_GENES(w->data.sizes.n_torsions), side = 1 - launch->present;
  const BT_GLOBAL float *genes = (const BT_GLOBAL float *)(w->arena + w->ligand->genes[side]);
  const BT_GLOBAL float *energies = (const BT_GLOBAL float *)(w->arena + w->ligand->energies[side]);
  BT_GLOBAL bt_launch_rounds *rounds = (BT_GLOBAL bt_launch_rounds *)(w->arena + w->ligand->rounds);
  const BT_GLOBAL int *list = (const BT_GLOBAL int *)(w->arena + w->ligand->lists) + (round % 2) * slots;
  bt_int fresh = bt_splat_int(0);
  if (w->rank == 0) {
    int end = round > 0 ? rounds->left[round] : given ? launch->count : per_run * w->parameters->runs;
    for (int l = 0; l < BT_LANES; l++) {
      if (bt_lane_get_int(task->number, l) != -1) continue;
      int next = BT_ATOMIC_NEXT(&rounds->taken[round]);
      ((BT_SCRATCH int *)w->scratch.tasks)[l] = next >= end ? -2 : round > 0 ? list[next] : next;
    }
  }
  BT_SYNC();
  for (int l = 0; l < BT_LANES; l++) {
    if (bt_lane_get_int(task->number, l) != -1) continue;
    int number = ((BT_SCRATCH int *)w->scratch.tasks)[l];
    bt_lane_set_int(&task->number, l, number);
    if (number < 0) continue;
    int run = given ? 0 : number / per_run, individual = given ? number : number % per_run;
    if (!given)
      individual = bt_lane_get_int(bt_population_task(w->parameters, bt_splat_uint((unsigned int)run),
                                                      launch->generation, bt_splat_int(individual)),
                                   0);
    int slot = run * population + individual;
    bt_lane_set_int(&task->slot, l, slot);
    bt_lane_set_int(&task->budget, l, launch->round_iterations);
    bt_lane_set_uint(&task->run, l, (unsigned int)(run + w->parameters->first_run));
    bt_lane_set_uint(&task->individual, l, (unsigned int)individual);
    if (round > 0) {
      bt_search_restore(w, state, l, bt_search_saved(w, slot));
      continue;
    }
    bt_lane_set_int(&fresh, l, 1);
    bt_lane_set_int(&state->cost, l, 0);
    bt_item_load(w, w->genes, l, genes + (long)slot * n_genes);
    bt_lane_set(&state->energy, l, energies[slot]);
  }
  return bt_not(bt_eq_int(fresh, bt_splat_int(0)));
}

/* Counts the evaluation; writes back the lanes that have finished, saves those whose round is over. */
BT_FUNCTION void bt_search_retire(const bt_work_item *w, const bt_launch *launch, bt_search_task *task,
                                  bt_search_state *state, bt_mask active, const BT_STATE bt_real *best) {
  int n_genes = BT_GENES(w->data.sizes.n_torsions), side = 1 - launch->present;
  int slots = w->parameters->runs * w->parameters->population;
  BT_GLOBAL float *genes = (BT_GLOBAL float *)(w->arena + w->ligand->genes[side]);
  BT_GLOBAL float *energies = (BT_GLOBAL float *)(w->arena + w->ligand->energies[side]);
  BT_GLOBAL int *costs = (BT_GLOBAL int *)(w->arena + w->ligand->costs);
  state->cost = state->cost + bt_splat_int(1);
  task->budget = task->budget - bt_splat_int(1);
  for (int l = 0; l < BT_LANES; l++) {
    int number = bt_lane_get_int(task->number, l), slot = bt_lane_get_int(task->slot, l);
    if (number < 0) continue;
    if (bt_mask_lane(active, l)) {
      if (bt_lane_get_int(task->budget, l) != 0) continue;
      bt_search_save(w, state, l, bt_search_saved(w, slot));
      if (w->rank == 0) {
        BT_GLOBAL bt_launch_rounds *rounds = (BT_GLOBAL bt_launch_rounds *)(w->arena + w->ligand->rounds);
        BT_GLOBAL int *list = (BT_GLOBAL int *)(w->arena + w->ligand->lists) + ((launch->round + 1) % 2) * slots;
        list[BT_ATOMIC_NEXT(&rounds->left[launch->round + 1])] = number;
      }
    } else {
      bt_item_store(w, best, l, genes + (long)slot * n_genes);
      if (w->rank == 0) {
        energies[slot] = bt_lane_get(state->energy, l);
        costs[slot] += bt_lane_get_int(state->cost, l);
      }
    }
    bt_lane_set_int(&task->number, l, -1);
  }
}

/* Whether any lane of this work-item needs a search, or has one. */
BT_FUNCTION int bt_search_wants(const bt_search_task *task) {
  int any = 0;
  for (int l = 0; l < BT_LANES; l++) any |= bt_lane_get_int(task->number, l) == -1;
  return any;
}

BT_FUNCTION int bt_search_busy(const bt_search_task *task) {
  int any = 0;
  for (int l = 0; l < BT_LANES; l++) any |= bt_lane_get_int(task->number, l) >= 0;
  return any;
}

/* begin: initializes the lanes of fresh; otherwise one iteration of every lane. method is a compile-time constant,
 * BT_KERNEL_LS_... Returns the lanes that continue. */
BT_FUNCTION bt_mask bt_search_iterate(const bt_work_item *w, const bt_launch *launch, const bt_search_task *task,
                                      bt_search_state *state, int method, int begin, bt_mask fresh) {
  int n_torsions = w->data.sizes.n_torsions;
  if (begin) {
    if (method == BT_KERNEL_LS_ADADELTA) bt_adadelta_begin(state, n_torsions, fresh, w->rank);
    if (method == BT_KERNEL_LS_ADAM) bt_adam_begin(state, n_torsions, fresh, w->rank);
    if (method == BT_KERNEL_LS_SOLIS_WETS) bt_solis_wets_begin(state, n_torsions, fresh, w->rank);
    return bt_mask_none();
  }
  if (method == BT_KERNEL_LS_ADADELTA) return bt_adadelta_step(state, &w->data, w->parameters, w->scratch);
  if (method == BT_KERNEL_LS_ADAM) return bt_adam_step(state, &w->data, w->parameters, w->scratch);
  if (method == BT_KERNEL_LS_SOLIS_WETS)
    return bt_solis_wets_step(state, &w->data, w->parameters, task->run, bt_splat_uint(launch->generation),
                              task->individual, w->scratch);
  return bt_mask_none();
}

/* Runs local searches until none is left in this round: a lane that has finished takes the next one, so none idles.
 * Gradient-based methods keep the best genes in trial. */
BT_FUNCTION void bt_search_all(bt_work_item *w, const bt_launch *launch, int method) {
  bt_int zero = bt_splat_int(0);
  bt_search_task task = {bt_splat_int(-1), zero, zero, bt_splat_uint(0), bt_splat_uint(0)};
#define BT_STATE_PLACE(name, kind) w->name,
#define BT_REAL_ZERO(name) bt_splat(0.0f),
#define BT_INT_ZERO(name) bt_splat_int(0),
  bt_search_state state = {BT_STATE_ARRAYS(BT_STATE_PLACE) BT_STATE_NUMBERS(BT_REAL_ZERO, BT_INT_ZERO)};
  for (int busy = 0;;) {
    if (BT_BLOCK_ANY(bt_search_wants(&task), w->flag)) {
      bt_mask fresh = bt_search_refill(w, launch, &task, &state);
      if (launch->round == 0) bt_search_iterate(w, launch, &task, &state, method, 1, fresh);
      busy = BT_BLOCK_ANY(bt_search_busy(&task), w->flag);
    }
    if (!busy) return;
    bt_mask active = bt_search_iterate(w, launch, &task, &state, method, 0, bt_mask_none());
    bt_search_retire(w, launch, &task, &state, active, method == BT_KERNEL_LS_SOLIS_WETS ? w->genes : w->trial);
  }
}

BT_FUNCTION void bt_search_run(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                               BT_SCRATCH float *memory, int method) {
  bt_work_item w = bt_item_open(arena, maps, launch, memory);
  bt_search_all(&w, launch, method);
}

BT_FUNCTION void bt_entry_adadelta_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                        BT_SCRATCH float *memory) {
  bt_search_run(arena, maps, launch, memory, BT_KERNEL_LS_ADADELTA);
}

BT_FUNCTION void bt_entry_solis_wets_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                          BT_SCRATCH float *memory) {
  bt_search_run(arena, maps, launch, memory, BT_KERNEL_LS_SOLIS_WETS);
}

BT_FUNCTION void bt_entry_adam_body(BT_GLOBAL char *arena, BT_GLOBAL float *maps, const bt_launch *launch,
                                    BT_SCRATCH float *memory) {
  bt_search_run(arena, maps, launch, memory, BT_KERNEL_LS_ADAM);
}

#endif
