/* layout.c - see layout.h. */
#include "engine/lga/device/layout.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lga/device/choice.h"
#include "engine/lga/device/device_maps.h"
#include "engine/lga/device/fragments.h"
#include "engine/lga/device/schedules.h"
#include "engine/lga/studies.h"
#include "kernel/lga/launch.h"

#define BT_FUNCTION static inline
#include "kernel/lga/autostop.h" /* the sizes of what it keeps */

enum { ALIGNMENT = 256 };

/* Poses that ENERGY, GRADIENT and DRAW take in one launch. */
static const int given_poses = 16384;

/* Hands out pieces of the arena. */
static bt_offset reserve(size_t *end, size_t bytes) {
  size_t at = *end;
  *end = (at + bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return (bt_offset)at;
}

size_t bt_layout_local_bytes(const bt_kernel_data *data, const bt_team_variant *variant, int lanes) {
  bool matrix = variant->reduction == BT_REDUCTION_TENSOR_EC || variant->reduction == BT_REDUCTION_TENSOR_FP16;
  int kind = variant->reduction >= BT_REDUCTION_SEQUENTIAL ? BT_SUMS_SEVEN : matrix ? BT_SUMS_MATRIX : BT_SUMS_PLAIN;
  bt_kernel_sizes sizes = data->sizes;
  sizes.n_gradients = bt_schedule_gradients(sizes.n_atoms, variant->team);
  sizes.n_fragments = bt_fragments_count(data);
  size_t reals = (size_t)(BT_SCRATCH_REALS(sizes, variant->team, kind));
  return reals * (size_t)(variant->poses * lanes) * sizeof(float) + sizeof(int);
}

size_t bt_layout_table_bytes(const bt_kernel_data *data) {
  const bt_kernel_sizes *sizes = &data->sizes;
  size_t end = 0, fragments = (size_t)bt_fragments_count(data);
  reserve(&end, (size_t)sizes->n_atoms * sizeof(bt_kernel_atom));
  reserve(&end, (size_t)sizes->n_bodies * sizeof(bt_kernel_body));
  reserve(&end, fragments * sizeof(bt_kernel_fragment));
  reserve(&end, fragments * sizeof(bt_kernel_fragment));
  reserve(&end, (size_t)sizes->n_torsions * sizeof(int));
  reserve(&end, (size_t)sizes->n_classes * sizeof(bt_kernel_class));
  return end;
}

/* Copies an array into the image, which grows. */
static bt_status append(bt_job *job, const void *from, size_t bytes, bt_offset *ret_at, bt_error *opt_error) {
  size_t end = job->image_bytes;
  *ret_at = reserve(&end, bytes);
  if (!BT_GROW(job->image, &job->image_capacity, end)) return bt_fail_memory(opt_error);
  if (bytes > 0) memcpy(job->image + *ret_at, from, bytes);
  job->image_bytes = end;
  return BT_OK;
}

static bt_status append_schedule(bt_job *job, const bt_schedule *schedule, bt_launch_schedule *to,
                                 bt_error *opt_error) {
  to->n_phases = schedule->n_phases;
  to->n_gradients = schedule->n_gradients;
  BT_TRY(append(job, schedule->slots, (size_t)schedule->n_slots * sizeof *schedule->slots, &to->slots, opt_error));
  BT_TRY(append(job, schedule->tiles, (size_t)schedule->n_tiles * sizeof *schedule->tiles, &to->tiles, opt_error));
  BT_TRY(append(job, schedule->pairs, (size_t)schedule->n_pairs * sizeof *schedule->pairs, &to->pairs, opt_error));
  to->bytes = (int)(job->image_bytes - (size_t)to->slots);
  return BT_OK;
}

/* One lane is one pose. */
static bt_status append_rows(bt_job *job, const bt_kernel_data *data, bt_launch_schedule *to, bt_error *opt_error) {
  int n = bt_kernel_rows(data), pairs = 0;
  for (int r = 0; r < n; r++)
    if (data->rows[r].end > pairs) pairs = data->rows[r].end;
  to->n_gradients = 1;
  memcpy(to->n_rows, data->n_rows, sizeof to->n_rows);
  BT_TRY(append(job, data->rows, (size_t)n * sizeof *data->rows, &to->rows, opt_error));
  return append(job, data->pairs, (size_t)pairs * sizeof *data->pairs, &to->pairs, opt_error);
}

/* schedules[n_schedules] */
static bt_status append_ligand(bt_job *job, int index, const bt_schedule *schedules, bt_error *opt_error) {
  const bt_kernel_data *data = job->ligands[index].data;
  bt_launch_ligand *to = &job->table[index];
  size_t n = (size_t)data->sizes.n_atoms, bodies = (size_t)data->sizes.n_bodies;
  to->parameters = *job->ligands[index].parameters;
  to->sizes = data->sizes;
  for (int s = 0; s < job->n_schedules; s++) BT_TRY(append_schedule(job, &schedules[s], &to->schedules[s], opt_error));
  bool rows = job->runtime->one_item; /* BT_TEAM_TILES 0, and a rigid body is one fragment */
  if (rows) BT_TRY(append_rows(job, data, &to->schedules[0], opt_error));
  bt_fragments fragments = {data->sizes.n_fragments, data->sizes.n_single, (bt_kernel_body *)(uintptr_t)data->bodies,
                            (bt_kernel_fragment *)(uintptr_t)data->fragments,
                            (bt_kernel_fragment *)(uintptr_t)data->fragments};
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  if (!rows) BT_TRY(bt_fragments_create(data, &arena, &fragments, opt_error));
  to->sizes.n_fragments = fragments.n_fragments;
  to->sizes.n_single = fragments.n_single;
  const struct {
    const void *from;
    size_t bytes;
    bt_offset *at;
  } arrays[] = {
      {data->atoms, n * sizeof *data->atoms, &to->atoms},
      {fragments.bodies, bodies * sizeof *fragments.bodies, &to->bodies},
      {fragments.fragments, (size_t)fragments.n_fragments * sizeof *fragments.fragments, &to->fragments},
      {fragments.by_depth, (size_t)fragments.n_fragments * sizeof *fragments.by_depth, &to->by_depth},
      {data->torsion_bodies, (size_t)data->sizes.n_torsions * sizeof *data->torsion_bodies, &to->torsion_bodies},
      {data->classes, (size_t)data->sizes.n_classes * sizeof *data->classes, &to->classes},
      {data->glue, (size_t)data->sizes.n_glue * sizeof *data->glue, &to->glue},
      {data->restraints, (size_t)data->sizes.n_restraints * sizeof *data->restraints, &to->restraints},
      {data->contacts, (size_t)bt_kernel_contacts(data) * sizeof *data->contacts, &to->contacts},
  };
  for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; a++)
    BT_TRY(append(job, arrays[a].from, arrays[a].bytes, arrays[a].at, opt_error));
  to->table_bytes = (int)(to->glue - to->atoms);
  return BT_OK;
}

size_t bt_layout_block_poses(const bt_device_choice *choice) {
  return (size_t)choice->variant.poses * (size_t)choice->lanes;
}

static size_t blocks_for(const bt_device_choice *choice, size_t poses) {
  return (poses + bt_layout_block_poses(choice) - 1) / bt_layout_block_poses(choice);
}

/* Over all ways to run this many poses: blocks, and poses of blocks whose state lies in the arena. */
static void most_blocks(const bt_job *job, size_t poses, size_t *ret_blocks, size_t *ret_state_poses) {
  *ret_blocks = *ret_state_poses = 0;
  for (int c = 0; c < job->n_choices; c++) {
    const bt_device_choice *choice = &job->choices[c];
    size_t blocks = blocks_for(choice, poses),
           state = choice->state_at > 0 ? 0 : blocks * bt_layout_block_poses(choice);
    if (blocks > *ret_blocks) *ret_blocks = blocks;
    if (state > *ret_state_poses) *ret_state_poses = state;
  }
}

static size_t slots_of(const bt_job *job, int ligand) {
  const bt_search_parameters *p = job->ligands[ligand].parameters;
  return (size_t)p->runs * (size_t)p->population;
}

bool bt_layout_uncached(const bt_job *job) {
  return BT_STUDY_UNCACHED && job->runtime->generic_addresses && !job->runtime->one_item;
}

/* Numbers of a pose whose scratch memory is in the arena, too; of the largest block. */
static size_t scratch_reals(const bt_job *job, int ligand) {
  size_t most = 0;
  for (int c = 0; c < job->n_choices && bt_layout_uncached(job); c++) {
    const bt_device_choice *choice = &job->choices[c];
    size_t pose = bt_layout_block_poses(choice) * sizeof(float);
    size_t reals = bt_layout_local_bytes(job->ligands[ligand].data, &choice->variant, choice->lanes) / pose + 1;
    if (reals > most) most = reals;
  }
  return most;
}

/* Those of all ligands side by side, since they are read together. */
static void place_populations(bt_job *job, size_t *end) {
  for (int side = 0; side < 2; side++) {
    for (int l = 0; l < job->count; l++) job->table[l].energies[side] = reserve(end, slots_of(job, l) * sizeof(float));
    for (int l = 0; l < job->count; l++) {
      size_t genes = (size_t)BT_GENES(job->ligands[l].data->sizes.n_torsions);
      job->table[l].genes[side] = reserve(end, slots_of(job, l) * genes * sizeof(float));
    }
  }
}

/* Memory that only the device writes. */
static void place_state(bt_job *job) {
  size_t end = job->image_bytes, state_reals = 0, blocks = 0, state_poses = 0, genes = 0;
  job->counters_at = (size_t)reserve(&end, 0);
  for (int l = 0; l < job->count; l++) job->table[l].rounds = reserve(&end, sizeof(bt_launch_rounds));
  job->counters_bytes = end - job->counters_at;
  job->runs_at = (size_t)reserve(&end, 0);
  for (int l = 0; l < job->count; l++) /* side by side: read in one piece */
    job->table[l].runs = reserve(&end, (size_t)job->ligands[l].parameters->runs * sizeof(bt_launch_run));
  job->runs_bytes = end - job->runs_at;
  job->converged_at = (size_t)reserve(&end, (size_t)job->count * sizeof(int));
  job->autostop_at = (size_t)reserve(&end, 0);
  for (int l = 0; l < job->count; l++) job->table[l].autostop = reserve(&end, sizeof(bt_autostop_state));
  job->autostop_bytes = end - job->autostop_at;
  for (int l = 0; l < job->count; l++) {
    size_t bins = (size_t)job->ligands[l].parameters->population * sizeof(bt_autostop_bin);
    size_t lowest = BT_LAUNCH_BIN_FLOATS * sizeof(float);
    job->table[l].bins = reserve(&end, bins > lowest ? bins : lowest);
    job->table[l].converged = (bt_offset)(job->converged_at + (size_t)l * sizeof(int));
  }
  place_populations(job, &end);
  for (int l = 0; l < job->count; l++) {
    const bt_search_parameters *p = job->ligands[l].parameters;
    bt_launch_ligand *to = &job->table[l];
    int torsions = to->sizes.n_torsions;
    size_t slots = slots_of(job, l), runs = (size_t)p->runs;
    to->cumulative = reserve(&end, slots * sizeof(float));
    to->worst = reserve(&end, runs * BT_SELECTION_WINDOW * sizeof(float));
    to->costs = reserve(&end, slots * sizeof(int));
    size_t saved = job->properties.wave > 1 ? slots : 0; /* elsewhere searches run in one round */
    to->lists = reserve(&end, 2 * saved * sizeof(int));
    to->saved = reserve(&end, saved * (size_t)BT_SAVED_REALS(torsions) * sizeof(float));
    size_t reals = (size_t)BT_STATE_REALS(torsions) + scratch_reals(job, l);
    if (reals > state_reals) state_reals = reals;
    if ((size_t)BT_GENES(torsions) > genes) genes = (size_t)BT_GENES(torsions);
    size_t most, most_poses;
    most_blocks(job, slots, &most, &most_poses);
    blocks += most;
    state_poses += most_poses;
  }
  job->given_capacity = given_poses;
  size_t given_blocks, given_state;
  most_blocks(job, given_poses, &given_blocks, &given_state);
  if (given_blocks > blocks) blocks = given_blocks;
  if (given_state > state_poses) state_poses = given_state;
  job->state_reals = state_reals;
  job->launch.state = reserve(&end, state_poses * state_reals * sizeof(float));
  job->given_bytes = (size_t)given_poses * (2 * genes + 5) * sizeof(float);
  job->given = reserve(&end, job->given_bytes);
  job->launch.ligands = reserve(&end, (size_t)job->count * sizeof *job->table);
  size_t run_blocks = 0;
  for (int l = 0; l < job->count; l++) run_blocks += (size_t)job->ligands[l].parameters->runs; /* more than enough */
  job->block_capacity = 3 * blocks + run_blocks + (size_t)job->count;
  job->launch.blocks = reserve(&end, job->block_capacity * sizeof(bt_launch_block));
  job->arena_bytes = end;
}

bt_status bt_layout_make(bt_job *job, bt_error *opt_error) {
  bt_schedule *schedules;
  BT_TRY(bt_schedules_create(job->ligands, job->count, job->teams, job->n_schedules, &schedules, opt_error));
  bt_status status = BT_OK;
  for (int l = 0; l < job->count && status == BT_OK; l++)
    status = append_ligand(job, l, schedules + (size_t)l * (size_t)job->n_schedules, opt_error);
  bt_schedules_destroy(schedules, job->count * job->n_schedules);
  BT_TRY(status);
  bt_device_choice_local(job);
  bt_device_maps_place(job);
  place_state(job);
  BT_NEW(&job->memory, job->blocks, job->block_capacity);
  BT_NEW(&job->memory, job->runs, job->runs_bytes);
  BT_NEW(&job->memory, job->counters, job->counters_bytes);
  BT_NEW(&job->memory, job->converged, job->count);
  return bt_arena_status(&job->memory, opt_error);
}

/* Blocks of step poses (or runs) each of one ligand. */
static void add_blocks(bt_job *job, int ligand, size_t poses, size_t step) {
  for (size_t first = 0; first < poses; first += step)
    job->blocks[job->n_blocks++] = (bt_launch_block){ligand, (int)first};
}

/* Individuals of all runs that are searched in a generation; kernel/lga/population.h says which. */
size_t bt_layout_searches(const bt_search_parameters *p) { return (size_t)p->runs * (size_t)BT_SEARCHED(p); }

bt_launch_kernel bt_layout_search_kernel(const bt_search_parameters *p) {
  switch ((bt_kernel_search)p->local_search) {
    case BT_KERNEL_LS_NONE: break;
    case BT_KERNEL_LS_SOLIS_WETS: return BT_LAUNCH_SOLIS_WETS;
    case BT_KERNEL_LS_ADADELTA: return BT_LAUNCH_ADADELTA;
    case BT_KERNEL_LS_ADAM: return BT_LAUNCH_ADAM;
  }
  return BT_LAUNCH_SOLIS_WETS; /* never launched */
}

int bt_layout_block_runs(const bt_job *job) {
  return job->properties.wave > 1 ? job->choices[0].variant.poses * job->choices[0].variant.team : INT_MAX / 2;
}

bt_status bt_layout_blocks(bt_job *job, const bool *opt_active, bt_error *opt_error) {
  size_t per_block = bt_layout_block_poses(&job->choices[0]);
  bool same = job->n_blocks > 0;
  for (int l = 0; l < job->count; l++) same &= job->active[l] == (opt_active == NULL || opt_active[l]);
  if (same) return BT_OK;
  for (int l = 0; l < job->count; l++) job->active[l] = opt_active == NULL || opt_active[l];
  job->n_blocks = 0;
  job->first_initial = 0;
  for (int l = 0; l < job->count; l++)
    if (job->active[l]) add_blocks(job, l, slots_of(job, l), per_block);
  job->n_initial = job->n_blocks;
  job->first_offspring = job->n_blocks;
  for (int l = 0; l < job->count; l++) {
    const bt_search_parameters *p = job->ligands[l].parameters;
    if (job->active[l]) add_blocks(job, l, (size_t)p->runs * (size_t)(p->population - p->elitism), per_block);
  }
  job->n_offspring = job->n_blocks - job->first_offspring;
  job->first_runs = job->n_blocks;
  for (int l = 0; l < job->count; l++)
    if (job->active[l]) add_blocks(job, l, (size_t)job->ligands[l].parameters->runs, (size_t)bt_layout_block_runs(job));
  job->n_runs = job->n_blocks - job->first_runs;
  job->first_search = job->n_blocks;
  job->searches = 0;
  for (int l = 0; l < job->count; l++)
    if (job->active[l]) job->searches += bt_layout_searches(job->ligands[l].parameters);
  return job->runtime->upload(job->device, &job->arena, (size_t)job->launch.blocks, job->blocks,
                              job->n_blocks * sizeof *job->blocks, opt_error);
}
