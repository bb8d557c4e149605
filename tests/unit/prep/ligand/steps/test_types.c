/* test_types.c - AutoDock types of functional groups, charges, merged hydrogens. */
#include <math.h>

#include "base/memory.h"
#include "unit/prep/ligand/prepare.h"

static void test_types(void **state) {
  (void)state;
  needs_rdkit();
  static const struct {
    const char *smiles, *types;
  } groups[] = {
      {"c1ccncc1", "A A A NA A A"},
      {"CC=NC", "C C NA C"},
      {"CC#N", "C C NA"},
      {"CC=NO", "C C NA OA+HD"},
      {"CN=C=O", "C NA C OA"},
      {"c1cc[nH+]cc1", "A A A N+HD A A"},
      {"C[N+](=O)[O-]", "C N OA OA"},
      {"c1cc[n+]([O-])cc1", "A A A N OA A A"},
      {"c1cc[nH]c1", "A A A N+HD A"},
      {"Cn1ccnc1", "C N A A NA A"},
      {"c1nnn[n-]1", "A NA NA NA NA"},
      {"CCN", "C C NA+2HD"},
      {"CC[NH3+]", "C C N+3HD"},
      {"C[N+](C)(C)C", "C N C C C"},
      {"Nc1ccccc1", "N+2HD A A A A A A"},
      {"C=CN", "C C N+2HD"},
      {"CC(=O)NN", "C C OA N+HD NA+2HD"},
      {"CNN", "C NA+HD NA+2HD"},
      {"CC(N)=O", "C C N+2HD OA"},
      {"NC(N)=O", "N+2HD C N+2HD OA"},
      {"COC(=O)NC", "C OA C OA N+HD C"},
      {"CC(=S)NC", "C C S N+HD C"},
      {"CS(=O)(=O)N", "C S OA OA NA+2HD"},
      {"CP(=O)(O)N", "C P OA OA+HD NA+2HD"},
      {"CC(=N)N", "C C NA+HD N+2HD"},
      {"CC(=[NH2+])N", "C C N+2HD N+2HD"},
      {"NC(=[NH2+])N", "N+2HD C N+2HD N+2HD"},
      {"CN=[N+]=[N-]", "C NA N NA"},
      {"C=[N+]=[N-]", "C N NA"},
      {"CS", "C SA+HD"},
      {"CSC", "C SA C"},
      {"CSSC", "C SA SA C"},
      {"c1ccsc1", "A A A S A"},
      {"c1cscn1", "A A S A NA"},
      {"CS(C)=O", "C S C OA"},
      {"CS(C)(=O)=O", "C S C OA OA"},
      {"C[S+](C)C", "C S C C"},
      {"C[S-]", "C S"},
      {"CC(C)=S", "C C C S"},
      {"c1ccoc1", "A A A OA A"},
      {"CO", "C OA+HD"},
      {"[2H]OC", "OA+HD C"},
      {"CP", "C P+2HD"},
      {"CB(O)O", "C B OA+HD OA+HD"},
      {"C[SiH3]", "C Si"},
      {"FC(Cl)(Br)I", "F C Cl Br I"},
  };
  bt_prepare_options options = flat_options();
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    bt_molecule *molecule = prepare(groups[i].smiles, &options);
    char types[512];
    types_of(molecule, types, sizeof types);
    if (strcmp(types, groups[i].types) != 0) fail_msg("%s: %s instead of %s", groups[i].smiles, types, groups[i].types);
    bt_molecule_destroy(molecule);
  }
}

static double total_charge(const bt_molecule *molecule) {
  double sum = 0;
  for (int i = 0; i < molecule->n_atoms; i++) sum += molecule->atoms[i].charge;
  return sum;
}

static void test_charges_sum_to_the_formal_charge(void **state) {
  (void)state;
  needs_rdkit();
  static const struct {
    const char *smiles;
    double charge;
  } cases[] = {{"CCO", 0}, {"CC(=O)[O-]", -1}, {"CC[NH3+]", 1}, {"[O-]P(=O)([O-])OC", -2}, {"c1ccccc1Cl", 0}};
  bt_prepare_options options = flat_options();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bt_molecule *molecule = prepare(cases[i].smiles, &options);
    assert_true(fabs(total_charge(molecule) - cases[i].charge) < 0.005);
    bt_molecule_destroy(molecule);
  }
  options.charges = BT_CHARGES_ZERO;
  bt_molecule *molecule = prepare("CC(=O)[O-]", &options);
  for (int i = 0; i < molecule->n_atoms; i++) assert_true(molecule->atoms[i].charge == 0);
  bt_molecule_destroy(molecule);
}

/* From Meeko's published files: 2-aminoethanol. */
static void test_merged_charges(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = flat_options();
  bt_molecule *molecule = prepare("OCCN", &options);
  const double charges[4] = {-0.395, 0.171, 0.106, -0.328};
  for (int e = 0; e < molecule->n_atoms; e++) {
    int atom = molecule->chemistry->entry[e];
    assert_true(fabs(molecule->atoms[e].charge - (atom < 4 ? charges[atom] : atom == 4 ? 0.210 : 0.118)) < 0.0011);
  }
  assert_int_equal(molecule->n_atoms, 7);
  bt_molecule_destroy(molecule);
  options.keep_hydrogens = true;
  molecule = prepare("OCCN", &options);
  assert_int_equal(molecule->n_atoms, 11);
  bt_molecule_destroy(molecule);
}

static void test_refused_elements(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = flat_options();
  bt_error error = refusal("CC[Se]C name", &options);
  assert_int_equal(error.status, BT_ERR_PARAMETER);
  assert_int_equal(error.atom, 3);
  assert_non_null(strstr(error.message, "no type for Se"));
  assert_non_null(strstr(error.message, "record 1 (name)"));
  assert_true(error.remedy[0] != '\0');
  error = refusal("O=C([O][Hg]c1ccccc1)C", &options);
  assert_int_equal(error.atom, 4);
  assert_non_null(strstr(error.message, "its Hg is part of an organometallic compound"));
  options.charges = BT_CHARGES_ZERO; /* no way around */
  error = refusal("C[Fe]C", &options);
  assert_non_null(strstr(error.message, "its Fe is part of an organometallic compound"));
}

static void compare(const char *smiles, const bt_molecule *molecule, const bt_molecule *same, const char *how) {
  char types[512], others[512];
  types_of(molecule, types, sizeof types);
  types_of(same, others, sizeof others);
  if (strcmp(types, others) != 0) fail_msg("%s %s: %s instead of %s", smiles, how, others, types);
  if (molecule->n_fragments != same->n_fragments) fail_msg("%s %s: other torsions", smiles, how);
  assert_int_equal(molecule->n_atoms, same->n_atoms);
  assert_true(fabs(total_charge(molecule) - total_charge(same)) < 1e-3);
}

/* The force field has another aromaticity than the types. */
static void test_generated_coordinates_change_nothing(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const smiles[] = {
      "O=c1cccc[nH]1",
      "Cn1c(=O)c2c(ncn2C)n(C)c1=O",
      "O=c1[nH]cc(F)c(=O)[nH]1",
      "O=c1ccc2ccccc2o1",
      "Nc1nc2c(ncn2COCCO)c(=O)[nH]1",
      "Nc1ccn([C@H]2O[C@H](CO)[C@@H](O)C2(F)F)c(=O)n1",
      "O=C(O)c1cn(C2CC2)c2ccccc2c1=O",
      "CN(C)c1cc(=O)n(C)c(=O)[nH]1",
      "O=c1cc(-c2ccccc2)oc2ccccc12",
      "O=c1cccccc1",
      "S=c1cc[nH]cc1",
      "c1cc[o+]cc1",
      "O=c1[nH]nc(-c2ccccc2)o1",
  };
  bt_prepare_options flat = flat_options(), embedded = flat_options(), sdf = bt_prepare_options_default();
  embedded.conformers = 1;
  sdf.opt_format = "sdf";
  sdf.as_drawn = true;
  for (size_t i = 0; i < sizeof smiles / sizeof *smiles; i++) {
    BT_SCOPED char *text = NULL;
    bt_error error;
    bt_molecule *drawn = prepare(smiles[i], &flat), *made = prepare(smiles[i], &embedded);
    compare(smiles[i], drawn, made, "with coordinates");
    support_ok(bt_molecule_sdf(made, NULL, NULL, 0, &text, &error), &error);
    bt_molecule *again = prepare(text, &sdf);
    compare(smiles[i], drawn, again, "from its own SDF");
    assert_string_equal(bt_molecule_smiles(drawn), bt_molecule_smiles(again));
    bt_molecule_destroy(drawn);
    bt_molecule_destroy(made);
    bt_molecule_destroy(again);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_types),
      cmocka_unit_test(test_charges_sum_to_the_formal_charge),
      cmocka_unit_test(test_merged_charges),
      cmocka_unit_test(test_refused_elements),
      cmocka_unit_test(test_generated_coordinates_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
