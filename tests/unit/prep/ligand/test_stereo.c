/* test_stereo.c - stereochemistry that a record leaves undefined: named in a note, or enumerated. */
#include "prepare.h"

/* SMILES of all ligands of a text, by a blank; the number of ligands. */
static int isomers(const char *text, char *out, size_t size) {
  bt_prepare_options options = bt_prepare_options_default();
  options.as_drawn = true;
  options.format = BT_LIGAND_SMILES;
  options.stereo = BT_STEREO_ENUMERATE;
  bt_ligand_reader *reader = open_text(text, &options);
  bt_molecule *molecule = NULL;
  bt_error error = {0};
  size_t at = 0;
  int count = 0;
  out[0] = '\0';
  for (;; count++) {
    support_ok(bt_ligand_reader_next(reader, &molecule, &error), &error);
    if (molecule == NULL) break;
    at += (size_t)snprintf(out + at, size - at, "%s %s ", bt_molecule_name(molecule), bt_molecule_smiles(molecule));
    bt_molecule_destroy(molecule);
  }
  bt_ligand_reader_close(reader);
  return count;
}

static void test_undefined_centres_are_named(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.as_drawn = true;
  options.format = BT_LIGAND_SMILES;
  bt_molecule *molecule = prepare("CC(O)C(N)C(=O)O", &options);
  assert_int_equal(bt_molecule_note_count(molecule), 1);
  assert_non_null(strstr(bt_molecule_note(molecule, 0), "C2 and C4 is undefined"));
  bt_molecule_destroy(molecule);
  molecule = prepare("CC=CC(F)Cl", &options);
  assert_non_null(strstr(bt_molecule_note(molecule, 0), "C4 and C2=C3 is undefined"));
  bt_molecule_destroy(molecule);
  molecule = prepare("C[C@H](O)[C@@H](N)C(=O)O", &options); /* nothing is open */
  assert_int_equal(bt_molecule_note_count(molecule), 0);
  bt_molecule_destroy(molecule);
}

/* Each isomer's coordinates show the isomer. */
static void test_coordinates_show_the_isomer(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.as_drawn = true;
  options.format = BT_LIGAND_SMILES;
  const char *const known[] = {"CC[C@H](C)O", "CC[C@@H](C)O", "C/C=C/CO", "C/C=C\\CO", "CCO"};
  char *smiles = NULL;
  bt_error error;
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
    bt_molecule *molecule = prepare(known[k], &options);
    support_ok(bt_chemistry_isomer_smiles(molecule->chemistry, &smiles, &error), &error);
    assert_string_equal(smiles, bt_molecule_smiles(molecule));
    free(smiles);
    bt_molecule_destroy(molecule);
  }
  bt_molecule *open = prepare("CCC(C)O", &options);
  assert_string_equal(bt_molecule_smiles(open), "CCC(C)O");
  support_ok(bt_chemistry_isomer_smiles(open->chemistry, &smiles, &error), &error);
  assert_true(strcmp(smiles, known[0]) == 0 || strcmp(smiles, known[1]) == 0);
  free(smiles);
  bt_molecule_destroy(open);
  support_ok(bt_chemistry_isomer_smiles(NULL, &smiles, &error), &error);
  assert_null(smiles);
}

static void test_isomers_are_enumerated_once(void **state) {
  (void)state;
  needs_rdkit();
  char out[4096];
  assert_int_equal(isomers("OC(=O)C(O)C(O)C(=O)O tartaric", out, sizeof out), 3); /* two of four are the meso form */
  assert_non_null(strstr(out, "tartaric_s1 "));
  assert_non_null(strstr(out, "tartaric_s3 "));
  assert_int_equal(isomers("CC=CC(F)Cl both", out, sizeof out), 4);
  assert_non_null(strstr(out, "/C=C/"));
  assert_non_null(strstr(out, "/C=C\\"));
  assert_int_equal(isomers("C[C@H](N)C(=O)O known", out, sizeof out), 1);
  assert_string_equal(out, "known C[C@H](N)C(=O)O ");
}

static void test_defined_centres_stay(void **state) {
  (void)state;
  needs_rdkit();
  char out[4096];
  assert_int_equal(isomers("C[C@H](O)C(N)C(=O)O half", out, sizeof out), 2);
  assert_non_null(strstr(out, "C[C@H](O)[C@@H](N)C(=O)O"));
  assert_non_null(strstr(out, "C[C@H](O)[C@H](N)C(=O)O"));
}

static void test_there_is_a_limit(void **state) {
  (void)state;
  needs_rdkit();
  char out[16384];
  assert_int_equal(isomers("OCC(O)C(O)C(O)C(O)C(O)C(O)C=O many", out, sizeof out), BT_STEREO_MOST);
}

/* L-alanine, whose nitrogen, carbonyl and methyl groups lie around C2. */
static void test_a_template_must_be_the_same_isomer(void **state) {
  (void)state;
  needs_rdkit();
  const char *pdb = "HETATM    1  N   LIG A   1       1.458   0.000   0.000  1.00  0.00           N\n"
                    "HETATM    2  CA  LIG A   1       0.000   0.000   0.000  1.00  0.00           C\n"
                    "HETATM    3  C   LIG A   1      -0.550   1.420   0.000  1.00  0.00           C\n"
                    "HETATM    4  O   LIG A   1       0.210   2.390   0.000  1.00  0.00           O\n"
                    "HETATM    5  OXT LIG A   1      -1.870   1.560   0.000  1.00  0.00           O\n"
                    "HETATM    6  CB  LIG A   1      -0.520  -0.770  -1.210  1.00  0.00           C\nEND\n";
  const char *isomers[] = {"C[C@H](N)C(=O)O", "C[C@@H](N)C(=O)O"};
  bt_prepare_options options = bt_prepare_options_default();
  options.as_drawn = true;
  options.format = BT_LIGAND_PDB;
  options.opt_template = "CC(N)C(=O)O";
  bt_molecule *molecule = prepare(pdb, &options);
  int same = strcmp(bt_molecule_smiles(molecule), isomers[1]) == 0;
  assert_string_equal(bt_molecule_smiles(molecule), isomers[same]);
  bt_molecule_destroy(molecule);
  options.opt_template = isomers[same];
  bt_molecule_destroy(prepare(pdb, &options));
  options.opt_template = isomers[1 - same];
  bt_error error = refusal(pdb, &options);
  assert_int_equal(error.status, BT_ERR_INPUT);
  assert_int_equal(error.atom, 2);
  assert_non_null(strstr(error.message, "stereochemistry contradicts"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_undefined_centres_are_named),
      cmocka_unit_test(test_coordinates_show_the_isomer),
      cmocka_unit_test(test_isomers_are_enumerated_once),
      cmocka_unit_test(test_defined_centres_stay),
      cmocka_unit_test(test_there_is_a_limit),
      cmocka_unit_test(test_a_template_must_be_the_same_isomer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
