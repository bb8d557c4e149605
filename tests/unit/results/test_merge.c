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

static const char stretched[] =
    "ROOT\n"
    "ATOM      1  C1  LIG     1       0.000   0.000   0.000  1.00  0.00     0.000 C \n"
    "ATOM      2  O1  LIG     1       1.530   0.000   0.000  1.00  0.00     0.000 OA\n"
    "ENDROOT\nTORSDOF 0\n";

/* Two conformers of one ligand: two runs of the first, three of the second. */
static bt_result *joined(const bt_ligand *ligand, const bt_maps *maps, bool variants) {
  bt_dock_options options = bt_dock_options_default();
  bt_result *results[2] = {docked(ligand, maps, (double[]){0, 4.5}, (double[]){-5, -4}, 2),
                           docked(ligand->conformers[0], maps, (double[]){1, 3.5, 8}, (double[]){-4.5, -6, -3}, 3)};
  bt_error error;
  options.runs = 5;
  options.variants = variants ? BT_VARIANTS_CONFORMERS : BT_VARIANTS_NONE;
  support_ok(bt_result_join(results, (int[]){0, 1}, 2, ligand, &options, &error), &error);
  assert_null(results[1]);
  return results[0];
}

static void conformers_are_one_ligand(void **state) {
  (void)state;
  bt_molecule *molecule = poses_molecule("two.pdbqt", two_atoms, BT_MOLECULE_LIGAND);
  molecule->conformers = calloc(1, sizeof *molecule->conformers);
  molecule->conformers[molecule->n_conformers++] = poses_molecule("two.pdbqt", stretched, BT_MOLECULE_LIGAND);
  assert_int_equal(bt_molecule_conformer_count(molecule), 2);
  bt_ligand *ligand = poses_ligand(molecule, NULL);
  bt_maps *maps = scene_maps(ligand, (double[3]){0, 0, 0}, 40);
  bt_error error;
  bt_result *all = joined(ligand, maps, false);
  assert_ptr_equal(bt_result_ligand(all), ligand);
  assert_int_equal(bt_result_run_count(all), 5);
  assert_near(bt_result_seconds(all), 1.5, 1e-12); /* side by side */
  assert_int_equal(bt_result_cluster_count(all), 3);
  static const int run[] = {4, 2, 1, 3, 5};
  for (int k = 0; k < 5; k++) assert_int_equal(bt_result_ranked(all, k).run, run[k]);
  for (int r = 0; r < 5; r++) {
    const double *x = all->runs[r].xyz;
    assert_int_equal(all->runs[r].conformer, r >= 2);
    assert_near(x[3] - x[0], r >= 2 ? 1.53 : 1.43, 1e-9);
  }
  bt_result_destroy(all);

  all = joined(ligand, maps, true); /* kept apart until they are ranked */
  assert_int_equal(bt_result_cluster_count(all), 5);
  support_ok(bt_result_reorder(all, (int[]){2, 0, 1, 3, 4}, &error), &error); /* run 3, then 4, 1, 2, 5 */
  support_ok(bt_result_thin(all, &error), &error);
  assert_int_equal(bt_result_cluster_count(all), 3);
  static const int thinned[] = {3, 1, 4, 2, 5}, cluster[] = {1, 1, 2, 2, 3}, rank[] = {1, 2, 1, 2, 1};
  for (int k = 0; k < 5; k++) {
    bt_run_summary summary = bt_result_ranked(all, k);
    assert_int_equal(summary.run, thinned[k]);
    assert_int_equal(summary.cluster, cluster[k]);
    assert_int_equal(summary.rank_in_cluster, rank[k]);
  }
  bt_result_destroy(all);
  bt_maps_destroy(maps);
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
                                     cmocka_unit_test(conformers_are_one_ligand),
                                     cmocka_unit_test(other_ligands_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
