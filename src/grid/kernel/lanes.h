/* lanes.h - the vector type of the grid kernels: one lane is one grid point.
 *
 * Compiled once per instruction set (BT_GRID_ISA_x). What GCC's and Clang's vector extensions express is left to them;
 * intrinsics stand only where a loop over lanes would be several times slower.
 */
#ifndef BERTH_GRID_KERNEL_LANES_H
#define BERTH_GRID_KERNEL_LANES_H

#include <string.h>

#if defined(BT_GRID_ISA_avx512)
#define LANES 16
#elif defined(BT_GRID_ISA_avx2)
#define LANES 8
#else
#define LANES 4
#endif

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

typedef float reals __attribute__((vector_size(4 * LANES)));
typedef int ints __attribute__((vector_size(4 * LANES)));

INLINE reals splat(float value) { return value - (reals){0}; }
INLINE ints splat_int(int value) { return value - (ints){0}; }
INLINE reals load(const float *from) {
  reals value;
  memcpy(&value, from, sizeof value);
  return value;
}
INLINE void store(float *to, reals value) { memcpy(to, &value, sizeof value); }
INLINE ints load_int(const int *from) {
  ints value;
  memcpy(&value, from, sizeof value);
  return value;
}
INLINE void store_int(int *to, ints value) { memcpy(to, &value, sizeof value); }
INLINE ints truncate(reals value) { return __builtin_convertvector(value, ints); }
INLINE reals to_real(ints value) { return __builtin_convertvector(value, reals); }
INLINE reals absolute(reals value) { return (reals)((ints)value & splat_int(0x7FFFFFFF)); }

#if defined(BT_GRID_ISA_avx512)

typedef __mmask16 mask;
INLINE mask less(reals a, reals b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ); }
INLINE mask less_int(ints a, ints b) { return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b); }
INLINE mask equal_int(ints a, ints b) { return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b); }
INLINE mask both(mask a, mask b) { return (mask)(a & b); }
INLINE unsigned bits(mask a) { return a; }
INLINE mask from_bits(unsigned word) { return (mask)word; }
INLINE reals choose(mask m, reals a, reals b) { return (reals)_mm512_mask_blend_ps(m, (__m512)b, (__m512)a); }
INLINE ints choose_int(mask m, ints a, ints b) { return (ints)_mm512_mask_blend_epi32(m, (__m512i)b, (__m512i)a); }
INLINE reals smaller(reals a, reals b) { return (reals)_mm512_min_ps((__m512)a, (__m512)b); }
INLINE reals larger(reals a, reals b) { return (reals)_mm512_max_ps((__m512)a, (__m512)b); }
INLINE ints smaller_int(ints a, ints b) { return (ints)_mm512_min_epi32((__m512i)a, (__m512i)b); }
INLINE reals gather(const float *base, ints index) { return (reals)_mm512_i32gather_ps((__m512i)index, base, 4); }
/* Both numbers of a table of pairs; here half as many loads as two gathers. */
INLINE void gather_pairs(const float (*base)[2], ints index, reals *ret_first, reals *ret_second) {
  __m512i i = (__m512i)index;
  __m512 low = _mm512_castpd_ps(_mm512_i32gather_pd(_mm512_castsi512_si256(i), base, 8));
  __m512 high = _mm512_castpd_ps(_mm512_i32gather_pd(_mm512_extracti64x4_epi64(i, 1), base, 8));
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  *ret_first = (reals)_mm512_permutex2var_ps(low, even, high);
  *ret_second = (reals)_mm512_permutex2var_ps(low, _mm512_add_epi32(even, _mm512_set1_epi32(1)), high);
}
INLINE reals reciprocal_root_estimate(reals a) { return (reals)_mm512_rsqrt14_ps((__m512)a); }

#else

typedef ints mask;
INLINE mask less(reals a, reals b) { return (mask)(a < b); }
INLINE mask less_int(ints a, ints b) { return (mask)(a < b); }
INLINE mask equal_int(ints a, ints b) { return (mask)(a == b); }
INLINE mask both(mask a, mask b) { return a & b; }
INLINE mask from_bits(unsigned word) {
  ints index;
  for (int l = 0; l < LANES; l++) index[l] = (int)(word >> l & 1u);
  return (mask)(index != splat_int(0));
}
#if defined(BT_GRID_ISA_avx2)
INLINE unsigned bits(mask a) { return (unsigned)_mm256_movemask_ps((__m256)a); }
INLINE reals choose(mask m, reals a, reals b) { return (reals)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m); }
INLINE ints choose_int(mask m, ints a, ints b) { return (ints)choose(m, (reals)a, (reals)b); }
INLINE reals smaller(reals a, reals b) { return (reals)_mm256_min_ps((__m256)a, (__m256)b); }
INLINE reals larger(reals a, reals b) { return (reals)_mm256_max_ps((__m256)a, (__m256)b); }
INLINE ints smaller_int(ints a, ints b) { return (ints)_mm256_min_epi32((__m256i)a, (__m256i)b); }
INLINE reals gather(const float *base, ints index) { return (reals)_mm256_i32gather_ps(base, (__m256i)index, 4); }
INLINE void gather_pairs(const float (*base)[2], ints index, reals *ret_first, reals *ret_second) {
  *ret_first = gather(&base[0][0], index + index);
  *ret_second = gather(&base[0][1], index + index);
}
INLINE reals reciprocal_root_estimate(reals a) { return (reals)_mm256_rsqrt_ps((__m256)a); }

#else
INLINE reals choose(mask m, reals a, reals b) { return (reals)(((ints)a & m) | ((ints)b & ~m)); }
INLINE ints choose_int(mask m, ints a, ints b) { return (a & m) | (b & ~m); }
INLINE ints smaller_int(ints a, ints b) { return choose_int(a < b, a, b); }
INLINE reals gather(const float *base, ints index) {
  return (reals){base[index[0]], base[index[1]], base[index[2]], base[index[3]]};
}
INLINE void gather_pairs(const float (*base)[2], ints index, reals *ret_first, reals *ret_second) {
  *ret_first = (reals){base[index[0]][0], base[index[1]][0], base[index[2]][0], base[index[3]][0]};
  *ret_second = (reals){base[index[0]][1], base[index[1]][1], base[index[2]][1], base[index[3]][1]};
}
#if defined(__SSE2__)
INLINE unsigned bits(mask a) { return (unsigned)_mm_movemask_ps((__m128)a); }
INLINE reals smaller(reals a, reals b) { return (reals)_mm_min_ps((__m128)a, (__m128)b); }
INLINE reals larger(reals a, reals b) { return (reals)_mm_max_ps((__m128)a, (__m128)b); }
INLINE reals reciprocal_root_estimate(reals a) { return (reals)_mm_rsqrt_ps((__m128)a); }
#else
INLINE unsigned bits(mask a) {
  return ((unsigned)a[0] & 1u) | ((unsigned)a[1] & 2u) | ((unsigned)a[2] & 4u) | ((unsigned)a[3] & 8u);
}
INLINE reals smaller(reals a, reals b) { return choose(a < b, a, b); }
INLINE reals larger(reals a, reals b) { return choose(a > b, a, b); }
INLINE reals reciprocal_root_estimate(reals a) {
  return (reals){1.0f / __builtin_sqrtf(a[0]), 1.0f / __builtin_sqrtf(a[1]), 1.0f / __builtin_sqrtf(a[2]),
                 1.0f / __builtin_sqrtf(a[3])};
}
#endif
#endif

#endif

/* 1/sqrt(a) of normal positive numbers, to about 2^-22: one step of Newton-Raphson. */
INLINE reals reciprocal_root(reals a) {
  reals y = reciprocal_root_estimate(a);
  return y * (splat(1.5f) - splat(0.5f) * a * y * y);
}
/* sqrt(a) of a >= 0. */
INLINE reals root(reals a) { return a * reciprocal_root(larger(a, splat(1e-20f))); }

INLINE reals polynomial(const float *coefficients, int degree, reals z) {
  reals sum = splat(coefficients[degree]);
  UNROLL
  for (int i = degree - 1; i >= 0; i--) sum = sum * z + splat(coefficients[i]);
  return sum;
}

#endif
