/* kernels.cl - the kernels of src/kernel for OpenCL, compiled at run time once per team size (BT_TEAM, BT_POSES). */
#include "backend/opencl/lane.h"
#include "kernel/ad4/data.h"

/* A pair as three loads of 16 bytes. */
BT_FUNCTION bt_kernel_pair bt_load_pair(const BT_GLOBAL bt_kernel_pair *from) {
  const BT_GLOBAL float4 *at = (const BT_GLOBAL float4 *)from;
  float4 a = at[0], b = at[1], c = at[2];
  bt_kernel_pair pair = {as_int(a.x), a.y, a.z, a.w, {b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w}};
  return pair;
}

#include "kernel/ad4/kernel.h"
#include "kernel/ad4/launch.h"

#include "kernel/ad4/entries.h"

/* local memory comes as bt_real, so that it is aligned for vectors */
#define BT_ENTRY(constant, entry)                                                                                  \
  __kernel __attribute__((reqd_work_group_size(BT_TEAM *BT_POSES, 1, 1))) void entry##_cl(                          \
      __global char *arena, __global float *maps, const bt_launch launch, __local bt_real *local_memory) {          \
    entry##_body(arena, maps, &launch, (__local float *)local_memory);                                              \
  }
BT_LAUNCH_KERNELS(BT_ENTRY)
