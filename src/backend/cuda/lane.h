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

/* A pose per block: kernels that are studied have a clock; a team's sum goes from lane to lane within each warp first. */
#if BT_POSES == 1
#define BT_STUDY 1
static __device__ __forceinline__ long long bt_clock(void) {
  __syncwarp(__activemask());
  return clock64();
}
#define BT_CLOCK() bt_clock()
#endif
#if BT_POSES == 1 && BT_TEAM >= 32
#define BT_TEAM_SUM(value, sums, rank) bt_team_shuffle_sum(value, sums, rank)
static __device__ __forceinline__ float bt_team_shuffle_sum(float value, float *sums, int rank) {
#pragma unroll
  for (int step = 1; step < 32; step *= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, step);
  if (rank % 32 == 0) sums[rank / 32] = value;
  BT_SYNC();
  float sum = sums[0];
#pragma unroll
  for (int warp = 1; warp < BT_TEAM / 32; warp++) sum += sums[warp];
  return sum;
}
#endif

#include "backend/device/lane_float.h"

#if BT_TEAM_TENSOR_EC || BT_TEAM_TENSOR_FP16
#include "backend/cuda/tensor.h"
#endif

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
