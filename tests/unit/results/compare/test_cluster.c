/* test_cluster.c - clusters, ranks and reference distances of given poses. */
#include "unit/results/poses.h"

static const char two_atoms[] =
    "ROOT\n"
    "ATOM      1  C1  LIG     1       0.000   0.000   0.000  1.00  0.00     0.000 C \n"
    "ATOM      2  O1  LIG     1       1.430   0.000   0.000  1.00  0.00     0.000 OA\n"
    "ENDROOT\nTORSDOF 0\n";

typedef struct scene {
  bt_molecule *molecule;
  bt_ligand *ligand;
  bt_maps *maps;
  bt_result *result;
} scene;

static void set_pose(const scene *s, int pose, double shift, double free_energy) {
  bt_run *run = &s->result->runs[pose];
  bt_genotype_identity(s->ligand, &run->genotype);
  run->genotype.position[0] += shift;
  bt_genotype_coordinates(s->ligand, &run->genotype, run->xyz);
  run->energy.inter = run->energy.free_energy = free_energy;
  run->evaluations = 100 + pose;
}

/* Runs whose poses are the input pose shifted along x. */
static scene open_scene(const double *shift, const double *free_energy, int runs, bt_dock_options options) {
  scene s = {.molecule = poses_molecule("two.pdbqt", two_atoms, BT_MOLECULE_LIGAND)};
  s.ligand = poses_ligand(s.molecule, NULL);
  s.maps = scene_maps(s.ligand, (double[3]){0, 0, 0}, 40);
  options.runs = runs;
  bt_error error;
  support_ok(bt_result_create(s.ligand, s.maps, NULL, &options, &s.result, &error), &error);
  for (int r = 0; r < runs; r++) set_pose(&s, r, shift[r], free_energy[r]);
  support_ok(bt_result_cluster(s.result, &error), &error);
  return s;
}

static void close_scene(scene *s) {
  bt_result_destroy(s->result);
  bt_maps_destroy(s->maps);
  bt_ligand_destroy(s->ligand);
  bt_molecule_destroy(s->molecule);
}

static void leaders_take_what_is_near(void **state) {
  (void)state;
  /* run 2 is the best; 4 and 1 are within 2 A of it; 3 is near run 1 but not near the leader; 5 is exactly at 2 A of 3
   */
  const double shift[] = {1.9, 0.0, 3.0, -1.0, 5.0}, energy[] = {-6.0, -9.0, -7.0, -8.0, -5.0};
  scene s = open_scene(shift, energy, 5, bt_dock_options_default());
  assert_int_equal(bt_result_cluster_count(s.result), 2);
  static const int run[] = {2, 4, 1, 3, 5}, cluster[] = {1, 1, 1, 2, 2}, rank[] = {1, 2, 3, 1, 2};
  static const double to_leader[] = {0.0, 1.0, 1.9, 0.0, 2.0}, to_input[] = {0.0, 1.0, 1.9, 3.0, 5.0};
  for (int k = 0; k < 5; k++) {
    bt_run_summary summary = bt_result_ranked(s.result, k);
    assert_int_equal(summary.run, run[k]);
    assert_int_equal(summary.cluster, cluster[k]);
    assert_int_equal(summary.rank_in_cluster, rank[k]);
    assert_near(summary.cluster_rmsd, to_leader[k], 1e-12);
    assert_near(summary.reference_rmsd, to_input[k], 1e-12);
    assert_int_equal(summary.evaluations, 99 + run[k]);
  }
  assert_int_equal(s.result->clusters[0].size, 3);
  assert_near(s.result->clusters[0].mean, -23.0 / 3, 1e-12);
  assert_near(s.result->clusters[1].lowest, -7.0, 0);
  close_scene(&s);
}

static void a_run_joins_the_first_cluster_that_takes_it(void **state) {
  (void)state;
  const double shift[] = {0.0, 2.5, 1.9}, energy[] = {-3, -2, -1}; /* the third is nearer to the second leader */
  scene s = open_scene(shift, energy, 3, bt_dock_options_default());
  assert_int_equal(bt_result_cluster_count(s.result), 2);
  assert_int_equal(s.result->runs[2].cluster, 1);
  close_scene(&s);
}

/* Two runs and three further minima: one near the second run, one of its own between the runs' energies, and one near it. */
static void further_minima_have_clusters_of_their_own(void **state) {
  (void)state;
  const double shift[] = {0, 10, 11, 5, 6}, energy[] = {-9, -7, -8.5, -8, -6};
  scene s = open_scene(shift, energy, 2, bt_dock_options_default());
  bt_error error;
  support_ok(bt_result_add_room(s.result, 3, &error), &error);
  for (int p = 2; p < 5; p++) set_pose(&s, p, shift[p], energy[p]);
  for (int p = 2; p < 5; p++) s.result->runs[p].further = true;
  for (int again = 0; again < 2; again++) {
    support_ok(bt_result_cluster(s.result, &error), &error);
    assert_int_equal(bt_result_run_count(s.result), 2);
    assert_int_equal(bt_result_pose_count(s.result), 3);
    static const int pose[] = {1, 3, 2}, size[] = {1, 0, 1};
    static const double lowest[] = {-9, -8, -7}; /* the further minimum near run 2 does not move its cluster */
    for (int k = 0; k < 3; k++) {
      bt_run_summary summary = bt_result_ranked(s.result, k);
      assert_int_equal(summary.run, pose[k]);
      assert_int_equal(summary.cluster, k + 1);
      assert_int_equal(summary.further, k == 1);
      assert_int_equal(s.result->clusters[k].size, size[k]);
      assert_near(s.result->clusters[k].lowest, lowest[k], 0);
      assert_near(s.result->clusters[k].mean, lowest[k], 0);
    }
  }
  close_scene(&s);
}

static void equal_energies_keep_the_order_of_runs(void **state) {
  (void)state;
  double shift[300], energy[300];
  for (int k = 0; k < 300; k++) {
    shift[k] = 3.0 * k;
    energy[k] = -4.0;
  }
  scene s = open_scene(shift, energy, 300, bt_dock_options_default());
  assert_int_equal(bt_result_cluster_count(s.result), 300);
  for (int k = 0; k < 300; k++) assert_int_equal(bt_result_ranked(s.result, k).run, k + 1);
  close_scene(&s);
}

static void tolerance_zero_separates_what_differs(void **state) {
  (void)state;
  const double shift[] = {0.0, 1e-6, 0.0}, energy[] = {-3, -2, -1};
  bt_dock_options options = bt_dock_options_default();
  options.rmsd_tolerance = 0;
  scene s = open_scene(shift, energy, 3, options);
  assert_int_equal(bt_result_cluster_count(s.result), 2);
  close_scene(&s);
}

static void no_result_without_finite_energy(void **state) {
  (void)state;
  const double shift[] = {0.0}, energy[] = {-3};
  scene s = open_scene(shift, energy, 1, bt_dock_options_default());
  bt_error error;
  s.result->runs[0].energy.free_energy = NAN;
  support_failed(bt_result_cluster(s.result, &error), BT_ERR_INPUT, &error, "run 1");
  s.result->runs[0].energy.free_energy = -3;
  s.result->runs[0].xyz[1] = INFINITY;
  support_failed(bt_result_cluster(s.result, &error), BT_ERR_INPUT, &error, "run 1");
  close_scene(&s);
}

static void a_wrong_reference_is_refused_before_the_search(void **state) {
  (void)state;
  bt_molecule *molecule = poses_molecule("two.pdbqt", two_atoms, BT_MOLECULE_LIGAND);
  const char *one_atom =
      "ROOT\nATOM      1  C1  LIG     1       0.000   0.000   0.000  1.00  0.00     0.000 C \nENDROOT\n"
      "TORSDOF 0\n";
  bt_molecule *reference = poses_molecule("one.pdbqt", one_atom, BT_MOLECULE_LIGAND);
  bt_ligand *ligand = poses_ligand(molecule, NULL);
  bt_maps *maps = scene_maps(ligand, (double[3]){0, 0, 0}, 4);
  bt_dock_options options = bt_dock_options_default();
  options.runs = 1;
  bt_result *result;
  bt_error error;
  support_failed(bt_result_create(ligand, maps, reference, &options, &result, &error), BT_ERR_INPUT, &error,
                 "the reference has 1");
  options.rmsd_autodock = true; /* AutoDock-GPU goes on */
  support_ok(bt_result_create(ligand, maps, reference, &options, &result, &error), &error);
  support_ok(bt_result_cluster(result, &error), &error);
  assert_near(bt_result_ranked(result, 0).reference_rmsd, 100000.0, 0);
  bt_result_destroy(result);
  bt_maps_destroy(maps);
  bt_ligand_destroy(ligand);
  bt_molecule_destroy(reference);
  bt_molecule_destroy(molecule);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(leaders_take_what_is_near),
                                     cmocka_unit_test(a_run_joins_the_first_cluster_that_takes_it),
                                     cmocka_unit_test(further_minima_have_clusters_of_their_own),
                                     cmocka_unit_test(equal_energies_keep_the_order_of_runs),
                                     cmocka_unit_test(tolerance_zero_separates_what_differs),
                                     cmocka_unit_test(no_result_without_finite_energy),
                                     cmocka_unit_test(a_wrong_reference_is_refused_before_the_search)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
