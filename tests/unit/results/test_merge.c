/* test_merge.c - dockings of one ligand in several boxes as one result. */
#include <berth/rescore.h>
#include "results/docked.h"
#include "unit/results/poses.h"

static const char two_atoms[] =
    "ROOT\n"
    "ATOM      1  C1  LIG     1       0.000   0.000   0.000  1.00  0.00     0.000 C \n"
    "ATOM      2  O1  LIG     1       1.430   0.000   0.000  1.00  0.00     0.000 OA\n"
    "ENDROOT\nTORSDOF 0\n";

/* Runs whose poses are the input pose shifted along x. */
static bt_result *docked(const bt_ligand *ligand, const bt_maps *maps, const double *shift, const double *free_energy,
                         int runs) {
  bt_dock_options options = bt_dock_options_default();
  bt_result *result;
  bt_error error;
  options.runs = runs;
  support_ok(bt_result_create(ligand, maps, NULL, &options, &result, &error), &error);
  for (int r = 0; r < runs; r++) {
    bt_run *run = &result->runs[r];
    bt_genotype_identity(ligand, &run->genotype);
    run->genotype.position[0] += shift[r];
    bt_genotype_coordinates(ligand, &run->genotype, run->xyz);
    run->energy.inter = run->energy.free_energy = free_energy[r];
  }
  result->evaluations = 100 * runs;
  result->seconds = 1.5;
  support_ok(bt_result_cluster(result, &error), &error);
  return result;
}

static void runs_are_ranked_together(void **state) {
  (void)state;
  bt_molecule *molecule = poses_molecule("two.pdbqt", two_atoms, BT_MOLECULE_LIGAND);
  bt_ligand *ligand = poses_ligand(molecule, NULL);
  bt_maps *maps[2] = {scene_maps(ligand, (double[3]){0, 0, 0}, 40), scene_maps(ligand, (double[3]){9, 0, 0}, 20)};
  bt_result *results[2] = {docked(ligand, maps[0], (double[]){0, 1}, (double[]){-5, -7}, 2),
                           docked(ligand, maps[1], (double[]){9, 8.5, 1.5}, (double[]){-8, -6, -4}, 3)};
  bt_error error;
  snprintf(results[1]->warning, sizeof results[1]->warning, "a device failed");
  support_ok(bt_result_merge(results, (int[]){2, 5}, 2, &error), &error);
  assert_null(results[1]);
  bt_result *all = results[0];
  assert_int_equal(bt_result_run_count(all), 5);
  assert_int_equal(bt_result_cluster_count(all), 2);
  static const int run[] = {3, 4, 2, 1, 5}, site[] = {5, 5, 2, 2, 5}, cluster[] = {1, 1, 2, 2, 2};
  for (int k = 0; k < 5; k++) {
    bt_run_summary summary = bt_result_ranked(all, k);
    assert_int_equal(summary.run, run[k]);
    assert_int_equal(summary.site, site[k]);
    assert_int_equal(summary.cluster, cluster[k]);
    bt_docked of;
    assert_true(bt_docked_of(all, &all->runs[run[k] - 1], &of));
    assert_near(of.box.center[0], site[k] == 5 ? 9 : 0, 1e-12);
  }
  assert_int_equal(bt_result_evaluations(all), 500);
  assert_near(bt_result_seconds(all), 3, 1e-12);
  assert_string_equal(bt_result_warning(all), "a device failed");
  bt_result_destroy(all);
  for (int i = 0; i < 2; i++) bt_maps_destroy(maps[i]);
  bt_ligand_destroy(ligand);
  bt_molecule_destroy(molecule);
}

static void other_ligands_are_refused(void **state) {
  (void)state;
  bt_molecule *molecule = poses_molecule("two.pdbqt", two_atoms, BT_MOLECULE_LIGAND);
  bt_ligand *ligands[2] = {poses_ligand(molecule, NULL), poses_ligand(molecule, NULL)};
  bt_maps *maps = scene_maps(ligands[0], (double[3]){0, 0, 0}, 20);
  bt_result *results[2];
  bt_error error;
  for (int i = 0; i < 2; i++) results[i] = docked(ligands[i], maps, (double[]){0}, (double[]){-1}, 1);
  support_failed(bt_result_merge(results, (int[]){1, 2}, 2, &error), BT_ERR_USAGE, &error, "another ligand");
  for (int i = 0; i < 2; i++) {
    bt_result_destroy(results[i]);
    bt_ligand_destroy(ligands[i]);
  }
  bt_maps_destroy(maps);
  bt_molecule_destroy(molecule);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(runs_are_ranked_together),
                                     cmocka_unit_test(other_ligands_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
