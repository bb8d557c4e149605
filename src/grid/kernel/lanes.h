/* lanes.h - vector operations of the grid kernels beyond those of the CPU's lane.h; one lane is one grid point.
 *
 * Compiled once per instruction set (BT_CPU_ISA_x; any other name: four lanes, SSE2 or NEON).
 */
#ifndef BERTH_GRID_KERNEL_LANES_H
#define BERTH_GRID_KERNEL_LANES_H

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "backend/cpu/lane.h"

#if defined(BT_CPU_ISA_avx512)

BT_FUNCTION unsigned bits(bt_mask a) { return a; }
BT_FUNCTION bt_int min_int(bt_int a, bt_int b) { return (bt_int)_mm512_min_epi32((__m512i)a, (__m512i)b); }
BT_FUNCTION bt_real rsqrt_estimate(bt_real a) { return (bt_real)_mm512_rsqrt14_ps((__m512)a); }
/* Both numbers of a table of pairs; here half as many loads as two gathers. */
BT_FUNCTION void gather_pairs(const float (*base)[2], bt_int index, bt_real *ret_first, bt_real *ret_second) {
  __m512i i = (__m512i)index;
  __m512 low = _mm512_castpd_ps(_mm512_i32gather_pd(_mm512_castsi512_si256(i), base, 8));
  __m512 high = _mm512_castpd_ps(_mm512_i32gather_pd(_mm512_extracti64x4_epi64(i, 1), base, 8));
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  *ret_first = (bt_real)_mm512_permutex2var_ps(low, even, high);
  *ret_second = (bt_real)_mm512_permutex2var_ps(low, _mm512_add_epi32(even, _mm512_set1_epi32(1)), high);
}

#else

BT_FUNCTION void gather_pairs(const float (*base)[2], bt_int index, bt_real *ret_first, bt_real *ret_second) {
  *ret_first = bt_gather(&base[0][0], index + index);
  *ret_second = bt_gather(&base[0][1], index + index);
}
#if defined(BT_CPU_ISA_avx2)
BT_FUNCTION unsigned bits(bt_mask a) { return (unsigned)_mm256_movemask_ps((__m256)a); }
BT_FUNCTION bt_int min_int(bt_int a, bt_int b) { return (bt_int)_mm256_min_epi32((__m256i)a, (__m256i)b); }
BT_FUNCTION bt_real rsqrt_estimate(bt_real a) { return (bt_real)_mm256_rsqrt_ps((__m256)a); }
#else
BT_FUNCTION bt_int min_int(bt_int a, bt_int b) { return bt_select_int(bt_lt_int(a, b), a, b); }
#if defined(__SSE2__)
BT_FUNCTION unsigned bits(bt_mask a) { return (unsigned)_mm_movemask_ps((__m128)a); }
BT_FUNCTION bt_real rsqrt_estimate(bt_real a) { return (bt_real)_mm_rsqrt_ps((__m128)a); }
#else
BT_FUNCTION unsigned bits(bt_mask a) {
  return ((unsigned)a[0] & 1u) | ((unsigned)a[1] & 2u) | ((unsigned)a[2] & 4u) | ((unsigned)a[3] & 8u);
}
BT_FUNCTION bt_real rsqrt_estimate(bt_real a) { return bt_rsqrt(a); }
#endif
#endif

#endif

BT_FUNCTION bt_real absolute(bt_real value) { return (bt_real)((bt_int)value & bt_splat_int(0x7FFFFFFF)); }

/* 1/sqrt(a) of normal positive numbers, to about 2^-22: one step of Newton-Raphson. */
BT_FUNCTION bt_real reciprocal_root(bt_real a) {
  bt_real y = rsqrt_estimate(a);
  return y * (bt_splat(1.5f) - bt_splat(0.5f) * a * y * y);
}
/* sqrt(a) of a >= 0. */
BT_FUNCTION bt_real root(bt_real a) { return a * reciprocal_root(bt_max(a, bt_splat(1e-20f))); }

BT_FUNCTION bt_real polynomial(const float *coefficients, int degree, bt_real z) {
  bt_real sum = bt_splat(coefficients[degree]);
  BT_UNROLL
  for (int i = degree - 1; i >= 0; i--) sum = sum * z + bt_splat(coefficients[i]);
  return sum;
}

#endif
