/* kernels.hip - the kernels of src/kernel for HIP, compiled once per team size (BT_TEAM, BT_POSES). */
#include <hip/hip_runtime.h>

#include "backend/hip/lane.h"
#include "kernel/ad4/kernel.h"
#include "kernel/ad4/launch.h"

#include "kernel/ad4/entries.h"

extern __shared__ float4 bt_local_memory[];

#define BT_ENTRY(constant, entry)                                                                  \
  extern "C" __global__ void __launch_bounds__(BT_TEAM *BT_POSES) entry(char *arena, float *maps,  \
                                                                       const bt_launch launch) {   \
    entry##_body(arena, maps, &launch, reinterpret_cast<float *>(bt_local_memory));                \
  }
BT_LAUNCH_KERNELS(BT_ENTRY)
