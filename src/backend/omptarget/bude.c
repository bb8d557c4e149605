/* bude.c - the BUDE engine's kernels as OpenMP target regions. Launches return when the kernel has run. */
#include "backend/runtime_bude.h"

#include "backend/omptarget/omptarget.h"
#include "backend/omptarget/state.h"

enum { WAVE = 32 };

static bt_bude_info info(const bt_runtime_device *device, bt_bude_variant variant) {
  (void)device;
  return (bt_bude_info){.lanes = 1, .scale = 1, .items = variant.poses > 0 ? WAVE : 1, .free_items = WAVE};
}

static bt_status program(bt_runtime_device *device, bt_bude_variant variant, bt_bude_program **ret_program,
                         bt_error *opt_error) {
  const bt_omptarget_bude_run *kernels = variant.without == 0 ? device->table->bude(variant.poses) : NULL;
  if (kernels == NULL)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "choose 1, 2, 4 or 8 poses, with all optimisations",
                   "there are no OpenMP kernels of %d poses per work-item without that", variant.poses);
  *ret_program = (bt_bude_program *)(uintptr_t)kernels; /* opaque to its users, and never written to */
  return BT_OK;
}

static bt_status launch(bt_runtime_device *device, bt_bude_program *of, bt_bude_kernel kernel, size_t groups, int items,
                        size_t local_bytes, bt_runtime_buffer *arena, const bt_bude_launch *what, bt_error *opt_error) {
  static const bt_runtime_variant one_rank = {1, WAVE, BT_REDUCTION_SIMT};
  const bt_omptarget_bude_run *kernels = (const bt_omptarget_bude_run *)(const void *)of;
  if (groups == 0) return BT_OK;
  if (groups > INT32_MAX)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "take fewer ligands or poses at a time",
                   "%zu groups are more than one launch takes", groups);
  bt_omptarget_shape shape = bt_omptarget_shape_for(device, &one_rank, groups, local_bytes);
  BT_TRY(bt_omptarget_reserve(device, (size_t)shape.teams * (size_t)shape.threads * (size_t)shape.slice * sizeof(float),
                              opt_error));
  kernels[kernel](shape, items, arena->handle, device->scratch, what);
  return BT_OK;
}

const bt_runtime_bude bt_omptarget_bude = {
    .info = info,
    .program = program,
    .launch = launch,
};
