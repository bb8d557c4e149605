/* kernels.cl - the kernels of src/kernel for OpenCL, compiled at run time once per team size (BT_TEAM, BT_POSES). */
#include "backend/opencl/lane.h"
#include "kernel/data.h"

#define bt_load_pair(from) (*(from))

#include "kernel/kernel.h"
#include "kernel/launch.h"

#include "kernel/entries.h"

/* local memory comes as bt_real, so that it is aligned for vectors */
#define BT_ENTRY(constant, entry)                                                                                  \
  __kernel __attribute__((reqd_work_group_size(BT_TEAM *BT_POSES, 1, 1))) void entry##_cl(                          \
      __global char *arena, __global float *maps, const bt_launch launch, __local bt_real *local_memory) {          \
    entry##_body(arena, maps, &launch, (__local float *)local_memory);                                              \
  }
BT_LAUNCH_KERNELS(BT_ENTRY)
