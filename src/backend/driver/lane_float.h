/* lane_float.h - the lane type of GPUs that are programmed in C++: bt_real is float, one work-item is one lane.
 *
 * CUDA's and HIP's lane.h include it and add what their machines do in different ways: waiting for each other (BT_SYNC,
 * BT_BLOCK_ANY) and the special function unit (bt_rcp, bt_rsqrt).
 */
#ifndef BERTH_BACKEND_DRIVER_LANE_FLOAT_H
#define BERTH_BACKEND_DRIVER_LANE_FLOAT_H

#include "kernel/ad4/data.h"

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

BT_FUNCTION float bt_lane_get(bt_real value, int lane) { return (void)lane, value; }
BT_FUNCTION int bt_lane_get_int(bt_int value, int lane) { return (void)lane, value; }
BT_FUNCTION void bt_lane_set(bt_real *value, int lane, float to) { (void)lane, *value = to; }
BT_FUNCTION void bt_lane_set_int(bt_int *value, int lane, int to) { (void)lane, *value = to; }
BT_FUNCTION void bt_lane_set_uint(bt_uint *value, int lane, unsigned int to) { (void)lane, *value = to; }

/* A pair as three loads of 16 bytes. */
BT_FUNCTION bt_kernel_pair bt_load_pair(const bt_kernel_pair *from) {
  const float4 *at = reinterpret_cast<const float4 *>(from);
  float4 a = __ldg(at), b = __ldg(at + 1), c = __ldg(at + 2);
  bt_kernel_pair pair = {__float_as_int(a.x), a.y, a.z, a.w, {b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w}};
  return pair;
}

#endif
