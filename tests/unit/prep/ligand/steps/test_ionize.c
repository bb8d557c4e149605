/* test_ionize.c - protonation at a pH. */
#include <berth/berth.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "unit/prep/ligand/prepare.h"

static void expect(double ph, const char *smiles, const char *expected) {
  bt_prepare_options options = flat_options();
  options.as_drawn = false;
  options.ph = ph;
  bt_molecule *molecule = prepare(smiles, &options);
  if (strcmp(bt_molecule_smiles(molecule), expected) != 0)
    fail_msg("pH %g: %s became %s instead of %s", ph, smiles, bt_molecule_smiles(molecule), expected);
  bt_molecule_destroy(molecule);
}

static void test_groups_at_physiological_ph(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const cases[][2] = {
      {"CC(=O)O", "CC(=O)[O-]"},
      {"O=C(O)c1ccccc1", "O=C([O-])c1ccccc1"},
      {"CC(=O)OC", "COC(C)=O"},
      {"CS(=O)(=O)O", "CS(=O)(=O)[O-]"},
      {"CCOP(=O)(O)O", "CCOP(=O)([O-])[O-]"},
      {"CP(=O)(O)O", "CP(=O)([O-])[O-]"},
      {"COP(=O)(O)OC", "COP(=O)([O-])OC"},
      {"Sc1ccccc1", "[S-]c1ccccc1"},
      {"CS", "CS"},
      {"Oc1ccccc1", "Oc1ccccc1"},
      {"CC(=O)NS(=O)(=O)C", "CC(=O)[N-]S(C)(=O)=O"},
      {"CC(=O)NO", "CC(=O)NO"},
      {"c1nnn[nH]1", "c1nnn[n-]1"},
      {"CCN", "CC[NH3+]"},
      {"CCN(CC)CC", "CC[NH+](CC)CC"},
      {"C1CNCCN1", "C1C[NH2+]CCN1"},
      {"NCCN", "NCC[NH3+]"},
      {"CC(N)=O", "CC(N)=O"},
      {"Nc1ccccc1", "Nc1ccccc1"},
      {"NS(=O)(=O)C", "CS(N)(=O)=O"},
      {"c1ccncc1", "c1ccncc1"},
      {"Nc1ccncc1", "Nc1cc[nH+]cc1"},
      {"c1c[nH]cn1", "c1c[nH]cn1"},
      {"CC(=N)N", "CC(N)=[NH2+]"},
      {"NC(=N)NC", "CNC(N)=[NH2+]"},
      {"CN(C)C(=N)NC(N)=N", NULL}, /* one proton, either place */
      {"C[N+](C)(C)C", "C[N+](C)(C)C"},
      {"C[N+](=O)[O-]", "C[N+](=O)[O-]"},
      {"FC(F)(F)CN", "NCC(F)(F)F"},
      {"NCC(=O)O", "[NH3+]CC(=O)[O-]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (cases[i][1] != NULL) expect(7.4, cases[i][0], cases[i][1]);
}

static void test_both_ways(void **state) {
  (void)state;
  needs_rdkit();
  expect(2, "CC(=O)[O-]", "CC(=O)O");
  expect(2, "CCOP(=O)([O-])[O-]", "CCOP(=O)(O)O");
  expect(5, "CCOP(=O)([O-])[O-]", "CCOP(=O)([O-])O");
  expect(2, "c1ccncc1", "c1cc[nH+]cc1");
  expect(6, "c1c[nH]cn1", "c1c[nH+]c[nH]1");
  expect(13, "C[NH3+]", "CN");
  expect(13, "CC(N)=[NH2+]", "CC(=N)N");
  expect(12, "Oc1ccccc1", "[O-]c1ccccc1");
  expect(13, "c1cc[nH+]cc1", "c1ccncc1");
}

/* Of a SMILES text: signs in brackets, each with its number if any. */
static int net_charge(const char *smiles) {
  int charge = 0;
  for (const char *at = smiles; (at = strpbrk(at, "+-")) != NULL; at++) {
    const char *open = at;
    while (open > smiles && *open != '[' && *open != ']') open--;
    if (*open != '[') continue; /* a bond */
    int count = at[1] >= '2' && at[1] <= '9' ? at[1] - '0' : 1;
    charge += *at == '+' ? count : -count;
  }
  return charge;
}

/* Net charges of a hundred drugs. */
static void test_drugs_at_physiological_ph(void **state) {
  (void)state;
  needs_rdkit();
  char line[400], name[64], smiles[256];
  int drugs = 0, wrong = 0, charge;
  bt_prepare_options options = flat_options();
  options.as_drawn = false;
  options.ph = 7.4;
  FILE *file = fopen(BERTH_SOURCE_DIR "/tests/data/drug-charges.csv", "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "%63[^,],%255[^,],%d", name, smiles, &charge) != 3) continue; /* comment, names of columns */
    bt_molecule *molecule = prepare(smiles, &options);
    int ours = net_charge(bt_molecule_smiles(molecule));
    if (ours != charge) print_message("%s: %d instead of %d, %s\n", name, ours, charge, bt_molecule_smiles(molecule));
    wrong += ours != charge;
    drugs++;
    bt_molecule_destroy(molecule);
  }
  fclose(file);
  assert_int_equal(drugs, 103);
  assert_int_equal(wrong, 0);
}

/* The nitrogen that takes the proton, not the charge alone. */
static void test_the_right_site(void **state) {
  (void)state;
  needs_rdkit();
  expect(7.4, "CN1CCN(Cc2ccccc2)CC1", "C[NH+]1CCN(Cc2ccccc2)CC1");
  expect(7.4, "C1CN(Cc2ccccc2)CCN1C", "C[NH+]1CCN(Cc2ccccc2)CC1");
  expect(7.4, "Nc1ccc(S(=O)(=O)Nc2ncccn2)cc1", "Nc1ccc(S(=O)(=O)[N-]c2ncccn2)cc1");
  expect(6, "OCCN1CCN(c2ccncn2)CC1", "OCC[NH+]1CCN(c2ccncn2)CC1");
  expect(7.4, "OCC[NH+]1CCN(c2ccncn2)CC1", "OCCN1CCN(c2ccncn2)CC1");
  expect(3, "Oc1cc(=O)oc2ccccc12", "O=c1cc(O)c2ccccc2o1");
  expect(7.4, "Oc1cc(=O)oc2ccccc12", "O=c1cc([O-])c2ccccc2o1");
}

/* A record with hydrogens and coordinates keeps them; only the site changes. */
static void test_hydrogens_of_the_file(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "smiles";
  options.as_drawn = true;
  bt_molecule *molecule = prepare("NCC(=O)O glycine", &options);
  char *sdf;
  assert_int_equal(bt_molecule_sdf(molecule, NULL, NULL, 0, &sdf, NULL), BT_OK);
  options.opt_format = "sdf";
  options.as_drawn = false;
  options.ph = 7.4;
  bt_molecule *changed = prepare(sdf, &options);
  assert_string_equal(bt_molecule_smiles(changed), "[NH3+]CC(=O)[O-]");
  assert_string_equal(bt_molecule_name(changed), "glycine");
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 3; k++) assert_true(fabs(changed->chemistry->x[i][k] - molecule->chemistry->x[i][k]) < 1e-3);
  assert_int_equal(bt_molecule_note_count(changed), 1);
  assert_string_equal(bt_molecule_note(changed, 0),
                      "pH 7.4: carboxylic acid deprotonated, aliphatic amine protonated");
  bt_molecule_destroy(changed);
  bt_molecule_destroy(molecule);
  free(sdf);
}

static void expect_assumed(const char *format, const char *text, const char *expected, const char *opt_note) {
  bt_prepare_options options = flat_options();
  options.as_drawn = false;
  options.opt_format = format;
  bt_molecule *molecule = prepare(text, &options);
  if (strcmp(bt_molecule_smiles(molecule), expected) != 0)
    fail_msg("%s became %s instead of %s", text, bt_molecule_smiles(molecule), expected);
  bool found = opt_note == NULL && bt_molecule_note_count(molecule) == 0;
  for (int i = 0; opt_note != NULL && i < bt_molecule_note_count(molecule); i++)
    found |= strcmp(bt_molecule_note(molecule, i), opt_note) == 0;
  if (!found) fail_msg("%s: the note '%s' is missing", text, opt_note != NULL ? opt_note : "none");
  bt_molecule_destroy(molecule);
}

/* Without a pH: what has neither hydrogens nor ions takes the usual state, everything else stays as it is. */
static void test_usual_ph_is_assumed(void **state) {
  (void)state;
  needs_rdkit();
  const char *protonated = "pH 7.4 assumed: aliphatic amine protonated";
  expect_assumed("smiles", "CC(=O)O", "CC(=O)[O-]", "pH 7.4 assumed: carboxylic acid deprotonated");
  expect_assumed("smiles", "CCO", "CCO", NULL);
  expect_assumed("smiles", "CCN.Cl", "CC[NH3+]", protonated);
  expect_assumed("smiles", "NCCc1ccc([N+](=O)[O-])cc1", "[NH3+]CCc1ccc([N+](=O)[O-])cc1", protonated);
  expect_assumed("smiles", "C[N+](C)(C)CCCN", "C[N+](C)(C)CCC[NH3+]", protonated);
  expect_assumed("smiles", "[2H]C([2H])([2H])CN", "[2H]C([2H])([2H])C[NH3+]", protonated);
  expect_assumed("smiles", "CC[NH3+]", "CC[NH3+]", NULL);
  expect_assumed("smiles", "[O-]C(=O)CCN", "NCCC(=O)[O-]",
                 "protonation kept as in the input; at pH 7.4: aliphatic amine protonated");
}

/* Methylamine: drawn without hydrogens, in 3D with those of nitrogen, with all of them. */
static void test_hydrogens_state_the_protonation(void **state) {
  (void)state;
  needs_rdkit();
  static const char flat[] =
      "flat\n\n\n  3  2  0  0  0  0  0  0  0  0999 V2000\n"
      "    0.0000    0.0000    0.0000 C   0  0  0  0  0  0\n"
      "    1.4500    0.0000    0.0000 N   0  0  0  0  0  0\n"
      "    1.8000    0.9500    0.0000 H   0  0  0  0  0  0\n"
      "  1  2  1  0\n  2  3  1  0\nM  END\n$$$$\n";
  static const char polar[] =
      "polar\n\n\n  4  3  0  0  0  0  0  0  0  0999 V2000\n"
      "    0.0000    0.0000    0.0000 C   0  0  0  0  0  0\n"
      "    1.4500    0.0000    0.0000 N   0  0  0  0  0  0\n"
      "    1.8000    0.9500    0.1000 H   0  0  0  0  0  0\n"
      "    1.8000   -0.4000    0.8700 H   0  0  0  0  0  0\n"
      "  1  2  1  0\n  2  3  1  0\n  2  4  1  0\nM  END\n$$$$\n";
  const char *kept = "protonation kept as in the input; at pH 7.4: aliphatic amine protonated";
  expect_assumed("sdf", flat, "C[NH3+]", "pH 7.4 assumed: aliphatic amine protonated");
  expect_assumed("sdf", polar, "CN", kept);
  bt_prepare_options drawn = flat_options();
  drawn.conformers = 1;
  bt_molecule *molecule = prepare("CN", &drawn);
  char *sdf;
  assert_int_equal(bt_molecule_sdf(molecule, NULL, NULL, 0, &sdf, NULL), BT_OK);
  expect_assumed("sdf", sdf, "CN", kept);
  bt_molecule_destroy(molecule);
  free(sdf);
}

static void test_as_drawn_stays(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = flat_options();
  bt_molecule *molecule = prepare("NCCC(=O)O", &options);
  assert_string_equal(bt_molecule_smiles(molecule), "NCCC(=O)O");
  assert_int_equal(bt_molecule_note_count(molecule), 0);
  bt_molecule_destroy(molecule);
  options.ph = 7.4;
  bt_ligand_reader *reader;
  bt_error error = {0};
  assert_int_equal(bt_ligand_reader_open_text("CN", 2, "test", &options, &reader, &error), BT_ERR_USAGE);
  assert_non_null(strstr(error.message, "as drawn"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_groups_at_physiological_ph),
      cmocka_unit_test(test_both_ways),
      cmocka_unit_test(test_drugs_at_physiological_ph),
      cmocka_unit_test(test_the_right_site),
      cmocka_unit_test(test_hydrogens_of_the_file),
      cmocka_unit_test(test_usual_ph_is_assumed),
      cmocka_unit_test(test_hydrogens_state_the_protonation),
      cmocka_unit_test(test_as_drawn_stays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
