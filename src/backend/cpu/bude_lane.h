/* bude_lane.h - what the BUDE kernels need of a CPU besides lane.h: vectors are groups of one work-item. */
#ifndef BERTH_BACKEND_CPU_BUDE_LANE_H
#define BERTH_BACKEND_CPU_BUDE_LANE_H

#include <string.h>

#include "backend/cpu/lane.h"
#include "kernel/bude/launch.h"

#define BT_LANES BT_CPU_LANES
#define BT_BUDE_ITEM 0
#define BT_BUDE_ITEMS 1
#define BT_BUDE_LOCAL 0
#define BT_BUDE_UNROLL_SITES

/* A launch as one group sees it. */
typedef struct bt_bude_group_launch {
  bt_bude_launch launch;
  int group;
} bt_bude_group_launch;
#define BT_BUDE_GROUP (((const bt_bude_group_launch *)(const void *)launch)->group)

BT_FUNCTION bt_real bt_bude_load(const float *from) {
  bt_real value;
  memcpy(&value, from, sizeof value);
  return value;
}
BT_FUNCTION void bt_bude_store(float *to, bt_real value) { memcpy(to, &value, sizeof value); }
BT_FUNCTION bt_real bt_bude_load_strided(const float *from, int step) {
  bt_real value;
  for (int l = 0; l < BT_CPU_LANES; l++) value[l] = from[l * step];
  return value;
}
BT_FUNCTION bt_bude_site bt_bude_read_site(const bt_bude_site *from) { return *from; }
BT_FUNCTION unsigned int bt_bude_mulhi(unsigned int a, unsigned int b) {
  return (unsigned int)((unsigned long long)a * b >> 32);
}

#if defined(BT_CPU_ISA_avx512) && !((BT_BUDE_WITHOUT)&BT_BUDE_WITHOUT_FAST)
/* From the square of half a distance r: y = 2/r roughly, s = r/2, and one step of Newton-Raphson gives r without a
 * factor. Vectors of AVX2 are short enough for the unit that takes roots, which works beside the multiply-adds: 1.17
 * times as fast on AMD's Zen 3, and the same on every maker's processor. */
#define BT_BUDE_SCALE 0.5f
BT_FUNCTION bt_real bt_bude_root(bt_real q) {
  q = bt_max(q, bt_splat(1e-14f)); /* atoms at the same place, after rounding */
  bt_real y = (bt_real)_mm512_rsqrt14_ps((__m512)q);
  bt_real s = q * y;
  return s * (bt_splat(3.0f) - s * y);
}
#else
#define BT_BUDE_SCALE 1.0f
#if defined(BT_CPU_ISA_sse2)
#include <xmmintrin.h>
BT_FUNCTION bt_real bt_bude_root(bt_real q) { return (bt_real)_mm_sqrt_ps(_mm_max_ps((__m128)q, _mm_setzero_ps())); }
#else
BT_FUNCTION bt_real bt_bude_root(bt_real q) { return bt_sqrt(bt_max(q, bt_splat(0.0f))); }
#endif
#endif

#endif
