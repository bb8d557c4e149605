/* bude_lane.h - the BUDE engine's lane type in OpenCL C 1.2. On a GPU a work-item is a lane, holds several poses, and
 * groups have local memory; on a processor a group is one work-item that holds several vectors of poses. */
#ifndef BERTH_BACKEND_OPENCL_BUDE_LANE_H
#define BERTH_BACKEND_OPENCL_BUDE_LANE_H

#define BT_POSES 1
#if BT_LANES == 1
#define BT_TEAM 2 /* work-items wait for each other */
#define BT_BUDE_LOCAL 1
#define BT_BUDE_ITEM ((int)get_local_id(0))
#define BT_BUDE_ITEMS ((int)get_local_size(0))
#else
#define BT_TEAM 1
#define BT_BUDE_LOCAL 0
#define BT_BUDE_ITEM 0
#define BT_BUDE_ITEMS 1
#endif
#define BT_BUDE_GROUP ((int)get_group_id(0))

#include "backend/opencl/lane.h"
#include "kernel/bude/launch.h"

#if BT_LANES > 1
#define BT_BUDE_UNROLL_SITES
#elif BT_BUDE_POSES >= 16
#define BT_BUDE_UNROLL_SITES _Pragma("unroll 1")
#elif BT_BUDE_POSES >= 8
#define BT_BUDE_UNROLL_SITES _Pragma("unroll 2")
#else
#define BT_BUDE_UNROLL_SITES _Pragma("unroll 4")
#endif

#if BT_LANES == 1
BT_FUNCTION bt_real bt_bude_load(const __global float *from) { return *from; }
BT_FUNCTION bt_real bt_bude_load_strided(const __global float *from, int step) { return *from; }
BT_FUNCTION void bt_bude_store(__global float *to, bt_real value) { *to = value; }
#else
BT_FUNCTION bt_real bt_bude_load(const __global float *from) { return BT_VECTOR(vload)(0, from); }
BT_FUNCTION bt_real bt_bude_load_strided(const __global float *from, int step) {
  return bt_gather(from, step * bt_lane_index());
}
BT_FUNCTION void bt_bude_store(__global float *to, bt_real value) { BT_VECTOR(vstore)(value, 0, to); }
#endif
BT_FUNCTION unsigned int bt_bude_mulhi(unsigned int a, unsigned int b) { return mul_hi(a, b); }

/* From local or from global memory; sites are aligned, so this is one load. */
#define bt_bude_read_site(from) (*(from))

#if defined(__NV_CL_C_VERSION)
/* a modifier of the instruction that makes x */
BT_FUNCTION float bt_bude_saturate(float x) {
  float y;
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
#define BT_SATURATE(x) bt_bude_saturate(x)
#elif BT_LANES == 1
#define BT_SATURATE(x) clamp(x, 0.0f, 1.0f)
#endif

#if BT_LANES == 1 && !((BT_BUDE_WITHOUT)&BT_BUDE_WITHOUT_FAST)
BT_FUNCTION bt_real bt_bude_root(bt_real q) { return native_sqrt(fabs(q)); }
#else
BT_FUNCTION bt_real bt_bude_root(bt_real q) { return sqrt(bt_max(q, bt_splat(0.0f))); }
#endif

#endif
