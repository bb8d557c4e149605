/* test_tree.c - the molecule of a prepared ligand is that of its PDBQT text. */
#include <math.h>
#include <stdio.h>

#include "base/text/text.h"
#include "unit/prep/ligand/prepare.h"

/* Each acid with each amine, with coordinates. */
static void test_amides(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const acids[] = {"CC(C)C", "c1ccncc1", "C1CCCCC1", "c1ccc(Cl)cc1", "c1ccc(Br)cc1", "c1cccs1",
                                      "CS(C)(=O)=O", "CC#N", "c1c[nH]cn1", "CP(=O)(O)O", "C[Si](C)(C)C", "CI", "CCCCCC"};
  static const char *const amines[] = {"NC", "NCCO", "NCc1ccccc1", "N1CCOCC1", "NCC(=O)O", "NO", "NCCS", "NCC#C",
                                       "NC1CC1", "NCCCCCCN", "N(C)C", "Nc1ccc(F)cc1", "NCCNC(N)=N"};
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "smiles";
  for (size_t i = 0; i < sizeof acids / sizeof *acids; i++)
    for (size_t k = 0; k < sizeof amines / sizeof *amines; k++) {
      char text[96];
      options.hydrated = k % 5 == 1;
      options.keep_hydrogens = k % 5 == 2;
      options.old_rules = k % 5 == 3;
      snprintf(text, sizeof text, "O=C(%s)%s\n", acids[i], amines[k]);
      bt_molecule_destroy(prepare(text, &options));
    }
}

static void test_macrocycle(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "smiles";
  bt_molecule_destroy(prepare("C1CCCCCCCNC(=O)CCOCC1\n", &options));
}

static void check(double value) {
  char text[400];
  double read;
  snprintf(text, sizeof text, "%.3f", value);
  assert_true(bt_parse_double(bt_span_from(text), &read));
  double rounded = bt_pdbqt_round(value);
  assert_memory_equal(&read, &rounded, sizeof read);
}

/* As printf and a reader, to the last bit and the sign of zero. */
static void test_rounding(void **state) {
  (void)state;
  static const double values[] = {0, -0.0, 0.0005, 0.0015, 0.0025, -0.0005, -0.0004, 1.0005, 2.5, 0.1235, 8.0625,
                                  0.0625, 0.1875, -3.0625, 1e-300, -1e-300, 9999.9995, -999.9995};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) check(values[i]);
  uint64_t seed = 1;
  for (int i = 0; i < 200000; i++) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    double value = (double)(seed >> 11) / 9007199254740992.0 * 200 - 100;
    check(value);
    check(floor(value * 1000) / 1000 + 0.0005); /* as near to a tie as doubles get */
    check(nextafter(floor(value * 1000) / 1000 + 0.0005, value));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_amides), cmocka_unit_test(test_macrocycle),
                                     cmocka_unit_test(test_rounding)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
