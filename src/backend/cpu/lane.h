/* lane.h - the lane type of the CPU: one vector lane is one pose.
 *
 * Compiled once per instruction set. BT_LANES is the number of poses side by side. AVX-512 keeps masks in mask
 * registers, AVX2 in vectors; everything else (SSE2, NEON, scalar) is plain vector extensions of GCC and Clang.
 */
#ifndef BERTH_BACKEND_CPU_LANE_H
#define BERTH_BACKEND_CPU_LANE_H

#if defined(BT_CPU_ISA_avx512)
#define BT_LANES 16
#elif defined(BT_CPU_ISA_avx2)
#define BT_LANES 8
#elif defined(BT_CPU_ISA_scalar)
#define BT_LANES 1
#else
#define BT_LANES 4
#endif

#include <string.h>
#if defined(BT_CPU_ISA_avx512) || defined(BT_CPU_ISA_avx2)
#include <immintrin.h>
#elif defined(BT_CPU_ISA_sse2)
#include <xmmintrin.h>
#endif

#define BT_FUNCTION static inline __attribute__((always_inline))
#define BT_GLOBAL
#define BT_SCRATCH
#define BT_STATE
#ifndef BT_TEAM /* modules without teams */
#define BT_TEAM 1
#endif
#define BT_TEAM_TILES 0
#define BT_ITEM 0 /* a block is one work-item */
#define BT_ITEMS 1
#define BT_LOCAL_MEMORY 0
#define BT_SYNC() ((void)0)
#define BT_AT(array, index) ((array)[index])
#define BT_STATE_MAY_BE_LOCAL
#define BT_KEEP(value) (value)
#define BT_BLOCK_ANY(flag, scratch) (flag)
#define BT_ATOMIC_NEXT(counter) __atomic_fetch_add((counter), 1, __ATOMIC_RELAXED)
#if defined(__clang__)
#define BT_UNROLL _Pragma("clang loop unroll(full)")
#else
#define BT_UNROLL _Pragma("GCC unroll 16")
#endif

typedef float bt_real __attribute__((vector_size(4 * BT_LANES)));
typedef int bt_int __attribute__((vector_size(4 * BT_LANES)));
typedef unsigned int bt_uint __attribute__((vector_size(4 * BT_LANES)));

BT_FUNCTION bt_real bt_splat(float value) { return value - (bt_real){0}; }
BT_FUNCTION bt_int bt_splat_int(int value) { return value - (bt_int){0}; }
BT_FUNCTION bt_uint bt_splat_uint(unsigned int value) { return value - (bt_uint){0}; }
BT_FUNCTION bt_int bt_uint_to_int(bt_uint value) { return (bt_int)value; }
BT_FUNCTION bt_uint bt_int_to_uint(bt_int value) { return (bt_uint)value; }
BT_FUNCTION bt_int bt_to_int(bt_real value) { return __builtin_convertvector(value, bt_int); }
BT_FUNCTION bt_real bt_to_real(bt_int value) { return __builtin_convertvector(value, bt_real); }
/* contracted to an FMA where available */
BT_FUNCTION bt_real bt_fma(bt_real a, bt_real b, bt_real c) { return a * b + c; }
BT_FUNCTION bt_int bt_lane_index(void) {
  bt_int index;
  for (int l = 0; l < BT_LANES; l++) index[l] = l;
  return index;
}

BT_FUNCTION bt_real bt_load(const float *from) {
  bt_real value;
  memcpy(&value, from, sizeof value);
  return value;
}
BT_FUNCTION void bt_store(float *to, bt_real value) { memcpy(to, &value, sizeof value); }
BT_FUNCTION bt_real bt_load_strided(const float *from, int step) {
  bt_real value;
  for (int l = 0; l < BT_LANES; l++) value[l] = from[l * step];
  return value;
}
BT_FUNCTION unsigned int bt_mulhi_scalar(unsigned int a, unsigned int b) {
  return (unsigned int)((unsigned long long)a * b >> 32);
}

BT_FUNCTION float bt_lane_get(bt_real value, int lane) { return value[lane]; }
BT_FUNCTION int bt_lane_get_int(bt_int value, int lane) { return value[lane]; }
BT_FUNCTION void bt_lane_set(bt_real *value, int lane, float to) { (*value)[lane] = to; }
BT_FUNCTION void bt_lane_set_int(bt_int *value, int lane, int to) { (*value)[lane] = to; }
BT_FUNCTION void bt_lane_set_uint(bt_uint *value, int lane, unsigned int to) { (*value)[lane] = to; }

BT_FUNCTION void bt_prefetch(const float *base, bt_int index) {
  for (int l = 0; l < BT_LANES; l++) __builtin_prefetch(base + index[l]);
}

#if defined(BT_CPU_ISA_avx512)

typedef __mmask16 bt_mask;
BT_FUNCTION bt_mask bt_lt(bt_real a, bt_real b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ); }
BT_FUNCTION bt_mask bt_eq(bt_real a, bt_real b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_EQ_OQ); }
BT_FUNCTION bt_mask bt_lt_int(bt_int a, bt_int b) { return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b); }
BT_FUNCTION bt_mask bt_eq_int(bt_int a, bt_int b) { return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b); }
BT_FUNCTION bt_mask bt_and(bt_mask a, bt_mask b) { return (bt_mask)(a & b); }
BT_FUNCTION bt_mask bt_or(bt_mask a, bt_mask b) { return (bt_mask)(a | b); }
BT_FUNCTION bt_mask bt_not(bt_mask a) { return (bt_mask)(~(unsigned int)a & 0xFFFFu); }
BT_FUNCTION int bt_any(bt_mask a) { return a != 0; }
BT_FUNCTION int bt_mask_lane(bt_mask a, int lane) { return (a >> lane) & 1; }
BT_FUNCTION bt_mask bt_mask_none(void) { return 0; }
BT_FUNCTION bt_real bt_select(bt_mask mask, bt_real a, bt_real b) {
  return (bt_real)_mm512_mask_blend_ps(mask, (__m512)b, (__m512)a);
}
BT_FUNCTION bt_real bt_select_zero(bt_mask mask, bt_real a) { return (bt_real)_mm512_maskz_mov_ps(mask, (__m512)a); }
BT_FUNCTION bt_int bt_select_int(bt_mask mask, bt_int a, bt_int b) {
  return (bt_int)_mm512_mask_blend_epi32(mask, (__m512i)b, (__m512i)a);
}
BT_FUNCTION bt_real bt_min(bt_real a, bt_real b) { return (bt_real)_mm512_min_ps((__m512)a, (__m512)b); }
BT_FUNCTION bt_real bt_max(bt_real a, bt_real b) { return (bt_real)_mm512_max_ps((__m512)a, (__m512)b); }
BT_FUNCTION bt_real bt_sqrt(bt_real a) { return (bt_real)_mm512_sqrt_ps((__m512)a); }
BT_FUNCTION bt_real bt_rcp_fast(bt_real a) { return (bt_real)_mm512_rcp14_ps((__m512)a); }
BT_FUNCTION bt_real bt_rcp(bt_real a) { /* one step of Newton-Raphson: 2^-24 */
  bt_real y = bt_rcp_fast(a);
  return y + y * (1.0f - a * y);
}
BT_FUNCTION bt_real bt_rsqrt(bt_real a) { /* one step of Newton-Raphson: 2^-23 */
  bt_real y = (bt_real)_mm512_rsqrt14_ps((__m512)a);
  return y + (0.5f * y) * (1.0f - (a * y) * y);
}
/* From the square of half a distance r: y = 2/r approximately, s = r/2, and one step of Newton-Raphson gives r without
 * a factor. With AVX2's short vectors the hardware square root is better, as it runs in parallel to the multiply-adds:
 * 1.17 times as fast on AMD's Zen 3, with identical results on all CPUs. */
#define BT_ROOT_SCALE 0.5f
BT_FUNCTION bt_real bt_root(bt_real q) {
  q = bt_max(q, bt_splat(1e-14f)); /* coincident atoms, after rounding */
  bt_real y = (bt_real)_mm512_rsqrt14_ps((__m512)q);
  bt_real s = q * y;
  return s * (bt_splat(3.0f) - s * y);
}
BT_FUNCTION bt_real bt_gather(const float *base, bt_int index) {
  return (bt_real)_mm512_i32gather_ps((__m512i)index, base, 4);
}
BT_FUNCTION bt_uint bt_mulhi(bt_uint a, unsigned int b) {
  __m512i even = _mm512_mul_epu32((__m512i)a, _mm512_set1_epi32((int)b));
  __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64((__m512i)a, 32), _mm512_set1_epi32((int)b));
  return (bt_uint)_mm512_mask_blend_epi32(0xAAAA, _mm512_srli_epi64(even, 32), odd);
}

#elif defined(BT_CPU_ISA_avx2)

typedef bt_int bt_mask;
BT_FUNCTION bt_mask bt_lt(bt_real a, bt_real b) { return (bt_mask)(a < b); }
BT_FUNCTION bt_mask bt_eq(bt_real a, bt_real b) { return (bt_mask)(a == b); }
BT_FUNCTION bt_mask bt_lt_int(bt_int a, bt_int b) { return (bt_mask)(a < b); }
BT_FUNCTION bt_mask bt_eq_int(bt_int a, bt_int b) { return (bt_mask)(a == b); }
BT_FUNCTION bt_mask bt_and(bt_mask a, bt_mask b) { return a & b; }
BT_FUNCTION bt_mask bt_or(bt_mask a, bt_mask b) { return a | b; }
BT_FUNCTION bt_mask bt_not(bt_mask a) { return ~a; }
BT_FUNCTION int bt_any(bt_mask a) { return _mm256_movemask_ps((__m256)a) != 0; }
BT_FUNCTION int bt_mask_lane(bt_mask a, int lane) { return (_mm256_movemask_ps((__m256)a) >> lane) & 1; }
BT_FUNCTION bt_mask bt_mask_none(void) { return (bt_mask){0}; }
BT_FUNCTION bt_real bt_select(bt_mask mask, bt_real a, bt_real b) {
  return (bt_real)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)mask);
}
BT_FUNCTION bt_real bt_select_zero(bt_mask mask, bt_real a) { return (bt_real)((bt_int)a & mask); }
BT_FUNCTION bt_int bt_select_int(bt_mask mask, bt_int a, bt_int b) {
  return (bt_int)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)mask);
}
BT_FUNCTION bt_real bt_min(bt_real a, bt_real b) { return (bt_real)_mm256_min_ps((__m256)a, (__m256)b); }
BT_FUNCTION bt_real bt_max(bt_real a, bt_real b) { return (bt_real)_mm256_max_ps((__m256)a, (__m256)b); }
BT_FUNCTION bt_real bt_sqrt(bt_real a) { return (bt_real)_mm256_sqrt_ps((__m256)a); }
BT_FUNCTION bt_real bt_rcp(bt_real a) { /* one step of Newton-Raphson on 12 bits */
  bt_real y = (bt_real)_mm256_rcp_ps((__m256)a);
  return y + y * (1.0f - a * y);
}
BT_FUNCTION bt_real bt_rcp_fast(bt_real a) { return bt_rcp(a); }
BT_FUNCTION bt_real bt_rsqrt(bt_real a) {
  bt_real y = (bt_real)_mm256_rsqrt_ps((__m256)a);
  return y + (0.5f * y) * (1.0f - (a * y) * y);
}
BT_FUNCTION bt_real bt_gather(const float *base, bt_int index) {
  return (bt_real)_mm256_i32gather_ps(base, (__m256i)index, 4);
}
BT_FUNCTION bt_uint bt_mulhi(bt_uint a, unsigned int b) {
  __m256i even = _mm256_mul_epu32((__m256i)a, _mm256_set1_epi32((int)b));
  __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64((__m256i)a, 32), _mm256_set1_epi32((int)b));
  return (bt_uint)_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA);
}

#else

typedef bt_int bt_mask;
BT_FUNCTION bt_mask bt_lt(bt_real a, bt_real b) { return (bt_mask)(a < b); }
BT_FUNCTION bt_mask bt_eq(bt_real a, bt_real b) { return (bt_mask)(a == b); }
BT_FUNCTION bt_mask bt_lt_int(bt_int a, bt_int b) { return (bt_mask)(a < b); }
BT_FUNCTION bt_mask bt_eq_int(bt_int a, bt_int b) { return (bt_mask)(a == b); }
BT_FUNCTION bt_mask bt_and(bt_mask a, bt_mask b) { return a & b; }
BT_FUNCTION bt_mask bt_or(bt_mask a, bt_mask b) { return a | b; }
BT_FUNCTION bt_mask bt_not(bt_mask a) { return ~a; }
BT_FUNCTION int bt_any(bt_mask a) {
  int any = 0;
  for (int l = 0; l < BT_LANES; l++) any |= a[l];
  return any != 0;
}
BT_FUNCTION int bt_mask_lane(bt_mask a, int lane) { return a[lane] != 0; }
BT_FUNCTION bt_mask bt_mask_none(void) { return (bt_mask){0}; }
BT_FUNCTION bt_real bt_select(bt_mask mask, bt_real a, bt_real b) {
  return (bt_real)(((bt_int)a & mask) | ((bt_int)b & ~mask));
}
BT_FUNCTION bt_real bt_select_zero(bt_mask mask, bt_real a) { return (bt_real)((bt_int)a & mask); }
BT_FUNCTION bt_int bt_select_int(bt_mask mask, bt_int a, bt_int b) { return (a & mask) | (b & ~mask); }
BT_FUNCTION bt_real bt_min(bt_real a, bt_real b) { return bt_select((bt_mask)(a < b), a, b); }
BT_FUNCTION bt_real bt_max(bt_real a, bt_real b) { return bt_select((bt_mask)(a > b), a, b); }
BT_FUNCTION bt_real bt_sqrt(bt_real a) {
  bt_real root = a;
  for (int l = 0; l < BT_LANES; l++) root[l] = __builtin_sqrtf(a[l]);
  return root;
}
#if defined(BT_CPU_ISA_sse2)
#define BT_ROOT_SCALE 1.0f
BT_FUNCTION bt_real bt_root(bt_real q) { return (bt_real)_mm_sqrt_ps(_mm_max_ps((__m128)q, _mm_setzero_ps())); }
#endif
BT_FUNCTION bt_real bt_rcp(bt_real a) { return 1.0f / a; }
BT_FUNCTION bt_real bt_rcp_fast(bt_real a) { return 1.0f / a; }
BT_FUNCTION bt_real bt_rsqrt(bt_real a) { return 1.0f / bt_sqrt(a); }
BT_FUNCTION bt_real bt_gather(const float *base, bt_int index) {
  bt_real value;
  for (int l = 0; l < BT_LANES; l++) value[l] = base[index[l]];
  return value;
}
BT_FUNCTION bt_uint bt_mulhi(bt_uint a, unsigned int b) {
  bt_uint high;
  for (int l = 0; l < BT_LANES; l++) high[l] = (unsigned int)(((unsigned long long)a[l] * b) >> 32);
  return high;
}

#endif

#endif
