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

/* Affinities that some ligand needs. */
static bool is_needed(const bt_job *job, int affinity) {
  for (int l = 0; l < job->count; l++)
    for (int c = 0; c < job->ligands[l].data->sizes.n_classes; c++)
      if (job->ligands[l].data->classes[c].affinity == affinity) return true;
  return false;
}

/* Folded maps are quicker to read, but of many ligands they fill a GPU's memory, and making them takes as long as some
 * generations: a screen of small ligands on an H200 is a third faster with shared maps, one ligand a seventh slower. */
static bool wants_shared(const bt_job *job) {
  const bt_kernel_grid *grid = job->ligands[0].data->grid;
  size_t folded = 0;
  if (points_of(grid) > most_shared_points || job->maps_wanted == BT_JOB_MAPS_FOLDED) return false;
  if (job->maps_wanted == BT_JOB_MAPS_SHARED) return true;
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
  size_t shared = whole_lines(job->raw_floats), charged = whole_lines(shared + 4 * points * affinities);
  job->maps_floats = job->maps_shared ? charged + 8 * points : shared;
  for (int l = 0; l < job->count; l++) {
    const bt_kernel_data *data = job->ligands[l].data;
    bt_launch_ligand *to = &job->table[l];
    size_t floats = points * (size_t)data->sizes.n_classes;
    bool packed = job->maps_shared || !job->runtime->one_item || 4 * floats <= MOST_PACKED / sizeof(float);
    to->box = data->box;
    place_box(grid, packed, &to->box);
    to->maps = (bt_offset)(job->maps_shared ? shared : job->maps_floats);
    to->charged = job->maps_shared ? (bt_offset)charged : 0;
    if (!job->maps_shared) job->maps_floats = whole_lines(job->maps_floats + (packed ? 4 : 1) * floats);
  }
}

bt_status bt_device_maps_upload(bt_job *job, bt_error *opt_error) {
  const bt_kernel_grid *grid = job->ligands[0].data->grid;
  size_t bytes = points_of(grid) * sizeof(float);
  for (int m = 0; m < grid->n_affinity; m++)
    if (is_needed(job, m))
      BT_TRY(job->runtime->upload(job->device, &job->maps, (size_t)m * bytes, grid->affinity[m], bytes, opt_error));
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

static bt_status pack(bt_job *job, bt_error *opt_error) {
  int n_affinity = job->ligands[0].data->grid->n_affinity;
  size_t n = 0;
  for (int m = 0; m <= n_affinity; m++) {
    if (n + PARTS > job->block_capacity) {
      BT_TRY(launch(job, n, opt_error));
      n = 0;
    }
    if (m == n_affinity || is_needed(job, m)) add_map(job, &n, 0, m);
  }
  return launch(job, n, opt_error);
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

bt_status bt_device_maps_fold(bt_job *job, bt_error *opt_error) {
  job->n_blocks = 0; /* the tables are overwritten */
  return job->maps_shared ? pack(job, opt_error) : fold(job, opt_error);
}
