/* lane.h - the lane type in OpenCL C 1.2.
 *
 * BT_TEAM work-items share a pose, a block has BT_POSES poses, each work-item holds BT_LANES of them: 1 on a GPU, one
 * vector of 8 or 16 on a CPU, where a block is one work-item. Work-items of a team are BT_POSES apart, so
 * neighbors work on neighboring poses and memory accesses of a wave are contiguous.
 */
#ifndef BERTH_BACKEND_OPENCL_LANE_H
#define BERTH_BACKEND_OPENCL_LANE_H

#pragma OPENCL FP_CONTRACT ON

#ifdef BT_TEAM
#define BT_BLOCK_SIZE __attribute__((reqd_work_group_size(BT_TEAM * BT_POSES, 1, 1)))
#else /* a module without teams: on a GPU blocks of any size have local memory, on a CPU they are one work-item */
#define BT_BLOCK_SIZE
#define BT_POSES 1
#define BT_TEAM (BT_LANES == 1 ? 2 : 1)
#endif

#define BT_FUNCTION static inline
#define BT_GLOBAL __global
#define BT_SCRATCH __local
#define BT_STATE __global
#define BT_TEAM_TILES 1
#define BT_PAIR_TILE BT_TILE_ATOMS
#define BT_ITEM ((int)get_local_id(0))
#define BT_ITEMS ((int)get_local_size(0))
#define BT_GROUP ((int)get_group_id(0))
#define BT_KEEP(value) (value)
#define BT_ATOMIC_NEXT(counter) atomic_inc((volatile __global int *)(counter))
#if BT_TEAM == 1 /* no synchronization between work-items */
#define BT_SYNC() ((void)0)
#define BT_BLOCK_ANY(flag, scratch) (flag)
#else
#define BT_SYNC() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define BT_BLOCK_ANY(flag, scratch) bt_block_any(flag, scratch)
/* There is a BT_SYNC between two calls, so all have read the previous result. */
BT_FUNCTION int bt_block_any(int flag, BT_SCRATCH int *scratch) {
  if (BT_ITEM == 0) *scratch = 0;
  BT_SYNC();
  if (flag) atomic_or((volatile __local int *)scratch, 1);
  BT_SYNC();
  return *scratch;
}
#endif
#define BT_SCALAR_SQRT(x) sqrt(x)
/* arrays start at the first element of this work-item's pose */
#define BT_AT(array, index) ((array)[(index)*BT_POSES])
#define BT_PRAGMA(text) _Pragma(#text)
#define BT_UNROLL _Pragma("unroll")
#define BT_UNROLL_BY(n) BT_PRAGMA(unroll n)
#define BT_FLOAT4 float4
#define BT_LOAD_FLOAT4(from, index) (((const BT_GLOBAL float4 *)(from))[index])
#define BT_FLOAT_BITS(x) as_int(x)

#if BT_LANES == 1

#define BT_LOCAL_MEMORY 1
#define BT_LOCAL_UNIT float4 /* local memory is aligned for it */
#include "kernel/lane/single.h"

BT_FUNCTION bt_real bt_gather(const BT_GLOBAL float *base, bt_int index) { return base[index]; }
/* maps are packed and aligned: one load of 16 bytes */
#define BT_GATHER4(base, index, a, b, c, d)                             \
  do {                                                                  \
    float4 bt_four = *(const BT_GLOBAL float4 *)((base) + (index));     \
    (a) = bt_four.x, (b) = bt_four.y, (c) = bt_four.z, (d) = bt_four.w; \
  } while (0)

#else

#define BT_LOCAL_MEMORY 0
#define BT_LOCAL_UNIT bt_real
#define BT_VECTOR__(type, lanes) type##lanes
#define BT_VECTOR_(type, lanes) BT_VECTOR__(type, lanes)
#define BT_VECTOR(type) BT_VECTOR_(type, BT_LANES)
typedef BT_VECTOR(float) bt_real;
typedef BT_VECTOR(int) bt_int;
typedef BT_VECTOR(uint) bt_uint;
typedef bt_int bt_mask; /* 0 or -1 in each lane */

BT_FUNCTION bt_mask bt_not(bt_mask a) { return ~a; }
BT_FUNCTION int bt_any(bt_mask a) { return any(a); }
BT_FUNCTION int bt_mask_lane(bt_mask a, int lane) { return ((const int *)&a)[lane] != 0; }
BT_FUNCTION bt_real bt_select(bt_mask mask, bt_real a, bt_real b) { return select(b, a, mask); }
BT_FUNCTION bt_real bt_select_zero(bt_mask mask, bt_real a) { return BT_VECTOR(as_float)(BT_VECTOR(as_int)(a) & mask); }
BT_FUNCTION bt_int bt_select_int(bt_mask mask, bt_int a, bt_int b) { return select(b, a, mask); }
BT_FUNCTION bt_int bt_to_int(bt_real value) { return BT_VECTOR(convert_int)(value); }
BT_FUNCTION bt_real bt_to_real(bt_int value) { return BT_VECTOR(convert_float)(value); }
BT_FUNCTION bt_int bt_uint_to_int(bt_uint value) { return BT_VECTOR(as_int)(value); }
BT_FUNCTION bt_uint bt_int_to_uint(bt_int value) { return BT_VECTOR(as_uint)(value); }
BT_FUNCTION float bt_lane_get(bt_real value, int lane) { return ((const float *)&value)[lane]; }
BT_FUNCTION int bt_lane_get_int(bt_int value, int lane) { return ((const int *)&value)[lane]; }
BT_FUNCTION void bt_lane_set(bt_real *value, int lane, float to) { ((float *)value)[lane] = to; }
BT_FUNCTION void bt_lane_set_int(bt_int *value, int lane, int to) { ((int *)value)[lane] = to; }
BT_FUNCTION void bt_lane_set_uint(bt_uint *value, int lane, unsigned int to) { ((unsigned int *)value)[lane] = to; }
#if BT_LANES == 16
BT_FUNCTION bt_int bt_lane_index(void) { return (bt_int)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15); }
BT_FUNCTION bt_real bt_gather(const BT_GLOBAL float *base, bt_int i) {
  return (bt_real)(base[i.s0], base[i.s1], base[i.s2], base[i.s3], base[i.s4], base[i.s5], base[i.s6], base[i.s7],
                   base[i.s8], base[i.s9], base[i.sa], base[i.sb], base[i.sc], base[i.sd], base[i.se], base[i.sf]);
}
#else
BT_FUNCTION bt_int bt_lane_index(void) { return (bt_int)(0, 1, 2, 3, 4, 5, 6, 7); }
BT_FUNCTION bt_real bt_gather(const BT_GLOBAL float *base, bt_int i) {
  return (bt_real)(base[i.s0], base[i.s1], base[i.s2], base[i.s3], base[i.s4], base[i.s5], base[i.s6], base[i.s7]);
}
#endif
BT_FUNCTION bt_real bt_load(const BT_GLOBAL float *from) { return BT_VECTOR(vload)(0, from); }
BT_FUNCTION bt_real bt_load_strided(const BT_GLOBAL float *from, int step) {
  return bt_gather(from, step * bt_lane_index());
}
BT_FUNCTION void bt_store(BT_GLOBAL float *to, bt_real value) { BT_VECTOR(vstore)(value, 0, to); }
BT_FUNCTION bt_real bt_splat(float value) { return (bt_real)(value); }
BT_FUNCTION bt_int bt_splat_int(int value) { return (bt_int)(value); }
BT_FUNCTION bt_uint bt_splat_uint(unsigned int value) { return (bt_uint)(value); }
BT_FUNCTION bt_mask bt_lt(bt_real a, bt_real b) { return a < b; }
BT_FUNCTION bt_mask bt_eq(bt_real a, bt_real b) { return a == b; }
BT_FUNCTION bt_mask bt_lt_int(bt_int a, bt_int b) { return a < b; }
BT_FUNCTION bt_mask bt_eq_int(bt_int a, bt_int b) { return a == b; }
BT_FUNCTION bt_mask bt_and(bt_mask a, bt_mask b) { return a & b; }
BT_FUNCTION bt_mask bt_or(bt_mask a, bt_mask b) { return a | b; }
BT_FUNCTION bt_mask bt_mask_none(void) { return (bt_mask)(0); }
BT_FUNCTION void bt_prefetch(const BT_GLOBAL float *base, bt_int index) {}

#endif

/* NaN in a gives b */
#if BT_LANES == 1
BT_FUNCTION bt_real bt_min(bt_real a, bt_real b) { return fmin(a, b); }
BT_FUNCTION bt_real bt_max(bt_real a, bt_real b) { return fmax(a, b); }
#else
BT_FUNCTION bt_real bt_min(bt_real a, bt_real b) { return bt_select(a < b, a, b); }
BT_FUNCTION bt_real bt_max(bt_real a, bt_real b) { return bt_select(a > b, a, b); }
#endif
BT_FUNCTION bt_real bt_fma(bt_real a, bt_real b, bt_real c) { return mad(a, b, c); }
BT_FUNCTION bt_real bt_sqrt(bt_real a) { return sqrt(a); }
#define BT_EXP_MINUS
BT_FUNCTION bt_real bt_exp_minus(bt_real x) { return native_exp(-x); }
BT_FUNCTION bt_real bt_rcp_fast(bt_real a) { return native_recip(a); }
#if defined(__NV_CL_C_VERSION) /* 1 and 2 units in the last place */
BT_FUNCTION bt_real bt_rcp(bt_real a) { return native_recip(a); }
BT_FUNCTION bt_real bt_rsqrt(bt_real a) { return native_rsqrt(a); }
#else /* OpenCL guarantees no accuracy of native functions, but 2.5 and 2 ulp of these */
BT_FUNCTION bt_real bt_rcp(bt_real a) { return 1.0f / a; }
BT_FUNCTION bt_real bt_rsqrt(bt_real a) { return rsqrt(a); }
#endif
BT_FUNCTION bt_uint bt_mulhi(bt_uint a, unsigned int b) { return mul_hi(a, (bt_uint)(b)); }
BT_FUNCTION unsigned int bt_mulhi_scalar(unsigned int a, unsigned int b) { return mul_hi(a, b); }
#if BT_LANES == 1
#define BT_ROOT_SCALE 1.0f
BT_FUNCTION bt_real bt_root(bt_real q) { return native_sqrt(fabs(q)); }
#endif
#if defined(__NV_CL_C_VERSION)
/* folded into the instruction that produces x as a modifier */
BT_FUNCTION float bt_saturate(float x) {
  float y;
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
#define BT_SATURATE(x) bt_saturate(x)
#elif BT_LANES == 1
#define BT_SATURATE(x) clamp(x, 0.0f, 1.0f)
#endif

#endif
