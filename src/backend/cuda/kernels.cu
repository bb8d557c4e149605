/* kernels.cu - the kernels of one module (BT_MODULE_HEADER) for CUDA, compiled once per variant. */
#include "backend/cuda/lane.h"
#include BT_MODULE_HEADER

extern __shared__ float4 bt_local_memory[];

/* Registers are limited so that this many warps fit on a multiprocessor. */
#ifndef BT_WARPS
#define BT_WARPS BT_MODULE_WARPS
#endif
#define BT_BLOCK_WARPS ((BT_MODULE_ITEMS + 31) / 32)
#define BT_MIN_BLOCKS (BT_WARPS > BT_BLOCK_WARPS ? BT_WARPS / BT_BLOCK_WARPS : 1)

#define BT_ENTRY(constant, entry)                                                                   \
  extern "C" __global__ void __launch_bounds__(BT_MODULE_ITEMS, BT_MIN_BLOCKS)                      \
      entry(char *arena, float *maps, const BT_MODULE_LAUNCH launch) {                              \
    BT_MODULE_CALL(entry, arena, maps, &launch, reinterpret_cast<float *>(bt_local_memory));        \
  }
BT_MODULE_ENTRIES(BT_ENTRY)
