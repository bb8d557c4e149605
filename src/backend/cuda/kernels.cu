/* kernels.cu - the kernels of src/kernel for CUDA, compiled once per team size (BT_TEAM, BT_POSES). */
#include "backend/cuda/lane.h"
#include "kernel/ad4/kernel.h"
#include "kernel/ad4/launch.h"

#include "kernel/ad4/entries.h"

extern __shared__ float4 bt_local_memory[];

/* Registers are shared out so that this many warps fit a multiprocessor. */
#ifndef BT_WARPS
#define BT_WARPS 16
#endif
#define BT_BLOCK_WARPS ((BT_TEAM * BT_POSES + 31) / 32)
#define BT_MIN_BLOCKS (BT_WARPS > BT_BLOCK_WARPS ? BT_WARPS / BT_BLOCK_WARPS : 1)

#define BT_ENTRY(constant, entry)                                                                  \
  extern "C" __global__ void __launch_bounds__(BT_TEAM *BT_POSES, BT_MIN_BLOCKS) entry(char *arena, float *maps,  \
                                                                       const bt_launch launch) {   \
    entry##_body(arena, maps, &launch, reinterpret_cast<float *>(bt_local_memory));                \
  }
BT_LAUNCH_KERNELS(BT_ENTRY)
