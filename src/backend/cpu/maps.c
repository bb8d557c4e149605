/* maps.c - memory and layout of folded maps, one per (type, charge) of a ligand. */
#include <stdlib.h>
#include <sys/mman.h>

#include "backend/cpu/job.h"

/* Up to this size maps are packed cell by cell, at four times the memory: one cache miss per look-up, not four. */
static const size_t packed_map_bytes = (size_t)512 << 20;

/* Maps are read at random places: large pages spare most of the address translation. */
static float *allocate_maps(size_t floats) {
  const size_t page = 2u << 20;
  size_t bytes = (floats * sizeof(float) + page - 1) / page * page;
  void *memory = NULL;
  if (posix_memalign(&memory, page, bytes) != 0) return NULL;
#ifdef MADV_HUGEPAGE
  (void)madvise(memory, bytes, MADV_HUGEPAGE); /* only a wish */
#endif
  return memory;
}

static size_t points_of(const bt_kernel_grid *grid) {
  return (size_t)grid->points_x * (size_t)grid->points_y * (size_t)grid->points_z;
}

static bool is_packed(const bt_kernel_data *data) {
  size_t limit = packed_map_bytes / sizeof(float);
  return points_of(data->grid) * 4 * (size_t)data->sizes.n_classes <= limit;
}

size_t bt_cpu_maps_bytes(const bt_kernel_data *data) {
  if (data->sizes.n_classes == 0) return 0;
  size_t step = is_packed(data) ? 4 : 1;
  return (size_t)data->sizes.n_classes * points_of(data->grid) * step * sizeof(float);
}

static void set_layout(const bt_kernel_grid *grid, bool packed, bt_kernel_box *box) {
  int row = grid->points_x, plane = row * grid->points_y, step = packed ? 4 : 1;
  box->stride_x = step;
  box->stride_y = step * row;
  box->stride_z = step * plane;
  box->corner_y = packed ? 1 : row;
  box->corner_z = packed ? 2 : plane;
  box->corner_yz = packed ? 3 : plane + row;
  box->map_stride = (long)(points_of(grid) * (packed ? 4 : 1));
}

bt_status bt_cpu_maps_open(const bt_kernel_data *data, bt_kernel_data *folded, float **ret_maps,
                           bt_error *opt_error) {
  *folded = *data;
  *ret_maps = NULL;
  size_t n_classes = (size_t)data->sizes.n_classes;
  if (n_classes == 0) return BT_OK;
  set_layout(data->grid, is_packed(data), &folded->box);
  *ret_maps = allocate_maps((size_t)folded->box.map_stride * n_classes);
  folded->maps = *ret_maps;
  if (*ret_maps != NULL) return BT_OK;
  return bt_fail(opt_error, BT_ERR_MEMORY, (bt_where){0}, "use a smaller box or a larger spacing",
                 "out of memory for %zu folded maps of %zu points", n_classes, points_of(data->grid));
}
