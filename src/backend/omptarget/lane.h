/* lane.h - the lane type of OpenMP target: one work-item is one lane. BT_TEAM and BT_POSES come from the build; in a
 * module without them work-items never synchronize.
 *
 * Plain C, compiled once for the GPU and once for the host: nothing here may depend on which of the two it is. What
 * OpenMP cannot express (the index of the loop item, across function calls) is passed in the launch
 * (kernel/lane/item.h).
 */
#ifndef BERTH_BACKEND_OMPTARGET_LANE_H
#define BERTH_BACKEND_OMPTARGET_LANE_H

#define BT_PAIR_TILE BT_TILE_ATOMS
#define BT_FUNCTION static inline __attribute__((always_inline))
#define BT_GLOBAL
#define BT_SCRATCH
#define BT_STATE
#define BT_UNROLL _Pragma("GCC unroll 16")
#define BT_LOCAL_MEMORY 0
#ifndef BT_TEAM
#define BT_TEAM 1
#define BT_POSES 1
#define BT_BLOCK_ITEMS shape.items
#else
#define BT_BLOCK_ITEMS BT_POSES
#endif
#define BT_TEAM_TILES 1
#define BT_AT(array, index) ((array)[(index)*BT_POSES])

#define BT_KEEP(value) (value)
#define BT_ATOMIC_NEXT(counter) __atomic_fetch_add((counter), 1, __ATOMIC_RELAXED)
#if BT_TEAM == 1 /* no synchronization between work-items */
#define BT_SYNC() ((void)0)
#define BT_BLOCK_ANY(flag, scratch) (flag)
#else
#define BT_SYNC() bt_sync()
#define BT_BLOCK_ANY(flag, scratch) bt_block_any(flag, scratch)
BT_FUNCTION void bt_sync(void){
#pragma omp barrier
} /* There is a BT_SYNC between two calls, so all have read the previous result. The flag is cleared only before the
   * first barrier, and all work-items that set it write the same value. */
BT_FUNCTION int bt_block_any(int flag, int *scratch) {
  if (omp_get_thread_num() == 0) __atomic_store_n(scratch, 0, __ATOMIC_RELAXED);
  bt_sync();
  if (flag) __atomic_store_n(scratch, 1, __ATOMIC_RELAXED);
  bt_sync();
  return __atomic_load_n(scratch, __ATOMIC_RELAXED);
}
#endif

#include "kernel/lane/single.h"

/* NaN in a gives b */
BT_FUNCTION bt_real bt_min(bt_real a, bt_real b) { return a < b ? a : b; }
BT_FUNCTION bt_real bt_max(bt_real a, bt_real b) { return a > b ? a : b; }
BT_FUNCTION bt_real bt_fma(bt_real a, bt_real b, bt_real c) { return a * b + c; } /* contracted where fast */
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
BT_FUNCTION bt_uint bt_mulhi(bt_uint a, unsigned int b) { return (bt_uint)(((unsigned long long)a * b) >> 32); }

BT_FUNCTION unsigned int bt_mulhi_scalar(unsigned int a, unsigned int b) { return bt_mulhi(a, b); }

#endif
