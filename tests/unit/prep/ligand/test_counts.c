/* test_counts.c - records whose counts are too large. */
#include "prep/ligand/preparer.h"

#include <stdlib.h>
#include <string.h>

#include "unit/support.h"

typedef bt_status (*check_fn)(const char *text, size_t size, bt_where where, bt_error *opt_error);

static void expect(check_fn check, const char *text, bt_status expected, const char *opt_words, long line) {
  bt_error error = {0};
  bt_status status = check(text, strlen(text), (bt_where){.file = "x", .line = 11}, &error);
  if (expected == BT_OK) {
    support_ok(status, &error);
    return;
  }
  support_failed(status, expected, &error, opt_words);
  assert_int_equal(error.line, line);
}

#define V3000(counts, more) \
  "a\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS " counts "\n" more "M  END\n"

static void test_sdf(void **state) {
  (void)state;
  expect(bt_sdf_check, "a\n\n\n  1  0  0\n    0.0 0.0 0.0 C\nM  END\n", BT_OK, NULL, 0);
  expect(bt_sdf_check, "a\n\n\n999  0  0\n    0.0 0.0 0.0 C\nM  END\n", BT_ERR_INPUT, "999 atoms in a record of 6", 14);
  expect(bt_sdf_check, "a\n\n\n  1 99  0\n    0.0 0.0 0.0 C\nM  END\n", BT_ERR_INPUT, "99 bonds in a record of 6", 14);
  expect(bt_sdf_check, V3000("1 0 0 0 0", "M  V30 1 C 0 0 0 0\n"), BT_OK, NULL, 0);
  expect(bt_sdf_check, V3000("2147483647 0 0 0 0", ""), BT_ERR_INPUT, "2147483647 atoms", 16);
  expect(bt_sdf_check, V3000("1 400000000 0 0 0", ""), BT_ERR_INPUT, "400000000 bonds", 16);
  expect(bt_sdf_check, V3000("1 0 99999999999 0 0", ""), BT_ERR_INPUT, "99999999999 groups", 16);
  expect(bt_sdf_check, V3000("-1 0 0 0 0", ""), BT_ERR_INPUT, "-1 atoms", 16);
  expect(bt_sdf_check, V3000("1 0 1 0 0", "M  V30 1 DAT 1 ATOMS=(4294967295 1)\n"), BT_ERR_INPUT, "4294967295 numbers",
         17);
  expect(bt_sdf_check, V3000("1 0 0 0 0", "M  END\n> <x>\nM  V30 COUNTS 999999\n"), BT_OK, NULL, 0);
}

static void test_mol2(void **state) {
  (void)state;
  expect(bt_mol2_check, "@<TRIPOS>MOLECULE\na\n1 0 1 0 0\nSMALL\n", BT_OK, NULL, 0);
  expect(bt_mol2_check, "@<TRIPOS>MOLECULE\na\n2147483647 0 1 0 0\nSMALL\n", BT_ERR_INPUT, "2147483647 atoms", 13);
  expect(bt_mol2_check, "@<TRIPOS>MOLECULE\na\n1 2147483647 1 0 0\nSMALL\n", BT_ERR_INPUT, "2147483647 bonds", 13);
}

static void test_limits(void **state) {
  (void)state;
  bt_error error = {0};
  support_ok(bt_record_check_atoms(10000, (bt_where){0}, &error), &error);
  support_failed(bt_record_check_atoms(10001, (bt_where){0}, &error), BT_ERR_LIMIT, &error, "10001 atoms");
}

/* A SMILES of one text, over and over. */
static bt_status check_smiles(const char *begin, const char *unit, int times, bool to_embed, bt_error *error) {
  size_t size = strlen(begin) + strlen(unit) * (size_t)times;
  char *text = malloc(size + 1);
  strcpy(text, begin);
  for (int i = 0; i < times; i++) strcat(text + strlen(begin) + strlen(unit) * (size_t)i, unit);
  bt_status status = bt_smiles_check((bt_span){text, size}, to_embed, (bt_where){0}, error);
  free(text);
  return status;
}

static void test_smiles(void **state) {
  (void)state;
  bt_error error = {0};
  support_ok(check_smiles("", "=", 200000, true, &error), &error);
  support_failed(check_smiles("", "=", 200001, true, &error), BT_ERR_LIMIT, &error, "200001 characters");
  support_ok(check_smiles("", "C", 400, true, &error), &error);
  support_failed(check_smiles("", "C", 401, true, &error), BT_ERR_LIMIT, &error, "401 heavy atoms");
  support_ok(check_smiles("", "C", 401, false, &error), &error);
  support_ok(check_smiles("C(Cl)Br", "C([2H])([H])([H])", 397, true, &error), &error);
  support_failed(check_smiles("", "[13C@@H](Cl)[nH+]", 134, true, &error), BT_ERR_LIMIT, &error, "402 heavy atoms");
  support_failed(check_smiles("", "[Hg]", 401, true, &error), BT_ERR_LIMIT, &error, "401 heavy atoms");
  support_ok(check_smiles("", "[Na+].[O-]C=O.", 300, true, &error), &error); /* the largest part counts */
  support_ok(check_smiles("", "C%10CC%10", 100, true, &error), &error);
  support_failed(check_smiles("", "C1C1", 101, true, &error), BT_ERR_LIMIT, &error, "101 ring closures");
  support_failed(check_smiles("", "C%(123)C%(123)", 101, true, &error), BT_ERR_LIMIT, &error, "101 ring closures");
  support_ok(check_smiles("C[", "9", 1000, true, &error), &error); /* RDKit reports what is wrong with these */
  support_ok(check_smiles("C%(", "9", 1000, true, &error), &error);
  support_ok(check_smiles("C%", "", 0, true, &error), &error);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sdf), cmocka_unit_test(test_mol2),
                                     cmocka_unit_test(test_limits), cmocka_unit_test(test_smiles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
