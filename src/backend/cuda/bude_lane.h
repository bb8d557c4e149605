/* bude_lane.h - what is CUDA's own in the BUDE engine's lane type. */
#ifndef BERTH_BACKEND_CUDA_BUDE_LANE_H
#define BERTH_BACKEND_CUDA_BUDE_LANE_H

#include "backend/driver/bude_lane_float.h"

BT_FUNCTION bt_real bt_rcp(bt_real a) { return __frcp_rn(a); }
BT_FUNCTION bt_real bt_rcp_fast(bt_real a) { return __frcp_rn(a); }
BT_FUNCTION bt_real bt_rsqrt(bt_real a) { return __frsqrt_rn(a); }

/* A modifier of the instruction that makes x. */
#define BT_SATURATE(x) __saturatef(x)

#if (BT_BUDE_WITHOUT) & BT_BUDE_WITHOUT_FAST
BT_FUNCTION bt_real bt_bude_root(bt_real q) { return __fsqrt_rn(fmaxf(q, 0.0f)); }
#else
/* The special function unit: 1 unit in the last place. Of the absolute value, which costs nothing: rounding may have made
 * the square of a very short distance negative. */
BT_FUNCTION bt_real bt_bude_root(bt_real q) {
  float root;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(fabsf(q)));
  return root;
}
#endif

#endif
