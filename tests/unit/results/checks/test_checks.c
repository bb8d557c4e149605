/* test_checks.c - each test of a pose, by a molecule that passes and one that is distorted to fail it. */
#include "results/checks/checks.h"

#include <berth/prepare.h>
#include <math.h>

#include "base/memory.h"
#include "base/vector.h"
#include "unit/prep/ligand/prepare.h"

static bt_molecule *molecule_of(const char *smiles) {
  bt_prepare_options options = bt_prepare_options_default();
  options.as_drawn = true;
  options.opt_format = "smiles";
  return prepare(smiles, &options);
}

static double *place(bt_molecule *molecule, int atom) { return molecule->chemistry->x[atom]; }

static bt_molecule *receptor_of(const char *text) {
  bt_molecule **list, *receptor;
  int count;
  bt_error error;
  support_ok(bt_molecule_from_memory("r.pdbqt", text, strlen(text), BT_MOLECULE_RECEPTOR, &list, &count, &error),
             &error);
  receptor = list[0];
  free(list);
  return receptor;
}

static bt_checks check(const bt_molecule *pose, const bt_molecule *opt_receptor, const bt_molecule *opt_reference,
                       bool energy) {
  bt_checker *checker;
  bt_checks checks;
  bt_error error;
  support_ok(bt_checker_open(opt_receptor, opt_reference, energy, &checker, &error), &error);
  support_ok(bt_checker_check(checker, pose, NULL, &checks, &error), &error);
  bt_checker_close(checker);
  assert_true(checks.made);
  return checks;
}

static bool fails(const bt_checks *checks, bt_check which) { return (checks->failed & 1U << which) != 0; }

static void expect_failed(const bt_checks *checks, const char *expected) {
  char *text = bt_checks_text(checks);
  assert_string_equal(text, expected);
  free(text);
}

static void names_and_limits(void **state) {
  (void)state;
  for (int k = 0; k < BT_CHECK_COUNT; k++) {
    bt_checks checks;
    bool least;
    double limit = bt_check_limit((bt_check)k, &least);
    bt_checks_start(&checks);
    expect_failed(&checks, "");
    checks.made = true;
    bt_checks_set(&checks, (bt_check)k, NAN);
    expect_failed(&checks, "pass");
    bt_checks_set(&checks, (bt_check)k, least ? limit - 0.01 : limit + 0.01);
    expect_failed(&checks, bt_check_name((bt_check)k));
    bt_checks_set(&checks, (bt_check)k, limit);
    expect_failed(&checks, "pass");
  }
}

static void good_geometry_passes(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const smiles[] = {"CC(=O)Nc1ccc(O)cc1",  "C[C@H](N)C(=O)[O-]",          "C1CCCCC1", "C/C=C/C",
                                       "O=[N+]([O-])c1ccco1", "CC(C)(C)c1ccc(S(N)(=O)=O)cc1"};
  for (size_t k = 0; k < sizeof smiles / sizeof *smiles; k++) {
    bt_molecule *molecule = molecule_of(smiles[k]);
    bt_checks checks = check(molecule, NULL, molecule, true);
    expect_failed(&checks, "pass");
    assert_true(checks.values[BT_CHECK_BOND_LENGTHS] < 0.15 && checks.values[BT_CHECK_BOND_ANGLES] < 0.15);
    assert_true(checks.values[BT_CHECK_INTERNAL_ENERGY] < 50);
    assert_true(isnan(checks.values[BT_CHECK_PROTEIN_DISTANCE]) && isnan(checks.values[BT_CHECK_PROTEIN_OVERLAP]));
    bt_molecule_destroy(molecule);
  }
}

static void bonds_and_angles(void **state) {
  (void)state;
  needs_rdkit();
  bt_molecule *molecule = molecule_of("CCC"); /* one bond is 1.2 of its length, then 1.4 */
  const double *middle = place(molecule, 1);
  double bond[3], start[3];
  bt_v3_copy(start, place(molecule, 0));
  bt_v3_subtract(bond, start, middle);
  bt_v3_add(place(molecule, 0), middle, 1.2, bond);
  bt_checks checks = check(molecule, NULL, NULL, false);
  assert_false(fails(&checks, BT_CHECK_BOND_LENGTHS));
  assert_true(checks.values[BT_CHECK_BOND_LENGTHS] > 0.15);
  bt_v3_add(place(molecule, 0), middle, 1.4, bond);
  checks = check(molecule, NULL, NULL, false);
  assert_true(fails(&checks, BT_CHECK_BOND_LENGTHS));
  bt_v3_copy(place(molecule, 0), start); /* the angle becomes 60 degrees, its bonds stay */
  double to[3], across[3], along[3], length = bt_v3_distance(start, middle);
  bt_v3_towards(to, middle, place(molecule, 2));
  bt_v3_towards(along, middle, start);
  bt_v3_copy(across, along);
  bt_v3_add(across, across, -bt_v3_dot(along, to), to);
  assert_true(bt_v3_unit(across));
  bt_v3_add(place(molecule, 0), middle, length * 0.5, to);
  bt_v3_add(place(molecule, 0), place(molecule, 0), length * sqrt(0.75), across);
  checks = check(molecule, NULL, NULL, false);
  expect_failed(&checks, "bond_angles");
  bt_molecule_destroy(molecule);
}

static void clash_within(void **state) {
  (void)state;
  needs_rdkit();
  bt_molecule *molecule = molecule_of("CCCCCCCC");
  bt_v3_copy(place(molecule, 7), place(molecule, 0));
  place(molecule, 7)[0] += 1.0;
  bt_checks checks = check(molecule, NULL, NULL, false);
  assert_true(fails(&checks, BT_CHECK_INTERNAL_CLASH));
  assert_true(checks.values[BT_CHECK_INTERNAL_CLASH] > 0.5);
  bt_molecule_destroy(molecule);
}

/* The normal of the plane of three atoms. */
static void normal_of(bt_molecule *molecule, int a, int b, int c, double normal[3]) {
  double ab[3], ac[3];
  bt_v3_subtract(ab, place(molecule, b), place(molecule, a));
  bt_v3_subtract(ac, place(molecule, c), place(molecule, a));
  bt_v3_cross(normal, ab, ac);
  assert_true(bt_v3_unit(normal));
}

static void planes(void **state) {
  (void)state;
  needs_rdkit();
  double normal[3];
  bt_molecule *benzene = molecule_of("c1ccccc1"), *ring = molecule_of("C1CCCCC1"), *ethene = molecule_of("CC(C)=C(C)C");
  bt_checks before = check(benzene, NULL, NULL, false);
  assert_true(before.values[BT_CHECK_AROMATIC_RING_FLATNESS] < 0.02);
  assert_true(isnan(before.values[BT_CHECK_RING_NONFLATNESS]));
  normal_of(benzene, 1, 3, 5, normal);
  bt_v3_add(place(benzene, 0), place(benzene, 0), 0.7, normal);
  bt_checks bent = check(benzene, NULL, NULL, false);
  assert_true(fails(&bent, BT_CHECK_AROMATIC_RING_FLATNESS));
  /* a single atom 0.7 beside five others: the best plane is between */
  assert_in_range((int)(1000 * bent.values[BT_CHECK_AROMATIC_RING_FLATNESS]), 260, 600);

  bt_checks chair = check(ring, NULL, NULL, false);
  assert_false(fails(&chair, BT_CHECK_RING_NONFLATNESS));
  assert_true(chair.values[BT_CHECK_RING_NONFLATNESS] > 0.15);
  for (int k = 0; k < 6; k++) place(ring, k)[0] = cos(k * 3.14159265358979 / 3) * 1.5;
  for (int k = 0; k < 6; k++) place(ring, k)[1] = sin(k * 3.14159265358979 / 3) * 1.5, place(ring, k)[2] = 0.01 * k;
  bt_checks flat = check(ring, NULL, NULL, false);
  assert_true(fails(&flat, BT_CHECK_RING_NONFLATNESS));

  bt_checks plane = check(ethene, NULL, NULL, false);
  assert_true(plane.values[BT_CHECK_DOUBLE_BOND_FLATNESS] < 0.1);
  normal_of(ethene, 1, 0, 2, normal);
  bt_v3_add(place(ethene, 4), place(ethene, 4), 0.9, normal);
  bt_v3_add(place(ethene, 5), place(ethene, 5), -0.9, normal);
  bt_checks twisted = check(ethene, NULL, NULL, false);
  assert_true(fails(&twisted, BT_CHECK_DOUBLE_BOND_FLATNESS));
  bt_molecule_destroy(benzene);
  bt_molecule_destroy(ring);
  bt_molecule_destroy(ethene);
}

/* Of a reference whose atoms are in another order. */
static void stereochemistry(void **state) {
  (void)state;
  needs_rdkit();
  bt_molecule *pose = molecule_of("C[C@H](O)C(=O)/C=C/F"), *same = molecule_of("F/C=C/C(=O)[C@H](C)O");
  bt_molecule *mirror = molecule_of("F/C=C/C(=O)[C@@H](C)O"), *cis = molecule_of("F/C=C\\C(=O)[C@H](C)O");
  bt_checks checks = check(pose, NULL, same, false);
  assert_float_equal(checks.values[BT_CHECK_TETRAHEDRAL_STEREO], 0, 0);
  assert_float_equal(checks.values[BT_CHECK_DOUBLE_BOND_STEREO], 0, 0);
  checks = check(pose, NULL, mirror, false);
  expect_failed(&checks, "tetrahedral_stereo");
  assert_float_equal(checks.values[BT_CHECK_TETRAHEDRAL_STEREO], 1, 0);
  checks = check(pose, NULL, cis, false);
  expect_failed(&checks, "double_bond_stereo");
  checks = check(pose, NULL, NULL, false);
  assert_true(isnan(checks.values[BT_CHECK_TETRAHEDRAL_STEREO]));
  for (int i = 0; i < pose->chemistry->n_atoms; i++) pose->chemistry->x[i][0] *= -1;
  checks = check(pose, NULL, same, false);
  expect_failed(&checks, "tetrahedral_stereo");
  bt_molecule_destroy(pose);
  bt_molecule_destroy(same);
  bt_molecule_destroy(mirror);
  bt_molecule_destroy(cis);
}

/* "[record] [name] [residue] [type]" at a distance from methane's carbon, which is put at the origin. */
static bt_checks methane_beside(const char *record, const char *residue, const char *type, double distance) {
  char line[128];
  bt_molecule *methane = molecule_of("C");
  snprintf(line, sizeof line, "%-6s    1  X   %3s A   1    %8.3f%8.3f%8.3f  1.00  0.00     0.000 %-2s\n", record,
           residue, distance, 0.0, 0.0, type);
  bt_molecule *receptor = receptor_of(line);
  double shift[3];
  bt_v3_copy(shift, place(methane, 0));
  for (int i = 0; i < methane->chemistry->n_atoms; i++)
    bt_v3_subtract(methane->chemistry->x[i], methane->chemistry->x[i], shift);
  bt_checks checks = check(methane, receptor, NULL, false);
  bt_molecule_destroy(receptor);
  bt_molecule_destroy(methane);
  return checks;
}

static void distances(void **state) {
  (void)state;
  needs_rdkit();
  static const struct {
    const char *record, *residue, *type;
    double radii; /* of both atoms, Angstrom */
    bt_check which;
  } cases[] = {
      {"ATOM", "ALA", "C", 1.7 + 1.7, BT_CHECK_PROTEIN_DISTANCE},
      {"ATOM", "ALA", "NA", 1.7 + 1.6, BT_CHECK_PROTEIN_DISTANCE},
      {"HETATM", "HEM", "OA", 1.7 + 1.55, BT_CHECK_ORGANIC_COFACTOR_DISTANCE},
      {"HETATM", "ZN", "Zn", 0.76 + 1.22, BT_CHECK_INORGANIC_COFACTOR_DISTANCE},
      {"ATOM", "FE", "Fe", 0.76 + 1.32, BT_CHECK_INORGANIC_COFACTOR_DISTANCE},
      {"HETATM", "SO4", "S", 0.76 + 1.05, BT_CHECK_INORGANIC_COFACTOR_DISTANCE},
      {"HETATM", "HOH", "OA", 1.7 + 1.55, BT_CHECK_WATER_DISTANCE},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const char *record = cases[k].record, *residue = cases[k].residue, *type = cases[k].type;
    bt_checks far = methane_beside(record, residue, type, 0.76 * cases[k].radii);
    bt_checks near = methane_beside(record, residue, type, 0.74 * cases[k].radii);
    assert_false(fails(&far, cases[k].which));
    assert_true(fails(&near, cases[k].which));
    assert_float_equal(near.values[cases[k].which], 0.74, 0.001);
    for (int other = BT_CHECK_PROTEIN_DISTANCE; other <= BT_CHECK_WATER_DISTANCE; other++)
      assert_true(other == (int)cases[k].which || isnan(near.values[other]));
  }
  bt_checks alone = methane_beside("ATOM", "ALA", "C", 5.1), beside = methane_beside("ATOM", "ALA", "C", 4.9);
  expect_failed(&alone, "protein_maximum_distance");
  expect_failed(&beside, "pass");
  assert_float_equal(alone.values[BT_CHECK_PROTEIN_MAXIMUM_DISTANCE], 5.1, 0.001);
  alone = methane_beside("ATOM", "ALA", "C", 60.0);
  assert_float_equal(alone.values[BT_CHECK_PROTEIN_MAXIMUM_DISTANCE], 60, 0.001);
  assert_true(isnan(alone.values[BT_CHECK_PROTEIN_OVERLAP]));
  beside = methane_beside("HETATM", "HOH", "OA", 60.0);
  assert_true(isnan(beside.values[BT_CHECK_PROTEIN_MAXIMUM_DISTANCE]));
}

static double count_at(double distance, double radius) {
  double beyond = distance - radius;
  return beyond < 0 ? 3 : beyond < 0.25 ? 2 : beyond < 0.5 ? 1 : 0;
}

/* Of two equal spheres, on a grid of 0.05 Angstrom. */
static double share_of(double radius, double apart) {
  double own = 0, both = 0;
  for (double x = -2.6; x < 2.6; x += 0.05)
    for (double y = -2.6; y < 2.6; y += 0.05)
      for (double z = -2.6; z < 2.6; z += 0.05) {
        double one = count_at(sqrt(x * x + y * y + z * z), radius);
        own += one;
        both += fmin(one, count_at(sqrt((x - apart) * (x - apart) + y * y + z * z), radius));
      }
  return both / own;
}

static void overlaps(void **state) {
  (void)state;
  static const double distances[] = {0, 1, 2, 2.5, 3, 3.5, 4.5};
  for (size_t k = 0; k < sizeof distances / sizeof *distances; k++) {
    bt_check_atom one = {.x = {0.1, 0.2, 0.3}, .vdw = 1.7}, other = {.x = {0.1 + distances[k], 0.2, 0.3}, .vdw = 1.7};
    double share;
    bt_error error;
    support_ok(bt_check_overlap(&one, 1, &other, 1, 0.8, &share, &error), &error);
    assert_float_equal(share, share_of(0.8 * 1.7, distances[k]), 0.02);
  }
  bt_check_atom one = {.vdw = 1.7}, other = {.x = {4.9, 0, 0}, .vdw = 1.7};
  double share;
  bt_error error;
  support_ok(bt_check_overlap(&one, 1, &other, 1, 0.8, &share, &error), &error);
  assert_true(isnan(share)); /* beyond 6 Angstrom times the scale */
}

static void energy_of_a_crowd(void **state) {
  (void)state;
  needs_rdkit();
  bt_molecule *molecule = molecule_of("CCCCCC");
  bt_checks relaxed = check(molecule, NULL, NULL, true);
  assert_true(relaxed.values[BT_CHECK_INTERNAL_ENERGY] > 0.2 && relaxed.values[BT_CHECK_INTERNAL_ENERGY] < 10);
  bt_checks unasked = check(molecule, NULL, NULL, false);
  assert_true(isnan(unasked.values[BT_CHECK_INTERNAL_ENERGY]));
  for (int i = 0; i < molecule->chemistry->n_atoms; i++) molecule->chemistry->x[i][2] *= 0.5;
  bt_checks crushed = check(molecule, NULL, NULL, true);
  assert_true(crushed.values[BT_CHECK_INTERNAL_ENERGY] > 100);
  assert_true(fails(&crushed, BT_CHECK_INTERNAL_ENERGY));
  bt_molecule_destroy(molecule);
}

static void refusals(void **state) {
  (void)state;
  needs_rdkit();
  static const char bare[] =
      "ROOT\nATOM      1  C   LIG A   1       0.000   0.000   0.000  1.00  0.00     0.000 C \nENDROOT\nTORSDOF 0\n";
  bt_molecule **list, *pose = molecule_of("CCO"), *other = molecule_of("CCN");
  int count;
  bt_checker *checker;
  bt_checks checks;
  bt_error error;
  support_ok(bt_molecule_from_memory("bare.pdbqt", bare, strlen(bare), BT_MOLECULE_LIGAND, &list, &count, &error),
             &error);
  support_ok(bt_checker_open(NULL, other, false, &checker, &error), &error);
  assert_int_equal(bt_checker_check(checker, list[0], NULL, &checks, &error), BT_ERR_INPUT);
  assert_non_null(strstr(error.message, "bond orders"));
  assert_false(checks.made);
  assert_int_equal(bt_checker_check(checker, pose, NULL, &checks, &error), BT_ERR_INPUT);
  assert_non_null(strstr(error.message, "another molecule"));
  assert_false(checks.made);
  bt_checker_close(checker);
  bt_molecule_list_destroy(list, count);
  bt_molecule_destroy(pose);
  bt_molecule_destroy(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_and_limits),
      cmocka_unit_test(good_geometry_passes),
      cmocka_unit_test(bonds_and_angles),
      cmocka_unit_test(clash_within),
      cmocka_unit_test(planes),
      cmocka_unit_test(stereochemistry),
      cmocka_unit_test(distances),
      cmocka_unit_test(overlaps),
      cmocka_unit_test(energy_of_a_crowd),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
