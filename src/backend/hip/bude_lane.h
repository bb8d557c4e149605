/* bude_lane.h - what is HIP's own in the BUDE engine's lane type. */
#ifndef BERTH_BACKEND_HIP_BUDE_LANE_H
#define BERTH_BACKEND_HIP_BUDE_LANE_H

#include "backend/driver/bude_lane_float.h"

BT_FUNCTION bt_real bt_rcp(bt_real a) { return __builtin_amdgcn_rcpf(a); }
BT_FUNCTION bt_real bt_rcp_fast(bt_real a) { return bt_rcp(a); }
BT_FUNCTION bt_real bt_rsqrt(bt_real a) { return __builtin_amdgcn_rsqf(a); }

/* The median of three becomes a modifier of the instruction that makes x. */
#define BT_SATURATE(x) __builtin_amdgcn_fmed3f(x, 0.0f, 1.0f)

#if (BT_BUDE_WITHOUT) & BT_BUDE_WITHOUT_FAST
BT_FUNCTION bt_real bt_bude_root(bt_real q) { return __builtin_sqrtf(fmaxf(q, 0.0f)); }
#else
/* One instruction, 1 unit in the last place; of the absolute value, since rounding may have made the square of a very short
 * distance negative. */
BT_FUNCTION bt_real bt_bude_root(bt_real q) { return __builtin_amdgcn_sqrtf(fabsf(q)); }
#endif

#endif
