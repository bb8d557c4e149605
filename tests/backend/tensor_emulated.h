/* tensor_emulated.h - emulates sums on tensor cores with CPU threads, one per lane.
 *
 * kernel/lga/reduction.h and backend/cuda/tensor.h are used unchanged; in place of backend/cuda/mma.h, the instructions
 * are emulated as NVIDIA describes them. A test defines BT_TEAM and its reduction (BT_TEAM_TENSOR_EC ... of tensor.h;
 * BT_TEAM_SEVEN and BT_TEAM_SEQUENTIAL ... of seven_sums.h), and includes this.
 */
#ifndef BERTH_TESTS_BACKEND_TENSOR_EMULATED_H
#define BERTH_TESTS_BACKEND_TENSOR_EMULATED_H

#include <math.h>
#include <pthread.h>

#include "bench/reductions/model.h"
#include "unit/support.h"

#define BT_FUNCTION static inline
#define BT_GLOBAL
#define BT_SCRATCH
#define BT_STATE
#define BT_UNROLL
#define BT_AT(array, index) ((array)[index])
#define BT_SYNC() pthread_barrier_wait(&block_barrier)
#define BT_MMA_EMULATED

typedef float bt_real;
typedef int bt_int;

BT_FUNCTION bt_real bt_splat(float value) { return value; }
BT_FUNCTION bt_real bt_min(bt_real a, bt_real b) { return fminf(a, b); }
BT_FUNCTION bt_real bt_max(bt_real a, bt_real b) { return fmaxf(a, b); }
BT_FUNCTION bt_real bt_fma(bt_real a, bt_real b, bt_real c) { return fmaf(a, b, c); }

/* What the lanes of a warp exchange. */
typedef struct wave {
  pthread_barrier_t barrier;
  unsigned int a[32][4], b[32][2];
  float value[32];
} wave;

static pthread_barrier_t block_barrier;
static wave waves[BT_TEAM / 32];
static _Thread_local int thread_rank;

BT_FUNCTION wave *meet(void) {
  wave *w = &waves[thread_rank / 32];
  pthread_barrier_wait(&w->barrier);
  return w;
}

BT_FUNCTION float bt_exchange(float value, int bit) {
  int lane = thread_rank % 32;
  waves[thread_rank / 32].value[lane] = value;
  float theirs = meet()->value[lane ^ bit];
  meet();
  return theirs;
}

BT_FUNCTION float bt_from_bits(unsigned int bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

BT_FUNCTION unsigned int bt_to_bits(float x) {
  unsigned int bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

BT_FUNCTION void bt_wave_sync(void) { meet(); }

BT_FUNCTION void bt_atomic_add(float *to, float value) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  *to += value;
  pthread_mutex_unlock(&lock);
}

BT_FUNCTION void bt_device_fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

BT_FUNCTION unsigned int bt_to_tf32(float x) { return bt_to_bits(bt_round_tf32(x)); }

/* x is a number of half precision, or infinite. */
BT_FUNCTION unsigned int half_bits(float x) {
  int exponent;
  unsigned int sign = signbit(x) ? 0x8000u : 0u;
  if (isnan(x)) return 0x7E00u;
  if (isinf(x)) return sign | 0x7C00u;
  frexpf(x, &exponent);
  if (x == 0 || exponent < -13) return sign | (unsigned int)(fabs((double)x) * 0x1p24);
  return sign | (unsigned int)((exponent + 14) << 10) | ((unsigned int)ldexpf(fabsf(x), 11 - exponent) & 0x3FFu);
}

BT_FUNCTION float half_value(unsigned int bits) {
  unsigned int exponent = bits >> 10 & 31u, fraction = bits & 0x3FFu;
  double x = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
             : exponent == 0 ? ldexp(fraction, -24)
                             : ldexp(fraction + 1024, (int)exponent - 25);
  return (float)(bits & 0x8000u ? -x : x);
}

BT_FUNCTION unsigned int bt_to_halves(float x, float y) {
  return half_bits(bt_round_half((double)x)) | half_bits(bt_round_half((double)y)) << 16;
}

BT_FUNCTION void bt_from_halves(unsigned int bits, float *ret_x, float *ret_y) {
  *ret_x = half_value(bits & 0xFFFFu);
  *ret_y = half_value(bits >> 16);
}

BT_FUNCTION wave *show(const unsigned int a[4], const unsigned int b[2]) {
  wave *w = &waves[thread_rank / 32];
  memcpy(w->a[thread_rank % 32], a, sizeof w->a[0]);
  memcpy(w->b[thread_rank % 32], b, sizeof w->b[0]);
  return meet();
}

BT_FUNCTION float rounded_toward_zero(double x) {
  float nearest = (float)x;
  return fabs((double)nearest) > fabs(x) ? nextafterf(nearest, 0.0f) : nearest;
}

/* m16n8k8: element (row, k) of a is in lane 4 (row % 8) + k % 4, register (row / 8) + 2 (k / 4); (k, column) of b in lane
 * 4 column + k % 4, register k / 4; (row, column) of d in lane 4 (row % 8) + column / 2, register 2 (row / 8) + column % 2. */
BT_FUNCTION void bt_mma_tf32(float d[4], const unsigned int a[4], const unsigned int b[2]) {
  int lane = thread_rank % 32;
  wave *w = show(a, b);
  for (int i = 0; i < 4; i++) {
    int row = lane / 4 + 8 * (i / 2), column = 2 * (lane % 4) + i % 2;
    double sum = 0;
    for (int k = 0; k < 8; k++)
      sum += (double)bt_from_bits(w->a[4 * (row % 8) + k % 4][row / 8 + 2 * (k / 4)]) *
             (double)bt_from_bits(w->b[4 * column + k % 4][k / 4]);
    d[i] = rounded_toward_zero((double)d[i] + sum);
  }
  meet();
}

/* m16n8k16 of half precision: two neighboring k in one register; otherwise as above with 2 k for k. */
BT_FUNCTION void bt_mma_half(unsigned int d[2], const unsigned int a[4], const unsigned int b[2]) {
  int lane = thread_rank % 32;
  wave *w = show(a, b);
  for (int i = 0; i < 2; i++) {
    float old[2], result[2];
    bt_from_halves(d[i], &old[0], &old[1]);
    for (int odd = 0; odd < 2; odd++) {
      int row = lane / 4 + 8 * i, column = 2 * (lane % 4) + odd;
      double sum = 0;
      for (int k = 0; k < 16; k++) {
        float left[2], right[2];
        bt_from_halves(w->a[4 * (row % 8) + k % 8 / 2][row / 8 + 2 * (k / 8)], &left[0], &left[1]);
        bt_from_halves(w->b[4 * column + k % 8 / 2][k / 8], &right[0], &right[1]);
        sum += (double)left[k % 2] * (double)right[k % 2];
      }
      result[odd] = bt_round_half((double)old[odd] + sum);
    }
    d[i] = bt_to_halves(result[0], result[1]);
  }
  meet();
}

#if BT_TEAM_SEVEN
#define BT_WAVE 32
#else
#include "backend/cuda/tensor.h"
#endif
#include "kernel/lga/data.h"
#include "kernel/lga/study/study.h"
#include "kernel/lga/team.h"

#include "kernel/lga/reduction.h"
#include "kernel/lga/study/seven_sums.h"

/* ---- One team at work ---- */

enum { MOST_BODIES = 40, MOST_ATOMS = 120, COPIES = 3 };

typedef struct team_fixture {
  bt_kernel_body bodies[MOST_BODIES];
  bt_kernel_data data;
  float genes[3], xyz[3 * MOST_ATOMS], gradient[3 * MOST_ATOMS * COPIES], sums[4 * BT_TEAM], subtrees[6 * MOST_BODIES];
  float energies[BT_TEAM], result[BT_TEAM];
} team_fixture;

typedef struct team_member {
  team_fixture *f;
  int rank;
} team_member;

static void *team_run(void *argument) {
  const team_member *m = argument;
  team_fixture *f = m->f;
  thread_rank = m->rank;
  bt_pose_scratch scratch = {.rank = m->rank, .xyz = f->xyz, .atom_gradient = f->gradient, .sums = f->sums,
                             .subtrees = f->subtrees};
#if BT_TEAM_SEVEN
  float seven[BT_SEVEN];
  bt_seven_partials(&f->data, f->genes, f->energies[m->rank], scratch, seven);
  bt_seven_sums(seven, scratch);
  bt_seven_store(seven, scratch);
  f->result[m->rank] = seven[6];
#else
  f->result[m->rank] = bt_team_matrix_sums(&f->data, f->genes, f->energies[m->rank], scratch);
#endif
  return NULL;
}

static double random_value(unsigned int *state) { /* -1 .. 1 */
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / 8388608.0 - 1.0;
}

/* A chain of bodies with a few atoms each, side chains now and then; one body has no atoms. */
static void team_fill(team_fixture *f, int n_bodies, int n_atoms, unsigned int seed) {
  memset(f, 0, sizeof *f);
  for (int b = 0; b < n_bodies; b++)
    f->bodies[b] = (bt_kernel_body){.first_atom = b * n_atoms / n_bodies, .end_atom = (b + 1) * n_atoms / n_bodies,
                                    .end_body = b % 3 == 1 && b + 2 < n_bodies ? b + 2 : n_bodies};
  f->data.bodies = f->bodies;
  f->data.sizes = (bt_kernel_sizes){.n_atoms = n_atoms, .n_bodies = n_bodies, .n_gradients = COPIES};
  for (int k = 0; k < 3; k++) f->genes[k] = (float)(5 * random_value(&seed));
  for (int k = 0; k < 3 * n_atoms; k++) f->xyz[k] = f->genes[k % 3] + (float)(10 * random_value(&seed));
  for (int k = 0; k < 3 * n_atoms * COPIES; k++) f->gradient[k] = (float)(30 * random_value(&seed));
  for (int r = 0; r < BT_TEAM; r++) f->energies[r] = (float)(4 * random_value(&seed));
}

/* The terms, in the layout of bt_reduction_model. */
static void team_values(const team_fixture *f, float *values) {
  int n = f->data.sizes.n_atoms;
  memcpy(values, f->energies, sizeof f->energies);
  for (int a = 0; a < n; a++) {
    float g[3], r[3], *to = values + BT_TEAM + 6 * a;
    for (int c = 0; c < 3; c++) {
      g[c] = f->gradient[3 * a + c];
      for (int copy = 1; copy < COPIES; copy++) g[c] = g[c] + f->gradient[3 * (a + n * copy) + c];
#if !BT_TEAM_SEVEN
      g[c] = bt_finite(g[c]);
#endif
      to[c] = g[c];
      r[c] = f->xyz[3 * a + c] - f->genes[c];
    }
    for (int c = 0; c < 3; c++) to[3 + c] = fmaf(r[(c + 1) % 3], g[(c + 2) % 3], -(r[(c + 2) % 3] * g[(c + 1) % 3]));
  }
}

static void team_start(team_fixture *f) {
  pthread_t threads[BT_TEAM];
  team_member members[BT_TEAM];
  pthread_barrier_init(&block_barrier, NULL, BT_TEAM);
  for (int w = 0; w < BT_TEAM / 32; w++) pthread_barrier_init(&waves[w].barrier, NULL, 32);
  for (int r = 0; r < BT_TEAM; r++) {
    members[r] = (team_member){f, r};
    assert_int_equal(pthread_create(&threads[r], NULL, team_run, &members[r]), 0);
  }
  for (int r = 0; r < BT_TEAM; r++) pthread_join(threads[r], NULL);
  pthread_barrier_destroy(&block_barrier);
  for (int w = 0; w < BT_TEAM / 32; w++) pthread_barrier_destroy(&waves[w].barrier);
}

/* The team's sums equal the model's to the last bit. */
static void team_agrees_with_model(bt_reduction reduction, int n_bodies, int n_atoms, unsigned int seed, float spoil) {
  team_fixture *f = calloc(1, sizeof *f);
  float *values = calloc(BT_TEAM + 6 * MOST_ATOMS, sizeof *values), *sums = calloc(6 * MOST_BODIES + 1, sizeof *sums);
  team_fill(f, n_bodies, n_atoms, seed);
  if (spoil != 0) f->gradient[3 * (n_atoms - 1)] = spoil;
  team_values(f, values);
  team_start(f);
  bt_reduction_case c = {.bodies = f->bodies, .n_bodies = n_bodies, .n_atoms = n_atoms, .ranks = BT_TEAM};
  bt_reduction_model(reduction, &c, values, sums);
  for (int k = 0; k < (BT_TEAM_SEVEN ? 6 : 6 * n_bodies); k++)
    if (!(f->subtrees[k] == sums[k]) && !(isnan(f->subtrees[k]) && isnan(sums[k])))
      fail_msg("%d bodies, %d atoms: component %d of body %d is %.9g, not %.9g", n_bodies, n_atoms, k % 6, k / 6,
               (double)f->subtrees[k], (double)sums[k]);
  for (int r = 0; r < BT_TEAM; r++) assert_true(f->result[r] == sums[6 * n_bodies] || (isnan(f->result[r]) && isnan(sums[6 * n_bodies])));
  free(f);
  free(values);
  free(sums);
}

static void team_agrees_on_many(bt_reduction reduction) {
  static const struct {
    int bodies, atoms;
  } sizes[] = {{1, 8}, {1, 1}, {2, 5}, {16, 43}, {17, 48}, {32, 108}, {40, 120}, {33, 30}};
  for (unsigned int s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
    team_agrees_with_model(reduction, sizes[s].bodies, sizes[s].atoms, 7 + s, 0);
  team_agrees_with_model(reduction, 16, 43, 50, 1e5f);
  team_agrees_with_model(reduction, 16, 43, 51, INFINITY); /* is kept from the bodies that it does not belong to */
  team_agrees_with_model(reduction, 16, 43, 52, NAN);
}

#endif
