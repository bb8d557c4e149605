/* test_reduction_model.c - sums over a team as tensor cores form them: rounding, accuracy on random trees, awkward values. */
#include "bench/reductions/model.h"

#include "unit/assert_near.h"
#include "unit/support.h"

enum { MOST_BODIES = 60, MOST_ATOMS = 256, MOST_RANKS = 256 };

typedef struct model_fixture {
  bt_kernel_body bodies[MOST_BODIES];
  float values[MOST_RANKS + 6 * MOST_ATOMS], sums[6 * MOST_BODIES + 1];
  double exact[6 * MOST_BODIES + 1], magnitudes[6 * MOST_BODIES + 1];
  bt_reduction_case c;
} model_fixture;

static uint32_t state_of_random = 1;

static double uniform(void) { /* -1 .. 1 */
  state_of_random = state_of_random * 1664525u + 1013904223u;
  return (double)(state_of_random >> 8) / 8388608.0 - 1.0;
}

/* Bodies as a tree: the parent of each is its predecessor (a chain) or a random ancestor of that, depth first. */
static void make_tree(model_fixture *f, int n_bodies, int n_atoms, int ranks, bool chain) {
  int atom = 0, depth[MOST_BODIES] = {0};
  memset(f, 0, sizeof *f);
  for (int b = 0; b < n_bodies; b++) {
    if (b > 0) depth[b] = chain ? b : 1 + (int)((uniform() + 1) / 2 * depth[b - 1]) % (depth[b - 1] + 1);
    int left = n_atoms - atom, own = b == n_bodies - 1 ? left : (int)((uniform() + 1) * left / (n_bodies - b));
    f->bodies[b].torsion = b - 1;
    f->bodies[b].first_atom = atom;
    f->bodies[b].end_atom = atom += own > left ? left : own; /* some have none */
  }
  for (int b = 0; b < n_bodies; b++) {
    int end = b + 1;
    while (end < n_bodies && depth[end] > depth[b]) end++;
    f->bodies[b].end_body = end;
  }
  f->c = (bt_reduction_case){.bodies = f->bodies, .n_bodies = n_bodies, .n_atoms = n_atoms, .ranks = ranks};
}

/* Largest |sum - exact| / sum of |terms|. */
static double worst_error(model_fixture *f, bt_reduction strategy) {
  double worst = 0;
  bt_reduction_model(strategy, &f->c, f->values, f->sums);
  bt_reduction_exact(&f->c, f->values, f->exact, f->magnitudes);
  for (size_t k = 0; k < bt_reduction_sum_count(&f->c); k++) {
    double off = fabs((double)f->sums[k] - f->exact[k]);
    if (!(off == 0)) worst = fmax(worst, isnan(off) ? INFINITY : off / f->magnitudes[k]);
  }
  return worst;
}

static void rounding_is_that_of_the_formats(void **state) {
  (void)state;
  assert_true(bt_round_tf32(1.0f) == 1.0f);
  assert_true(bt_round_tf32(1.0f + 0x1p-10f) == 1.0f + 0x1p-10f);
  assert_true(bt_round_tf32(1.0f + 0x1p-11f) == 1.0f + 0x1p-10f); /* a tie: away from zero */
  assert_true(bt_round_tf32(-1.0f - 0x1p-11f) == -1.0f - 0x1p-10f);
  assert_true(bt_round_tf32(1.0f + 0x1p-12f) == 1.0f);
  assert_true(bt_round_tf32(1e30f) > 9.9e29f && bt_round_tf32(1e30f) < 1.01e30f); /* the range of single precision */
  assert_true(bt_round_half(1.0 + 0x1p-10) == 1.0f + 0x1p-10f);
  assert_true(bt_round_half(1.0 + 0x1p-11) == 1.0f);                              /* a tie: to even */
  assert_true(bt_round_half(1.0 + 3 * 0x1p-11) == 1.0f + 0x1p-9f);
  assert_true(bt_round_half(65504.0) == 65504.0f && bt_round_half(65519.0) == 65504.0f);
  assert_true(isinf(bt_round_half(65520.0)) && bt_round_half(-1e6) < 0);
  assert_true(bt_round_half(0x1p-24) == 0x1p-24f && bt_round_half(0x1p-26) == 0.0f); /* denormal */
}

static void correction_restores_single_precision_on_any_tree(void **state) {
  (void)state;
  static const struct {
    int bodies, atoms, ranks;
    bool chain;
  } trees[] = {{1, 8, 64, false},   {1, 43, 64, false},  {16, 43, 64, false},  {16, 43, 128, true},
               {33, 107, 64, true}, {33, 64, 256, false}, {58, 256, 256, true}, {20, 17, 64, false}};
  double worst_plain = 0, worst_corrected = 0, worst_half = 0;
  for (size_t t = 0; t < sizeof trees / sizeof trees[0]; t++)
    for (int repeat = 0; repeat < 50; repeat++) {
      model_fixture *f = calloc(1, sizeof *f);
      make_tree(f, trees[t].bodies, trees[t].atoms, trees[t].ranks, trees[t].chain);
      for (size_t k = 0; k < bt_reduction_value_count(&f->c); k++) f->values[k] = (float)(30 * uniform());
      worst_plain = fmax(worst_plain, worst_error(f, BT_REDUCTION_SIMT));
      worst_corrected = fmax(worst_corrected, worst_error(f, BT_REDUCTION_TENSOR_EC));
      worst_half = fmax(worst_half, worst_error(f, BT_REDUCTION_TENSOR_FP16));
      free(f);
    }
  print_message("largest error / sum of |terms|: simt %.1e, tensor-ec %.1e, tensor-fp16 %.1e\n", worst_plain,
                worst_corrected, worst_half);
  assert_true(worst_plain < 1e-6);
  assert_true(worst_corrected < 4e-7);
  assert_true(worst_half > 1e-4 && worst_half < 1e-2); /* the loss that error correction avoids */
}

static void a_clash_among_small_terms(void **state) {
  (void)state;
  model_fixture *f = calloc(1, sizeof *f);
  make_tree(f, 8, 40, 64, false);
  for (size_t k = 0; k < bt_reduction_value_count(&f->c); k++) f->values[k] = (float)(3 * uniform());
  f->values[5] = 1.2345678e5f; /* energies: half precision has no such number */
  f->values[40] = -1.1e5f;
  f->values[64 + 6 * 7] = 9.8765432e5f;
  assert_true(worst_error(f, BT_REDUCTION_TENSOR_EC) < 4e-7);
  double energy = f->exact[6 * 8], corrected = (double)f->sums[6 * 8];
  assert_near(corrected, energy, 0.05);
  bt_reduction_model(BT_REDUCTION_TENSOR_FP16, &f->c, f->values, f->sums);
  assert_true(fabs((double)f->sums[6 * 8] - energy) > 1000);
  free(f);
}

/* 0 times infinity is NaN: it must not affect bodies that the atom does not belong to. */
static void infinite_terms_stay_where_they_belong(void **state) {
  (void)state;
  static const bt_reduction strategies[] = {BT_REDUCTION_TENSOR_EC, BT_REDUCTION_TENSOR_FP16};
  for (int s = 0; s < 2; s++) {
    model_fixture *f = calloc(1, sizeof *f);
    make_tree(f, 3, 12, 64, false);
    for (int b = 0; b < 3; b++) {
      f->bodies[b].first_atom = 4 * b;
      f->bodies[b].end_atom = 4 * b + 4;
      f->bodies[b].end_body = b == 0 ? 3 : b + 1;
    }
    for (size_t k = 0; k < bt_reduction_value_count(&f->c); k++) f->values[k] = 1;
    f->values[64 + 6 * 5] = INFINITY;
    f->values[64 + 6 * 6 + 1] = NAN;
    bt_reduction_model(strategies[s], &f->c, f->values, f->sums);
    for (int k = 0; k < 6; k++) assert_true(f->sums[12 + k] == 4.0f); /* the body without them */
    for (int k = 2; k < 6; k++) assert_true(f->sums[k] == 12.0f && f->sums[6 + k] == 4.0f);
    assert_true(f->sums[0] > 1e4f && !isnan(f->sums[1]));
    assert_true(f->sums[18] == 64.0f);
    free(f);
  }
}

/* The seven sums of the papers: as good as single precision, but for half precision, which nothing limits. */
static void seven_sums_are_those_of_the_papers(void **state) {
  (void)state;
  for (int ranks = 64; ranks <= 256; ranks *= 2) {
    model_fixture *f = calloc(1, sizeof *f);
    make_tree(f, 16, 43, ranks, false);
    for (size_t k = 0; k < bt_reduction_value_count(&f->c); k++) f->values[k] = (float)(30 * uniform());
    assert_true(worst_error(f, BT_REDUCTION_SEQUENTIAL) < 1e-6);
    assert_true(worst_error(f, BT_REDUCTION_TWO_STEP_EC) < 1e-6);
    double half = worst_error(f, BT_REDUCTION_TWO_STEP_FP16);
    assert_true(half > 1e-5 && half < 1e-2);
    f->values[ranks - 1] = 1e5f; /* one energy beyond 65,504 spoils the moment, which has its matrix, and no force */
    bt_reduction_model(BT_REDUCTION_TWO_STEP_FP16, &f->c, f->values, f->sums);
    assert_true(!isfinite(f->sums[6 * 16]));
    for (int k = 0; k < 6; k++) assert_true(k < 3 ? isfinite(f->sums[k]) : isnan(f->sums[k]));
    free(f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rounding_is_that_of_the_formats),
                                     cmocka_unit_test(correction_restores_single_precision_on_any_tree),
                                     cmocka_unit_test(a_clash_among_small_terms),
                                     cmocka_unit_test(infinite_terms_stay_where_they_belong),
                                     cmocka_unit_test(seven_sums_are_those_of_the_papers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
