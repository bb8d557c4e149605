/* test_odds.c - a re-scorer whose scores have no unit and need not be numbers, and that may fail as a whole. */
#include "rescore/rescorer.h"
#include "unit/rescore/scene.h"

/* ---- the re-scorer ---- */

enum { MOST = 8 };

/* What it says of the poses of a call, one after the other. */
static struct {
  double score[MOST], probability[MOST];
  bool silent;  /* it sets nothing */
  bool refuses; /* each pose */
  bool fails;
  char networks[64]; /* that it was opened with */
} says;

static bt_status open_odds(const char *name, const bt_rescore_setting *setting, void **ret_self, bt_error *opt_error) {
  (void)opt_error;
  assert_string_equal(name, "odds");
  snprintf(says.networks, sizeof says.networks, "%s", setting->opt_networks);
  *ret_self = NULL;
  return BT_OK;
}

static bt_status score_odds(void *self, bt_rescore_pose *poses, int n, bt_error *opt_error) {
  (void)self;
  assert_true(n <= MOST);
  if (says.fails) return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, "try again", "the dice are lost");
  for (int p = 0; p < n; p++) {
    assert_true(isnan(poses[p].score) && isnan(poses[p].values[0]));
    if (!says.silent) poses[p].score = says.score[p], poses[p].values[0] = says.probability[p];
    if (says.refuses)
      (void)bt_fail(&poses[p].error, BT_ERR_PARAMETER, (bt_where){0}, "leave odds out", "odds knows no such ligand");
  }
  return BT_OK;
}

static void close_odds(void *self) { (void)self; }

static const char *const value_names[] = {"probability", NULL};
const bt_rescorer_type odds_rescorer; /* for the registry */
const bt_rescorer_type odds_rescorer = {.open = open_odds,
                                        .score = score_odds,
                                        .close = close_odds,
                                        .opt_values = value_names,
                                        .networks = true,
                                        .unitless = true};

/* ---- tests ---- */

/* Log odds of the clusters of one or two results, whose runs are 2, 4 and 1 with -11, -10 and -9 kcal/mol. */
static int fresh(void **state) {
  static const double score[MOST] = {4, -2, 0, 4, -2, 0}, probability[MOST] = {0.018, 0.881, 0.5, 0.018, 0.881, 0.5};
  (void)state;
  memset(&says, 0, sizeof says);
  memcpy(says.score, score, sizeof score);
  memcpy(says.probability, probability, sizeof probability);
  return 0;
}

static void a_score_without_unit(void **state) {
  (void)state;
  static const int run[] = {4, 1, 2};
  static const double sum[] = {-12, -9, -7}, tolerance = 1e-12;
  scene s = open_scene(BT_SCORING_VINA);
  bt_rescoring *rescoring = open_rescoring(&s, "odds", 1);
  bt_error error;
  support_ok(bt_rescoring_apply(rescoring, &s.result, 1, bt_rank_default("odds"), &error, &error), &error);
  support_ok(error.status, &error);
  assert_string_equal(bt_result_ranked_by(s.result), "sum");
  for (int c = 0; c < 3; c++) {
    bt_rescored of = bt_result_rescored(s.result, c, 0);
    assert_int_equal(s.result->clusters[c].leader + 1, run[c]);
    assert_near(bt_result_rank_energy(s.result, c), sum[c], tolerance);
    assert_int_equal(of.rank, c + 1); /* by its score alone, too */
    assert_true(of.unitless && !of.minimized && !of.has_energy && of.moved == 0 && of.n_values == 1);
    assert_string_equal(of.value_names[0], "probability");
    assert_near(of.values[0], says.probability[c == 0 ? 1 : c == 1 ? 2 : 0], 0);
  }
  support_ok(bt_result_rank(s.result, BT_RANK_SCORE, &error), &error);
  assert_string_equal(bt_result_ranked_by(s.result), "odds");
  assert_near(bt_result_rank_energy(s.result, 0), -2, 0);
  bt_rescoring_close(rescoring);
  close_scene(&s);
}

static void words_and_networks(void **state) {
  (void)state;
  assert_int_equal(bt_rank_default("vina"), BT_RANK_RANKS);
  assert_int_equal(bt_rank_default("odds"), BT_RANK_SUM);
  assert_int_equal(bt_rank_default("vina,odds"), BT_RANK_SUM);
  assert_int_equal(bt_rank_default(""), BT_RANK_RANKS);
  assert_true(bt_rescorer("vina,odds", 1).unitless && bt_rescorer("vina,odds", 1).n_values == 1);
  assert_false(bt_rank_is_energy("odds"));
  assert_true(bt_rank_is_energy("vina"));
  scene s = open_scene(BT_SCORING_AD4);
  bt_rescoring *rescoring = open_rescoring(&s, "vina", 1);
  assert_string_equal(bt_rescoring_networks(rescoring), "");
  bt_rescoring_close(rescoring);
  rescoring = open_rescoring(&s, "vina,odds", 1);
  assert_string_equal(bt_rescoring_networks(rescoring), "staged"); /* where nothing is chosen */
  assert_string_equal(says.networks, "staged");
  bt_rescoring_close(rescoring);
  close_scene(&s);
}

/* Applies to two results: the first has the error, the second its scores. */
static void expect_error(bt_status status, const char *words) {
  scene s = open_scene(BT_SCORING_AD4), t = open_scene(BT_SCORING_AD4);
  bt_rescoring *rescoring = open_rescoring(&s, "odds,vina", 1);
  bt_error error, errors[2];
  bt_result *both[] = {s.result, t.result};
  support_ok(bt_rescoring_apply(rescoring, both, 2, BT_RANK_SUM, errors, &error), &error);
  support_failed(errors[0].status, status, &errors[0], words);
  assert_int_equal(bt_result_rescored_count(s.result), 0);
  assert_int_equal(bt_result_ranked(s.result, 0).run, 2); /* as it was docked */
  if (says.silent || says.refuses) {
    support_failed(errors[1].status, status, &errors[1], words);
  } else {
    support_ok(errors[1].status, &errors[1]);
    assert_int_equal(bt_result_rescored_count(t.result), 2);
  }
  bt_rescoring_close(rescoring);
  close_scene(&s);
  close_scene(&t);
}

static void what_is_no_number(void **state) {
  static const double numbers[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 3; k++)
    for (int pose = 0; pose < 3; pose++) {
      fresh(state);
      says.score[pose] = numbers[k];
      expect_error(BT_ERR_INPUT, "odds gives a pose no finite score");
      fresh(state);
      says.probability[pose] = numbers[k];
      expect_error(BT_ERR_INPUT, "odds gives a pose no finite probability");
    }
  says.silent = true;
  expect_error(BT_ERR_INPUT, "odds gives a pose no finite score");
  says.refuses = true; /* the re-scorer's own reason comes first */
  expect_error(BT_ERR_PARAMETER, "odds knows no such ligand");
}

static void a_failure_leaves_results_as_they_were(void **state) {
  (void)state;
  scene s = open_scene(BT_SCORING_AD4);
  bt_rescoring *rescoring = open_rescoring(&s, "vina,odds", 1);
  bt_error error, of_result;
  says.fails = true;
  bt_status status = bt_rescoring_apply(rescoring, &s.result, 1, BT_RANK_SUM, &of_result, &error);
  support_failed(status, BT_ERR_DEVICE, &error, "the dice are lost");
  assert_int_equal(bt_result_rescored_count(s.result), 0);
  says.fails = false;
  support_ok(bt_rescoring_apply(rescoring, &s.result, 1, BT_RANK_SUM, &of_result, &error), &error);
  assert_int_equal(bt_result_rescored_count(s.result), 2);
  bt_rescoring_close(rescoring);
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(a_score_without_unit, fresh),
      cmocka_unit_test_setup(words_and_networks, fresh),
      cmocka_unit_test_setup(what_is_no_number, fresh),
      cmocka_unit_test_setup(a_failure_leaves_results_as_they_were, fresh),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
