/* bude.cl - the kernels of the BUDE engine for OpenCL, compiled at run time once per variant (BT_BUDE_POSES, BT_BUDE_WITHOUT)
 * and for what is the same for all types of the force field (BT_BUDE_HARDNESS). */
#include "backend/opencl/bude_lane.h"
#include "kernel/bude/bude.h"

/* local memory comes as float4, so that it is aligned for it */
#define BT_ENTRY(constant, entry)                                                                             \
  __kernel void entry##_cl(__global char *arena, const bt_bude_launch launch, __local float4 *local_memory) { \
    entry##_body(arena, &launch, (__local float *)local_memory);                                              \
  }
#if BT_BUDE_POSES > 0
BT_BUDE_ENERGY_KERNELS(BT_ENTRY)
#else
BT_BUDE_OTHER_KERNELS(BT_ENTRY)
#endif
