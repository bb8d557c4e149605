/* test_seed.c - poses from elsewhere that become conformers of a ligand. */
#include <berth/berth.h>
#include <berth/place.h>
#include <math.h>

#include "base/vector.h"
#include "prepare.h"
#include "unit/assert_near.h"

static bt_prepare_options three_d(const char *format) {
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = format;
  return options;
}

static bt_molecule *of_smiles(const char *smiles, uint64_t seed) {
  bt_prepare_options options = three_d("smiles");
  options.seed = seed;
  return prepare(smiles, &options);
}

/* Written as SDF and read again, so that its coordinates count as given; moved by 5 Angstrom along x. */
static bt_molecule *as_pose(bt_molecule *made) {
  char *text;
  bt_error error;
  support_ok(bt_molecule_sdf(made, NULL, NULL, 0, &text, &error), &error);
  bt_prepare_options options = three_d("sdf");
  options.as_drawn = true;
  bt_molecule *pose = prepare(text, &options);
  for (int i = 0; i < pose->n_atoms; i++) pose->atoms[i].x[0] += 5;
  for (int i = 0; i < pose->chemistry->n_atoms; i++) pose->chemistry->x[i][0] += 5;
  free(text);
  bt_molecule_destroy(made);
  return pose;
}

static bool is_near_one(const double *x, const bt_chemistry *all) {
  for (int i = 0; i < all->n_atoms; i++)
    if (bt_v3_distance(x, all->x[i]) < 1e-6) return true;
  return false;
}

static void atoms_of_another_order_are_matched(void **state) {
  (void)state;
  needs_rdkit();
  bt_molecule *ligand = of_smiles("CC(=O)Nc1ccc(O)cc1CCN x\n", 42);
  bt_molecule *pose = as_pose(of_smiles("NCCc1cc(O)ccc1NC(C)=O y\n", 7));
  bt_error error;
  support_ok(bt_molecule_add_seed(ligand, pose, &error), &error);
  assert_int_equal(bt_molecule_seed_count(ligand), 1);
  const bt_molecule *seed = ligand->conformers[0];
  assert_int_equal(seed->seed, 1);
  assert_string_equal(seed->name, "y");
  assert_int_equal(seed->n_fragments, ligand->n_fragments);
  for (int i = 0; i < seed->n_atoms; i++) {
    assert_string_equal(seed->atoms[i].type, ligand->atoms[i].type);
    assert_true(is_near_one(seed->atoms[i].x, pose->chemistry)); /* as many hydrogens: its own */
  }
  bt_molecule_destroy(pose);
  bt_molecule_destroy(ligand);
}

/* The ammonium of the ligand has three hydrogens, the amine of the pose two. */
static void hydrogens_of_another_protonation_are_placed(void **state) {
  (void)state;
  needs_rdkit();
  bt_molecule *ligand = of_smiles("[NH3+]CCc1ccccc1 x\n", 42);
  bt_prepare_options drawn = three_d("smiles");
  drawn.as_drawn = true;
  bt_molecule *pose = as_pose(prepare("c1ccccc1CCN y\n", &drawn));
  bt_error error;
  support_ok(bt_molecule_add_seed(ligand, pose, &error), &error);
  const bt_molecule *seed = ligand->conformers[0];
  int hydrogens = 0;
  for (int i = 0; i < seed->n_atoms; i++) {
    if (strcmp(seed->atoms[i].type, "HD") != 0) continue;
    double nearest = 99, next = 99;
    for (int j = 0; j < seed->n_atoms; j++) {
      if (j == i) continue;
      double r = bt_v3_distance(seed->atoms[i].x, seed->atoms[j].x);
      if (r < nearest)
        next = nearest, nearest = r;
      else if (r < next)
        next = r;
    }
    assert_in_range((int)(1000 * nearest), 950, 1100);
    assert_true(next > 1.4); /* to the other hydrogens and the carbon */
    hydrogens++;
  }
  assert_int_equal(hydrogens, 3);
  bt_molecule_destroy(pose);
  bt_molecule_destroy(ligand);
}

static void is_refused(const char *ligand_text, const char *pose_text, const char *why) {
  bt_molecule *ligand = of_smiles(ligand_text, 42), *pose = as_pose(of_smiles(pose_text, 7));
  bt_error error;
  assert_int_equal(bt_molecule_add_seed(ligand, pose, &error), BT_ERR_INPUT);
  if (strstr(error.message, why) == NULL) fail_msg("%s: not '%s'", error.message, why);
  assert_int_equal(bt_molecule_seed_count(ligand), 0);
  bt_molecule_destroy(pose);
  bt_molecule_destroy(ligand);
}

static void other_molecules_are_refused(void **state) {
  (void)state;
  needs_rdkit();
  is_refused("CCCO x\n", "CCCCO y\n", "5 heavy atoms and not the same 4");
  is_refused("CC(C)CO x\n", "CCCCO y\n", "not the same elements and bonds");
  is_refused("C[C@H](N)C(=O)O x\n", "C[C@@H](N)C(=O)O y\n", "not the same stereoisomer");
  is_refused("C/C=C/CO x\n", "C/C=C\\CO y\n", "not the same stereoisomer");
}

static void a_pose_needs_coordinates(void **state) {
  (void)state;
  needs_rdkit();
  bt_molecule *ligand = of_smiles("CCCO x\n", 42), *flat = of_smiles("CCCO y\n", 7);
  bt_error error;
  assert_int_equal(bt_molecule_add_seed(ligand, flat, &error), BT_ERR_INPUT);
  assert_non_null(strstr(error.message, "no coordinates in 3D"));
  bt_molecule_destroy(flat);
  bt_molecule_destroy(ligand);
}

static const char chain[] =
    "ROOT\n"
    "ATOM      1  C1  LIG     1       0.000   0.000   0.000  1.00  0.00     0.000 C \n"
    "ATOM      2  O1  LIG     1       1.430   0.000   0.000  1.00  0.00     0.000 OA\n"
    "ATOM      3  H1  LIG     1       1.730   0.900   0.000  1.00  0.00     0.000 HD\n"
    "ENDROOT\nTORSDOF 0\n";
static const char turned[] =
    "ROOT\n"
    "ATOM      1  O   LIG     1       5.000   1.430   0.000  1.00  0.00     0.000 OA\n"
    "ATOM      2  C   LIG     1       5.000   0.000   0.000  1.00  0.00     0.000 C \n"
    "ENDROOT\nTORSDOF 0\n";

/* Also in a build without RDKit; the hydrogen, which the pose lacks, turns with the bond. */
static void pdbqt_needs_no_chemistry(void **state) {
  (void)state;
  bt_prepare_options options = three_d("pdbqt");
  bt_molecule *ligand = prepare(chain, &options), *pose = prepare(turned, &options);
  bt_error error;
  support_ok(bt_molecule_add_seed(ligand, pose, &error), &error);
  support_ok(bt_molecule_add_seed(ligand, pose, &error), &error);
  const bt_molecule *seed = ligand->conformers[1];
  assert_int_equal(bt_molecule_seed_count(ligand), 2);
  assert_int_equal(seed->seed, 2);
  assert_near(seed->atoms[0].x[0], 5, 1e-9);
  assert_near(seed->atoms[0].x[1], 0, 1e-9);
  assert_near(seed->atoms[1].x[1], 1.43, 1e-9);
  assert_near(bt_v3_distance(seed->atoms[1].x, seed->atoms[2].x), sqrt(0.3 * 0.3 + 0.9 * 0.9), 1e-9);
  assert_near(bt_v3_distance(seed->atoms[0].x, seed->atoms[2].x), sqrt(1.73 * 1.73 + 0.9 * 0.9), 1e-9);
  bt_molecule_destroy(pose);
  bt_molecule_destroy(ligand);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(atoms_of_another_order_are_matched),
      cmocka_unit_test(hydrogens_of_another_protonation_are_placed), cmocka_unit_test(other_molecules_are_refused),
      cmocka_unit_test(a_pose_needs_coordinates), cmocka_unit_test(pdbqt_needs_no_chemistry)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
