/* single.h - a lane that holds one pose: bt_real is float. For back ends whose work-items are such lanes; their lane.h
 * includes it after defining BT_FUNCTION and BT_GLOBAL and adds the device-specific operations (lane_math.h lists all).
 */
#ifndef BERTH_KERNEL_LANE_SINGLE_H
#define BERTH_KERNEL_LANE_SINGLE_H

#define BT_LANES 1
#define BT_MASK_IS_BOOL

typedef float bt_real;
typedef int bt_int;
typedef unsigned int bt_uint;
#ifdef __cplusplus
typedef bool bt_mask;
#else
typedef int bt_mask; /* 0 or 1 */
#endif

BT_FUNCTION bt_real bt_splat(float value) { return value; }
BT_FUNCTION bt_int bt_splat_int(int value) { return value; }
BT_FUNCTION bt_uint bt_splat_uint(unsigned int value) { return value; }
BT_FUNCTION bt_int bt_uint_to_int(bt_uint value) { return (int)value; }
BT_FUNCTION bt_uint bt_int_to_uint(bt_int value) { return (unsigned int)value; }
BT_FUNCTION bt_int bt_to_int(bt_real value) { return (int)value; }
BT_FUNCTION bt_real bt_to_real(bt_int value) { return (float)value; }
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
BT_FUNCTION bt_mask bt_mask_none(void) { return 0; }
BT_FUNCTION bt_real bt_select(bt_mask mask, bt_real a, bt_real b) { return mask ? a : b; }
BT_FUNCTION bt_real bt_select_zero(bt_mask mask, bt_real a) { return mask ? a : 0.0f; }
BT_FUNCTION bt_int bt_select_int(bt_mask mask, bt_int a, bt_int b) { return mask ? a : b; }
BT_FUNCTION void bt_prefetch(const BT_GLOBAL float *base, bt_int index) { (void)base, (void)index; }

BT_FUNCTION bt_real bt_load(const BT_GLOBAL float *from) { return *from; }
BT_FUNCTION bt_real bt_load_strided(const BT_GLOBAL float *from, int step) { return (void)step, *from; }
BT_FUNCTION void bt_store(BT_GLOBAL float *to, bt_real value) { *to = value; }

BT_FUNCTION float bt_lane_get(bt_real value, int lane) { return (void)lane, value; }
BT_FUNCTION int bt_lane_get_int(bt_int value, int lane) { return (void)lane, value; }
BT_FUNCTION void bt_lane_set(bt_real *value, int lane, float to) { (void)lane, *value = to; }
BT_FUNCTION void bt_lane_set_int(bt_int *value, int lane, int to) { (void)lane, *value = to; }
BT_FUNCTION void bt_lane_set_uint(bt_uint *value, int lane, unsigned int to) { (void)lane, *value = to; }

#endif
