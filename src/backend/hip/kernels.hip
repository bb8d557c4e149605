/* kernels.hip - the kernels of one module (BT_MODULE_HEADER) for HIP, compiled once per variant. */
#include <hip/hip_runtime.h>

#include "backend/hip/lane.h"
#include BT_MODULE_HEADER

extern __shared__ float4 bt_local_memory[];

#define BT_ENTRY(constant, entry)                                                                   \
  extern "C" __global__ void __launch_bounds__(BT_MODULE_ITEMS)                                     \
      entry(char *arena, float *maps, const BT_MODULE_LAUNCH launch) {                              \
    BT_MODULE_CALL(entry, arena, maps, &launch, reinterpret_cast<float *>(bt_local_memory));        \
  }
BT_MODULE_ENTRIES(BT_ENTRY)
