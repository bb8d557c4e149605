/* test_stereo.c - stereochemistry that a record leaves undefined: named in a note, or enumerated. */
#include <berth/berth.h>

#include "base/memory.h"
#include "prepare.h"

/* SMILES of all ligands of a text, by a blank; the number of ligands. */
static int isomers(const char *text, char *out, size_t size) {
  bt_prepare_options options = bt_prepare_options_default();
  options.as_drawn = true;
  options.opt_format = "smiles";
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

static void test_undefined_centers_are_named(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.as_drawn = true;
  options.opt_format = "smiles";
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
  options.opt_format = "smiles";
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

static void test_defined_centers_stay(void **state) {
  (void)state;
  needs_rdkit();
  char out[4096];
  assert_int_equal(isomers("C[C@H](O)C(N)C(=O)O half", out, sizeof out), 2);
  assert_non_null(strstr(out, "C[C@H](O)[C@@H](N)C(=O)O"));
  assert_non_null(strstr(out, "C[C@H](O)[C@H](N)C(=O)O"));
}

/* Bridgeheads of small cages have one configuration, by a mirror plane or by that of another bridgehead. */
static void test_cages_are_not_open(void **state) {
  (void)state;
  needs_rdkit();
  static const struct {
    const char *smiles, *open;
  } known[] = {{"C12C3C4C1C5C2C3C45", NULL},
               {"C1C2CC1C2", NULL},
               {"C1CC2CCC1C2", NULL},
               {"C1CC2C=CC1C2", NULL},
               {"OC1C2CCC1CC2", NULL},
               {"C1C2CC3CC1CC(C2)C3", NULL},
               {"OC1C2CC3CC1CC(C2)C3", NULL},
               {"C1CN2CCC1CC2", NULL},
               {"CN1C2CCC1CC2", NULL},
               {"C1C2CCCC12", NULL},
               {"C[C@]12CCC(C1(C)C)CC2=O", NULL}, /* by the other one */
               {"CN1C2CCC1CC(O)C2", "C8 is"},     /* tropine or pseudotropine */
               {"OC1C2CCC1C=C2", "C2 is"},
               {"OC1CC2CCC1C2", "C2, C4 and C7 is"},
               {"OC1C2CC3CC1CC(C)(C2)C3", "C2 is"},
               {"C1CCC2CCCCC2C1", "C4 and C9 is"}};
  bt_prepare_options options = bt_prepare_options_default();
  options.as_drawn = true;
  options.opt_format = "smiles";
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
    bt_molecule *molecule = prepare(known[k].smiles, &options);
    const char *note = "";
    for (int i = 0; i < bt_molecule_note_count(molecule); i++)
      if (strstr(bt_molecule_note(molecule, i), "undefined") != NULL) note = bt_molecule_note(molecule, i);
    if (known[k].open == NULL ? *note != '\0' : strstr(note, known[k].open) == NULL)
      fail_msg("%s: %s", known[k].smiles, note);
    bt_molecule_destroy(molecule);
  }
  char out[4096];
  assert_int_equal(isomers("C1CC2CCC1C2 norbornane", out, sizeof out), 1);
  assert_int_equal(isomers("OC1CC2CCC1C2 norborneol", out, sizeof out), 4);
  assert_true(isomers("CN1C2CCC1CC(O)C2 tropine", out, sizeof out) >= 2);
}

/* Centers of phosphorus, sulfur and silicon are as good as those of carbon. */
static void test_other_elements_are_centers(void **state) {
  (void)state;
  needs_rdkit();
  char out[4096];
  static const char *const open[] = {"CCP(=O)(C)c1ccccc1 a", "CCOP(=O)(C)F a",       "COP(=S)(OCC)SC a",
                                     "CCS(C)(=O)=N a",       "CC[P+](C)(CCC)CCCC a", "CC[Si](C)(F)Cl a",
                                     "CCS(C)=O a",           "CP(O)(=S)OC a",        "CP1(=O)OCCCO1 a",
                                     "CC1CCP(C)(=O)CC1 a",   "CCS(C)=NC a",          "CCS(C)(=O)=NC a"};
  static const char *const closed[] = {"CCS(C)(=O)=O a",   "C[Si](C)(F)Cl a",  "CCOP(=O)(O)C a",       "CCP(=O)(C)C a",
                                       "COP(=O)(OC)OCC a", "C[P+](C)(CC)CC a", "CNS(=O)(=O)c1ccccc1 a"};
  for (size_t k = 0; k < sizeof open / sizeof *open; k++) {
    bool one = strcmp(open[k], "CP1(=O)OCCCO1 a") == 0; /* its ring is symmetric */
    if (isomers(open[k], out, sizeof out) != (one ? 1 : 2)) fail_msg("%s: %s", open[k], out);
  }
  for (size_t k = 0; k < sizeof closed / sizeof *closed; k++)
    if (isomers(closed[k], out, sizeof out) != 1) fail_msg("%s: %s", closed[k], out);
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
  const char *pdb =
      "HETATM    1  N   LIG A   1       1.458   0.000   0.000  1.00  0.00           N\n"
      "HETATM    2  CA  LIG A   1       0.000   0.000   0.000  1.00  0.00           C\n"
      "HETATM    3  C   LIG A   1      -0.550   1.420   0.000  1.00  0.00           C\n"
      "HETATM    4  O   LIG A   1       0.210   2.390   0.000  1.00  0.00           O\n"
      "HETATM    5  OXT LIG A   1      -1.870   1.560   0.000  1.00  0.00           O\n"
      "HETATM    6  CB  LIG A   1      -0.520  -0.770  -1.210  1.00  0.00           C\nEND\n";
  const char *isomers[] = {"C[C@H](N)C(=O)O", "C[C@@H](N)C(=O)O"};
  bt_prepare_options options = bt_prepare_options_default();
  options.as_drawn = true;
  options.opt_format = "pdb";
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

/* RDKit's distance geometry leaves double bonds of larger rings, and some others, to chance. */
static void test_double_bonds_keep_their_sides(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const known[] = {
      "O=C1CCCC/C=C/CCCCO1",
      "O=C1CCCC/C=C\\CCCCO1",
      "C1=C/CCCCCCCCCC/1",
      "C1=C\\CCCCCCCCCC/1",
      "C[C@H]1CCC/C=C/CC(=O)O1",
      "C1=C/CCCCCC/1",
      "C/C1=C\\C/C=C(\\C)CC/C=C(\\C)CC1",
      "C[N+](C)(C)/N=C/c1ccccc1O",
      "O=C1CCC/C=C/C=C/CO1",
  };
  bt_prepare_options options = bt_prepare_options_default();
  options.as_drawn = true;
  options.opt_format = "smiles";
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
    BT_SCOPED char *smiles = NULL;
    bt_error error;
    for (options.seed = 1; options.seed < 4; options.seed++) {
      bt_molecule *molecule = prepare(known[k], &options);
      support_ok(bt_chemistry_isomer_smiles(molecule->chemistry, &smiles, &error), &error);
      assert_string_equal(smiles, bt_molecule_smiles(molecule));
      free(smiles);
      smiles = NULL;
      bt_molecule_destroy(molecule);
    }
  }
}

/* RDKit 2022.09 writes some double bonds that close a ring as their other isomer. */
static void test_the_smiles_is_that_of_the_molecule(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options flat = flat_options();
  bt_molecule *molecule = prepare("CC1=C\\[C@H](C)C(=O)[C@@H](C)C[C@H](C)/C=C/C=C/1", &flat);
  const char *smiles = bt_molecule_smiles(molecule);
  assert_true(strstr(smiles, "/C=C/C=C/") != NULL || strstr(smiles, "\\C=C\\C=C\\") != NULL);
  bt_molecule *again = prepare(smiles, &flat);
  assert_string_equal(smiles, bt_molecule_smiles(again));
  bt_molecule_destroy(molecule);
  bt_molecule_destroy(again);
}

/* Every conformer of several. */
static void test_all_conformers_keep_their_sides(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.as_drawn = true;
  options.opt_format = "smiles";
  options.conformers = 6;
  bt_ligand_reader *reader = open_text("C1C/C=C/CC/C=C/CC/C=C/1 triene", &options);
  bt_molecule *molecule = NULL;
  bt_error error = {0};
  int count = 0;
  for (;; count++) {
    BT_SCOPED char *smiles = NULL;
    support_ok(bt_ligand_reader_next(reader, &molecule, &error), &error);
    if (molecule == NULL) break;
    support_ok(bt_chemistry_isomer_smiles(molecule->chemistry, &smiles, &error), &error);
    assert_string_equal(smiles, bt_molecule_smiles(molecule));
    bt_molecule_destroy(molecule);
  }
  assert_int_equal(count, 6);
  bt_ligand_reader_close(reader);
}

static void test_impossible_isomers_are_named(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.as_drawn = true;
  options.opt_format = "smiles";
  bt_error error = refusal("Cl.C1=C/C=C/CCCC/1 strained", &options);
  assert_int_equal(error.status, BT_ERR_INPUT);
  assert_non_null(strstr(error.message, "stereochemistry at C2=C3")); /* as in the input, with its counter-ion */
  error = refusal("C1C[C@H]2CC[C@H]1C2 bridged", &options);
  assert_non_null(strstr(error.message, "stereochemistry at C"));
}

static void test_groups_are_told_and_enumerated(void **state) {
  (void)state;
  needs_rdkit();
  static const struct {
    const char *text, *note;
    int isomers;
  } cases[] = {
      {"CC[C@H](O)[C@H](O)C(C)C |&1:2,4| x", "C3 and C5 is racemic (&1)", 2},
      {"CC[C@H](O)[C@H](O)C(C)C |o1:2,o2:4| x", "C3 is relative (o1)", 4},
      {"CC[C@H](O)[C@H](O)C(C)C |a:2,&1:4,r| x", "C5 is racemic (&1)", 2},
      {"CC[C@H](O)[C@H](O)C(C)C |$;;;_R1;;;;&1:2$,a:2,4| x", NULL, 1},
      {"[H][C@](C)(F)Cl |o3:1| x", "C2 is relative (o1)", 2},
      {"CC[C@H](O)[C@H](O)C(C)C |&1:| x", NULL, 1},
      {"CC[C@H](O)[C@H](O)C(C)C |&1:2,99| x", NULL, 2},
      {"CC[C@H](O)[C@H](O)C(C)C |", NULL, 1},
  };
  bt_prepare_options options = bt_prepare_options_default();
  options.as_drawn = true;
  options.opt_format = "smiles";
  char out[4096];
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    bt_molecule *molecule = prepare(cases[k].text, &options);
    if (cases[k].note != NULL) {
      assert_true(bt_molecule_note_count(molecule) > 0);
      assert_non_null(strstr(bt_molecule_note(molecule, 0), cases[k].note));
    }
    bt_molecule_destroy(molecule);
    assert_int_equal(isomers(cases[k].text, out, sizeof out), cases[k].isomers);
  }
}

/* A drawing with chiral flag 0 stands for one enantiomer or both; coordinates show which. */
static void test_the_chiral_flag_counts_in_drawings(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const start =
      "butanol\n  Berth\n\n  5  4  0  0  %d  0  0  0  0  0999 V2000\n"
      "    0.0000    0.0000    0.0000 C   0  0\n"
      "    1.3000    0.7500    0.0000 C   0  0\n"
      "    1.3000    2.2500%s O   0  0\n"
      "    2.6000    0.0000    0.0000 C   0  0\n"
      "    3.9000    0.7500    0.0000 C   0  0\n"
      "  2  1  1  0\n  2  3  1  1\n  2  4  1  0\n  4  5  1  0\nM  END\n$$$$\n";
  bt_prepare_options options = bt_prepare_options_default();
  options.as_drawn = true;
  options.opt_format = "sdf";
  for (int kind = 0; kind < 3; kind++) { /* flag 0, flag 1, and 3D */
    char text[1024];
    bool told = false;
    snprintf(text, sizeof text, start, kind == 1, kind == 2 ? "    1.0000" : "    0.0000");
    bt_molecule *molecule = prepare(text, &options);
    for (int i = 0; i < bt_molecule_note_count(molecule); i++)
      told = told || strstr(bt_molecule_note(molecule, i), "C2 is relative (chiral flag 0)") != NULL;
    assert_int_equal(told, kind == 0);
    bt_molecule_destroy(molecule);
  }
}

/* Which oxygen of a phosphate has the double bond is up to the drawing. */
static void test_phosphates_are_no_stereocenters(void **state) {
  (void)state;
  needs_rdkit();
  static const struct {
    const char *smiles;
    bool center;
  } cases[] = {
      {"CCO[P@](=O)(O)OC", false},     {"CCO[P@@](=O)([O-])OC", false}, {"CC[S@](=O)O", false},
      {"CCO[P@](=S)(S)OC", false},     {"CCO[P@](=S)(O)OC", true},      {"CCO[P@@](=O)([S-])OC", true},
      {"CCO[P@](=O)(NC)OC", true},     {"CC[S@](C)=O", true},           {"CC[S@](=N)(=O)c1ccccc1", true},
      {"CCO[P@](=O)([18OH])OC", true},
  };
  bt_prepare_options options = flat_options();
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    bt_molecule *molecule = prepare(cases[k].smiles, &options);
    if ((strchr(bt_molecule_smiles(molecule), '@') != NULL) != cases[k].center)
      fail_msg("%s became %s", cases[k].smiles, bt_molecule_smiles(molecule));
    bt_molecule_destroy(molecule);
  }
  char out[4096];
  assert_int_equal(isomers("CCOP(=O)(O)OC open", out, sizeof out), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_undefined_centers_are_named),
      cmocka_unit_test(test_coordinates_show_the_isomer),
      cmocka_unit_test(test_isomers_are_enumerated_once),
      cmocka_unit_test(test_defined_centers_stay),
      cmocka_unit_test(test_cages_are_not_open),
      cmocka_unit_test(test_other_elements_are_centers),
      cmocka_unit_test(test_there_is_a_limit),
      cmocka_unit_test(test_a_template_must_be_the_same_isomer),
      cmocka_unit_test(test_double_bonds_keep_their_sides),
      cmocka_unit_test(test_the_smiles_is_that_of_the_molecule),
      cmocka_unit_test(test_all_conformers_keep_their_sides),
      cmocka_unit_test(test_impossible_isomers_are_named),
      cmocka_unit_test(test_groups_are_told_and_enumerated),
      cmocka_unit_test(test_the_chiral_flag_counts_in_drawings),
      cmocka_unit_test(test_phosphates_are_no_stereocenters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
