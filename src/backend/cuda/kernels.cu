/* kernels.cu - the kernels of src/kernel for CUDA, compiled once per team size (BT_TEAM, BT_POSES). */
#include "backend/cuda/lane.h"
#include "kernel/kernel.h"
#include "kernel/launch.h"

#include "kernel/entries.h"

extern __shared__ float4 bt_local_memory[];

#define BT_ENTRY(constant, entry)                                                                  \
  extern "C" __global__ void __launch_bounds__(BT_TEAM *BT_POSES) entry(char *arena, float *maps,  \
                                                                       const bt_launch launch) {   \
    entry##_body(arena, maps, &launch, reinterpret_cast<float *>(bt_local_memory));                \
  }
BT_LAUNCH_KERNELS(BT_ENTRY)
