/* test_rmsd.c - properties of the RMSD between poses, and references with another order of atoms. */
#include "unit/results/poses.h"

#include <berth/vina.h>

#include "base/text/text.h"

static bt_rmsd *measure(const bt_molecule *molecule, bt_rmsd_kind kind, bool hydrogens) {
  bt_rmsd *rmsd;
  bt_error error;
  support_ok(bt_rmsd_create(molecule, kind, hydrogens, &rmsd, &error), &error);
  return rmsd;
}

static double distance(const bt_rmsd *rmsd, const double *x, const double *y) {
  double value;
  bt_error error;
  support_ok(bt_rmsd_distance(rmsd, x, y, &value, &error), &error);
  return value;
}

/* p-Chlorobenzoate: the ring flips, the carboxylate's oxygens swap. */
static const char chlorobenzoate[] =
    "ROOT\n"
    "ATOM      1  C1  LIG     1       0.000   1.390   0.000  1.00  0.00     0.000 A \n"
    "ATOM      2  C2  LIG     1       1.204   0.695   0.000  1.00  0.00     0.000 A \n"
    "ATOM      3  C3  LIG     1       1.204  -0.695   0.000  1.00  0.00     0.000 A \n"
    "ATOM      4  C4  LIG     1       0.000  -1.390   0.000  1.00  0.00     0.000 A \n"
    "ATOM      5  C5  LIG     1      -1.204  -0.695   0.000  1.00  0.00     0.000 A \n"
    "ATOM      6  C6  LIG     1      -1.204   0.695   0.000  1.00  0.00     0.000 A \n"
    "ATOM      7  CL  LIG     1       0.000   3.120   0.000  1.00  0.00     0.000 Cl\n"
    "ENDROOT\n"
    "BRANCH   4   8\n"
    "ATOM      8  C7  LIG     1       0.000  -2.890   0.000  1.00  0.00     0.000 C \n"
    "ATOM      9  O1  LIG     1       1.080  -3.510   0.000  1.00  0.00    -0.600 OA\n"
    "ATOM     10  O2  LIG     1      -1.080  -3.510   0.000  1.00  0.00    -0.600 OA\n"
    "ENDBRANCH   4   8\n"
    "TORSDOF 1\n";

static void equivalent_atoms_do_not_count(void **state) {
  (void)state;
  bt_molecule *molecule = poses_molecule("benzoate.pdbqt", chlorobenzoate, BT_MOLECULE_LIGAND);
  bt_ligand *ligand = poses_ligand(molecule, NULL);
  bt_rmsd *graph = measure(molecule, BT_RMSD_GRAPH, false), *plain = measure(molecule, BT_RMSD_INDEX, false);
  assert_near(bt_rmsd_symmetry(graph), 4, 0);
  bt_genotype pose;
  bt_error error;
  support_ok(bt_genotype_create(1, &pose, &error), &error);
  bt_genotype_identity(ligand, &pose);
  double x[30];
  pose.torsions[0] = 3.14159265358979; /* the carboxylate alone */
  bt_genotype_coordinates(ligand, &pose, x);
  assert_near(distance(graph, x, ligand->xyz), 0.0, 1e-9);
  assert_near(distance(plain, x, ligand->xyz), sqrt(2 * 2.16 * 2.16 / 10), 1e-6);
  pose.quaternion[1] = 1; /* everything about the long axis; with the carboxylate back */
  pose.quaternion[3] = 0;
  bt_genotype_coordinates(ligand, &pose, x);
  assert_near(distance(graph, x, ligand->xyz), 0.0, 1e-9);
  assert_true(distance(plain, x, ligand->xyz) > 1.5);
  bt_genotype_destroy(&pose);
  bt_rmsd_destroy(graph);
  bt_rmsd_destroy(plain);
  bt_ligand_destroy(ligand);
  bt_molecule_destroy(molecule);
}

/* Element labels: the bounds are compared on a copy of the molecule whose types are elements. */
static void merge_types(bt_molecule *molecule) {
  for (int i = 0; i < molecule->n_atoms; i++) {
    char *type = molecule->atoms[i].type;
    if (strcmp(type, "A") == 0) strcpy(type, "C");
    if (strcmp(type, "NA") == 0) strcpy(type, "N");
    if (strcmp(type, "SA") == 0) strcpy(type, "S");
  }
}

static const char *const cases[] = {"1ac8", "1ig3", "1p62", "2brt", "1kzk", "7cpa", "1t46", "1y6b", "2bm2"};
enum { CASES = sizeof cases / sizeof cases[0] };

static void bounds_are_ordered(void **state) {
  (void)state;
  uint64_t random = 7;
  for (int c = 0; c < CASES; c++) {
    bt_molecule *molecule = poses_shared(cases[c], "flex-xray");
    bt_ligand *ligand = poses_ligand(molecule, NULL);
    merge_types(molecule);
    for (int hydrogens = 0; hydrogens < 2; hydrogens++) {
      static const bt_rmsd_kind kinds[] = {BT_RMSD_NEAREST, BT_RMSD_CLASSES, BT_RMSD_GRAPH, BT_RMSD_INDEX};
      bt_rmsd *rmsd[4];
      for (int k = 0; k < 4; k++) rmsd[k] = measure(molecule, kinds[k], hydrogens);
      assert_true(bt_rmsd_is_exact(rmsd[2]));
      bt_genotype pose;
      bt_error error;
      support_ok(bt_genotype_create(ligand->n_torsions, &pose, &error), &error);
      double *x = malloc(6 * (size_t)ligand->n_atoms * sizeof *x), *y = x + 3 * ligand->n_atoms;
      for (int trial = 0; trial < 40; trial++) {
        double turn = trial % 2 ? 180 : 20;
        poses_random(ligand, &random, 3, turn, &pose, x);
        poses_random(ligand, &random, 3, turn, &pose, y);
        double value[4];
        for (int k = 0; k < 4; k++) value[k] = distance(rmsd[k], x, y);
        for (int k = 1; k < 4; k++)
          if (value[k - 1] > value[k] + 1e-9)
            fail_msg("%s: kind %d gives %.6f, kind %d %.6f", cases[c], kinds[k - 1], value[k - 1], kinds[k], value[k]);
        assert_true(value[0] > 0);
      }
      free(x);
      bt_genotype_destroy(&pose);
      for (int k = 0; k < 4; k++) bt_rmsd_destroy(rmsd[k]);
    }
    bt_ligand_destroy(ligand);
    bt_molecule_destroy(molecule);
  }
}

static void graph_distance_is_a_metric(void **state) {
  (void)state;
  uint64_t random = 11;
  for (int c = 0; c < CASES; c++) {
    bt_molecule *molecule = poses_shared(cases[c], "flex-xray");
    bt_ligand *ligand = poses_ligand(molecule, NULL);
    bt_rmsd *rmsd = measure(molecule, BT_RMSD_GRAPH, false);
    bt_genotype pose;
    bt_error error;
    support_ok(bt_genotype_create(ligand->n_torsions, &pose, &error), &error);
    size_t size = 3 * (size_t)ligand->n_atoms;
    double *x = malloc(3 * size * sizeof *x), *y = x + size, *z = y + size;
    for (int trial = 0; trial < 40; trial++) {
      double shift = trial % 3;
      poses_random(ligand, &random, shift, 180, &pose, x);
      poses_random(ligand, &random, shift, 180, &pose, y);
      poses_random(ligand, &random, shift, 180, &pose, z);
      double xy = distance(rmsd, x, y), yz = distance(rmsd, y, z), xz = distance(rmsd, x, z);
      assert_near(distance(rmsd, x, x), 0.0, 1e-12);
      assert_near(distance(rmsd, y, x), xy, 1e-9);
      assert_true(xz <= xy + yz + 1e-9);
      for (size_t k = 0; k < size; k++) y[k] = x[k] + (k % 3 == 0 ? 1.25 : 0.0);
      assert_true(distance(rmsd, y, x) <= 1.25 + 1e-9);
    }
    free(x);
    bt_genotype_destroy(&pose);
    bt_rmsd_destroy(rmsd);
    bt_ligand_destroy(ligand);
    bt_molecule_destroy(molecule);
  }
}

/* The same molecule, drawn in another order from another root, with one oxygen renamed. */
static const char other_order[] =
    "ROOT\n"
    "ATOM      1  OX  LIG     1       1.080  -3.510   0.500  1.00  0.00    -0.600 OA\n"
    "ATOM      2  O2  LIG     1      -1.080  -3.510   0.500  1.00  0.00    -0.600 OA\n"
    "ATOM      3  C7  LIG     1       0.000  -2.890   0.500  1.00  0.00     0.000 C \n"
    "ENDROOT\n"
    "BRANCH   3   4\n"
    "ATOM      4  C4  LIG     1       0.000  -1.390   0.500  1.00  0.00     0.000 A \n"
    "ATOM      5  C2  LIG     1       1.204   0.695   0.500  1.00  0.00     0.000 A \n"
    "ATOM      6  C3  LIG     1       1.204  -0.695   0.500  1.00  0.00     0.000 A \n"
    "ATOM      7  C5  LIG     1      -1.204  -0.695   0.500  1.00  0.00     0.000 A \n"
    "ATOM      8  C6  LIG     1      -1.204   0.695   0.500  1.00  0.00     0.000 A \n"
    "ATOM      9  C1  LIG     1       0.000   1.390   0.500  1.00  0.00     0.000 A \n"
    "ATOM     10  CL  LIG     1       0.000   3.120   0.500  1.00  0.00     0.000 Cl\n"
    "ENDBRANCH   3   4\n"
    "TORSDOF 1\n";

static void a_reference_may_have_another_order(void **state) {
  (void)state;
  bt_molecule *molecule = poses_molecule("benzoate.pdbqt", chlorobenzoate, BT_MOLECULE_LIGAND);
  bt_molecule *reference = poses_molecule("crystal.pdbqt", other_order, BT_MOLECULE_LIGAND);
  bt_rmsd *graph = measure(molecule, BT_RMSD_GRAPH, false), *plain = measure(molecule, BT_RMSD_INDEX, false);
  double x[30], y[30];
  for (int i = 0; i < 10; i++) memcpy(x + 3 * i, molecule->atoms[i].x, 3 * sizeof *x);
  bt_error error;
  support_ok(bt_rmsd_reference(graph, reference, y, &error), &error);
  assert_near(distance(graph, x, y), 0.5, 1e-9);
  support_failed(bt_rmsd_reference(plain, reference, y, &error), BT_ERR_INPUT, &error, "ordered differently");
  bt_rmsd_destroy(graph);
  bt_rmsd_destroy(plain);
  bt_molecule_destroy(reference);
  bt_molecule_destroy(molecule);
}

static void another_molecule_is_no_reference(void **state) {
  (void)state;
  bt_molecule *molecule = poses_molecule("benzoate.pdbqt", chlorobenzoate, BT_MOLECULE_LIGAND);
  bt_rmsd *graph = measure(molecule, BT_RMSD_GRAPH, false);
  bt_error error;
  double y[30];
  char text[sizeof chlorobenzoate];
  strcpy(text, chlorobenzoate);
  char *chlorine = strstr(text, " Cl\n"); /* an isomer: chlorine on the carboxylate, oxygen on the ring */
  char *oxygen = strstr(text, " OA\n");
  memcpy(chlorine, " OA\n", 4);
  memcpy(oxygen, " Cl\n", 4);
  bt_molecule *isomer = poses_molecule("isomer.pdbqt", text, BT_MOLECULE_LIGAND);
  support_failed(bt_rmsd_reference(graph, isomer, y, &error), BT_ERR_INPUT, &error, "not the same molecule");
  assert_string_equal(error.file, "isomer.pdbqt");
  const char *smaller =
      "ROOT\nATOM      1  C1  LIG     1       0.000   1.390   0.000  1.00  0.00     0.000 A \nENDROOT\n"
      "TORSDOF 0\n";
  bt_molecule *other = poses_molecule("small.pdbqt", smaller, BT_MOLECULE_LIGAND);
  support_failed(bt_rmsd_reference(graph, other, y, &error), BT_ERR_INPUT, &error,
                 "the reference has 1 heavy atoms, the ligand benzoate has 10");
  bt_rmsd_destroy(graph);
  bt_molecule_destroy(other);
  bt_molecule_destroy(isomer);
  bt_molecule_destroy(molecule);
}

/* 24 chlorides around nothing have 24! mappings; the fall-back still sees that two were exchanged. */
static void too_many_mappings_fall_back_to_assignment(void **state) {
  (void)state;
  bt_text text = {0};
  bt_text_add_string(&text, "ROOT\n");
  for (int i = 0; i < 24; i++)
    bt_text_printf(&text, "ATOM  %5d  CL  LIG     1    %8.3f%8.3f%8.3f  1.00  0.00     0.000 Cl\n", i + 1, 5.0 * i, 0.0,
                   0.0);
  bt_text_add_string(&text, "ENDROOT\nTORSDOF 0\n");
  bt_molecule *molecule = poses_molecule("ions.pdbqt", text.data, BT_MOLECULE_LIGAND);
  bt_rmsd *graph = measure(molecule, BT_RMSD_GRAPH, false);
  assert_false(bt_rmsd_is_exact(graph));
  double x[72], y[72];
  for (int k = 0; k < 72; k++) x[k] = y[k] = k % 3 == 0 ? 5.0 * (k / 3) : 0.0;
  x[0] = 115.0;
  x[69] = 0.3;
  assert_near(distance(graph, x, y), sqrt(0.09 / 24), 1e-9);
  bt_rmsd_destroy(graph);
  bt_molecule_destroy(molecule);
  bt_text_destroy(&text);
}

/* AutoDock's measure sees no difference when all atoms fall onto one atom of their type. */
static void nearest_atom_is_not_symmetric(void **state) {
  (void)state;
  bt_molecule *molecule = poses_molecule("benzoate.pdbqt", chlorobenzoate, BT_MOLECULE_LIGAND);
  bt_rmsd *nearest = measure(molecule, BT_RMSD_NEAREST, true);
  double x[30], y[30];
  for (int i = 0; i < 10; i++) {
    memcpy(y + 3 * i, molecule->atoms[i].x, 3 * sizeof *y);
    memcpy(x + 3 * i, molecule->atoms[i < 6 ? 0 : i].x, 3 * sizeof *x);
  }
  assert_near(distance(nearest, x, y), 0.0, 1e-12);
  assert_true(distance(nearest, y, x) > 1.0);
  bt_rmsd_destroy(nearest);
  bt_molecule_destroy(molecule);
}

/* Two identical ligands docked together keep their identity: only symmetry within each counts. */
static void ligands_do_not_change_places(void **state) {
  (void)state;
  bt_molecule *molecule = poses_molecule("benzoate.pdbqt", chlorobenzoate, BT_MOLECULE_LIGAND), *joined;
  const bt_molecule *both[] = {molecule, molecule};
  bt_error error;
  support_ok(bt_molecules_join(both, 2, &joined, &error), &error);
  bt_rmsd *graph = measure(joined, BT_RMSD_GRAPH, false);
  assert_near(bt_rmsd_symmetry(graph), 4 * 4, 0);
  double x[60], y[60];
  for (int k = 0; k < 60; k++) x[k] = joined->atoms[k / 3].x[k % 3] + (k >= 30 && k % 3 == 2 ? 5.0 : 0.0);
  for (int k = 0; k < 60; k++) y[k] = x[(k + 30) % 60];
  assert_near(distance(graph, x, x), 0.0, 1e-9);
  assert_near(distance(graph, x, y), 5.0, 1e-9);
  bt_rmsd_destroy(graph);
  bt_molecule_destroy(joined);
  bt_molecule_destroy(molecule);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equivalent_atoms_do_not_count),    cmocka_unit_test(bounds_are_ordered),
      cmocka_unit_test(graph_distance_is_a_metric),       cmocka_unit_test(a_reference_may_have_another_order),
      cmocka_unit_test(another_molecule_is_no_reference), cmocka_unit_test(too_many_mappings_fall_back_to_assignment),
      cmocka_unit_test(ligands_do_not_change_places),     cmocka_unit_test(nearest_atom_is_not_symmetric)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
