/* lane.h - the lane type of the toy machine, in plain C: a block is one work-item with one pose. */
#ifndef BERTH_TESTS_BACKEND_TOY_LANE_H
#define BERTH_TESTS_BACKEND_TOY_LANE_H

#define BT_FUNCTION static inline __attribute__((unused))
#define BT_GLOBAL
#define BT_SCRATCH
#define BT_STATE
#define BT_UNROLL
#define BT_TEAM_TILES 0
#define BT_ITEM 0
#define BT_ITEMS 1
#define BT_LOCAL_MEMORY 0
#define BT_SYNC() ((void)0)
#define BT_AT(array, index) ((array)[index])
#define BT_KEEP(value) (value)
#define BT_BLOCK_ANY(flag, scratch) (flag)
#define BT_ATOMIC_NEXT(counter) ((*(counter))++)

#include "kernel/lane/single.h"

BT_FUNCTION bt_real bt_min(bt_real a, bt_real b) { return a < b ? a : b; }
BT_FUNCTION bt_real bt_max(bt_real a, bt_real b) { return a > b ? a : b; }
BT_FUNCTION bt_real bt_fma(bt_real a, bt_real b, bt_real c) { return a * b + c; }
BT_FUNCTION bt_real bt_sqrt(bt_real a) { return __builtin_sqrtf(a); }
BT_FUNCTION bt_real bt_rcp(bt_real a) { return 1.0f / a; }
BT_FUNCTION bt_real bt_rcp_fast(bt_real a) { return 1.0f / a; }
BT_FUNCTION bt_real bt_rsqrt(bt_real a) { return 1.0f / bt_sqrt(a); }
BT_FUNCTION bt_real bt_gather(const float *base, bt_int index) { return base[index]; }
BT_FUNCTION bt_uint bt_mulhi(bt_uint a, unsigned int b) { return (bt_uint)(((unsigned long long)a * b) >> 32); }
BT_FUNCTION unsigned int bt_mulhi_scalar(unsigned int a, unsigned int b) { return bt_mulhi(a, b); }

#endif
