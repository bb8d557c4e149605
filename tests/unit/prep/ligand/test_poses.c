/* test_poses.c - poses as SDF: bonds, stereo and the places of merged hydrogens survive any torsion. */
#include <berth/berth.h>
#include <math.h>

#include "chem/rdkit.h"
#include "pose/genotype.h"
#include "prepare.h"

static double random_unit(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) / 9007199254740992.0;
}

static void randomize(const bt_ligand *ligand, bt_genotype *genotype, uint64_t *seed) {
  double norm = 0;
  for (int k = 0; k < 3; k++) genotype->position[k] = 20 * random_unit(seed) - 10;
  for (int k = 0; k < 4; k++) {
    genotype->quaternion[k] = 2 * random_unit(seed) - 1;
    norm += genotype->quaternion[k] * genotype->quaternion[k];
  }
  for (int k = 0; k < 4; k++) genotype->quaternion[k] /= sqrt(norm);
  for (int k = 0; k < ligand->n_torsions; k++) genotype->torsions[k] = 6.28 * random_unit(seed);
}

static double distance(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Largest change of a distance between atoms that share a bond or a bonded neighbor. */
static double worst_geometry(const bt_rdmol *mol, const double (*before)[3], const double (*after)[3]) {
  int n = bt_rdmol_bond_count(mol);
  bt_rdbond *bonds = calloc((size_t)n + 1, sizeof *bonds);
  bt_rdmol_bonds(mol, bonds);
  double worst = 0;
  for (int i = 0; i < n; i++) {
    int a = bonds[i].a, b = bonds[i].b;
    worst = fmax(worst, fabs(distance(before[a], before[b]) - distance(after[a], after[b])));
    for (int j = 0; j < i; j++) {
      int c = bonds[j].a == a || bonds[j].b == a ? b : bonds[j].a == b || bonds[j].b == b ? a : -1;
      if (c < 0) continue;
      int shared = c == b ? a : b, d = bonds[j].a == shared ? bonds[j].b : bonds[j].a;
      worst = fmax(worst, fabs(distance(before[c], before[d]) - distance(after[c], after[d])));
    }
  }
  free(bonds);
  return worst;
}

/* Makes random poses and reads them back. tolerance of distances, Angstrom. */
static void check_poses(const bt_molecule *molecule, const char *smiles, double tolerance) {
  bt_ligand *ligand;
  bt_genotype genotype;
  assert_int_equal(bt_ligand_create(molecule, NULL, &ligand, NULL), BT_OK);
  assert_int_equal(bt_genotype_create(ligand->n_torsions, &genotype, NULL), BT_OK);
  double *xyz = calloc(3 * (size_t)ligand->n_atoms, sizeof *xyz);
  const bt_chemistry *chemistry = molecule->chemistry;
  double(*after)[3] = calloc((size_t)chemistry->n_atoms, sizeof *after);
  uint64_t seed = 3;
  for (int trial = 0; trial < 20; trial++) {
    randomize(ligand, &genotype, &seed);
    bt_genotype_coordinates(ligand, &genotype, xyz);
    char *text, buffer[2048];
    bt_error error = {0};
    if (bt_molecule_sdf(molecule, (const double(*)[3])xyz, NULL, 0, &text, &error) != BT_OK)
      fail_msg("%s", bt_error_format(&error, buffer, sizeof buffer));
    bt_rdmol *read;
    assert_int_equal(bt_rdmol_read(BT_RD_SDF, text, strlen(text), (bt_where){0}, NULL, &read, NULL), BT_OK);
    assert_int_equal(bt_rdmol_atom_count(read), chemistry->n_atoms);
    bt_rdmol_coordinates(read, 0, after);
    double worst = worst_geometry(read, (const double(*)[3])chemistry->x, (const double(*)[3])after);
    if (worst > tolerance) fail_msg("%s: a distance changed by %g", smiles, worst);
    for (int i = 0; i < molecule->n_atoms; i++)
      if (chemistry->entry[i] >= 0) assert_true(distance(after[chemistry->entry[i]], &xyz[3 * i]) < 1e-3);
    int *order = calloc((size_t)chemistry->n_atoms, sizeof *order);
    char *found;
    assert_int_equal(bt_rdmol_smiles(read, &found, order, NULL), BT_OK);
    assert_string_equal(found, smiles);
    free(found);
    free(order);
    free(text);
    bt_rdmol_destroy(read);
  }
  free(xyz);
  free(after);
  bt_genotype_destroy(&genotype);
  bt_ligand_destroy(ligand);
}

static const char *const ligands[] = {
    "CC(C)C[C@H](NC(=O)[C@H](Cc1ccccc1)NC(C)=O)C(=O)O",
    "CCOC(=O)/C=C/c1ccc(O)cc1",
    "CC#CC",
    "CO",
    "CC",
    "COc1ccc([C@@H](C)CC[NH3+])cc1",
    "CC(C)(C)CCN1CCOCC1",
};

static void test_random_poses(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "smiles";
  for (size_t i = 0; i < sizeof ligands / sizeof *ligands; i++) {
    bt_molecule *molecule = prepare(ligands[i], &options);
    char *smiles = strdup(bt_molecule_smiles(molecule));
    check_poses(molecule, smiles, 0.005);
    free(smiles);
    bt_molecule_destroy(molecule);
  }
}

/* The same from PDBQT text alone: its remarks know the bonds. Hydrogens are then where RDKit would put them. */
static void test_poses_from_remarks(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default(), pdbqt = bt_prepare_options_default();
  options.opt_format = "smiles";
  pdbqt.opt_format = "pdbqt";
  for (size_t i = 0; i < sizeof ligands / sizeof *ligands; i++) {
    bt_molecule *molecule = prepare(ligands[i], &options);
    char *text;
    assert_int_equal(bt_molecule_pdbqt(molecule, &text, NULL), BT_OK);
    bt_molecule *read = prepare(text, &pdbqt);
    assert_int_equal(bt_molecule_find_chemistry(read, NULL), BT_OK);
    assert_true(bt_molecule_has_chemistry(read));
    assert_string_equal(bt_molecule_smiles(read), bt_molecule_smiles(molecule));
    check_poses(read, bt_molecule_smiles(molecule), 0.01);
    bt_molecule_destroy(read);
    bt_molecule_destroy(molecule);
    free(text);
  }
}

static void test_remarks_that_lie(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const remarks[] = {
      "",
      "REMARK SMILES CCN\nREMARK SMILES IDX 1 1 2 2 3 3\nREMARK H PARENT 3 4\n",
      "REMARK SMILES CCO\nREMARK SMILES IDX 1 1 2 2\nREMARK H PARENT 3 4\n",
      "REMARK SMILES CCO\nREMARK SMILES IDX 1 1 2 2 3 3\nREMARK H PARENT 3 4 3 5\n",
      "REMARK SMILES CCO\nREMARK SMILES IDX 1 1 2 2 3 99\nREMARK H PARENT\n",
      "REMARK SMILES C(\nREMARK SMILES IDX\nREMARK H PARENT\n",
  };
  for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++) {
    char text[2048];
    snprintf(text, sizeof text,
             "%sROOT\n"
             "ATOM      1  C   UNL     1      -0.748   0.015   0.024  1.00  0.00    +0.000 C \n"
             "ATOM      2  C   UNL     1       0.558   0.420  -0.278  1.00  0.00    +0.000 C \n"
             "ENDROOT\nBRANCH   2   3\n"
             "ATOM      3  O   UNL     1       1.293  -0.202  -0.901  1.00  0.00    -0.400 OA\n"
             "ATOM      4  H   UNL     1       2.200  -0.300  -0.600  1.00  0.00    +0.200 HD\n"
             "ENDBRANCH   2   3\nTORSDOF 1\n",
             remarks[i]);
    bt_prepare_options options = bt_prepare_options_default();
    options.opt_format = "pdbqt";
    bt_molecule *molecule = prepare(text, &options);
    bt_error error = {0};
    char *sdf;
    assert_false(bt_molecule_has_chemistry(molecule));
    assert_int_equal(bt_molecule_find_chemistry(molecule, &error), BT_ERR_INPUT);
    assert_true(error.message[0] != '\0');
    assert_int_equal(bt_molecule_sdf(molecule, NULL, NULL, 0, &sdf, &error), BT_ERR_USAGE);
    bt_molecule_destroy(molecule);
  }
}

/* An SDF has no glue points and waters. */
static void test_pseudo_atoms(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "smiles";
  options.hydrated = true;
  bt_molecule *molecule = prepare("O=C1CCCCCCCCO1", &options);
  int waters = 0;
  for (int i = 0; i < molecule->n_atoms; i++) waters += strcmp(molecule->atoms[i].type, "W") == 0;
  assert_int_equal(waters, 4);
  char *text;
  double(*x)[3] = calloc((size_t)molecule->n_atoms, sizeof *x);
  for (int i = 0; i < molecule->n_atoms; i++) memcpy(x[i], molecule->atoms[i].x, sizeof *x);
  assert_int_equal(bt_molecule_sdf(molecule, (const double(*)[3])x, NULL, 0, &text, NULL), BT_OK);
  bt_rdmol *read;
  assert_int_equal(bt_rdmol_read(BT_RD_SDF, text, strlen(text), (bt_where){0}, NULL, &read, NULL), BT_OK);
  assert_int_equal(bt_rdmol_atom_count(read), molecule->chemistry->n_atoms);
  bt_rdmol_destroy(read);
  free(text);
  free(x);
  bt_molecule_destroy(molecule);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_poses),
      cmocka_unit_test(test_poses_from_remarks),
      cmocka_unit_test(test_remarks_that_lie),
      cmocka_unit_test(test_pseudo_atoms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
