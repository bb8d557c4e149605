/* bude.cu - the kernels of the BUDE engine for CUDA, compiled once per variant (BT_BUDE_POSES, BT_BUDE_WITHOUT). */
#include "backend/cuda/bude_lane.h"
#include "kernel/bude/bude.h"

extern __shared__ float4 bt_local_memory[];

#define BT_ENTRY(constant, entry)                                                        \
  extern "C" __global__ void __launch_bounds__(BT_BUDE_BLOCK, BT_BUDE_BLOCKS)            \
      entry(char *arena, const bt_bude_launch launch) {                                  \
    entry##_body(arena, &launch, reinterpret_cast<float *>(bt_local_memory));            \
  }

#if BT_BUDE_POSES > 0
/* registers are shared out so that 16 warps fit a multiprocessor, 8 with very many poses */
#define BT_BUDE_BLOCK 256
#define BT_BUDE_BLOCKS (BT_BUDE_POSES > 16 ? 1 : 2)
BT_BUDE_ENERGY_KERNELS(BT_ENTRY)
#else
#define BT_BUDE_BLOCK 1024
#define BT_BUDE_BLOCKS 1
BT_BUDE_OTHER_KERNELS(BT_ENTRY)
#endif
