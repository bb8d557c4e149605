/* device_maps.c - see device_maps.h. */
#include "engine/lga/device/device_maps.h"

#include "base/memory.h"

/* Bytes of a ligand's folded maps up to which they are packed where maps are read one value at a time. */
enum { MOST_PACKED = 512 << 20 };

/* Kernels find values of the maps of charges by integers of 32 bits. */
static const size_t most_shared_points = (size_t)1 << 28;

static size_t points_of(const bt_kernel_grid *grid) {
  return (size_t)grid->points_x * (size_t)grid->points_y * (size_t)grid->points_z;
}

double bt_device_maps_folded(double bytes, bool card) { return card || 4 * bytes <= MOST_PACKED ? 4 * bytes : bytes; }

static size_t whole_lines(size_t floats) { return (floats + 63) / 64 * 64; }

/* Of each affinity: does some ligand need it? */
static void find_needed(const bt_job *job, bool *needed) {
  for (int l = 0; l < job->count; l++) {
    const bt_kernel_data *data = job->ligands[l].data;
    for (int k = 0; k < data->sizes.n_atoms; k++)
      if (data->atoms[k].map >= 0) needed[data->classes[data->atoms[k].map].affinity] = true;
  }
}

/* Packed maps are read faster; where the CPU reads one value at a time, up to a limit of memory. */
static bool is_packed(const bt_job *job, size_t floats) {
  return !job->runtime->one_item || 4 * floats <= MOST_PACKED / sizeof(float);
}

/* Folded maps are quicker to read, but of many ligands they fill a GPU's memory, and making them takes as long as some
 * generations: a screen of small ligands on an H200 is a third faster with shared maps, one ligand a seventh slower.
 * Without charges there is nothing to fold, and shared maps are read as quickly. */
static bool wants_shared(const bt_job *job) {
  const bt_kernel_grid *grid = job->ligands[0].data->grid;
  size_t folded = 0;
  if (points_of(grid) > most_shared_points || job->maps_wanted == BT_JOB_MAPS_FOLDED) return false;
  if (job->maps_wanted == BT_JOB_MAPS_SHARED) return true;
  if (!grid->charged) return is_packed(job, points_of(grid) * (size_t)grid->n_affinity);
  for (int l = 0; l < job->count; l++) folded += (size_t)job->ligands[l].data->sizes.n_classes;
  return job->count > 1 && !job->properties.cpu && folded > (size_t)grid->n_affinity + 2;
}

static void place_box(const bt_kernel_grid *grid, bool packed, bt_kernel_box *box) {
  int row = grid->points_x, plane = row * grid->points_y, step = packed ? 4 : 1;
  box->stride_x = step;
  box->stride_y = step * row;
  box->stride_z = step * plane;
  box->corner_y = packed ? 1 : row;
  box->corner_z = packed ? 2 : plane;
  box->corner_yz = packed ? 3 : plane + row;
  box->map_stride = (long)((size_t)step * points_of(grid));
}

void bt_device_maps_place(bt_job *job) {
  const bt_kernel_grid *grid = job->ligands[0].data->grid;
  size_t points = points_of(grid), affinities = (size_t)grid->n_affinity;
  job->maps_shared = wants_shared(job);
  job->raw_floats = points * (affinities + 2);
  job->electrostatic = (bt_offset)(points * affinities);
  job->desolvation = job->electrostatic + (bt_offset)points;
  size_t shared = whole_lines(job->raw_floats), charges = whole_lines(shared + 4 * points * affinities);
  job->maps_floats = !job->maps_shared ? shared : grid->charged ? charges + 8 * points : charges;
  for (int l = 0; l < job->count; l++) {
    const bt_kernel_data *data = job->ligands[l].data;
    bt_launch_ligand *to = &job->table[l];
    size_t floats = points * (size_t)data->sizes.n_classes;
    bool packed = job->maps_shared || is_packed(job, floats);
    to->box = data->box;
    place_box(grid, packed, &to->box);
    to->maps = (bt_offset)(job->maps_shared ? shared : job->maps_floats);
    to->charged = job->maps_shared && grid->charged ? (bt_offset)charges : 0;
    if (!job->maps_shared) job->maps_floats = whole_lines(job->maps_floats + (packed ? 4 : 1) * floats);
  }
}

/* wanted[n_affinity + 1]: of affinities, and of the other two maps. */
static bt_status upload(bt_job *job, const bool *wanted, bt_error *opt_error) {
  const bt_kernel_grid *grid = job->ligands[0].data->grid;
  size_t bytes = points_of(grid) * sizeof(float);
  for (int m = 0; m < grid->n_affinity; m++)
    if (wanted[m])
      BT_TRY(job->runtime->upload(job->device, &job->maps, (size_t)m * bytes, grid->affinity[m], bytes, opt_error));
  if (!wanted[grid->n_affinity]) return BT_OK;
  BT_TRY(job->runtime->upload(job->device, &job->maps, (size_t)job->electrostatic * 4, grid->electrostatic, bytes,
                              opt_error));
  return job->runtime->upload(job->device, &job->maps, (size_t)job->desolvation * 4, grid->desolvation, bytes,
                              opt_error);
}

enum { PARTS = 16 }; /* blocks per map */

static void add_map(bt_job *job, size_t *n, int ligand, int index) {
  for (int part = 0; part < PARTS; part++) job->blocks[(*n)++] = (bt_launch_block){ligand, index * PARTS + part};
}

static bt_status launch(bt_job *job, size_t n, bt_error *opt_error) {
  bt_launch with = job->launch;
  with.count = PARTS;
  with.electrostatic = job->electrostatic;
  with.desolvation = job->desolvation;
  BT_TRY(job->runtime->upload(job->device, &job->arena, (size_t)job->launch.blocks, job->blocks,
                              n * sizeof *job->blocks, opt_error));
  return bt_device_launch_blocks(job, &job->choices[0], BT_LAUNCH_FOLD, 0, n, &with, opt_error);
}

/* Without charges a class is an affinity, and the first ligand's classes are those of all. */
static bt_status pack(bt_job *job, const bool *wanted, bt_error *opt_error) {
  const bt_kernel_grid *grid = job->ligands[0].data->grid;
  size_t n = 0;
  for (int m = 0; m < grid->n_affinity + (grid->charged ? 1 : 0); m++) {
    if (n + PARTS > job->block_capacity) {
      BT_TRY(launch(job, n, opt_error));
      n = 0;
    }
    if (wanted[m]) add_map(job, &n, 0, m);
  }
  return n > 0 ? launch(job, n, opt_error) : BT_OK;
}

/* As many ligands at a time as there is room for blocks. */
static bt_status fold(bt_job *job, bt_error *opt_error) {
  for (int l = 0; l < job->count;) {
    size_t n = 0;
    for (; l < job->count; l++) {
      if (n + (size_t)job->ligands[l].data->sizes.n_classes * PARTS > job->block_capacity) break;
      for (int c = 0; c < job->ligands[l].data->sizes.n_classes; c++) add_map(job, &n, l, c);
    }
    if (n == 0) break;
    BT_TRY(launch(job, n, opt_error));
  }
  return BT_OK;
}

static bool same_grid(const bt_kernel_grid *a, const bt_kernel_grid *b) {
  return a->affinity == b->affinity && a->n_affinity == b->n_affinity && a->charged == b->charged &&
         a->points_x == b->points_x && a->points_y == b->points_y && a->points_z == b->points_z;
}

/* For the next job; without memory nothing is held. */
static void hold(bt_held_maps *held, const bt_kernel_grid *grid, const bool *made) {
  int n = grid->n_affinity + 1;
  if (held->has == NULL) held->has = bt_allocate((size_t)n, sizeof *held->has);
  if (held->has == NULL) return;
  held->grid = *grid;
  for (int m = 0; m < n; m++) held->has[m] = held->has[m] || made[m];
}

bt_status bt_device_maps_make(bt_job *job, bt_error *opt_error) {
  const bt_kernel_grid *grid = job->ligands[0].data->grid;
  bt_held_maps *held = &job->held->shared;
  int n = grid->n_affinity + 1;
  BT_SCOPED bool *wanted = bt_allocate((size_t)n, sizeof *wanted);
  if (wanted == NULL) return bt_fail_memory(opt_error);
  if (!job->maps_shared || !same_grid(&held->grid, grid)) bt_held_device_forget(job->held);
  find_needed(job, wanted);
  wanted[grid->n_affinity] = true;
  for (int m = 0; m < n && held->has != NULL; m++) wanted[m] = wanted[m] && !held->has[m];
  job->n_blocks = 0; /* the tables are overwritten */
  BT_TRY(upload(job, wanted, opt_error));
  if (!job->maps_shared) return fold(job, opt_error);
  BT_TRY(pack(job, wanted, opt_error));
  hold(held, grid, wanted);
  return BT_OK;
}
