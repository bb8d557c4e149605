/* test_states.c - further states of a record: which, in which order, and how many. */
#include <berth/berth.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "unit/prep/ligand/prepare.h"

/* Names and SMILES of all states, as "x_p1 CCO|x_p2 ...". */
static void expect(const char *smiles, double ph, int protomers, const char *expected) {
  char record[200], found[1000] = "";
  bt_prepare_options options = flat_options();
  bt_ligand_reader *reader;
  bt_molecule *molecule;
  bt_error error = {0};
  options.as_drawn = false;
  options.ph = ph;
  options.protomers = protomers;
  options.opt_format = "smiles";
  int size = snprintf(record, sizeof record, "%s x\n", smiles);
  assert_int_equal(bt_ligand_reader_open_text(record, (size_t)size, "text", &options, &reader, &error), BT_OK);
  while (bt_ligand_reader_next(reader, &molecule, &error) == BT_OK && molecule != NULL) {
    size_t used = strlen(found);
    snprintf(found + used, sizeof found - used, "%s%s %s", used > 0 ? "|" : "", bt_molecule_name(molecule),
             bt_molecule_smiles(molecule));
    bt_molecule_destroy(molecule);
  }
  bt_ligand_reader_close(reader);
  assert_int_equal(error.status, BT_OK);
  assert_string_equal(found, expected);
}

static void protomers_near_the_ph(void **state) {
  (void)state;
  needs_rdkit();
  expect("CC(=O)O", 4.7, 4, "x_p1 CC(=O)O|x_p2 CC(=O)[O-]");
  expect("CC(=O)O", 5.7, 4, "x_p1 CC(=O)[O-]|x_p2 CC(=O)O"); /* the edge of the window */
  expect("CC(=O)O", 5.8, 4, "x CC(=O)[O-]");
  expect("CC(=O)O", NAN, 4, "x CC(=O)[O-]");
  expect("CCN", 10.5, 4, "x_p1 CCN|x_p2 CC[NH3+]");
  expect("CCOP(=O)(O)O", NAN, 4, "x_p1 CCOP(=O)([O-])[O-]|x_p2 CCOP(=O)([O-])O"); /* both oxygens are alike */
}

/* Single changes by their frequency, then both; equal ones once; at most as many as wanted. */
static void combinations(void **state) {
  (void)state;
  needs_rdkit();
  const char *four = "x_p1 O=C([O-])CCC(=O)[O-]|x_p2 O=C([O-])CCC(=O)O|x_p3 O=C(O)CCC(=O)O";
  expect("OC(=O)CCC(=O)O", 5, 8, four);
  expect("OC(=O)CCC(=O)O", 5, 2, "x_p1 O=C([O-])CCC(=O)[O-]|x_p2 O=C([O-])CCC(=O)O");
  expect("OC(=O)c1ccc(CC(=O)O)cc1", 4.5, 8,
         "x_p1 O=C(O)Cc1ccc(C(=O)[O-])cc1|x_p2 O=C([O-])Cc1ccc(C(=O)[O-])cc1|"
         "x_p3 O=C(O)Cc1ccc(C(=O)O)cc1|x_p4 O=C([O-])Cc1ccc(C(=O)O)cc1");
}

static void tautomers(void **state) {
  (void)state;
  needs_rdkit();
  expect("Cc1cc[nH]n1", NAN, 8, "x_p1 Cc1cc[nH]n1|x_p2 Cc1ccn[nH]1");
  expect("Cc1cc[nH]n1", NAN, 1, "x Cc1cc[nH]n1");
  expect("CC(=O)NC", NAN, 8, "x CNC(C)=O"); /* no imidic acid */
  expect("C[C@H](N)Cc1cc[nH]n1", NAN, 8, "x_p1 C[C@H]([NH3+])Cc1cc[nH]n1|x_p2 C[C@H]([NH3+])Cc1ccn[nH]1");
}

static void what_is_refused(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = flat_options();
  bt_ligand_reader *reader;
  bt_error error;
  options.opt_format = "smiles";
  options.as_drawn = false;
  options.protomers = BT_PROTOMERS_MOST + 1;
  support_failed(bt_ligand_reader_open_text("CC x\n", 5, "text", &options, &reader, &error), BT_ERR_USAGE, &error,
                 "protomers");
  options.protomers = 2;
  options.as_drawn = true;
  support_failed(bt_ligand_reader_open_text("CC x\n", 5, "text", &options, &reader, &error), BT_ERR_USAGE, &error,
                 "as drawn");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(protomers_near_the_ph),
      cmocka_unit_test(combinations),
      cmocka_unit_test(tautomers),
      cmocka_unit_test(what_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
