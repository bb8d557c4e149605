/* lane_float.h - the lane type of GPUs that are programmed in C++: bt_real is float, one work-item is one lane.
 *
 * CUDA's and HIP's lane.h include it and add what differs: synchronization (BT_SYNC, BT_BLOCK_ANY) and the special
 * function unit (bt_rcp, bt_rsqrt, bt_root, BT_SATURATE).
 */
#ifndef BERTH_BACKEND_DRIVER_LANE_FLOAT_H
#define BERTH_BACKEND_DRIVER_LANE_FLOAT_H

#define BT_FUNCTION static __device__ __forceinline__
#define BT_RARE static __device__ __noinline__
#define BT_GLOBAL
#define BT_SCRATCH
#define BT_STATE
#define BT_PRAGMA(text) _Pragma(#text)
#define BT_UNROLL _Pragma("unroll")
#define BT_UNROLL_BY(n) BT_PRAGMA(unroll n)
#define BT_LOCAL_MEMORY 1
#ifndef BT_ITEM
#define BT_ITEM ((int)threadIdx.x)
#endif
#define BT_ITEMS ((int)blockDim.x)
#define BT_GROUP ((int)blockIdx.x)
#ifdef BT_TEAM
#if BT_STUDY_UNCACHED
#define BT_SCRATCH_IN_ARENA
#else
#define BT_STATE_MAY_BE_LOCAL
#define BT_TABLES_LOCAL
#endif
#define BT_PAIR_TILE 3
#define BT_TEAM_TILES 1
#define BT_AT(array, index) ((array)[(index) * BT_POSES])
#endif
#define BT_ATOMIC_NEXT(counter) atomicAdd((counter), 1)

#define BT_FLOAT4 float4
#define BT_READ_FLOAT4(from) (*reinterpret_cast<const float4 *>(from))
#if defined(BT_TEAM) && BT_POSES < 32 && !BT_STUDY_UNCACHED /* pairs may lie in local memory */
#define BT_SCHEDULE_MAY_BE_LOCAL
#define BT_LOAD_FLOAT4(from, index) (reinterpret_cast<const float4 *>(from)[index])
#else
#define BT_LOAD_FLOAT4(from, index) __ldg(reinterpret_cast<const float4 *>(from) + (index))
#endif
#define BT_FLOAT_BITS(x) __float_as_int(x)

#include "kernel/lane/single.h"

BT_FUNCTION bt_real bt_min(bt_real a, bt_real b) { return fminf(a, b); }
BT_FUNCTION bt_real bt_fma(bt_real a, bt_real b, bt_real c) { return __builtin_fmaf(a, b, c); }
BT_FUNCTION bt_real bt_max(bt_real a, bt_real b) { return fmaxf(a, b); }
BT_FUNCTION bt_real bt_sqrt(bt_real a) { return __fsqrt_rn(a); }
BT_FUNCTION bt_real bt_gather(const float *base, bt_int index) { return __ldg(base + index); }
#define BT_GATHER4(base, index, a, b, c, d)                                  \
  do {                                                                       \
    float4 four = __ldg(reinterpret_cast<const float4 *>((base) + (index))); \
    (a) = four.x, (b) = four.y, (c) = four.z, (d) = four.w;                  \
  } while (0)
BT_FUNCTION bt_uint bt_mulhi(bt_uint a, unsigned int b) { return __umulhi(a, b); }
BT_FUNCTION unsigned int bt_mulhi_scalar(unsigned int a, unsigned int b) { return __umulhi(a, b); }

#endif
