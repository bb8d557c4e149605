/* bude_lane_float.h - the BUDE engine's lane type on GPUs that are programmed in C++: one work-item is one lane and
 * holds several poses.
 *
 * CUDA's and HIP's bude_lane.h include it and add what their machines do in different ways: BT_SATURATE, bt_bude_root
 * and the reciprocals.
 */
#ifndef BERTH_BACKEND_DRIVER_BUDE_LANE_FLOAT_H
#define BERTH_BACKEND_DRIVER_BUDE_LANE_FLOAT_H

#define BT_FUNCTION static __device__ __forceinline__
#define BT_GLOBAL
#define BT_SCRATCH
#define BT_UNROLL _Pragma("unroll")
#define BT_LANES 1
#define BT_MASK_IS_BOOL
#define BT_SYNC() __syncthreads()
#define BT_BUDE_ITEM ((int)threadIdx.x)
#define BT_BUDE_ITEMS ((int)blockDim.x)
#define BT_BUDE_GROUP ((int)blockIdx.x)
#define BT_BUDE_LOCAL 1
/* so that the loop's own instructions are shared by some 16 pairs */
#if BT_BUDE_POSES >= 16
#define BT_BUDE_UNROLL_SITES _Pragma("unroll 1")
#elif BT_BUDE_POSES >= 8
#define BT_BUDE_UNROLL_SITES _Pragma("unroll 2")
#else
#define BT_BUDE_UNROLL_SITES _Pragma("unroll 4")
#endif

#include "backend/driver/lane_float.h"
#include "kernel/bude/launch.h"

BT_FUNCTION bt_real bt_bude_load(const float *from) { return *from; }
BT_FUNCTION bt_real bt_bude_load_strided(const float *from, int step) { return (void)step, *from; }
BT_FUNCTION void bt_bude_store(float *to, bt_real value) { *to = value; }
BT_FUNCTION unsigned int bt_bude_mulhi(unsigned int a, unsigned int b) { return __umulhi(a, b); }

/* 16 bytes at once. */
BT_FUNCTION bt_bude_site bt_bude_read_site(const bt_bude_site *from) {
  float4 four = *reinterpret_cast<const float4 *>(from);
  return {four.x, four.y, four.z, four.w};
}

#endif
