/* test_queries.c - records that are patterns are refused by the names of what makes them so; atoms keep their numbers.
 */
#include "unit/support.h"

#include <stdio.h>

#include "prepare.h"

static void expect(const char *format, const char *text, long atom, const char *words) {
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = format;
  bt_error error = refusal(text, &options);
  if (strstr(error.message, words) == NULL) fail_msg("%s: %s", text, error.message);
  assert_int_equal(error.atom, atom);
}

/* Two atoms, a symbol each, and the type of their bond. */
static void expect_v2000(const char *first, const char *second, int bond, const char *more, long atom,
                         const char *words) {
  char text[600];
  snprintf(text, sizeof text,
           "m\n\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 %-3s 0  0\n"
           "    1.5000    0.0000    0.1000 %-3s 0  0\n  1  2%3d  0\n%sM  END\n$$$$\n",
           first, second, bond, more);
  expect("sdf", text, atom, words);
}

static void test_v2000(void **state) {
  (void)state;
  needs_rdkit();
  expect_v2000("C", "A", 1, "", 2, "a query atom (A: any atom but hydrogen)");
  expect_v2000("Q", "C", 1, "", 1, "a query atom (Q:");
  expect_v2000("C", "X", 1, "", 2, "a query atom (X: any halogen)");
  expect_v2000("C", "M", 1, "", 2, "a query atom (M: any metal)");
  expect_v2000("C", "*", 1, "", 2, "a query atom (*");
  expect_v2000("C", "L", 1, "M  ALS   2  2 F N   O   \n", 2, "a list of elements");
  expect_v2000("C", "N", 1, "M  ALS   2  2 F N   O   \n", 2, "a list of elements");
  expect_v2000("C", "R#", 1, "M  RGP  1   2   1\n", 2, "an R group; the record is a scaffold");
  expect_v2000("C", "R1", 1, "", 2, "an R group");
  expect_v2000("C", "C", 8, "", 0, "a query bond (any) between atoms 1 and 2");
  expect_v2000("C", "C", 1, "M  APO  1   2   1\n", 2, "a point of attachment");
  expect_v2000("C", "C", 1, "M  STY  2   1 SUP   2 SRU\n", 0, "a polymer (a group of type SRU)");
  expect_v2000("C", "C", 5, "", 0, "a query bond (single or double) between atoms 1 and 2");
}

static void test_v3000(void **state) {
  (void)state;
  needs_rdkit();
#define RECORD(atom, bond)                                                                                          \
  "m\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS 2 1 0 0 0\nM  V30 BEGIN ATOM\n" \
  "M  V30 1 C 0 0 0 0\nM  V30 2 " atom " 1.5 0 0.1 0\nM  V30 END ATOM\nM  V30 BEGIN BOND\nM  V30 1 " bond           \
  " 1 2\nM  V30 END BOND\nM  V30 END CTAB\nM  END\n$$$$\n"
  expect("sdf", RECORD("A", "1"), 2, "a query atom (A:");
  expect("sdf", RECORD("R#", "1"), 2, "an R group");
  expect("sdf", RECORD("[N,O]", "1"), 2, "a query atom ([N,O]: a list of elements)");
  expect("sdf", RECORD("NOT[N,O]", "1"), 2, "a list of elements");
  expect("sdf", RECORD("C", "8"), 0, "a query bond (any) between atoms 1 and 2");
  expect("sdf", RECORD("N", "9"), 0, "a coordination bond between atoms 1 and 2");
}

/* RDKit's words for these are those of its own failure. */
static void test_damaged_records(void **state) {
  (void)state;
  needs_rdkit();
  expect_v2000("C", "C", 1, "M  ISO  1   9  13\n", 0, "'M  ISO' names atom 9 of 2");
  expect_v2000("C", "C", 1, "M  CHG  2   1  -1\n", 0, "'M  CHG' says 2 atoms and has 1");
  expect_v2000("C", "C", 1, "M  RAD\n", 0, "'M  RAD' without the number");
  expect_v2000("C", "C", 1, "> <a>\n1\n\n$$$$\n", 0, "does not end with the line 'M  END'");
  expect("smiles", "CCO a\rCCN b\r", 0, "carriage return");
}

static void test_smiles(void **state) {
  (void)state;
  needs_rdkit();
  expect("smiles", "CC* a", 3, "a dummy atom (*)");
  expect("smiles", "[H]C([H])([H])[1*] |$;;;;R1$| a", 5, "a dummy atom (*)");
  expect("smiles", "CC~C a", 0, "a query bond (any) between atoms 2 and 3");
  expect("smiles", "CCO |Sg:n:0,1::ht| a", 0, "a polymer");
  expect("smiles", "CCO |LN:1:1.3| a", 0, "a link node");
  expect("smiles", "CC=[C@]=CC a", 3, "the stereochemistry of an allene");
  expect("smiles", "CC=[C@AL2]=CC a", 3, "the stereochemistry of an allene");
  expect("smiles", "F[S@OH1](F)(F)(F)(Cl)C a", 2, "other than tetrahedral");
}

/* The number of an atom is that of the record, also when others are left out. */
static void test_numbers(void **state) {
  (void)state;
  needs_rdkit();
  expect("smiles", "[Na+].[Na+].C[Se]C a", 4, "AutoDock has no type for Se");
  expect("smiles", "[H]C([H])([H])[Se]C a", 5, "AutoDock has no type for Se");
  expect("smiles", "CC(C)(C)(C)C a", 2, "C with 5 bonds");
  expect("smiles", "Cc1cccc1 a", 0, "the aromatic system of atoms 2, 3, 4, 5 and 6");
  expect("smiles", "CC(=O)OI(c1ccccc1)OC(C)=O a", 5, "Gasteiger's model has no charge for I");
  expect("smiles", "CC[CH2] a", 3, "unpaired electrons");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_v2000), cmocka_unit_test(test_v3000),
                                     cmocka_unit_test(test_damaged_records), cmocka_unit_test(test_smiles),
                                     cmocka_unit_test(test_numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
