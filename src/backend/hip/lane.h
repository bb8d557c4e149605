/* lane.h - the lane type of HIP: one work-item is one lane. BT_TEAM and BT_POSES come from the build, for modules that
 * have them.
 *
 * A wave has 32 or 64 work-items, unknown in the source: with 64, two ranks of 32 poses share a wave. Code that depends
 * on the wave uses its width, warpSize, which the compiler folds to a constant. There is no instruction to synchronize
 * a wave: its work-items run in lockstep, and a fence keeps the compiler from moving memory accesses.
 */
#ifndef BERTH_BACKEND_HIP_LANE_H
#define BERTH_BACKEND_HIP_LANE_H

#ifndef BT_TEAM /* a module without teams */
#define BT_SYNC() __syncthreads()
#else
/* True if the whole block is one wave. */
#define BT_ONE_WAVE (BT_TEAM * BT_POSES <= warpSize)

static __device__ __forceinline__ void bt_wave_sync(void) {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "wavefront");
}

static __device__ __forceinline__ void bt_block_sync(void) {
  if (BT_ONE_WAVE)
    bt_wave_sync();
  else
    __syncthreads();
}

#if BT_TEAM == 1
#define BT_SYNC() ((void)0)
#else
#define BT_SYNC() bt_block_sync()
#endif

static __device__ __forceinline__ bool bt_block_any(bool flag) {
  if (BT_ONE_WAVE) {
    bool any = __ballot(flag) != 0;
    bt_wave_sync();
    return any;
  }
  return __syncthreads_or(flag);
}
#define BT_KEEP(value) (value)
#define BT_BLOCK_ANY(flag, scratch) bt_block_any(flag)
#endif

#include "backend/driver/lane_float.h"

/* The special function unit: 1 unit in the last place; arguments are never denormal. */
BT_FUNCTION bt_real bt_rcp(bt_real a) { return __builtin_amdgcn_rcpf(a); }
BT_FUNCTION bt_real bt_rcp_fast(bt_real a) { return bt_rcp(a); }
BT_FUNCTION bt_real bt_rsqrt(bt_real a) { return __builtin_amdgcn_rsqf(a); }
/* Of the absolute value, since rounding may have made the square of a very short distance negative. */
#define BT_ROOT_SCALE 1.0f
BT_FUNCTION bt_real bt_root(bt_real q) { return __builtin_amdgcn_sqrtf(fabsf(q)); }
/* The median of three is folded into the instruction that produces x as a modifier. */
#define BT_SATURATE(x) __builtin_amdgcn_fmed3f(x, 0.0f, 1.0f)

#endif
