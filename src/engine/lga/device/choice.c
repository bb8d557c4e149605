/* choice.c - see choice.h. */
#include "engine/lga/device/choice.h"

#include <math.h>

#include "engine/lga/device/calibrate.h"
#include "engine/lga/studies.h"

/* The team whose blocks hold one pose each, and that is tried when few poses are left. */
enum { FEW_POSES_TEAM = 128 };

static size_t largest_local(const bt_job *job, const bt_team_variant *variant, int lanes) {
  size_t largest = 0;
  for (int l = 0; l < job->count; l++) {
    size_t bytes = bt_layout_local_bytes(job->ligands[l].data, variant, lanes);
    if (bytes > largest) largest = bytes;
  }
  return largest;
}

/* Whether blocks keep tables and state in local memory. */
static bool keeps_tables(const bt_job *job) {
  return job->runtime->generic_addresses && !job->runtime->one_item && !BT_STUDY_UNCACHED;
}

/* The ligand's tables, which kernels copy where they can (BT_TABLES_LOCAL). */
static size_t largest_tables(const bt_job *job) {
  size_t largest = 0;
  for (int l = 0; l < job->count && keeps_tables(job); l++) {
    size_t bytes = bt_layout_table_bytes(job->ligands[l].data);
    if (bytes > largest) largest = bytes;
  }
  return largest;
}

/* Pairs that the ranks of 32 poses read ahead (kernel/lga/team.h, BT_STREAM). */
static size_t stream_bytes(const bt_job *job, const bt_team_variant *variant) {
  return job->runtime->async_copies && variant->poses == 32 ? (size_t)BT_STREAM_BYTES * (size_t)variant->team : 0;
}

/* State of the poses of one block, of the ligand with most torsions. */
static size_t state_bytes(const bt_job *job, const bt_device_choice *choice) {
  int torsions = 0;
  for (int l = 0; l < job->count; l++)
    if (job->ligands[l].data->sizes.n_torsions > torsions) torsions = job->ligands[l].data->sizes.n_torsions;
  return (size_t)BT_STATE_REALS(torsions) * bt_layout_block_poses(choice) * sizeof(float);
}

static bool fits(const bt_job *job, const bt_team_variant *variant) {
  if (job->runtime->one_item) return true;
  size_t bytes = largest_local(job, variant, 1) + stream_bytes(job, variant) + largest_tables(job) + 16;
  return bytes <= job->properties.local_memory && variant->team * variant->poses <= job->properties.block_threads;
}

static bool wanted(const bt_team_variant *variant, const bt_job_options *options) {
  if (options->team > 0 && variant->team != options->team) return false;
  if (options->reduction != BT_REDUCTION_AUTO) return variant->reduction == options->reduction;
  return variant->reduction == BT_REDUCTION_SIMT;
}

/* Where nothing could be measured: time of one iteration of a local search of that many poses, in the time that a core
 * takes for the work of one pose. A block of a few ranks alone cannot keep a core busy, and ranks wait for each other.
 */
static double iteration_time(const bt_job *job, const bt_device_choice *choice, size_t poses) {
  size_t cores = (size_t)job->properties.cores, per_block = bt_layout_block_poses(choice);
  size_t blocks = (poses + per_block - 1) / per_block, room = choice->room > 0 ? choice->room : blocks;
  double team = choice->variant.team, wave = job->properties.wave > 0 ? job->properties.wave : 1;
  double rounds = ceil((double)blocks / (double)room);
  double per_core = ceil((double)(blocks < room ? blocks : room) / (double)cores);
  double waves = per_core * ceil(team * choice->variant.poses / wave);
  double waiting = 1.0 + 0.03 * team;                   /* for each other */
  double work = per_core * (double)per_block * waiting; /* at full speed */
  double busy = waves / (waves + 6.0);                  /* share of its speed that a core reaches with so few waves */
  return rounds * work / busy;
}

static double time_of(const bt_job *job, int choice, size_t poses) {
  return job->calibration.n_counts > 0 ? bt_calibration_time(&job->calibration, choice, poses)
                                       : iteration_time(job, &job->choices[choice], poses);
}

const bt_device_choice *bt_device_choice_for(const bt_job *job, size_t poses) {
  int best = 0;
  for (int c = 1; c < job->n_choices && job->choose_again; c++)
    if (time_of(job, c, poses) < time_of(job, best, poses)) best = c;
  return &job->choices[best];
}

/* The index of the team's schedule, or -1 when there are too many. */
static int schedule_of(bt_job *job, int team) {
  for (int s = 0; s < job->n_schedules; s++)
    if (job->teams[s] == team) return s;
  if (job->n_schedules == BT_LAUNCH_SCHEDULES) return -1;
  job->teams[job->n_schedules] = team;
  return job->n_schedules++;
}

/* Whether the build has kernels of the team size and reduction that were asked for. */
static bool offered(const bt_job *job, const bt_job_options *options) {
  bt_team_variant v;
  for (const bt_kernel_image *i = NULL; bt_team_variant_next(job->runtime, &i, &v);)
    if (wanted(&v, options)) return true;
  return false;
}

/* Whether the build has blocks of one work-item. */
static bool has_single_items(const bt_job *job) {
  bt_team_variant v;
  for (const bt_kernel_image *i = NULL; bt_team_variant_next(job->runtime, &i, &v);)
    if (v.team * v.poses == 1) return true;
  return false;
}

/* Blocks of a local search that run at once; 0: unknown. */
static size_t room_of(const bt_job *job, const bt_device_choice *choice, size_t local_bytes) {
  bt_launch_kernel search = bt_layout_search_kernel(job->ligands[0].parameters);
  int items = choice->variant.team * choice->variant.poses;
  int per_core = job->runtime->blocks_per_core(choice->program, (int)search, items, local_bytes);
  return per_core > 0 && job->properties.wave > 1 ? (size_t)per_core * (size_t)job->properties.cores : 0;
}

void bt_device_choice_local(bt_job *job) {
  for (int c = 0; c < job->n_choices && keeps_tables(job) && job->properties.wave > 1; c++) {
    bt_device_choice *choice = &job->choices[c];
    size_t bytes = 0;
    for (int l = 0; l < job->count; l++) {
      size_t mine = (size_t)job->table[l].schedules[choice->schedule].bytes;
      if (mine > bytes) bytes = mine;
    }
    size_t at = (choice->local_bytes + 15) / 16 * 16;
    if (choice->stream_at > 0 || at + bytes > job->properties.local_memory) continue;
    size_t room = room_of(job, choice, at + bytes);
    if (room == 0) continue;
    choice->schedule_at = (int)at;
    choice->local_bytes = at + bytes;
    choice->room = room;
  }
}

bt_status bt_device_choose(bt_job *job, const bt_job_options *options, bt_error *opt_error) {
  if (job->runtime->one_item && options->team > 1)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "leave the team out, or choose a GPU",
                   "a pose is one vector lane of a CPU; teams of %d are for GPUs", options->team);
  if (job->runtime->one_item && options->reduction > BT_REDUCTION_SIMT)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "leave the reduction out, or choose a GPU",
                   "tensor-core reductions need a GPU");
  bt_error error;
  bt_status last = BT_ERR_LIMIT;
  bt_launch_kernel search = bt_layout_search_kernel(job->ligands[0].parameters);
  bt_fail(&error, last, (bt_where){0}, "use --device cpu or another team size",
          "no team size of %s can hold a ligand of this size", job->runtime->name);
  if (options->reduction > BT_REDUCTION_SIMT && !offered(job, options))
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0},
                   "leave --reduction out; or use CUDA, sm_80 or newer, and --team 64, 128 or 256",
                   "%s: no kernels of that team size reduce on tensor cores", job->properties.name);
  bt_team_variant variant;
  for (const bt_kernel_image *i = NULL;
       job->n_choices < BT_DEVICE_CHOICES && bt_team_variant_next(job->runtime, &i, &variant);) {
    int items = variant.team * variant.poses;
    if (!fits(job, &variant) || !wanted(&variant, options)) continue;
    /* on a CPU vectors hold the poses, and work-items that synchronize are slow: only on request */
    if (job->properties.cpu && options->team <= 1 && items > 1 && has_single_items(job)) continue;
    /* one pose per block: for the last searches, for the largest ligands, and on request */
    bool few = variant.poses == 1 && variant.team != FEW_POSES_TEAM;
    if (few && job->properties.wave > 1 && options->team == 0 && job->n_choices > 0) continue;
    bt_device_choice choice = {.variant = variant,
                               .schedule = job->runtime->one_item ? 0 : schedule_of(job, variant.team)};
    if (choice.schedule < 0) continue;
    bt_variant key = bt_team_variant_key(&variant);
    bt_status status = job->runtime->program(job->device, &bt_lga_module, &key, &choice.program, &error);
    if (status != BT_OK) {
      last = status;
      continue;
    }
    choice.lanes = job->runtime->limits(job->device, &bt_lga_module, &key).lanes;
    size_t vector = choice.lanes > 4 ? (size_t)choice.lanes * 4 : 16;
    choice.local_bytes = (largest_local(job, &variant, choice.lanes) + vector - 1) / vector * vector;
    choice.tables_at = (int)choice.local_bytes;
    choice.local_bytes += largest_tables(job);
    if (stream_bytes(job, &variant) > 0) choice.stream_at = (int)choice.local_bytes;
    choice.local_bytes += stream_bytes(job, &variant);
    if (bt_layout_uncached(job)) choice.local_bytes = vector, choice.stream_at = 0; /* the block's flag */
    int per_core = job->runtime->blocks_per_core(choice.program, (int)search, items, choice.local_bytes);
    size_t with_state = choice.local_bytes + state_bytes(job, &choice);
    if (job->runtime->generic_addresses && !bt_layout_uncached(job) && per_core > 0 &&
        job->runtime->blocks_per_core(choice.program, (int)search, items, with_state) >=
            per_core) { /* it costs no block */
      choice.state_at = (int)choice.local_bytes;
      choice.local_bytes = with_state;
    }
    choice.room = per_core > 0 && job->properties.wave > 1 ? (size_t)per_core * (size_t)job->properties.cores : 0;
    job->choices[job->n_choices++] = choice;
    if (job->properties.wave <= 1) break; /* nothing to choose from */
  }
  if (job->n_choices > 0) {
    job->choose_again = job->n_choices > 1;
    return BT_OK;
  }
  if (opt_error != NULL) *opt_error = error;
  return last;
}
