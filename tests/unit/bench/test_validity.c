/* test_validity.c - what makes a benchmark's results invalid: an energy that is not that of its pose, sums that
 * overflow or are not those of single precision. */
#include "bench/bude/bude.h"
#include "bench/reductions/reductions.h"

#include <math.h>

#include "unit/support.h"

enum { POSES = 40 };

static void put(const char *folder, const char *name, const void *data, size_t size) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *stream = fopen(path, "wb");
  assert_non_null(stream);
  assert_int_equal(fwrite(data, 1, size, stream), size);
  assert_int_equal(fclose(stream), 0);
}

/* Two ligand atoms before a wall of receptor atoms; the reference energies are not those of the poses. */
static void make_deck(const char *folder) {
  static const struct {
    int32_t code;
    float radius, hydrophobicity, charge;
  } types[] = {{'D', 1.8f, 0.5f, 0.2f}, {'E', 1.6f, -0.4f, -0.3f}};
  struct {
    float xyz[3];
    int32_t type;
  } protein[16], ligand[2] = {{{0, 0, 0}, 0}, {{1.4f, 0, 0}, 1}};
  float poses[6][POSES];
  for (int i = 0; i < 16; i++) {
    protein[i].xyz[0] = (float)(i % 4) * 2.0f;
    protein[i].xyz[1] = (float)(i / 4) * 2.0f;
    protein[i].xyz[2] = 0;
    protein[i].type = i % 2;
  }
  for (int i = 0; i < POSES; i++)
    for (int k = 0; k < 6; k++) poses[k][i] = k < 5 ? 0.1f * (float)((i + k) % 7) : 3.0f + 0.02f * (float)i;
  put(folder, "forcefield.in", types, sizeof types);
  put(folder, "protein.in", protein, sizeof protein);
  put(folder, "ligand.in", ligand, sizeof ligand);
  put(folder, "poses.in", poses, sizeof poses);
  char energies[2 * POSES];
  for (int i = 0; i < POSES; i++) memcpy(energies + 2 * (size_t)i, "1\n", 2);
  put(folder, "ref_energies.out", energies, sizeof energies);
}

static void remove_deck(const char *folder) {
  static const char *const names[] = {"forcefield.in", "protein.in", "ligand.in", "poses.in", "ref_energies.out"};
  char path[256];
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[k]);
    unlink(path);
  }
  rmdir(folder);
}

static void an_energy_of_a_search_that_is_not_its_poses(void **state) {
  (void)state;
  char folder[200];
  bt_error error;
  bude_bench bench = {.device = "cpu"};
  bt_bude_found found[POSES] = {0};
  support_folder(folder, sizeof folder);
  make_deck(folder);
  support_ok(bude_bench_open(&bench, folder, 1, 0, &error), &error);
  support_ok(bt_bude_engine_evaluate(bench.engine, 0, bench.deck->poses, bench.energies, &error), &error);
  for (int i = 0; i < POSES; i++) {
    for (int k = 0; k < 6; k++) found[i].pose[k] = bench.deck->poses[(size_t)k * POSES + (size_t)i];
    found[i].energy = bench.energies[i];
  }
  double deviation = 0;
  support_ok(bude_bench_compare(&bench, found, POSES, &deviation, &error), &error);
  assert_true(deviation < BT_BUDE_DECK_TOLERANCE);
  const float right = found[31].energy, wrong[] = {right + 2, NAN};
  for (int kind = 0; kind < 2; kind++) {
    found[31].energy = wrong[kind];
    deviation = 0;
    support_ok(bude_bench_compare(&bench, found, POSES, &deviation, &error), &error);
    assert_false(deviation < BT_BUDE_DECK_TOLERANCE);
  }
  bude_bench_close(&bench);
  remove_deck(folder);
}

static void sums_that_overflow_or_are_inexact(void **state) {
  (void)state;
  const reduction_errors right = {.seven = {1e-8, 3e-7, 100}, .subtree = {1e-8, 2e-7, 100}, .overflow = {0, 0, 100}};
  assert_true(reduction_sums_hold(&right));
  reduction_errors wrong = right;
  wrong.overflow = (reduction_error){0.01, 1, 100}; /* one pose of a hundred */
  assert_false(reduction_sums_hold(&wrong));
  wrong = right;
  wrong.seven.largest = 1e-4; /* TF32 without correction */
  assert_false(reduction_sums_hold(&wrong));
  wrong = right;
  wrong.subtree.largest = 1e-4;
  assert_false(reduction_sums_hold(&wrong));
  wrong.subtree = (reduction_error){NAN, NAN, 0}; /* a ligand without torsions */
  assert_true(reduction_sums_hold(&wrong));
  wrong = reduction_errors_mean((reduction_errors){.overflow = {100, 1, 100}}); /* all overflow: nothing is summed */
  assert_false(reduction_sums_hold(&wrong));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_energy_of_a_search_that_is_not_its_poses),
      cmocka_unit_test(sums_that_overflow_or_are_inexact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
