/* plan_matrix.c - see plan_matrix.h.
 *
 * The order is [group of 32 or 16 outputs][chunk of 16 inputs][tap][step][high, low][lane][2 column + half], where a
 * step is 8 TF32 numbers or 16 halves along the sum. As mma.m16n8k8 and mma.m16n8k16 want their right operand, lane l
 * holds output l / 4 of a column of 8, and inputs t = l % 4 and t + 4 of the step, or 2t, 2t + 1 and 2t + 8, 2t + 9.
 */
#include "rescore/cnn/plan_matrix.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernel/cnn/launch.h"

enum { CHUNK = BT_CNN_GROUP, LANES = 32 };

static bool is_halves(int products) { return products == BT_CNN_BF16_3 || products == BT_CNN_FP16; }
static bool is_split(int products) { return products == BT_CNN_TF32_EC || products == BT_CNN_BF16_3; }

static uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static float from_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* To nearest; weights are finite. */
static uint32_t to_tf32(float x) { return (bits_of(x) + 0x1000u) & 0xFFFFE000u; }
static uint32_t to_bf16(float x) { return (bits_of(x) + 0x7FFFu + (bits_of(x) >> 16 & 1u)) >> 16; }
static uint32_t to_half(float x) {
  uint32_t sign = bits_of(x) >> 16 & 0x8000u;
  float size = fminf(fabsf(x), 65504.0f);
  if (size < 0x1p-14f) return sign | (uint32_t)lrintf(size * 0x1p24f); /* subnormal */
  uint32_t bits = bits_of(size);
  return sign | ((bits + 0xFFFu + (bits >> 13 & 1u) - 0x38000000u) >> 13);
}

/* One number, or its rest where low. */
static uint32_t convert(int products, float x, bool low) {
  switch (products) {
    case BT_CNN_FP16: return to_half(x);
    case BT_CNN_BF16_3: return to_bf16(low ? x - from_bits(to_bf16(x) << 16) : x);
    default: return to_tf32(low ? x - from_bits(to_tf32(x)) : x);
  }
}

/* The matrices of a convolution. */
typedef struct packing {
  int products, n_out, n_in, taps;
  const float *filter;
  int columns, chunks, steps, parts; /* of 8 outputs in a group, of 16 inputs, in a chunk, high and low */
} packing;

static packing describe(int products, const float *filter, int n_out, int n_in, int taps) {
  packing p = {.products = products, .n_out = n_out, .n_in = n_in, .taps = taps, .filter = filter};
  p.columns = n_out % 32 == 0 ? 4 : 2;
  p.chunks = (n_in + CHUNK - 1) / CHUNK;
  p.steps = is_halves(products) ? 1 : 2;
  p.parts = is_split(products) ? 2 : 1;
  return p;
}

size_t bt_cnn_matrix_words(int products, int n_out, int n_in, int taps) {
  packing p = describe(products, NULL, n_out, n_in, taps);
  int groups = n_out / (8 * p.columns);
  return (size_t)(groups * p.chunks * taps * p.steps * p.parts) * (size_t)(LANES * 2 * p.columns);
}

static float weight(const packing *p, int out, int in, int tap) {
  return in < p->n_in ? p->filter[(out * p->n_in + in) * p->taps + tap] : 0.0f;
}

static uint32_t word(const packing *p, int out, int first_in, int tap, int lane, int half, bool low) {
  int t = lane % 4;
  if (!is_halves(p->products)) return convert(p->products, weight(p, out, first_in + t + 4 * half, tap), low);
  int in = first_in + 2 * t + 8 * half;
  return convert(p->products, weight(p, out, in, tap), low) |
         convert(p->products, weight(p, out, in + 1, tap), low) << 16;
}

void bt_cnn_matrix_pack(int products, const float *filter, int n_out, int n_in, int taps, unsigned int *words) {
  packing p = describe(products, filter, n_out, n_in, taps);
  int width = 8 * p.columns, per_step = CHUNK / p.steps;
  for (int group = 0; group < n_out / width; group++)
    for (int chunk = 0; chunk < p.chunks; chunk++)
      for (int tap = 0; tap < taps; tap++)
        for (int step = 0; step < p.steps; step++)
          for (int part = 0; part < p.parts; part++)
            for (int lane = 0; lane < LANES; lane++)
              for (int k = 0; k < 2 * p.columns; k++)
                *words++ = word(&p, group * width + 8 * (k / 2) + lane / 4, chunk * CHUNK + step * per_step, tap, lane,
                                k % 2, part == 1);
}
