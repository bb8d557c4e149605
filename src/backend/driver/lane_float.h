/* lane_float.h - the lane type of GPUs that are programmed in C++: bt_real is float, one work-item is one lane.
 *
 * CUDA's and HIP's lane.h include it and add what their machines do in different ways: waiting for each other (BT_SYNC,
 * BT_BLOCK_ANY) and the special function unit (bt_rcp, bt_rsqrt, bt_root, BT_SATURATE).
 */
#ifndef BERTH_BACKEND_DRIVER_LANE_FLOAT_H
#define BERTH_BACKEND_DRIVER_LANE_FLOAT_H

#define BT_FUNCTION static __device__ __forceinline__
#define BT_GLOBAL
#define BT_SCRATCH
#define BT_STATE
#define BT_PRAGMA(text) _Pragma(#text)
#define BT_UNROLL _Pragma("unroll")
#define BT_UNROLL_BY(n) BT_PRAGMA(unroll n)
#define BT_LANES 1
#define BT_MASK_IS_BOOL
#define BT_LOCAL_MEMORY 1
#ifndef BT_ITEM
#define BT_ITEM ((int)threadIdx.x)
#endif
#define BT_ITEMS ((int)blockDim.x)
#define BT_GROUP ((int)blockIdx.x)
#ifdef BT_TEAM
#define BT_STATE_MAY_BE_LOCAL
#define BT_TABLES_LOCAL
#define BT_PAIR_TILE 3
#define BT_TEAM_BLOCKS 1
#define BT_AT(array, index) ((array)[(index) * BT_POSES])
#endif
#define BT_ATOMIC_NEXT(counter) atomicAdd((counter), 1)

#define BT_FLOAT4 float4
#define BT_READ_FLOAT4(from) (*reinterpret_cast<const float4 *>(from))
#define BT_LOAD_FLOAT4(from, index) __ldg(reinterpret_cast<const float4 *>(from) + (index))
#define BT_FLOAT_BITS(x) __float_as_int(x)

typedef float bt_real;
typedef int bt_int;
typedef unsigned int bt_uint;
typedef bool bt_mask;

BT_FUNCTION bt_real bt_splat(float value) { return value; }
BT_FUNCTION bt_int bt_splat_int(int value) { return value; }
BT_FUNCTION bt_uint bt_splat_uint(unsigned int value) { return value; }
BT_FUNCTION bt_int bt_uint_to_int(bt_uint value) { return (int)value; }
BT_FUNCTION bt_uint bt_int_to_uint(bt_int value) { return (unsigned int)value; }
BT_FUNCTION bt_int bt_to_int(bt_real value) { return __float2int_rz(value); }
BT_FUNCTION bt_real bt_to_real(bt_int value) { return __int2float_rn(value); }
BT_FUNCTION bt_int bt_lane_index(void) { return 0; }
BT_FUNCTION bt_mask bt_lt(bt_real a, bt_real b) { return a < b; }
BT_FUNCTION bt_mask bt_eq(bt_real a, bt_real b) { return a == b; }
BT_FUNCTION bt_mask bt_lt_int(bt_int a, bt_int b) { return a < b; }
BT_FUNCTION bt_mask bt_eq_int(bt_int a, bt_int b) { return a == b; }
BT_FUNCTION bt_mask bt_and(bt_mask a, bt_mask b) { return a && b; }
BT_FUNCTION bt_mask bt_or(bt_mask a, bt_mask b) { return a || b; }
BT_FUNCTION bt_mask bt_not(bt_mask a) { return !a; }
BT_FUNCTION int bt_any(bt_mask a) { return a; }
BT_FUNCTION int bt_mask_lane(bt_mask a, int lane) { return (void)lane, a; }
BT_FUNCTION bt_mask bt_mask_none(void) { return false; }
BT_FUNCTION bt_real bt_select(bt_mask mask, bt_real a, bt_real b) { return mask ? a : b; }
BT_FUNCTION bt_real bt_select_zero(bt_mask mask, bt_real a) { return mask ? a : 0.0f; }
BT_FUNCTION bt_int bt_select_int(bt_mask mask, bt_int a, bt_int b) { return mask ? a : b; }
BT_FUNCTION bt_real bt_min(bt_real a, bt_real b) { return fminf(a, b); }
BT_FUNCTION bt_real bt_fma(bt_real a, bt_real b, bt_real c) { return __builtin_fmaf(a, b, c); }
BT_FUNCTION bt_real bt_max(bt_real a, bt_real b) { return fmaxf(a, b); }
BT_FUNCTION bt_real bt_sqrt(bt_real a) { return __fsqrt_rn(a); }
BT_FUNCTION bt_real bt_gather(const float *base, bt_int index) { return __ldg(base + index); }
#define BT_GATHER4(base, index, a, b, c, d)                                      \
  do {                                                                           \
    float4 four = __ldg(reinterpret_cast<const float4 *>((base) + (index)));     \
    (a) = four.x, (b) = four.y, (c) = four.z, (d) = four.w;                      \
  } while (0)
BT_FUNCTION void bt_prefetch(const float *base, bt_int index) { (void)base, (void)index; }
BT_FUNCTION bt_uint bt_mulhi(bt_uint a, unsigned int b) { return __umulhi(a, b); }
BT_FUNCTION unsigned int bt_mulhi_scalar(unsigned int a, unsigned int b) { return __umulhi(a, b); }

BT_FUNCTION bt_real bt_load(const float *from) { return *from; }
BT_FUNCTION bt_real bt_load_strided(const float *from, int step) { return (void)step, *from; }
BT_FUNCTION void bt_store(float *to, bt_real value) { *to = value; }

BT_FUNCTION float bt_lane_get(bt_real value, int lane) { return (void)lane, value; }
BT_FUNCTION int bt_lane_get_int(bt_int value, int lane) { return (void)lane, value; }
BT_FUNCTION void bt_lane_set(bt_real *value, int lane, float to) { (void)lane, *value = to; }
BT_FUNCTION void bt_lane_set_int(bt_int *value, int lane, int to) { (void)lane, *value = to; }
BT_FUNCTION void bt_lane_set_uint(bt_uint *value, int lane, unsigned int to) { (void)lane, *value = to; }

#endif
