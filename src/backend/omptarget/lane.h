/* lane.h - the lane type of OpenMP target: one work-item is one lane. BT_TEAM and BT_POSES come from the build; in a
 * module without them work-items never wait for each other.
 *
 * Plain C, compiled once for the GPU and once for the host: nothing here may ask which of the two it is. Where OpenMP
 * has no word for something (which item of a loop this is, across function calls), the launch carries it
 * (kernel/lane/item.h).
 */
#ifndef BERTH_BACKEND_OMPTARGET_LANE_H
#define BERTH_BACKEND_OMPTARGET_LANE_H

#define BT_MASK_IS_BOOL
#define BT_PAIR_TILE BT_BLOCK_ATOMS
#define BT_FUNCTION static inline __attribute__((always_inline))
#define BT_GLOBAL
#define BT_SCRATCH
#define BT_STATE
#define BT_UNROLL _Pragma("GCC unroll 16")
#define BT_LANES 1
#define BT_LOCAL_MEMORY 0
#ifndef BT_TEAM
#define BT_TEAM 1
#define BT_POSES 1
#define BT_BLOCK_ITEMS shape.items
#else
#define BT_BLOCK_ITEMS BT_POSES
#endif
#define BT_TEAM_BLOCKS 1
#define BT_AT(array, index) ((array)[(index)*BT_POSES])

#define BT_KEEP(value) (value)
#define BT_ATOMIC_NEXT(counter) __atomic_fetch_add((counter), 1, __ATOMIC_RELAXED)
#if BT_TEAM == 1 /* no work-item waits for another */
#define BT_SYNC() ((void)0)
#define BT_BLOCK_ANY(flag, scratch) (flag)
#else
#define BT_SYNC() bt_sync()
#define BT_BLOCK_ANY(flag, scratch) bt_block_any(flag, scratch)
BT_FUNCTION void bt_sync(void){
#pragma omp barrier
} /* Between two calls there is a BT_SYNC, so all have read the last answer. Nobody lowers the flag but before the first
   * barrier, and all who raise it write the same. */
BT_FUNCTION int bt_block_any(int flag, int *scratch) {
  if (omp_get_thread_num() == 0) __atomic_store_n(scratch, 0, __ATOMIC_RELAXED);
  bt_sync();
  if (flag) __atomic_store_n(scratch, 1, __ATOMIC_RELAXED);
  bt_sync();
  return __atomic_load_n(scratch, __ATOMIC_RELAXED);
}
#endif

typedef float bt_real;
typedef int bt_int;
typedef unsigned int bt_uint;
typedef int bt_mask; /* 0 or 1 */

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
BT_FUNCTION bt_mask bt_and(bt_mask a, bt_mask b) { return a & b; }
BT_FUNCTION bt_mask bt_or(bt_mask a, bt_mask b) { return a | b; }
BT_FUNCTION bt_mask bt_not(bt_mask a) { return !a; }
BT_FUNCTION int bt_any(bt_mask a) { return a; }
BT_FUNCTION int bt_mask_lane(bt_mask a, int lane) { return (void)lane, a; }
BT_FUNCTION bt_mask bt_mask_none(void) { return 0; }
BT_FUNCTION bt_real bt_select(bt_mask mask, bt_real a, bt_real b) { return mask ? a : b; }
BT_FUNCTION bt_real bt_select_zero(bt_mask mask, bt_real a) { return mask ? a : 0.0f; }
BT_FUNCTION bt_int bt_select_int(bt_mask mask, bt_int a, bt_int b) { return mask ? a : b; }
/* NaN in a gives b */
BT_FUNCTION bt_real bt_min(bt_real a, bt_real b) { return a < b ? a : b; }
BT_FUNCTION bt_real bt_max(bt_real a, bt_real b) { return a > b ? a : b; }
BT_FUNCTION bt_real bt_fma(bt_real a, bt_real b, bt_real c) { return a * b + c; } /* contracted where that is fast */
BT_FUNCTION bt_real bt_sqrt(bt_real a) { return __builtin_sqrtf(a); }
BT_FUNCTION bt_real bt_rcp(bt_real a) { return 1.0f / a; }
BT_FUNCTION bt_real bt_rcp_fast(bt_real a) { return 1.0f / a; }
BT_FUNCTION bt_real bt_rsqrt(bt_real a) { return 1.0f / __builtin_sqrtf(a); }
BT_FUNCTION bt_real bt_gather(const float *base, bt_int index) { return base[index]; }
/* maps are packed and aligned; the compiler may make one load of it */
#define BT_GATHER4(base, index, a, b, c, d)                                 \
  do {                                                                      \
    const float *bt_four = __builtin_assume_aligned((base) + (index), 16);  \
    (a) = bt_four[0], (b) = bt_four[1], (c) = bt_four[2], (d) = bt_four[3]; \
  } while (0)
BT_FUNCTION void bt_prefetch(const float *base, bt_int index) { (void)base, (void)index; }
BT_FUNCTION bt_uint bt_mulhi(bt_uint a, unsigned int b) { return (bt_uint)(((unsigned long long)a * b) >> 32); }

BT_FUNCTION unsigned int bt_mulhi_scalar(unsigned int a, unsigned int b) { return bt_mulhi(a, b); }

BT_FUNCTION bt_real bt_load(const float *from) { return *from; }
BT_FUNCTION bt_real bt_load_strided(const float *from, int step) { return (void)step, *from; }
BT_FUNCTION void bt_store(float *to, bt_real value) { *to = value; }
BT_FUNCTION float bt_lane_get(bt_real value, int lane) { return (void)lane, value; }
BT_FUNCTION int bt_lane_get_int(bt_int value, int lane) { return (void)lane, value; }
BT_FUNCTION void bt_lane_set(bt_real *value, int lane, float to) { (void)lane, *value = to; }
BT_FUNCTION void bt_lane_set_int(bt_int *value, int lane, int to) { (void)lane, *value = to; }
BT_FUNCTION void bt_lane_set_uint(bt_uint *value, int lane, unsigned int to) { (void)lane, *value = to; }

#endif
