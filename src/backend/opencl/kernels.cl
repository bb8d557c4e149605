/* kernels.cl - the kernels of one module (BT_MODULE_HEADER) for OpenCL, compiled at run time once per variant. */
#include "backend/opencl/lane.h"
#include BT_MODULE_HEADER

#define BT_ENTRY(constant, entry)                                                                                   \
  __kernel BT_BLOCK_SIZE void entry##_cl(__global char *arena, __global float *maps, const BT_MODULE_LAUNCH launch, \
                                         __local BT_LOCAL_UNIT *local_memory) {                                     \
    BT_MODULE_CALL(entry, arena, maps, &launch, (__local float *)local_memory);                                     \
  }
BT_MODULE_ENTRIES(BT_ENTRY)
