/* model.c - see model.h. */
#include "bench/reductions/model.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MOST_RANKS = 256, COLUMNS = 8, WAVE = 32, DEPTH_TF32 = 8, DEPTH_HALF = 16 };

size_t bt_reduction_value_count(const bt_reduction_case *c) { return (size_t)c->ranks + 6 * (size_t)c->n_atoms; }
size_t bt_reduction_sum_count(const bt_reduction_case *c) { return 6 * (size_t)c->n_bodies + 1; }

/* ---- Rounding ---- */

float bt_round_tf32(float x) {
  uint32_t bits;
  if (!isfinite(x)) return x;
  memcpy(&bits, &x, sizeof bits);
  bits = (bits + 0x1000u) & ~0x1FFFu; /* keeps 10 bits of the significand; a carry moves into the exponent */
  memcpy(&x, &bits, sizeof bits);
  return x;
}

float bt_round_half(double x) {
  int exponent;
  if (!isfinite(x) || x == 0) return (float)x;
  frexp(x, &exponent);
  double quantum = ldexp(1.0, exponent - 11 > -24 ? exponent - 11 : -24), rounded = rint(x / quantum) * quantum;
  return fabs(rounded) > 65504.0 ? (float)copysign(INFINITY, x) : (float)rounded;
}

static float toward_zero(double x) {
  float nearest = (float)x;
  return fabs((double)nearest) > fabs(x) ? nextafterf(nearest, 0.0f) : nearest;
}

/* Like bt_finite of kernel/lga/reduction.h. */
static float limited(float x) { return fmaxf(fminf(x, 1e30f), -1e30f); }

/* ---- One element of a product of 0/1 rows with data, whose terms are added block by block ---- */

typedef struct element {
  float high, low;
} element;

/* terms[count] of one instruction. */
static void element_add(element *e, bt_reduction strategy, const float *terms, int count) {
  double high = 0, low = 0;
  if (strategy == BT_REDUCTION_TENSOR_FP16) {
    for (int k = 0; k < count; k++) high += (double)bt_round_half((double)fmaxf(fminf(terms[k], 65504.0f), -65504.0f));
    e->high = bt_round_half((double)e->high + high);
    return;
  }
  for (int k = 0; k < count; k++) {
    float rounded = bt_round_tf32(terms[k]);
    high += (double)rounded;
    low += (double)bt_round_tf32(terms[k] - rounded);
  }
  e->high += toward_zero(high); /* outside tensor cores, to nearest */
  e->low = toward_zero((double)e->low + low);
}

static float element_value(const element *e) { return e->high + e->low; }

static void matrix_model(bt_reduction strategy, const bt_reduction_case *c, const float *values, float *sums) {
  int depth = strategy == BT_REDUCTION_TENSOR_EC ? DEPTH_TF32 : DEPTH_HALF;
  const float *atoms = values + c->ranks;
  float terms[DEPTH_HALF], columns[COLUMNS];
  for (int b = 0; b < c->n_bodies; b++) {
    int first_atom = c->bodies[b].first_atom, end_atom = c->bodies[c->bodies[b].end_body - 1].end_atom;
    for (int component = 0; component < 6; component++) {
      element e = {0, 0};
      for (int first = 0; first < c->n_atoms; first += depth) {
        for (int k = 0; k < depth; k++) { /* 0 times a finite number adds nothing */
          int a = first + k;
          terms[k] = a >= first_atom && a < end_atom ? limited(atoms[6 * a + component]) : 0.0f;
        }
        element_add(&e, strategy, terms, depth);
      }
      sums[6 * b + component] = element_value(&e);
    }
  }
  for (int column = 0; column < COLUMNS; column++) { /* energies are laid out in rows of 8 */
    element e = {0, 0};
    for (int first = 0; first < c->ranks; first += depth * COLUMNS) {
      for (int k = 0; k < depth; k++) {
        int r = first + k * COLUMNS + column;
        terms[k] = r < c->ranks ? limited(values[r]) : 0.0f;
      }
      element_add(&e, strategy, terms, depth);
    }
    columns[column] = element_value(&e);
  }
  float pairs[4] = {columns[0] + columns[1], columns[2] + columns[3], columns[4] + columns[5], columns[6] + columns[7]};
  sums[6 * c->n_bodies] = (pairs[0] + pairs[1]) + (pairs[2] + pairs[3]);
}

/* Lane to lane within each warp, then warp by warp; atoms one by one within each body, then body by body. */
static void simt_model(const bt_reduction_case *c, const float *values, float *sums) {
  const float *atoms = values + c->ranks;
  float energy = 0;
  for (int wave = 0; wave < c->ranks; wave += WAVE) {
    float lanes[WAVE], next[WAVE];
    memcpy(lanes, values + wave, sizeof lanes);
    for (int step = 1; step < WAVE; step *= 2) {
      for (int lane = 0; lane < WAVE; lane++) next[lane] = lanes[lane] + lanes[lane ^ step];
      memcpy(lanes, next, sizeof lanes);
    }
    energy = wave == 0 ? lanes[0] : energy + lanes[0];
  }
  for (int b = 0; b < c->n_bodies; b++)
    for (int component = 0; component < 6; component++) {
      float sum = 0;
      for (int d = b; d < c->bodies[b].end_body; d++) {
        float own = 0;
        for (int a = c->bodies[d].first_atom; a < c->bodies[d].end_atom && !c->bodies[d].immobile; a++)
          own += atoms[6 * a + component];
        sum += own;
      }
      sums[6 * b + component] = sum;
    }
  sums[6 * c->n_bodies] = energy;
}

/* ---- The seven sums of kernel/lga/study/seven_sums.h: what each rank adds, then rank by rank ---- */

enum { SEVEN = 7, VECTOR = 4, PRODUCT_ROWS = 16 };

/* partials[ranks][7] */
static void seven_partials(const bt_reduction_case *c, const float *values, float *partials) {
  const float *atoms = values + c->ranks;
  int first = c->bodies[0].first_atom, end = c->bodies[c->bodies[0].end_body - 1].end_atom;
  memset(partials, 0, SEVEN * (size_t)c->ranks * sizeof *partials);
  for (int r = 0; r < c->ranks; r++) {
    for (int a = first + r; a < end; a += c->ranks)
      for (int component = 0; component < 6; component++) partials[SEVEN * r + component] += atoms[6 * a + component];
    partials[SEVEN * r + 6] = values[r];
  }
}

/* One sum over ranks: lane to lane in each wave, then wave by wave. */
static float sequential_sum(const float *partials, int component, int ranks) {
  float sum = 0;
  for (int wave = 0; wave < ranks; wave += WAVE) {
    float lanes[WAVE], next[WAVE];
    for (int lane = 0; lane < WAVE; lane++) lanes[lane] = partials[SEVEN * (wave + lane) + component];
    for (int step = 1; step < WAVE; step *= 2) {
      for (int lane = 0; lane < WAVE; lane++) next[lane] = lanes[lane] + lanes[lane ^ step];
      memcpy(lanes, next, sizeof lanes);
    }
    sum += lanes[0];
  }
  return sum;
}

/* Adds products with ones or zeros; zeros matter if a term is not finite, since terms are not clamped. */
static void two_step_add(element *e, bt_reduction strategy, const float *terms, const float *factors, int count) {
  double high = 0, low = 0;
  for (int k = 0; k < count; k++) {
    if (strategy == BT_REDUCTION_TWO_STEP_FP16) {
      high += (double)bt_round_half((double)terms[k]) * (double)factors[k];
      continue;
    }
    float rounded = bt_round_tf32(terms[k]);
    high += (double)rounded * (double)factors[k];
    low += (double)bt_round_tf32(terms[k] - rounded) * (double)factors[k];
  }
  if (strategy == BT_REDUCTION_TWO_STEP_FP16) {
    e->high = bt_round_half((double)e->high + high);
    return;
  }
  e->high += toward_zero(high);
  e->low = toward_zero((double)e->low + low);
}

/* Four sums: V += A P over tiles of 64 vectors, then W = Q V. vectors[ranks][4] */
static void two_step_sums(bt_reduction strategy, const float *vectors, int ranks, float sums[VECTOR]) {
  int depth = strategy == BT_REDUCTION_TWO_STEP_EC ? DEPTH_TF32 : DEPTH_HALF;
  float v[PRODUCT_ROWS], ones[PRODUCT_ROWS], terms[PRODUCT_ROWS];
  for (int row = 0; row < PRODUCT_ROWS; row++) {
    element e = {0, 0};
    for (int first = 0; first < ranks / VECTOR; first += depth) {
      for (int j = 0; j < depth; j++) {
        ones[j] = 1;
        terms[j] = vectors[PRODUCT_ROWS * (first + j) + row];
      }
      two_step_add(&e, strategy, terms, ones, depth);
    }
    v[row] = element_value(&e);
  }
  for (int row = 0; row < VECTOR; row++) {
    element e = {0, 0};
    float q[PRODUCT_ROWS];
    for (int k = 0; k < PRODUCT_ROWS; k++) q[k] = k % VECTOR == row ? 1.0f : 0.0f;
    for (int first = 0; first < PRODUCT_ROWS; first += depth) two_step_add(&e, strategy, v + first, q + first, depth);
    sums[row] = element_value(&e);
  }
}

static void seven_model(bt_reduction strategy, const bt_reduction_case *c, const float *values, float *sums) {
  static const int calls[2][VECTOR] = {{3, 4, 5, 6}, {0, 1, 2, -1}};
  float partials[SEVEN * MOST_RANKS], vectors[VECTOR * MOST_RANKS], result[SEVEN], four[VECTOR];
  seven_partials(c, values, partials);
  for (int s = 0; s < SEVEN; s++) result[s] = sequential_sum(partials, s, c->ranks);
  for (int call = 0; call < 2 && strategy != BT_REDUCTION_SEQUENTIAL; call++) {
    for (int r = 0; r < c->ranks; r++)
      for (int k = 0; k < VECTOR; k++)
        vectors[VECTOR * r + k] = calls[call][k] >= 0 ? partials[SEVEN * r + calls[call][k]] : 0.0f;
    two_step_sums(strategy, vectors, c->ranks, four);
    for (int k = 0; k < VECTOR; k++)
      if (calls[call][k] >= 0) result[calls[call][k]] = four[k];
  }
  memcpy(sums, result, 6 * sizeof *sums);
  sums[6 * c->n_bodies] = result[6];
}

void bt_reduction_model(bt_reduction strategy, const bt_reduction_case *c, const float *values, float *sums) {
  if (strategy == BT_REDUCTION_TENSOR_FP16 || strategy == BT_REDUCTION_TENSOR_EC)
    matrix_model(strategy, c, values, sums);
  else
    simt_model(c, values, sums);
  if (strategy >= BT_REDUCTION_SEQUENTIAL) seven_model(strategy, c, values, sums); /* in place of body 0 */
}

void bt_reduction_exact(const bt_reduction_case *c, const float *values, double *sums, double *magnitudes) {
  const float *atoms = values + c->ranks;
  memset(sums, 0, bt_reduction_sum_count(c) * sizeof *sums);
  memset(magnitudes, 0, bt_reduction_sum_count(c) * sizeof *magnitudes);
  for (int b = 0; b < c->n_bodies; b++)
    for (int a = c->bodies[b].first_atom; a < c->bodies[c->bodies[b].end_body - 1].end_atom; a++)
      for (int component = 0; component < 6; component++) {
        sums[6 * b + component] += (double)atoms[6 * a + component];
        magnitudes[6 * b + component] += fabs((double)atoms[6 * a + component]);
      }
  for (int r = 0; r < c->ranks; r++) {
    sums[6 * c->n_bodies] += (double)values[r];
    magnitudes[6 * c->n_bodies] += fabs((double)values[r]);
  }
}
