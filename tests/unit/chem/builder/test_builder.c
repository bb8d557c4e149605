/* test_builder.c - coordinates from fragments are as good as those of the whole molecule. */
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "unit/prep/ligand/prepare.h"

static bt_molecule *build(const char *smiles, bool built, int conformers) {
  bt_prepare_options options = bt_prepare_options_default();
  options.as_drawn = true;
  options.opt_format = "smiles";
  options.coordinates = built ? BT_COORDINATES_BUILT : BT_COORDINATES_EMBEDDED;
  options.conformers = conformers;
  options.ensemble = true;
  return prepare(smiles, &options);
}

/* Drug-like molecules with what is usual in them, and what is not. */
static const char *const examples[] = {
    "CC(=O)Nc1ccc(O)cc1",
    "CC(C)Cc1ccc(cc1)[C@@H](C)C(=O)O",
    "CN1CCN(CC1)c1ccc2nc(-c3ccc(F)cc3)[nH]c2c1",
    "COc1cc2c(cc1OC)CC[NH+](C2)CCc1ccc(NC(=O)c2cc3ccccc3[nH]2)cc1",
    "NC(=[NH2+])c1ccc(C[C@H](NS(=O)(=O)c2ccc(Cl)cc2)C(=O)N2CCCCC2)cc1",
    "O=C([O-])/C=C/c1ccc(O)c(O)c1",
    "C[C@]12CC[C@H]3[C@@H](CCC4=CC(=O)CC[C@]34C)[C@@H]1CC[C@@H]2O",
    "OC[C@H]1O[C@@H](n2cnc3c(N)ncnc32)[C@H](O)[C@@H]1O",
    "CC(C)(C)OC(=O)N[C@@H](Cc1ccccc1)C(=O)N[C@@H](CC(=O)[O-])C(N)=O",
    "O=[N+]([O-])c1ccc(cc1)C#Cc1ccsc1",
    "CCOP(=O)([O-])OCC(F)(F)F",
    "C1CC2CCC1N2C(=O)c1ccc(Br)c(I)c1",
    "CS(=O)c1ccccc1B(O)O",
    "N#Cc1cccc(-c2nnn[n-]2)c1N=[N+]=[N-]",
};

/* The largest differences of bonds, and of distances between neighbors of an atom, between heavy atoms. */
static void compare(const bt_molecule *a, const bt_molecule *b, double *ret_bond, double *ret_angle) {
  const bt_chemistry *p = a->chemistry, *q = b->chemistry;
  int n_bonds = bt_rdmol_bond_count(p->mol);
  bt_rdbond *bonds = calloc((size_t)n_bonds + 1, sizeof *bonds);
  bt_rdatom *atoms = calloc((size_t)p->n_atoms, sizeof *atoms);
  bt_rdmol_bonds(p->mol, bonds);
  bt_rdmol_atoms(p->mol, atoms);
  *ret_bond = *ret_angle = 0;
  for (int k = 0; k < n_bonds; k++) {
    int i = bonds[k].a, j = bonds[k].b;
    if (atoms[i].element == 1 || atoms[j].element == 1) continue;
    *ret_bond = fmax(*ret_bond, fabs(bt_v3_distance(p->x[i], p->x[j]) - bt_v3_distance(q->x[i], q->x[j])));
    for (int l = 0; l < k; l++) {
      int shared = bonds[l].a == i || bonds[l].b == i ? i : bonds[l].a == j || bonds[l].b == j ? j : -1;
      if (shared < 0) continue;
      int one = i == shared ? j : i, other = bonds[l].a == shared ? bonds[l].b : bonds[l].a;
      if (atoms[one].element == 1 || atoms[other].element == 1) continue;
      double difference = bt_v3_distance(p->x[one], p->x[other]) - bt_v3_distance(q->x[one], q->x[other]);
      *ret_angle = fmax(*ret_angle, fabs(difference));
    }
  }
  free(bonds);
  free(atoms);
}

static void test_bonds_and_angles_are_those_of_the_force_field(void **state) {
  (void)state;
  needs_rdkit();
  for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
    bt_molecule *whole = build(examples[k], false, 1), *built = build(examples[k], true, 1);
    double bond, angle;
    compare(whole, built, &bond, &angle);
    if (bond > 0.12 || angle > 0.25) fail_msg("%s: bonds by %.3f, angles by %.3f Angstrom", examples[k], bond, angle);
    assert_int_equal(whole->torsdof, built->torsdof);
    bt_molecule_destroy(whole);
    bt_molecule_destroy(built);
  }
}

/* Of all bonds at all distances: no two atoms lie on each other. */
static void test_atoms_do_not_clash(void **state) {
  (void)state;
  needs_rdkit();
  for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
    bt_molecule *built = build(examples[k], true, 1);
    const bt_chemistry *chemistry = built->chemistry;
    for (int i = 0; i < chemistry->n_atoms; i++)
      for (int j = 0; j < i; j++) assert_true(bt_v3_distance(chemistry->x[i], chemistry->x[j]) > 0.9);
    bt_molecule_destroy(built);
  }
}

static void test_stereochemistry_is_the_stated_one(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const stated[] = {"CC[C@H](C)O",
                                       "CC[C@@H](C)O",
                                       "C/C=C/CO",
                                       "C/C=C\\CO",
                                       "C[C@H]1CC[C@@H](O)CC1",
                                       "C[C@H]1CC[C@H](O)CC1",
                                       "O[C@H]1[C@@H](O)[C@H](O)[C@@H](O)[C@H](O)[C@@H]1O",
                                       "C[S@](=O)c1ccccc1",
                                       "C[S@@](=O)c1ccccc1",
                                       "C[C@H](O)[C@@H](O)C",
                                       "C[C@H](O)[C@H](O)C",
                                       "F/C(Cl)=C(/Br)c1ccccc1",
                                       "C[P@](=O)(c1ccccc1)OC",
                                       "CC1=CC[C@H]2C[C@@H]1C2(C)C",
                                       "N[C@@H](Cc1c[nH]cn1)C(=O)N[C@@H](CS)C(=O)N1CCC[C@@H]1C(=O)O"};
  for (size_t k = 0; k < sizeof stated / sizeof *stated; k++) {
    bt_molecule *molecule = build(stated[k], true, 1);
    char *smiles = NULL;
    bt_error error = {0};
    support_ok(bt_chemistry_isomer_smiles(molecule->chemistry, &smiles, &error), &error);
    assert_string_equal(smiles, bt_molecule_smiles(molecule));
    free(smiles);
    bt_molecule_destroy(molecule);
  }
}

/* An amide and an ester are flat, and as they are in proteins and fats. */
static double torsion(const double a[3], const double b[3], const double c[3], const double d[3]) {
  double u[3], v[3], w[3], p[3], q[3];
  bt_v3_subtract(u, b, a), bt_v3_subtract(v, c, b), bt_v3_subtract(w, d, c);
  bt_v3_cross(p, u, v), bt_v3_cross(q, v, w);
  return acos(fmax(-1, fmin(1, bt_v3_dot(p, q) / sqrt(bt_v3_dot(p, p) * bt_v3_dot(q, q))))) * 180 / acos(-1.0);
}

static void test_amides_and_esters_are_flat(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const flat[] = {"CCC(=O)NCC", "CCC(=O)OCC"}; /* C2 C3 N5 C6: trans */
  for (int k = 0; k < 2; k++) {
    bt_molecule *molecule = build(flat[k], true, 1);
    const double(*x)[3] = (const double(*)[3])molecule->chemistry->x;
    assert_true(torsion(x[1], x[2], x[4], x[5]) > 175);
    bt_molecule_destroy(molecule);
  }
}

static void test_further_conformers_have_other_rings(void **state) {
  (void)state;
  needs_rdkit();
  bt_molecule *molecule = build("C[NH+]1CCC(O)CC1", true, 4);
  assert_true(molecule->n_conformers >= 1); /* what docking would not make by itself */
  bt_molecule_destroy(molecule);
  molecule = build("CCCCCO", true, 4);
  assert_int_equal(molecule->n_conformers, 0);
  bt_molecule_destroy(molecule);
}

/* A macrocycle is a ring like others; an atom of an unknown kind sends the whole molecule the other way. */
static void test_what_cannot_be_built_is_embedded(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const odd[] = {"O=C1CCCCCCCCCCCCCO1", "CC[Ge](C)(C)C", "CCCC[N+](C)(C)CC[Si](C)(C)C"};
  for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
    bt_prepare_options options = bt_prepare_options_default();
    options.opt_format = "smiles";
    options.coordinates = BT_COORDINATES_BUILT;
    bt_ligand_reader *reader = open_text(odd[k], &options);
    bt_molecule *molecule = NULL;
    bt_error error = {0};
    bt_status status = bt_ligand_reader_next(reader, &molecule, &error);
    if (status == BT_OK) {
      assert_non_null(molecule);
      bt_molecule_destroy(molecule);
    } else {
      assert_int_equal(status, BT_ERR_PARAMETER); /* AutoDock has no type for it, whichever way */
    }
    bt_ligand_reader_close(reader);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bonds_and_angles_are_those_of_the_force_field),
      cmocka_unit_test(test_atoms_do_not_clash),
      cmocka_unit_test(test_stereochemistry_is_the_stated_one),
      cmocka_unit_test(test_amides_and_esters_are_flat),
      cmocka_unit_test(test_further_conformers_have_other_rings),
      cmocka_unit_test(test_what_cannot_be_built_is_embedded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
