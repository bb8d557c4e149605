/* test_apply.c - clusters as re-scorers see them, and their order by several scores. */
#include "base/threads.h"
#include "unit/rescore/scene.h"

/* Results of one receptor. */
static void rescore(const scene *s, bt_result *const *results, int n, const char *names, int threads, bt_rank_by by) {
  bt_error error, errors[4];
  bt_rescoring *rescoring = open_rescoring(s, names, threads);
  assert_string_equal(bt_rescoring_names(rescoring), names);
  support_ok(bt_rescoring_apply(rescoring, results, n, by, errors, &error), &error);
  for (int i = 0; i < n; i++) support_ok(errors[i].status, &errors[i]);
  bt_rescoring_close(rescoring);
}

static void leaders_are_minimized(void **state) {
  (void)state;
  static const char *const names[] = {"ad4", "vina", "vinardo"};
  for (int k = 0; k < 3; k++) {
    bt_scoring docked = k == BT_SCORING_AD4 ? BT_SCORING_VINA : BT_SCORING_AD4;
    scene s = open_scene(docked), t = open_scene(docked), u = open_scene(docked);
    rescore(&s, &s.result, 1, names[k], 1, BT_RANK_SCORE);
    rescore(&s, (bt_result *[]){u.result, t.result}, 2, names[k], 3, BT_RANK_SCORE);
    bool ranks[4] = {false};
    for (int c = 0; c < 3; c++) {
      bt_rescored of = bt_result_rescored(s.result, c, 0), other = bt_result_rescored(t.result, c, 0);
      assert_string_equal(of.name, names[k]);
      assert_string_equal(of.title, bt_scoring_title((bt_scoring)k));
      assert_true(of.minimized && of.has_energy && of.moved > 0);
      assert_near(of.score, of.energy.free_energy, 0);
      assert_near(of.energy.unbound, bt_result_rescored(s.result, 0, 0).energy.unbound, 0);
      assert_memory_equal(&of.energy, &other.energy, sizeof of.energy); /* whatever the number of threads and ligands */
      ranks[of.rank] = true;
    }
    assert_true(ranks[1] && ranks[2] && ranks[3]);
    assert_true(bt_result_rescored(s.result, 0, 0).moved < 2 && bt_result_rescored(s.result, 0, 0).rank == 1);
    close_scene(&s);
    close_scene(&t);
    close_scene(&u);
  }
}

static void clusters_follow_the_last_score(void **state) {
  (void)state;
  scene s = open_scene(BT_SCORING_AD4);
  bt_error error;
  support_ok(bt_result_rank(s.result, BT_RANK_SCORE, &error), &error);
  assert_int_equal(bt_result_ranked(s.result, 0).run, 2); /* nothing to rank by yet */
  rescore(&s, &s.result, 1, "vina,vinardo", 0, BT_RANK_SCORE);
  assert_int_equal(bt_result_rescored_count(s.result), 2);
  bt_run_summary best = bt_result_ranked(s.result, 0);
  assert_true(best.run == 1 && best.cluster == 1 && best.rank_in_cluster == 1);
  assert_int_equal(bt_result_ranked(s.result, 1).run, 3);
  for (int k = 0; k < RUNS; k++) /* poses come in the same order, as they were found */
    assert_ptr_equal(bt_result_coordinates(s.result, k), s.result->runs[bt_result_ranked(s.result, k).run - 1].xyz);
  assert_null(bt_result_coordinates(s.result, -1));
  assert_null(bt_result_coordinates(s.result, RUNS));
  assert_int_equal(bt_result_rescored(s.result, 0, 1).rank, 1);
  assert_string_equal(bt_result_ranks_ligands_by(s.result), "vinardo");
  assert_string_equal(bt_rank_ligands_by(BT_RANK_SCORE, "ad4", "vina,vinardo"), "vinardo");
  assert_string_equal(bt_rank_ligands_by(BT_RANK_SCORE, "ad4", ""), "ad4");
  assert_string_equal(bt_rank_ligands_by(BT_RANK_RANKS, "ad4", "vina"), "ad4");
  assert_string_equal(bt_rank_ligands_by(BT_RANK_BLEND, "ad4", "vina"), "blend");
  int order[RUNS]; /* what writers follow */
  support_ok(bt_result_order(s.result, order, &error), &error);
  assert_true(order[0] == 0 && order[1] == 2);
  support_ok(bt_result_cluster(s.result, &error), &error);
  assert_true(bt_result_rescored_count(s.result) == 0 && bt_result_ranked(s.result, 0).run == 2);
  close_scene(&s);
}

/* One result is refused, and the others of the batch have their scores. */
static void what_is_refused(void **state) {
  (void)state;
  scene s = open_scene(BT_SCORING_AD4), docked = open_scene(BT_SCORING_VINA);
  bt_error error, errors[2];
  bt_rescoring *rescoring = open_rescoring(&s, "vina", 1);
  bt_result *both[] = {docked.result, s.result};
  support_ok(bt_rescoring_apply(rescoring, both, 2, BT_RANK_SCORE, errors, &error), &error);
  support_failed(errors[0].status, BT_ERR_USAGE, &errors[0], "already been scored by vina");
  support_ok(errors[1].status, &errors[1]);
  assert_int_equal(bt_result_rescored_count(docked.result), 0);
  assert_int_equal(bt_result_rescored_count(s.result), 1);
  support_ok(bt_rescoring_apply(rescoring, both, 2, BT_RANK_SCORE, errors, &error), &error); /* twice */
  assert_int_equal(errors[1].status, BT_ERR_USAGE);
  assert_int_equal(bt_result_rescored_count(s.result), 1);
  bt_rescoring_close(rescoring);
  rescoring = open_rescoring(&s, "", 1); /* none */
  support_ok(bt_rescoring_apply(rescoring, both, 2, BT_RANK_SCORE, errors, &error), &error);
  bt_rescoring_close(rescoring);
  close_scene(&s);
  close_scene(&docked);
}

static void names_in_lists(void **state) {
  (void)state;
  bt_error error;
  assert_string_equal(bt_rescorer("vinardo,ad4", 1).title, "AutoDock 4");
  assert_null(bt_rescorer("vinardo,ad4", 2).name);
  assert_null(bt_rescorer("", 0).name);
  assert_string_equal(bt_rescorer_title("vina"), "Vina");
  assert_string_equal(bt_rescorer_title("of another build"), "of another build");
  for (int k = 0; k < BT_SCORING_COUNT; k++) /* each scoring function of a search re-ranks, too */
    assert_string_equal(bt_rescorer_title(bt_scoring_name((bt_scoring)k)), bt_scoring_title((bt_scoring)k));
  support_ok(bt_rescorers_check("vinardo,ad4", "vina", &error), &error);
  support_ok(bt_rescorers_check("", "vina", &error), &error);
  support_failed(bt_rescorers_check("vina,chemplp", NULL, &error), BT_ERR_USAGE, &error,
                 "'chemplp' is not a re-scorer");
  assert_non_null(strstr(error.remedy, "use a list of ad4, vina, vinardo")); /* further re-scorers may follow */
  support_failed(bt_rescorers_check(",", NULL, &error), BT_ERR_USAGE, &error, "'' is not a re-scorer");
  support_failed(bt_rescorers_check("vina,vina", NULL, &error), BT_ERR_USAGE, &error, "vina is given twice");
  support_failed(bt_rescorers_check("vina", "vina", &error), BT_ERR_USAGE, &error, "of the docking itself");
}

/* The clusters' runs are 2, 4 and 1, with -11, -10 and -9 kcal/mol. */
static void orders_of_known_energies(void **state) {
  (void)state;
  static const struct {
    double second[3];
    int first[4]; /* the run of the first cluster, by score, ranks, blend, sum */
  } cases[] = {
      {{-5, -6, -8}, {1, 1, 1, 1}},   /* ranks 1+3, 2+2, 3+1: the second function decides; shares 0.375, 0.341, 0.182 */
      {{-8, -8.1, -2}, {4, 4, 2, 2}}, /* ranks 1+2, 2+1; shares 0.012 against 0.091 */
      {{-8, -7, -6}, {2, 2, 2, 2}},   {{0.5, 0.2, -0.1}, {1, 1, 1, 2}}, /* of energies near zero no share is taken */
      {{3, 1.5, -1}, {1, 1, 1, 1}}, /* sums -8, -8.5, -10: a better score outweighs the lowest energy */
  };
  static const double tolerance = 1e-12;
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
    for (int by = BT_RANK_SCORE; by <= BT_RANK_SUM; by++) {
      scene s = open_scene(BT_SCORING_AD4);
      bt_error error;
      bt_rescored *scores = bt_allocate(3, sizeof *scores);
      for (int c = 0; c < 3; c++) scores[c] = (bt_rescored){.name = "vina", .score = cases[k].second[c]};
      support_ok(bt_result_add_scores(s.result, scores, &error), &error);
      support_ok(bt_result_rank(s.result, (bt_rank_by)by, &error), &error);
      assert_int_equal(bt_result_ranked(s.result, 0).run, cases[k].first[by]);
      int leader = s.result->clusters[0].leader; /* energies move with their clusters */
      assert_near(bt_result_rescored(s.result, 0, 0).score,
                  cases[k].second[leader == 1   ? 0
                                  : leader == 3 ? 1
                                                : 2],
                  tolerance);
      close_scene(&s);
    }
}

static double *one_value(double value) {
  double *values = bt_allocate(1, sizeof *values);
  values[0] = value;
  return values;
}

/* Log odds -4, 2 and 0, whose scores are 4, -2 and 0, beside -11, -10 and -9 kcal/mol, by a re-scorer that says how
 * probable a pose is. */
static void sums_and_values(void **state) {
  (void)state;
  static const char *const names[] = {"probability", NULL};
  static const double score[] = {4, -2, 0}, probability[] = {0.018, 0.881, 0.5}, sum[] = {-12, -9, -7};
  static const double tolerance = 1e-12;
  static const int run[] = {4, 1, 2};
  scene s = open_scene(BT_SCORING_VINA);
  bt_error error;
  bt_rescored *scores = bt_allocate(3, sizeof *scores);
  for (int c = 0; c < 3; c++)
    scores[c] = (bt_rescored){.name = "net",
                              .title = "Net",
                              .score = score[c],
                              .unitless = true,
                              .n_values = 1,
                              .value_names = names,
                              .values = one_value(probability[c])};
  support_ok(bt_result_add_scores(s.result, scores, &error), &error);
  support_ok(bt_result_rank(s.result, BT_RANK_SUM, &error), &error);
  assert_string_equal(bt_result_ranked_by(s.result), "sum");
  assert_string_equal(bt_result_ranks_ligands_by(s.result), "sum");
  for (int c = 0; c < 3; c++) {
    assert_int_equal(s.result->clusters[c].leader + 1, run[c]);
    assert_near(bt_result_rank_energy(s.result, c), sum[c], tolerance);
  }
  bt_rescored first = bt_result_rescored(s.result, 0, 0); /* values move with their clusters */
  assert_true(first.unitless && first.n_values == 1);
  assert_string_equal(first.value_names[0], "probability");
  assert_near(first.values[0], 0.881, 0);
  char *table;
  support_ok(bt_result_table(s.result, &table, &error), &error);
  static const char lines[] =
      "\ncluster       Vina  probability  rank\n------- ----------  -----------  ----\n"
      "      1     -10.00        0.881     1\n";
  assert_non_null(strstr(table, lines));
  assert_non_null(strstr(table, "Clusters in the order of --rank-by sum\n"));
  free(table);
  close_scene(&s);
}

static void what_is_an_energy(void **state) {
  (void)state;
  static const char *const energies[] = {"vina", "ad4", "blend", "bude"};
  for (size_t k = 0; k < sizeof energies / sizeof *energies; k++) assert_true(bt_rank_is_energy(energies[k]));
  assert_false(bt_rank_is_energy("sum"));
  assert_string_equal(bt_rank_ligands_by(BT_RANK_SUM, "vina", "vinardo"), "sum");
  assert_string_equal(bt_rank_ligands_by(BT_RANK_SUM, "vina", ""), "vina");
  bt_rescorer_info vinardo = bt_rescorer("ad4,vinardo", 1);
  assert_true(!vinardo.unitless && vinardo.n_values == 0);
}

enum { CALLS = 2 };

typedef struct callers {
  bt_rescoring *rescoring;
  scene scenes[CALLS];
  bt_status statuses[CALLS];
  bt_error errors[CALLS];
} callers;

static void call(void *context, int k) {
  callers *c = context;
  c->statuses[k] =
      bt_rescoring_apply(c->rescoring, &c->scenes[k].result, 1, BT_RANK_SCORE, &c->errors[k], &c->errors[k]);
}

/* The scores of results, by one call after the other or at the same time. False: networks are not installed. */
static bool score_in_calls(const char *devices, int calls, int threads, double scores[CALLS][RUNS]) {
  callers c = {.rescoring = NULL};
  bt_error error;
  bt_grid_options grid = bt_grid_options_default();
  for (int k = 0; k < CALLS; k++) c.scenes[k] = open_scene(BT_SCORING_VINA);
  const bt_rescore_setting setting = {.receptor = c.scenes[0].receptor,
                                      .boxes = &c.scenes[0].box,
                                      .n_boxes = 1,
                                      .grid = &grid,
                                      .opt_device = devices,
                                      .threads = 1,
                                      .opt_networks = "crossdock_default2018",
                                      .calls = calls};
  bool installed = bt_rescoring_open("cnn", &setting, &c.rescoring, &error) == BT_OK;
  if (installed) {
    assert_int_equal(bt_rescoring_calls(c.rescoring), strchr(devices, ',') != NULL ? 2 * calls : calls);
    bt_parallel(threads, call, &c);
    for (int k = threads; k < CALLS; k++) call(&c, k);
    for (int k = 0; k < CALLS; k++) support_ok(c.statuses[k], &c.errors[k]);
  }
  for (int k = 0; k < CALLS; k++) {
    for (int i = 0; installed && i < bt_result_cluster_count(c.scenes[k].result); i++)
      scores[k][i] = bt_result_rescored(c.scenes[k].result, i, 0).score;
    close_scene(&c.scenes[k]);
  }
  bt_rescoring_close(c.rescoring);
  return installed;
}

static void calls_may_run_at_the_same_time(void **state) {
  (void)state;
  double single[CALLS][RUNS] = {{0}}, several[CALLS][RUNS] = {{0}};
  scene s = open_scene(BT_SCORING_VINA);
  bt_rescoring *rescoring = open_rescoring(&s, "vinardo", 1);
  assert_int_equal(bt_rescoring_calls(rescoring), 1);
  bt_rescoring_close(rescoring);
  close_scene(&s);
  if (!score_in_calls("cpu", 1, 1, single)) {
    print_message("skipped: the networks are not installed\n");
    skip();
  }
  assert_true(single[0][0] != 0);
  for (int calls = 1; calls <= CALLS; calls++) {
    assert_true(score_in_calls("cpu", calls, CALLS, several));
    assert_memory_equal(several, single, sizeof single);
  }
  /* one after the other, on the first device; or each on its own, whose sums are not in the same order */
  assert_true(score_in_calls("cpu/scalar,cpu/sse2", 1, CALLS, several));
  for (int k = 0; k < CALLS; k++)
    for (int i = 0; i < RUNS; i++) assert_near(several[k][i], single[k][i], 1e-3);
}

static void devices_must_exist(void **state) {
  (void)state;
  double scores[CALLS][RUNS];
  if (!score_in_calls("cpu", 1, 1, scores)) {
    print_message("skipped: the networks are not installed\n");
    skip();
  }
  assert_false(score_in_calls("cpu,nosuch", 1, 1, scores));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leaders_are_minimized),    cmocka_unit_test(clusters_follow_the_last_score),
      cmocka_unit_test(what_is_refused),          cmocka_unit_test(names_in_lists),
      cmocka_unit_test(orders_of_known_energies), cmocka_unit_test(sums_and_values),
      cmocka_unit_test(what_is_an_energy),        cmocka_unit_test(calls_may_run_at_the_same_time),
      cmocka_unit_test(devices_must_exist),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
