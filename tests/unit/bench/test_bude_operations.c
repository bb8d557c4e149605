/* test_bude_operations.c - operations of the energy kernels, counted for a small table of pairs. */
#include "bench/bude/bude.h"

#include "unit/assert_near.h"
#include "unit/support.h"

/* Two ligand types and three runs of 1, 2 and 5 receptor atoms. */
static bt_bude_run runs[] = {{0, 1}, {1, 2}, {3, 5}};
static bt_bude_pair pairs[] = {
    {.kind = 0},
    {.kind = BT_BUDE_CHARGE},
    {.kind = BT_BUDE_DESOLVATION},
    {.kind = 0},
    {.kind = 0},
    {.kind = BT_BUDE_CHARGE | BT_BUDE_DESOLVATION},
};
static const bt_bude_tables tables = {.runs = runs, .pairs = pairs, .n_receptor = 8, .n_runs = 3, .n_types = 2};
static const bt_bude_atom ligand[] = {{.type = 0}, {.type = 1}, {.type = 0}};

static double count(size_t n_ligand, unsigned int without, const char *device) {
  return bude_operations(&tables, ligand, n_ligand, without, bude_arithmetic_of(device));
}

static void test_terms(void **state) {
  (void)state;
  /* seven and a root for the distance, four for the steric term, four for each other term: 7 of 8 pairs have one */
  assert_near(count(1, 0, "cuda:0"), 7 + 1 + 4 + 4 * 7 / 8.0, 1e-12);
  assert_near(count(1, 0, "opencl:0"), count(1, 0, "cuda:0"), 1e-12);
  /* clamps cost an operation, and roots are limited at 0 before */
  assert_near(count(1, 0, "cpu/avx2"), 7 + 2 + 4 + 5 * 7 / 8.0, 1e-12);
  assert_near(count(1, 0, "omp-target:0"), count(1, 0, "cpu/avx2"), 1e-12);
  assert_near(count(1, 0, "cpu/avx512"), count(1, 0, "cpu/avx2") + 4, 1e-12);
  assert_near(count(3, 0, "cuda:0"), 12 + 4 * (2 * 7 + 2 * 5) / 24.0, 1e-12);
}

static void test_variants(void **state) {
  (void)state;
  double whole = count(3, 0, "cuda:0");
  assert_near(count(3, BT_BUDE_WITHOUT_SQUARE, "cuda:0"), whole + 1, 1e-12);
  assert_near(count(3, BT_BUDE_WITHOUT_FAST, "cuda:0"), whole + 1, 1e-12);
  assert_near(count(3, BT_BUDE_WITHOUT_KINDS, "cuda:0"), 8 + 12, 1e-12);
  assert_near(count(3, BT_BUDE_WITHOUT_LOCAL | BT_BUDE_WITHOUT_SOA, "cuda:0"), whole, 1e-12);
  assert_true(isnan(count(3, BT_BUDE_WITHOUT_RUNS, "cuda:0")));
  assert_true(isnan(count(3, BT_BUDE_WITHOUT_TABLE, "cuda:0")));
  assert_true(isnan(count(3, BT_BUDE_WITHOUT_SELECT, "cpu/avx2")));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_terms),
      cmocka_unit_test(test_variants),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
