/* test_covalent.c - ligands bonded to a residue: what reacts, the product, and its coordinates. */
#include "prep/ligand/covalent.h"

#include <math.h>

#include "base/vector.h"
#include "prepare.h"

/* A cysteine and a threonine somewhere, with the geometry of proteins. */
static const bt_tether cysteine = {"A:CYS145",
                                   "CYS",
                                   'A',
                                   ' ',
                                   145,
                                   3,
                                   {{"SG", {12.3, 5.4, 7.1}}, {"CB", {11.0, 4.3, 6.5}}, {"CA", {10.0, 5.0, 5.6}}}};
static const bt_tether threonine = {
    "T:THR1",
    "THR",
    'T',
    ' ',
    1,
    4,
    {{"OG1", {1.03, 1.02, 0.20}}, {"CB", {0, 0, 0}}, {"CG2", {0.55, -1.40, 0.25}}, {"CA", {-0.70, 0.10, -1.36}}}};

static bt_prepare_options bonded_options(const bt_tether *tether) {
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "smiles";
  options.opt_tether = tether;
  return options;
}

static void assert_at(const bt_atom *atom, const double x[3], double within) {
  assert_true(bt_v3_distance(atom->x, x) <= within);
}

/* The alpha carbon is the root and is not moved; the bond to the beta carbon keeps its direction. */
static void test_product(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bonded_options(&cysteine);
  for (int old_rules = 0; old_rules < 2; old_rules++) {
    options.old_rules = old_rules == 1;
    bt_molecule *m = prepare("C=CC(=O)NCC\n", &options);
    assert_string_equal(bt_molecule_smiles(m), "CCNC(=O)CCSCC"); /* the alpha carbon's neighbors are the protein's */
    assert_string_equal(bt_molecule_tether(m), "A:CYS145");
    static const char *const names[] = {"CA", "CB", "SG"};
    for (int i = 0; i < 3; i++) {
      assert_string_equal(m->atoms[i].name, names[i]);
      assert_string_equal(m->atoms[i].resname, "CYS");
      assert_int_equal(m->atoms[i].chain, 'A');
      assert_int_equal(m->atoms[i].resnum, 145);
      assert_true(bt_atom_of_side_chain(m, &m->atoms[i]));
    }
    for (int i = 3; i < m->n_atoms; i++) assert_false(bt_atom_of_side_chain(m, &m->atoms[i]));
    assert_int_equal(m->fragments[0].end_atom, m->n_atoms);
    assert_int_equal(m->fragments[1].first_atom, 1); /* the root is the alpha carbon alone */
    assert_int_equal(m->fragments[1].axis_from, 0);
    assert_int_equal(m->fragments[1].axis_to, 1);
    assert_at(&m->atoms[0], cysteine.atoms[2].x, 0.001);
    double along[3], wanted[3];
    bt_v3_towards(along, m->atoms[0].x, m->atoms[1].x);
    bt_v3_towards(wanted, cysteine.atoms[2].x, cysteine.atoms[1].x);
    assert_true(bt_v3_dot(along, wanted) > 0.99999);
    assert_true(strstr(bt_molecule_note(m, 0), "bonded to A:CYS145 SG by its acrylamide") != NULL);
    bt_molecule_destroy(m);
  }
}

/* The beta carbon of threonine keeps the side that the protein has, in every conformer. */
static void test_threonine(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bonded_options(&threonine);
  options.conformers = 6;
  bt_ligand_reader *reader = open_text("CC(=O)C(F)(F)F\nO=CCCc1ccccc1\n", &options);
  int count = 0;
  for (bt_molecule *m = NULL;; bt_molecule_destroy(m)) {
    bt_error error = {0};
    bt_status status = bt_ligand_reader_next(reader, &m, &error);
    if (count == 0 && status != BT_OK) { /* a trifluoromethyl ketone is not known to react with threonine */
      assert_true(strstr(error.message, "no warhead") != NULL);
      continue;
    }
    support_ok(status, &error);
    if (m == NULL) break;
    const bt_atom *of[4] = {NULL};
    for (int i = 0; i < m->n_atoms; i++)
      for (int k = 0; k < 4; k++)
        if (strcmp(m->atoms[i].name, threonine.atoms[k].name) == 0) of[k] = &m->atoms[i];
    double u[3], v[3], w[3], across[3], side[2];
    for (int pass = 0; pass < 2; pass++) {
      const double *beta = pass ? of[1]->x : threonine.atoms[1].x;
      bt_v3_subtract(u, pass ? of[0]->x : threonine.atoms[0].x, beta);
      bt_v3_subtract(v, pass ? of[2]->x : threonine.atoms[2].x, beta);
      bt_v3_subtract(w, pass ? of[3]->x : threonine.atoms[3].x, beta);
      bt_v3_cross(across, v, w);
      side[pass] = bt_v3_dot(u, across);
    }
    assert_true(side[0] * side[1] > 0);
    count++;
  }
  assert_int_equal(count, 6);
  bt_ligand_reader_close(reader);
}

/* Coordinates that show the bond are the product's; the ligand is not moved. */
static void test_crystal(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const record =
      "thioether\n  test 3D\n\n"
      "  4  3  0  0  0  0  0  0  0  0999 V2000\n"
      "   13.9000    4.7000    7.5000 C   0  0\n"
      "   15.1000    5.5000    7.2000 C   0  0\n"
      "   16.3000    4.8000    7.5000 O   0  0\n"
      "   15.0000    6.7000    6.6000 O   0  0\n"
      "  1  2  1  0\n  2  3  1  0\n  2  4  2  0\n"
      "M  END\n$$$$\n";
  bt_prepare_options options = bonded_options(&cysteine);
  options.opt_format = "sdf";
  bt_molecule *m = prepare(record, &options);
  assert_string_equal(bt_molecule_smiles(m), "CCSCC(=O)[O-]");
  assert_true(strstr(bt_molecule_note(m, 0), "as in its coordinates (1.79 Angstrom)") != NULL);
  for (int k = 0; k < 3; k++) assert_at(&m->atoms[2 - k], cysteine.atoms[k].x, 0.001);
  assert_at(&m->atoms[3], (double[3]){13.9, 4.7, 7.5}, 0.001);
  bt_molecule_destroy(m);
}

static void assert_refused(const bt_prepare_options *options, const char *smiles, const char *words) {
  bt_error error = refusal(smiles, options);
  if (strstr(error.message, words) == NULL) fail_msg("%s: %s", smiles, error.message);
}

static void test_choice(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bonded_options(&cysteine);
  assert_refused(&options, "c1ccccc1\n", "no warhead that is known to react with CYS");
  assert_refused(&options, "N#CCCC=O\n", "2 atoms that may react with A:CYS145: nitrile at atom 2, aldehyde at atom 5");
  options.opt_warhead = "Nitrile";
  bt_molecule *m = prepare("N#CCCC=O\n", &options);
  assert_string_equal(bt_molecule_smiles(m), "CCSC(=N)CCC=O");
  bt_molecule_destroy(m);
  assert_refused(&options, "O=CCC\n", "no warhead 'Nitrile'");
  options.opt_warhead = "[CX4][Br]"; /* a substitution that the table does not know */
  m = prepare("BrCCO\n", &options);
  assert_string_equal(bt_molecule_smiles(m), "CCSCCO");
  bt_molecule_destroy(m);
  options.opt_warhead = "[CX4]";
  assert_refused(&options, "BrCCO\n", "has no bond");
  options.opt_warhead = "[CX4";
  assert_refused(&options, "BrCCO\n", "SMARTS");
  options.opt_warhead = NULL;
  static const char *const same[][2] = {
      {"C=CC(=O)NCCNC(=O)C=C\n", "C=CC(=O)NCCNC(=O)CCSCC"}, /* two that are topologically equivalent are one */
      {"C1OC1C\n", "CCSCC(C)O"},                            /* the less substituted carbon of an epoxide */
      {"[Na+].N#CCC(=O)[O-]\n", "CCSC(=N)CC(=O)[O-]"},      /* salts go before atoms are counted */
  };
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    m = prepare(same[i][0], &options);
    assert_string_equal(bt_molecule_smiles(m), same[i][1]);
    bt_molecule_destroy(m);
  }
}

/* Stereocenters that form are open: one is made with a note, or all. */
static void test_stereo(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bonded_options(&cysteine);
  bt_molecule *m = prepare("O=CCc1ccccc1\n", &options);
  bool told = false;
  for (int i = 0; i < bt_molecule_note_count(m); i++)
    told = told || strstr(bt_molecule_note(m, i), "is undefined: one isomer was generated") != NULL;
  assert_true(told);
  bt_molecule_destroy(m);
  options.stereo = BT_STEREO_ENUMERATE;
  bt_ligand_reader *reader = open_text("O=CCc1ccccc1\n", &options);
  int count = 0;
  for (;;) {
    bt_error error = {0};
    support_ok(bt_ligand_reader_next(reader, &m, &error), &error);
    if (m == NULL) break;
    assert_string_equal(bt_molecule_tether(m), "A:CYS145");
    assert_at(&m->atoms[0], cysteine.atoms[2].x, 0.001);
    count++;
    bt_molecule_destroy(m);
  }
  assert_int_equal(count, 2);
  bt_ligand_reader_close(reader);
}

static void test_options(void **state) {
  (void)state;
  needs_rdkit();
  bt_ligand_reader *reader = NULL;
  bt_error error = {0};
  bt_prepare_options options = bonded_options(NULL);
  options.opt_warhead = "nitrile";
  support_failed(bt_ligand_reader_open_text("CC#N\n", 5, "test", &options, &reader, &error), BT_ERR_USAGE, &error,
                 "no residue to bond to");
  options = bonded_options(&cysteine);
  options.keep_hydrogens = true;
  support_failed(bt_ligand_reader_open_text("CC#N\n", 5, "test", &options, &reader, &error), BT_ERR_USAGE, &error,
                 "cannot keep hydrogens");
}

/* What was prepared before has its bond, or is refused. */
static void test_prepared_before(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bonded_options(&cysteine), free_options = bonded_options(NULL);
  char *bonded = NULL, *free_text = NULL;
  bt_molecule *m = prepare("N#CCC\n", &options);
  assert_int_equal(bt_molecule_pdbqt(m, &bonded, NULL), BT_OK);
  bt_molecule_destroy(m);
  m = prepare("N#CCC\n", &free_options);
  assert_int_equal(bt_molecule_pdbqt(m, &free_text, NULL), BT_OK);
  bt_molecule_destroy(m);
  options.opt_format = "pdbqt";
  m = prepare(bonded, &options);
  assert_string_equal(bt_molecule_tether(m), "A:CYS145");
  bt_molecule_destroy(m);
  assert_refused(&options, free_text, "not bonded to A:CYS145");
  free(bonded);
  free(free_text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_product),         cmocka_unit_test(test_threonine), cmocka_unit_test(test_crystal),
      cmocka_unit_test(test_choice),          cmocka_unit_test(test_stereo),    cmocka_unit_test(test_options),
      cmocka_unit_test(test_prepared_before),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
