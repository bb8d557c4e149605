/* test_rescore.c - clusters in a second scoring function, and their order by several. */
#include <berth/rescore.h>

#include "unit/results/poses.h"

static bt_molecule *example(const char *name, bt_molecule_kind kind) {
  char path[1024];
  snprintf(path, sizeof path, "%s/examples/1hpv/%s", BERTH_SOURCE_DIR, name);
  bt_molecule **list, *molecule;
  int count;
  bt_error error;
  support_ok(bt_molecule_read(path, kind, &list, &count, &error), &error);
  molecule = list[0];
  free(list);
  return molecule;
}

typedef struct scene {
  bt_molecule *molecule, *receptor;
  bt_ligand *ligand[3]; /* by bt_scoring */
  bt_maps *maps[3];
  bt_result *result;
} scene;

enum { RUNS = 5 };

/* Dockings in AutoDock 4 that ended at the input pose and beside it. */
static scene open_scene(void) {
  static const double shift[RUNS] = {0, 12, 0.3, 8, 12.2}, energy[RUNS] = {-9, -11, -8, -10, -10.5};
  scene s = {.molecule = example("ligand-crystal.pdbqt", BT_MOLECULE_LIGAND),
             .receptor = example("receptor.pdbqt", BT_MOLECULE_RECEPTOR)};
  bt_error error;
  for (int k = 0; k < 3; k++) {
    bt_grid_options grid = bt_grid_options_default();
    support_ok(bt_ligand_create_as(s.molecule, NULL, (bt_scoring)k, &s.ligand[k], &error), &error);
    const char *types[32];
    int n = k == BT_SCORING_AD4 ? bt_ligand_type_count(s.ligand[k]) : 0;
    for (int t = 0; t < n; t++) types[t] = bt_ligand_type(s.ligand[k], t);
    grid.scoring = (bt_scoring)k;
    grid.box = bt_box_from_size(s.ligand[k]->center, (double[3]){30, 30, 30}, 0.5);
    support_ok(bt_maps_compute(s.receptor, types, n, &grid, &s.maps[k], &error), &error);
  }
  bt_dock_options options = bt_dock_options_default();
  options.runs = RUNS;
  support_ok(bt_result_create(s.ligand[0], s.maps[0], NULL, &options, &s.result, &error), &error);
  for (int r = 0; r < RUNS; r++) {
    bt_run *run = &s.result->runs[r];
    bt_genotype_identity(s.ligand[0], &run->genotype);
    run->genotype.position[0] += shift[r];
    bt_genotype_coordinates(s.ligand[0], &run->genotype, run->xyz);
    run->energy.inter = run->energy.free_energy = energy[r];
  }
  support_ok(bt_result_cluster(s.result, &error), &error);
  assert_int_equal(bt_result_cluster_count(s.result), 3);
  return s;
}

static void close_scene(scene *s) {
  bt_result_destroy(s->result);
  for (int k = 0; k < 3; k++) {
    bt_maps_destroy(s->maps[k]);
    bt_ligand_destroy(s->ligand[k]);
  }
  bt_molecule_destroy(s->molecule);
  bt_molecule_destroy(s->receptor);
}

static void rescore(scene *s, bt_scoring scoring, int threads) {
  bt_error error;
  support_ok(bt_result_rescore(s->result, s->ligand[scoring], s->maps[scoring], threads, &error), &error);
}

static void leaders_are_minimised(void **state) {
  (void)state;
  for (int k = 1; k < 3; k++) {
    scene s = open_scene(), t = open_scene();
    bt_scorer *scorer;
    bt_error error;
    rescore(&s, (bt_scoring)k, 1);
    rescore(&t, (bt_scoring)k, 3);
    support_ok(bt_scorer_create(s.ligand[k], s.maps[k], BT_FORM_TABULATED, BT_TORSIONAL_TORSDOF, &scorer, &error),
               &error);
    bool ranks[4] = {false};
    for (int c = 0; c < 3; c++) {
      bt_rescored of = bt_result_rescored(s.result, c, 0), other = bt_result_rescored(t.result, c, 0);
      bt_energy docked, found;
      bt_score_coordinates(scorer, s.result->runs[s.result->clusters[c].leader].xyz, &docked, NULL);
      bt_score_coordinates(scorer, of.xyz, &found, NULL);
      assert_true(of.energy.inter + of.energy.intra < docked.inter + docked.intra);
      assert_near(found.inter, of.energy.inter, 1e-9);
      assert_near(of.energy.unbound, bt_result_rescored(s.result, 0, 0).energy.unbound, 0);
      assert_true(of.moved > 0 && of.scoring == (bt_scoring)k);
      assert_memory_equal(&of.energy, &other.energy, sizeof of.energy); /* whatever the number of threads */
      ranks[of.rank] = true;
    }
    assert_true(ranks[1] && ranks[2] && ranks[3]);
    assert_true(bt_result_rescored(s.result, 2, 0).moved < 2 && bt_result_rescored(s.result, 2, 0).rank == 1);
    bt_scorer_destroy(scorer);
    close_scene(&s);
    close_scene(&t);
  }
}

static void clusters_follow_the_second_score(void **state) {
  (void)state;
  scene s = open_scene();
  bt_error error;
  support_ok(bt_result_rank(s.result, BT_RANK_SCORE, &error), &error);
  assert_int_equal(bt_result_ranked(s.result, 0).run, 2); /* nothing to rank by yet */
  rescore(&s, BT_SCORING_VINA, 0);
  rescore(&s, BT_SCORING_VINARDO, 0);
  assert_int_equal(bt_result_rescored_count(s.result), 2);
  support_ok(bt_result_rank(s.result, BT_RANK_SCORE, &error), &error);
  bt_run_summary best = bt_result_ranked(s.result, 0);
  assert_true(best.run == 1 && best.cluster == 1 && best.rank_in_cluster == 1);
  assert_int_equal(bt_result_ranked(s.result, 1).run, 3);
  for (int k = 0; k < RUNS; k++) /* poses come in the same order, as they were found */
    assert_ptr_equal(bt_result_coordinates(s.result, k), s.result->runs[bt_result_ranked(s.result, k).run - 1].xyz);
  assert_null(bt_result_coordinates(s.result, -1));
  assert_null(bt_result_coordinates(s.result, RUNS));
  assert_int_equal(bt_result_rescored(s.result, 0, 1).rank, 1);
  int order[RUNS]; /* what writers follow */
  support_ok(bt_result_order(s.result, order, &error), &error);
  assert_true(order[0] == 0 && order[1] == 2);
  support_ok(bt_result_cluster(s.result, &error), &error);
  assert_true(bt_result_rescored_count(s.result) == 0 && bt_result_ranked(s.result, 0).run == 2);
  close_scene(&s);
}

/* The same pose in AutoDock 4's maps; and what is refused. */
static void autodock_on_its_maps(void **state) {
  (void)state;
  scene s = open_scene();
  bt_error error;
  bt_result *vina;
  bt_dock_options options = bt_dock_options_default();
  options.runs = 1;
  support_ok(bt_result_create(s.ligand[1], s.maps[1], NULL, &options, &vina, &error), &error);
  memcpy(vina->runs[0].xyz, s.ligand[1]->xyz, 3 * (size_t)s.ligand[1]->n_atoms * sizeof(double));
  bt_genotype_identity(s.ligand[1], &vina->runs[0].genotype);
  support_ok(bt_result_cluster(vina, &error), &error);
  support_ok(bt_result_rescore(vina, s.ligand[0], s.maps[0], 1, &error), &error);
  bt_energy input;
  support_ok(bt_score(s.ligand[0], s.maps[0], BT_FORM_TABULATED, BT_TORSIONAL_TORSDOF, &input, NULL, &error), &error);
  bt_energy found = bt_result_rescored(vina, 0, 0).energy;
  assert_true(found.total < input.total && found.unbound == 0);
  assert_int_equal(bt_result_rescore(vina, s.ligand[0], s.maps[0], 1, &error), BT_ERR_USAGE); /* twice */
  assert_int_equal(bt_result_rescore(vina, s.ligand[1], s.maps[1], 1, &error), BT_ERR_USAGE); /* the docking's own */
  assert_int_equal(bt_result_rescore(vina, s.ligand[2], s.maps[1], 1, &error), BT_ERR_USAGE); /* others' maps */
  bt_molecule *other = example("ligand-crystal.pdbqt", BT_MOLECULE_LIGAND);
  bt_ligand *stranger;
  support_ok(bt_ligand_create_as(other, NULL, BT_SCORING_VINARDO, &stranger, &error), &error);
  assert_int_equal(bt_result_rescore(vina, stranger, s.maps[2], 1, &error), BT_ERR_USAGE);
  assert_int_equal(bt_result_rescored_count(vina), 1);
  bt_ligand_destroy(stranger);
  bt_molecule_destroy(other);
  bt_result_destroy(vina);
  close_scene(&s);
}

/* The clusters' runs are 2, 4 and 1, with -11, -10 and -9 kcal/mol. */
static void orders_of_known_energies(void **state) {
  (void)state;
  static const struct {
    double second[3];
    int by_score, by_ranks, by_blend; /* the run of the first cluster */
  } cases[] = {
      {{-5, -6, -8}, 1, 1, 1},   /* ranks 1+3, 2+2, 3+1: the second function decides; shares 0.375, 0.341, 0.182 */
      {{-8, -8.1, -2}, 4, 4, 2}, /* ranks 1+2, 2+1; shares 0.012 against 0.091 */
      {{-8, -7, -6}, 2, 2, 2},
      {{0.5, 0.2, -0.1}, 1, 1, 1}, /* of energies near zero no share is taken */
  };
  static const double tolerance = 1e-12;
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
    for (int by = BT_RANK_SCORE; by <= BT_RANK_BLEND; by++) {
      scene s = open_scene();
      bt_error error;
      rescore(&s, BT_SCORING_VINA, 1);
      for (int c = 0; c < 3; c++) s.result->rescored[0][c].energy.free_energy = cases[k].second[c];
      support_ok(bt_result_rank(s.result, (bt_rank_by)by, &error), &error);
      int first = by == BT_RANK_SCORE ? cases[k].by_score : by == BT_RANK_RANKS ? cases[k].by_ranks : cases[k].by_blend;
      assert_int_equal(bt_result_ranked(s.result, 0).run, first);
      int leader = s.result->clusters[0].leader; /* energies move with their clusters */
      assert_near(bt_result_rescored(s.result, 0, 0).energy.free_energy,
                  cases[k].second[leader == 1   ? 0
                                  : leader == 3 ? 1
                                                : 2],
                  tolerance);
      close_scene(&s);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leaders_are_minimised),
      cmocka_unit_test(clusters_follow_the_second_score),
      cmocka_unit_test(autodock_on_its_maps),
      cmocka_unit_test(orders_of_known_energies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
