/* test_matrix.c - weights as tensor cores take them: the matrix products of kernel/cnn/convolve_matrix.h, done here
 * one number at a time, give the filter times its inputs. */
#include "rescore/cnn/plan_matrix.h"

#include <math.h>
#include <stdbool.h>

#include "kernel/cnn/launch.h"
#include "unit/assert_near.h"
#include "unit/support.h"

enum { CHUNK = 16, WAVE = 32, MOST_OUT = 96, MOST_IN = 96 };

static bool halves(int products) { return products == BT_CNN_BF16_3 || products == BT_CNN_FP16; }
static bool split(int products) { return products == BT_CNN_TF32_EC || products == BT_CNN_BF16_3; }

static double uniform(unsigned int *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* ---- numbers ---- */

static double single(unsigned int bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static double half(unsigned int bits) {
  int exponent = (int)(bits >> 10 & 31u), fraction = (int)(bits & 1023u);
  double size = exponent > 0 ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
  return bits & 0x8000u ? -size : size;
}

/* The first or second number of a word. */
static double number(int products, unsigned int word, int which) {
  if (products == BT_CNN_FP16) return half(word >> 16 * which & 0xFFFFu);
  return products == BT_CNN_BF16_3 ? single(word >> 16 * which << 16) : single(word);
}

/* ---- matrices ---- */

/* A convolution, and its weights as they are packed. */
typedef struct packed {
  int products, n_out, n_in, taps;
  int columns, steps, parts, chunks; /* of 8 outputs, along a chunk's sum, high and low, of 16 inputs */
  unsigned int *words;
} packed;

static packed pack(int products, const float *filter, int n_out, int n_in, int taps) {
  packed p = {.products = products, .n_out = n_out, .n_in = n_in, .taps = taps};
  size_t n = bt_cnn_matrix_words(products, n_out, n_in, taps);
  p.columns = n_out % 32 == 0 ? 4 : 2;
  p.steps = halves(products) ? 1 : 2;
  p.parts = split(products) ? 2 : 1;
  p.chunks = (n_in + CHUNK - 1) / CHUNK;
  assert_int_equal(n, n_out / (8 * p.columns) * p.chunks * taps * p.steps * p.parts * WAVE * 2 * p.columns);
  p.words = calloc(n, sizeof *p.words);
  assert_non_null(p.words);
  bt_cnn_matrix_pack(products, filter, n_out, n_in, taps, p.words);
  return p;
}

/* Words of a lane in a step of a tap, as the kernel finds them. */
static const unsigned int *lane_words(const packed *p, int group, int chunk, int tap, int step, int part, int lane) {
  int of_part = WAVE * 2 * p->columns, of_step = of_part * p->parts, of_chunk = p->taps * p->steps * of_step;
  return p->words + (ptrdiff_t)group * p->chunks * of_chunk + (ptrdiff_t)chunk * of_chunk +
         (tap * p->steps + step) * of_step + part * of_part + lane * 2 * p->columns;
}

/* The products of one lane's part of the right operand: output lane / 4 of each column; of a step of 8 numbers rows t
 * and t + 4 of the sum, of one of 16 halves rows 2t, 2t + 1, 2t + 8 and 2t + 9, with t = lane % 4. */
static void multiply_lane(const packed *p, const unsigned int *words, int lane, const double *inputs, double *outputs) {
  int t = lane % 4, each = halves(p->products) ? 2 : 1, far = halves(p->products) ? 8 : 4;
  for (int column = 0; column < p->columns; column++)
    for (int k = 0; k < 2; k++)
      for (int which = 0; which < each; which++)
        outputs[8 * column + lane / 4] +=
            inputs[each * t + which + far * k] * number(p->products, words[2 * column + k], which);
}

/* One tap of the convolution; inputs: zero from n_in on. part: 0: high, 1: low. */
static void multiply(const packed *p, int tap, int part, const double *inputs, double *outputs) {
  int width = 8 * p->columns;
  memset(outputs, 0, (size_t)p->n_out * sizeof *outputs);
  for (int group = 0; group < p->n_out / width; group++)
    for (int chunk = 0; chunk < p->chunks; chunk++)
      for (int step = 0; step < p->steps; step++)
        for (int lane = 0; lane < WAVE; lane++)
          multiply_lane(p, lane_words(p, group, chunk, tap, step, part, lane), lane,
                        inputs + CHUNK * chunk + CHUNK / p->steps * step, outputs + width * group);
}

/* ---- tests ---- */

static const struct {
  int products;
  double tolerance; /* relative to the sum of all products' sizes */
} kinds[] = {{BT_CNN_TF32_EC, 0x1p-20}, {BT_CNN_BF16_3, 0x1p-15}, {BT_CNN_TF32, 0x1p-11}, {BT_CNN_FP16, 0x1p-11}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void check_tap(const packed *p, const float *filter, int tap, double tolerance, unsigned int *seed) {
  double inputs[MOST_IN + CHUNK], high[MOST_OUT], low[MOST_OUT] = {0}, sum, size;
  for (int i = 0; i < MOST_IN + CHUNK; i++) inputs[i] = uniform(seed); /* those past n_in meet weights of zero */
  multiply(p, tap, 0, inputs, high);
  if (p->parts == 2) multiply(p, tap, 1, inputs, low);
  for (int out = 0; out < p->n_out; out++) {
    sum = size = 0;
    for (int in = 0; in < p->n_in; in++) {
      double product = inputs[in] * (double)filter[(out * p->n_in + in) * p->taps + tap];
      sum += product;
      size += fabs(product);
    }
    assert_near(high[out] + low[out], sum, tolerance * size);
    if (p->parts == 2) assert_near(high[out], sum, 0x1p-8 * size); /* the high part alone is nearly all */
  }
}

static void products_are_those_of_the_filter(void **state) {
  (void)state;
  static const int shapes[][3] = {{32, 28, 27}, {16, 32, 27}, {96, 96, 1}, {48, 40, 1}, {64, 32, 8}};
  static float filter[MOST_OUT * MOST_IN * 27];
  unsigned int seed = 1;
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
    for (int k = 0; k < KINDS; k++) {
      int n_out = shapes[s][0], n_in = shapes[s][1], taps = shapes[s][2];
      for (int i = 0; i < n_out * n_in * taps; i++) filter[i] = (float)uniform(&seed);
      packed p = pack(kinds[k].products, filter, n_out, n_in, taps);
      for (int tap = 0; tap < taps; tap++) check_tap(&p, filter, tap, kinds[k].tolerance, &seed);
      free(p.words);
    }
}

/* Bits of a number, and of its rest. */
static unsigned int bits(int products, double x, bool low) {
  static float filter[256];
  filter[0] = (float)x;
  packed p = pack(products, filter, 16, 16, 1);
  unsigned int word = *lane_words(&p, 0, 0, 0, 0, low, 0);
  free(p.words);
  return word;
}

static void halves_are_nearest(void **state) {
  (void)state;
  static const struct {
    double x;
    unsigned int bits;
  } cases[] = {
      {0, 0},
      {1, 0x3C00},
      {-2, 0xC000},
      {1 + 0x1p-11, 0x3C00}, /* ties to even */
      {1 + 3 * 0x1p-11, 0x3C02},
      {1 + 0x1p-11 + 0x1p-20, 0x3C01},
      {2 - 0x1p-12, 0x4000},
      {65504, 0x7BFF},
      {-1e6, 0xFBFF}, /* no infinities */
      {0x1p-14, 0x0400},
      {0x1p-14 - 0x1p-25, 0x0400}, /* subnormal numbers from here on */
      {0x1p-14 - 0x1p-24, 0x03FF},
      {-0x1p-15, 0x8200},
      {0x1p-24, 1},
      {1.5 * 0x1p-24, 2},
      {2.5 * 0x1p-24, 2},
      {0x1p-25, 0},
      {1.01 * 0x1p-25, 1},
      {-1e-30, 0x8000},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    if (bits(BT_CNN_FP16, cases[k].x, false) != cases[k].bits)
      fail_msg("%g is %04x, not %04x", cases[k].x, bits(BT_CNN_FP16, cases[k].x, false), cases[k].bits);
}

static void numbers_and_rests(void **state) {
  (void)state;
  assert_near(single(bits(BT_CNN_TF32, 1 + 0x1p-11, false)), 1 + 0x1p-10, 0); /* ties away from zero */
  assert_near(single(bits(BT_CNN_TF32, -1 - 0x1p-12, false)), -1, 0);
  assert_near(single(bits(BT_CNN_TF32, 1 - 0x1p-13, false)), 1, 0);
  assert_int_equal(bits(BT_CNN_BF16_3, 1 + 0x1p-8, false), 0x3F80); /* ties to even */
  assert_int_equal(bits(BT_CNN_BF16_3, 1 + 3 * 0x1p-8, false), 0x3F82);
  assert_int_equal(bits(BT_CNN_BF16_3, 1 + 0x1p-8, true), 0x3B80);
  unsigned int seed = 7;
  for (int i = 0; i < 2000; i++) {
    double x = (double)(float)(uniform(&seed) * exp(20 * uniform(&seed)));
    for (int k = 0; k < 2; k++) {
      int products = kinds[k].products;
      double high = number(products, bits(products, x, false), 0), low = number(products, bits(products, x, true), 0);
      assert_near(high + low, x, kinds[k].tolerance * fabs(x));
      assert_near(high, x, (products == BT_CNN_BF16_3 ? 0x1p-8 : 0x1p-11) * fabs(x));
    }
    assert_near(half(bits(BT_CNN_FP16, x, false)), fmax(fmin(x, 65504), -65504), fmax(0x1p-11 * fabs(x), 0x1p-25));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_are_those_of_the_filter),
      cmocka_unit_test(halves_are_nearest),
      cmocka_unit_test(numbers_and_rests),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
