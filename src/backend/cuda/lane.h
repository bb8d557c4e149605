/* lane.h - the lane type of CUDA: one work-item is one lane. BT_TEAM and BT_POSES come from the build.
 *
 * Work-item rank * BT_POSES + pose: with 32 poses a warp is one rank of 32 poses, so that all it reads of the ligand is
 * the same for its lanes.
 */
#ifndef BERTH_BACKEND_CUDA_LANE_H
#define BERTH_BACKEND_CUDA_LANE_H

#define BT_FUNCTION static __device__ __forceinline__
#define BT_GLOBAL
#define BT_SCRATCH
#define BT_STATE
#define BT_UNROLL _Pragma("unroll")
#define BT_LANES 1
#define BT_MASK_IS_BOOL
#define BT_PAIR_TILE 3
#define BT_TEAM_BLOCKS 1
#define BT_AT(array, index) ((array)[(index) * BT_POSES])
#define BT_ITEM (threadIdx.x)
#define BT_GROUP ((int)blockIdx.x)

#if BT_TEAM == 1
#define BT_SYNC() ((void)0)
#elif BT_TEAM * BT_POSES <= 32
#define BT_SYNC() __syncwarp()
#else
#define BT_SYNC() __syncthreads()
#endif

static __device__ __forceinline__ bool bt_block_any(bool flag) {
#if BT_TEAM * BT_POSES <= 32
  bool any = __any_sync(0xFFFFFFFFu, flag);
  __syncwarp();
  return any;
#else
  return __syncthreads_or(flag);
#endif
}
static __device__ __forceinline__ int bt_keep(int value) {
  int kept;
  asm volatile("mov.b32 %0, %1;" : "=r"(kept) : "r"(value));
  return kept;
}
#define BT_KEEP(value) bt_keep((int)(value))
#define BT_BLOCK_ANY(flag, scratch) bt_block_any(flag)
#define BT_ATOMIC_NEXT(counter) atomicAdd((counter), 1)

#include "backend/device/lane_float.h"

/* The special function unit: 1 and 2 units in the last place; arguments are never denormal. */
BT_FUNCTION bt_real bt_rcp(bt_real a) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
  return y;
}
BT_FUNCTION bt_real bt_rcp_fast(bt_real a) { return bt_rcp(a); }
BT_FUNCTION bt_real bt_rsqrt(bt_real a) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
  return y;
}

#endif
