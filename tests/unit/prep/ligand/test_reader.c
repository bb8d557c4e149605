/* test_reader.c - files of ligands: formats, names, salts, and records that are refused while the rest is read. */
#include <berth/berth.h>
#include <math.h>

#include "base/clock.h"
#include "base/text/text.h"
#include "prepare.h"

/* Reads everything; outcomes: the name of each ligand, or "!" and the number of the record that failed. */
static void outcomes(const char *text, const bt_prepare_options *options, char *out, size_t size) {
  bt_ligand_reader *reader = open_text(text, options);
  size_t at = 0;
  out[0] = '\0';
  for (;;) {
    bt_molecule *molecule;
    bt_error error = {0};
    if (bt_ligand_reader_next(reader, &molecule, &error) != BT_OK) {
      assert_true(error.message[0] != '\0' && error.remedy[0] != '\0');
      at += (size_t)snprintf(out + at, size - at, "!%ld ", bt_ligand_reader_record(reader));
      continue;
    }
    if (molecule == NULL) break;
    const char *name = bt_ligand_reader_name(reader); /* conformers add their number to it */
    assert_memory_equal(bt_molecule_name(molecule), name, strlen(name));
    at += (size_t)snprintf(out + at, size - at, "%s ", bt_molecule_name(molecule));
    bt_molecule_destroy(molecule);
  }
  bt_ligand_reader_close(reader);
}

static void test_smiles_files(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = flat_options();
  char out[1024];
  outcomes("SMILES Name\nCCO ethanol\n\nCCC\tthe propane\t42\n# comment\nCCN\n", &options, out, sizeof out);
  assert_string_equal(out, "ethanol the propane test_3 ");
  outcomes("CCO\r\n", &options, out, sizeof out);
  assert_string_equal(out, "test ");
  outcomes("smurf x\nC(C)(C)(C)(C)C y\nC1CC z\nCCO w\nCC[Se]C v\n[H][H] u\n", &options, out, sizeof out);
  assert_true(strstr(out, "!2 !3 w !5 ") != NULL);
  outcomes("", &options, out, sizeof out);
  assert_string_equal(out, "!0 ");
}

static void test_salts(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = flat_options();
  bt_molecule *molecule = prepare("CC(=O)[O-].[Na+].CCCCN", &options);
  assert_string_equal(bt_molecule_smiles(molecule), "CCCCN");
  assert_int_equal(bt_molecule_note_count(molecule), 1);
  assert_string_equal(bt_molecule_note(molecule, 0), "kept the largest fragment, left out CC(=O)[O-].[Na+]");
  bt_molecule_destroy(molecule);
}

/* Salts lose their counter-ions; the ligand of a metal complex is not docked as if there were no metal. */
static void test_metals(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = flat_options();
  char out[1024];
  outcomes(
      "CC(=O)[O-].[Na+] a\nCC(=O)[O-].CC(=O)[O-].[Ca+2] b\nCC(=O)O.[K] c\nCC(=O)[O-].CC(=O)[O-].[Zn+2] d\n"
      "CC(=O)[O-].CC(=O)[O-].[Mg+2].O e\nC[N+](C)(C)C.Cl[Zn-2](Cl)(Cl)Cl f\n"
      "[Li+].CC(=O)[CH-]C(C)=O g\n[Na+].CC[N+]#[C-].CC[O-] h\nCCCC[N+](C)(C)C.F[As-](F)(F)(F)(F)F i\n",
      &options, out, sizeof out);
  assert_string_equal(out, "a b c d e f g h i ");
  const char *const refused[][2] = {
      {"C1=C[CH-]C=C1.C1=C[CH-]C=C1.[Fe+2]", "its Fe is part of an organometallic compound"},
      {"[CH-]1C=CC=C1.[CH-]1C=CC=C1.[Fe+2]", "its Fe is part of an organometallic compound"},
      {"[Li+].[CH2-]CCC", "its Li is part of an organometallic compound"},
      {"CCCCN.C[Zn]C", "its Zn is part of an organometallic compound"},
      {"NCCN.[Cl-].[Cl-].[Pt+2]", "its Pt is part of a metal complex, not a simple counter-ion"},
      {"CC(=O)[O-].[Ag+]", "its Ag is part of a metal complex, not a simple counter-ion"},
      {"CN(C)C1=[S][Zn]2([S-]1)[S-]C(=[S]2)N(C)C", "its Zn is part of a metal complex (bonded to S)"},
      {"C1CN2CCO[Cu]2O1", "its Cu is part of a metal complex (bonded to O)"},
      {"CC[Hg]Cl", "its Hg is part of an organometallic compound"}};
  for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++) {
    bt_ligand_reader *reader = open_text(refused[k][0], &options);
    bt_molecule *molecule = NULL;
    bt_error error = {0};
    assert_int_equal(bt_ligand_reader_next(reader, &molecule, &error), BT_ERR_INPUT);
    if (strstr(error.message, refused[k][1]) == NULL) fail_msg("%s: %s", refused[k][0], error.message);
    assert_non_null(strstr(error.remedy, "leave out this record"));
    bt_ligand_reader_close(reader);
  }
}

/* Small cages need more of RDKit's optimizer than other molecules. */
static void test_cages(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "smiles";
  char out[256];
  outcomes("C12C3C4C1C5C2C3C45 cubane\nNC(=O)C12CC(C1)(C2)C#N bicyclopentane\nC1Cc2ccc(cc2)CCc2ccc1cc2 cyclophane\n",
           &options, out, sizeof out);
  assert_string_equal(out, "cubane bicyclopentane cyclophane ");
}

/* A block of CXSMILES is no part of the name. */
static void test_names_after_cxsmiles(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = flat_options();
  char out[256];
  outcomes("CC[C@H](O)[C@H](O)C |&1:2,4| EN-1\nC[C@H](O)F |o1:1|\tEN-3\tmore\nCCO |$;;_R1$| a b\nCCO |x\nCCC\t|a:1|\n"
           "CC || n\n",
           &options, out, sizeof out);
  assert_string_equal(out, "EN-1 EN-3 a b |x test_5 n ");
}

static char *to_sdf(const char *smiles) {
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "smiles";
  bt_molecule *molecule = prepare(smiles, &options);
  bt_sdf_tag tags[] = {{"pKi", "7.5"}, {"comment", "two\nlines"}};
  char *text;
  assert_int_equal(bt_molecule_sdf(molecule, NULL, tags, 2, &text, NULL), BT_OK);
  bt_molecule_destroy(molecule);
  return text;
}

/* Records without atoms are no molecules, and no faults either. */
static void test_empty_sdf_records(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "sdf";
  char *good = to_sdf("CCO first");
  bt_text file = {0};
  bt_text_add_string(&file, "$$$$\n");
  bt_text_add_string(&file, good);
  bt_text_add_string(&file, "\n\n\n$$$$\nempty\n\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n$$$$\n");
  bt_text_add_string(&file, "\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS 0 0 0 0 0\n"
                            "M  V30 END CTAB\nM  END\n$$$$\n");
  bt_text_add_string(&file, good);
  char out[256];
  outcomes(file.data, &options, out, sizeof out);
  assert_string_equal(out, "first first ");
  bt_text_destroy(&file);
  free(good);
}

static void test_sdf_file_goes_on_after_a_broken_record(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "sdf";
  char *good = to_sdf("C[C@H](O)N first"), *other = to_sdf("c1ccccc1O other");
  bt_text file = {0};
  bt_text_add_string(&file, good);
  bt_text_add(&file, good, strlen(good) / 3); /* cut in the middle of an atom */
  bt_text_add_string(&file, "\n$$$$\n");
  bt_text_add_string(&file, "nothing\n\n\n  0  0\n$$$$\n");
  bt_text_add_string(&file, "garbage\n\x01\x02\n$$$$\n");
  bt_text_add_string(&file, other);
  bt_text_add_string(&file, "\n\n");
  char out[256];
  outcomes(file.data, &options, out, sizeof out);
  assert_string_equal(out, "first !2 !3 !4 other ");
  bt_text_destroy(&file);
  free(good);
  free(other);
}

static void test_error_names_the_line(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "sdf";
  char *good = to_sdf("CCO good");
  char text[2048];
  int lines = 0;
  for (const char *at = good; *at != '\0'; at++) lines += *at == '\n';
  snprintf(text, sizeof text,
           "%sbad\n  x\n\n  6  5  0  0  0  0  0  0  0  0999 V2000\n"
           "    0.0       0.0       0.0    C   0  0\n    1.0       0.0       0.0    C   0  0\n"
           "   -1.0       0.0       0.0    C   0  0\n    0.0       1.0       0.0    C   0  0\n"
           "    0.0      -1.0       0.0    C   0  0\n    0.0       0.0       1.0    C   0  0\n"
           "  1  2  1  0\n  1  3  1  0\n  1  4  1  0\n  1  5  1  0\n  1  6  1  0\nM  END\n$$$$\n",
           good);
  bt_ligand_reader *reader = open_text(text, &options);
  bt_molecule *molecule;
  bt_error error = {0};
  assert_int_equal(bt_ligand_reader_next(reader, &molecule, NULL), BT_OK);
  bt_molecule_destroy(molecule);
  assert_int_equal(bt_ligand_reader_next(reader, &molecule, &error), BT_ERR_INPUT);
  assert_string_equal(error.file, "test");
  assert_int_equal(error.line, lines + 1);
  assert_int_equal(error.atom, 1);
  assert_non_null(strstr(error.message, "record 2 (bad)"));
  assert_non_null(strstr(error.message, "valence"));
  assert_int_equal(bt_ligand_reader_next(reader, &molecule, NULL), BT_OK);
  assert_null(molecule);
  bt_ligand_reader_close(reader);
  free(good);
}

static void test_data_items_and_stereo_survive(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "sdf";
  char *text = to_sdf("C[C@H](O)/C=C/F isomer"), *again;
  bt_molecule *molecule = prepare(text, &options);
  assert_string_equal(bt_molecule_smiles(molecule), "C[C@H](O)/C=C/F");
  bt_sdf_tag tags[] = {{"pKi", "8"}, {"docking_score", "-5.1"}};
  assert_int_equal(bt_molecule_sdf(molecule, NULL, tags, 2, &again, NULL), BT_OK);
  assert_memory_equal(again, "isomer\n", 7);
  assert_null(strstr(again, "7.5"));
  assert_non_null(strstr(again, "> <comment>\ntwo\nlines\n\n> <pKi>\n8\n\n> <docking_score>\n-5.1\n\n$$$$\n"));
  bt_molecule_destroy(molecule);
  free(text);
  free(again);
}

static const char mol2[] =
    "# made by hand\n@<TRIPOS>MOLECULE\nmethanol\n 6 5 1 0 0\nSMALL\nUSER_CHARGES\n\n@<TRIPOS>ATOM\n"
    "  1 C1  -0.3600  0.0000  0.0000 C.3 1 MOH  0.20\n  2 O1   1.0500  0.0000  0.0000 O.3 1 MOH -0.60\n"
    "  3 H1  -0.7200  1.0300  0.0000 H   1 MOH  0.00\n  4 H2  -0.7200 -0.5100  0.8900 H   1 MOH  0.00\n"
    "  5 H3  -0.7200 -0.5100 -0.8900 H   1 MOH  0.00\n  6 HO   1.3700  0.9000  0.0000 H   1 MOH  0.40\n"
    "@<TRIPOS>BOND\n 1 1 2 1\n 2 1 3 1\n 3 1 4 1\n 4 1 5 1\n 5 2 6 1\n";

static void test_mol2(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "mol2";
  char text[4096], out[64];
  snprintf(text, sizeof text, "%s%s", mol2, mol2);
  outcomes(text, &options, out, sizeof out);
  assert_string_equal(out, "methanol methanol ");
  options.charges = BT_CHARGES_READ;
  bt_molecule *molecule = prepare(mol2, &options);
  assert_int_equal(molecule->n_atoms, 3);
  assert_true(fabs(molecule->atoms[0].charge - 0.2) < 1e-9 && fabs(molecule->atoms[1].charge + 0.6) < 1e-9);
  assert_string_equal(molecule->atoms[0].name, "C1");
  bt_molecule_destroy(molecule);
}

/* Acetic acid without hydrogens and orders: the shorter bond becomes the double one. */
static const char pdb[] =
    "HETATM    1  C1  ACY A 301       0.000   0.000   0.000  1.00  0.00           C\n"
    "HETATM    2  C2  ACY A 301       1.500   0.000   0.000  1.00  0.00           C\n"
    "HETATM    3  O1  ACY A 301       2.200   1.150   0.000  1.00  0.00           O\n"
    "HETATM    4  O2  ACY A 301       2.100  -1.040   0.000  1.00  0.00           O\nEND\n";

static void test_pdb_with_template(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "pdb";
  bt_error error = refusal(pdb, &options);
  assert_non_null(strstr(error.message, "no bond orders"));
  options.opt_template = "CC(=O)O";
  bt_molecule *molecule = prepare(pdb, &options);
  assert_string_equal(bt_molecule_smiles(molecule), "CC(=O)[O-]");
  char types[64];
  types_of(molecule, types, sizeof types);
  assert_string_equal(types, "C C OA OA");
  assert_string_equal(molecule->atoms[0].resname, "ACY");
  assert_int_equal(molecule->atoms[0].resnum, 301);
  assert_int_equal(molecule->atoms[0].chain, 'A');
  bt_molecule_destroy(molecule);
  options.opt_template = "CC(=O)OC";
  error = refusal(pdb, &options);
  assert_non_null(strstr(error.message, "5 heavy atoms, the molecule 4"));
  options.opt_template = "CC(=O)N";
  error = refusal(pdb, &options);
  assert_non_null(strstr(error.message, "does not fit"));
  options.opt_template = "C(";
  error = refusal(pdb, &options);
  assert_non_null(strstr(error.message, "not a valid SMILES"));
}

static void test_conformers(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "smiles";
  options.conformers = 3;
  char out[128];
  outcomes("CCCCO butanol\nCCO ethanol\n", &options, out, sizeof out);
  assert_string_equal(out, "butanol_c1 butanol_c2 butanol_c3 ethanol_c1 ethanol_c2 ethanol_c3 ");
  bt_molecule *a = prepare("CCCCO", &options), *b = prepare("CCCCO", &options);
  options.seed = 7;
  bt_molecule *c = prepare("CCCCO", &options);
  assert_true(a->atoms[0].x[0] == b->atoms[0].x[0]);
  assert_true(a->atoms[0].x[0] != c->atoms[0].x[0]);
  bt_molecule_destroy(a);
  bt_molecule_destroy(b);
  bt_molecule_destroy(c);
}

static void test_formats_by_name(void **state) {
  (void)state;
  bt_prepare_options options = bt_prepare_options_default();
  bt_ligand_reader *reader;
  bt_error error = {0};
  assert_int_equal(bt_ligand_reader_open("ligand.xyz", &options, &reader, &error), BT_ERR_USAGE);
  assert_non_null(strstr(error.message, "cannot be determined"));
  if (*bt_rdkit_version() == '\0') {
    assert_int_equal(bt_ligand_reader_open("ligand.sdf", &options, &reader, &error), BT_ERR_USAGE);
    assert_non_null(strstr(error.message, "no RDKit"));
    assert_non_null(strstr(error.remedy, "PDBQT"));
  } else {
    assert_int_equal(bt_ligand_reader_open("does/not/exist.sdf", &options, &reader, &error), BT_ERR_IO);
  }
}

/* Distance geometry of long chains takes minutes in calls that cannot be interrupted. */
static void test_the_time_limit_holds(void **state) {
  (void)state;
  needs_rdkit();
  char text[400];
  memset(text, 'C', 385);
  text[385] = '\0';
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "smiles";
  options.record_seconds = 0.5;
  double begun = bt_seconds();
  bt_error error = refusal(text, &options);
  assert_int_equal(error.status, BT_ERR_LIMIT);
  assert_non_null(strstr(error.message, "longer than 0.5 s"));
  assert_true(bt_seconds() - begun < 10); /* parsing, on a loaded machine */
}

/* Symmetry of a molecule must not cost anything: its self-matches are millions. */
static void test_symmetric_molecules_take_no_longer(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "smiles";
  double begun = bt_seconds();
  bt_molecule_destroy(prepare("C[Si](C)(C)O[Si](C)(C)O[Si](C)(C)O[Si](C)(C)O[Si](C)(C)O[Si](C)(C)C", &options));
  bt_molecule_destroy(prepare("FC(F)(F)C(F)(F)C(F)(F)C(F)(F)C(F)(F)C(F)(F)C(F)(F)C(F)(F)F", &options));
  assert_true(bt_seconds() - begun < 60);
}

/* What is made in a child process is what is made here, and its failures are told. */
static void test_large_molecules_are_made_apart(void **state) {
  (void)state;
  needs_rdkit();
  char text[200] = "";
  for (int i = 0; i < 15; i++) strcat(text, "CCOCCOC");
  bt_prepare_options options = bt_prepare_options_default(), flat = flat_options();
  options.opt_format = "smiles";
  bt_molecule *made = prepare(text, &options), *again = prepare(text, &options), *drawn = prepare(text, &flat);
  assert_int_equal(made->n_atoms, drawn->n_atoms);
  assert_string_equal(bt_molecule_smiles(made), bt_molecule_smiles(drawn));
  for (int i = 0; i < made->n_atoms; i++)
    assert_memory_equal(made->atoms[i].x, again->atoms[i].x, sizeof made->atoms[i].x);
  bt_molecule_destroy(made);
  bt_molecule_destroy(again);
  bt_molecule_destroy(drawn);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_smiles_files),
      cmocka_unit_test(test_salts),
      cmocka_unit_test(test_metals),
      cmocka_unit_test(test_names_after_cxsmiles),
      cmocka_unit_test(test_cages),
      cmocka_unit_test(test_empty_sdf_records),
      cmocka_unit_test(test_sdf_file_goes_on_after_a_broken_record),
      cmocka_unit_test(test_error_names_the_line),
      cmocka_unit_test(test_data_items_and_stereo_survive),
      cmocka_unit_test(test_mol2),
      cmocka_unit_test(test_pdb_with_template),
      cmocka_unit_test(test_conformers),
      cmocka_unit_test(test_formats_by_name),
      cmocka_unit_test(test_the_time_limit_holds),
      cmocka_unit_test(test_symmetric_molecules_take_no_longer),
      cmocka_unit_test(test_large_molecules_are_made_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
