/* test_enrichment.c - rankings whose enrichment can be computed by hand. */
#include "results/enrichment.h"

#include "unit/assert_near.h"
#include "unit/support.h"

enum { RESAMPLINGS = 1000, MOST = 2000 };

static bt_enrichment measure(const double *scores, const bool *active, size_t n, int resamplings, uint64_t seed) {
  bt_enrichment e;
  bt_error error;
  support_ok(bt_enrichment_measure(scores, active, n, resamplings, seed, &e, &error), &error);
  return e;
}

static void expect_inside(const bt_interval *interval) {
  assert_true(interval->low <= interval->value && interval->value <= interval->high);
}

static void expect_all(const bt_interval *interval, double value) {
  assert_near(interval->low, value, 1e-12);
  assert_near(interval->value, value, 1e-12);
  assert_near(interval->high, value, 1e-12);
}

/* From (0, 0) to (1, 1), never down or back; its area is the AUC where no ties are cut. */
static double area_of_roc(const bt_enrichment *e) {
  double area = 0;
  assert_true(e->n_roc >= 2 && e->n_roc <= BT_ROC_POINTS);
  for (int k = 0; k < 2; k++) {
    assert_near(e->roc[0][k], 0, 0);
    assert_near(e->roc[e->n_roc - 1][k], 1, 0);
  }
  for (int i = 1; i < e->n_roc; i++) {
    assert_true(e->roc[i][0] >= e->roc[i - 1][0] && e->roc[i][1] >= e->roc[i - 1][1]);
    area += (e->roc[i][0] - e->roc[i - 1][0]) * (e->roc[i][1] + e->roc[i - 1][1]) / 2;
  }
  return area;
}

/* 20 actives among 400: the first four are 1 %, the first twenty 5 %. */
static void test_perfect_and_reversed(void **state) {
  (void)state;
  double scores[400];
  bool active[400];
  for (int i = 0; i < 400; i++) {
    scores[i] = i * 7 % 400; /* in any order */
    active[i] = scores[i] < 20;
  }
  bt_enrichment e = measure(scores, active, 400, RESAMPLINGS, 1);
  assert_true(e.actives == 20 && e.decoys == 380);
  expect_all(&e.auc, 1);
  expect_all(&e.ef1, 20);
  expect_all(&e.ef5, 20);
  assert_near(area_of_roc(&e), 1, 1e-12);
  for (int i = 0; i < 400; i++) scores[i] = -scores[i];
  e = measure(scores, active, 400, RESAMPLINGS, 1);
  expect_all(&e.auc, 0);
  expect_all(&e.ef1, 0);
  expect_all(&e.ef5, 0);
  assert_near(area_of_roc(&e), 0, 1e-12);
}

/* Ranks 1, 3 and 6 of ten: 7 + 6 + 4 of 21 pairs are in the right order. One ligand is the least that 1 % can be, and 5
 * % of ten are one too. */
static void test_by_hand(void **state) {
  (void)state;
  const double scores[] = {-10, -9, -8, -7, -6, -5, -4, -3, -2, -1};
  const bool active[] = {true, false, true, false, false, true, false, false, false, false};
  bt_enrichment e = measure(scores, active, 10, RESAMPLINGS, 1);
  assert_near(e.auc.value, 17.0 / 21, 1e-12);
  assert_near(e.ef1.value, 10.0 / 3, 1e-12);
  assert_near(e.ef5.value, 10.0 / 3, 1e-12);
  assert_near(area_of_roc(&e), 17.0 / 21, 1e-12);
  assert_int_equal(e.n_roc, 11);
  assert_near(e.roc[2][0], 1.0 / 7, 1e-12); /* after the first decoy */
  assert_near(e.roc[2][1], 1.0 / 3, 1e-12);
}

static void test_equal_scores(void **state) {
  (void)state;
  double scores[50];
  bool active[50];
  for (int i = 0; i < 50; i++) {
    scores[i] = -7.5;
    active[i] = i < 5;
  }
  bt_enrichment e = measure(scores, active, 50, RESAMPLINGS, 1);
  expect_all(&e.auc, 0.5);
  expect_all(&e.ef1, 1);
  expect_all(&e.ef5, 1);
  assert_int_equal(e.n_roc, 2);
  assert_near(area_of_roc(&e), 0.5, 1e-12);
}

/* 200 ligands, 10 actives. One active leads; a tie of 4 actives and 12 decoys has the ranks 2 to 17. 1 %: 2 ligands
 * hold 1 + 4/16 actives; 5 %: 10 hold 1 + 9 4/16. The other five actives are last but for nobody. */
static void test_ties_count_in_proportion(void **state) {
  (void)state;
  double scores[200];
  bool active[200];
  for (int i = 0; i < 200; i++) {
    scores[i] = i < 1 ? -12 : i < 17 ? -9 : i;
    active[i] = i < 5 || i >= 195;
  }
  bt_enrichment e = measure(scores, active, 200, RESAMPLINGS, 1);
  assert_near(e.ef1.value, 1.25 / 2 / 0.05, 1e-12);
  assert_near(e.ef5.value, 3.25 / 10 / 0.05, 1e-12);
  assert_near(e.auc.value, (190 + 4 * (178 + 12 / 2.0)) / 1900, 1e-12);
  expect_inside(&e.auc);
  expect_inside(&e.ef1);
  expect_inside(&e.ef5);
}

/* One active of two was not docked, nor one decoy of two: the docked active is before both, the other one ties. */
static void test_undocked_ligands_are_last(void **state) {
  (void)state;
  const double scores[] = {INFINITY, 1e300, INFINITY, -5};
  const bool active[] = {true, false, false, true};
  bt_enrichment e = measure(scores, active, 4, RESAMPLINGS, 1);
  assert_near(e.auc.value, (2 + 0.5) / 4, 1e-12);
  const double undocked[] = {INFINITY, INFINITY, 3, 2};
  const bool both[] = {true, true, false, false};
  e = measure(undocked, both, 4, RESAMPLINGS, 1);
  expect_all(&e.auc, 0);
  expect_all(&e.ef1, 0);
}

/* One active of so many, 1 better in scores that are spread over 5; from a generator of its own. */
static void mix(double *scores, bool *active, size_t n, size_t every, uint64_t random) {
  for (size_t i = 0; i < n; i++) {
    random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    active[i] = i % every == 0;
    scores[i] = -8 + 5 * (double)(random >> 11) * 0x1p-53 - active[i];
  }
}

static void test_intervals(void **state) {
  (void)state;
  double scores[MOST];
  bool active[MOST];
  for (uint64_t trial = 1; trial <= 20; trial++) {
    mix(scores, active, 300, 10, trial);
    bt_enrichment e = measure(scores, active, 300, RESAMPLINGS, 5),
                  again = measure(scores, active, 300, RESAMPLINGS, 5);
    expect_inside(&e.auc);
    expect_inside(&e.ef1);
    expect_inside(&e.ef5);
    assert_true(e.auc.high - e.auc.low > 0.02 && e.auc.high - e.auc.low < 0.4);
    assert_memory_equal(&e.auc, &again.auc, sizeof e.auc);
    assert_memory_equal(&e.ef1, &again.ef1, sizeof e.ef1);
    assert_memory_equal(&e.ef5, &again.ef5, sizeof e.ef5);
    bt_enrichment other = measure(scores, active, 300, RESAMPLINGS, 6);
    assert_true(other.auc.low != e.auc.low || other.auc.high != e.auc.high);
    assert_near(other.auc.value, e.auc.value, 0);
    assert_near(other.auc.low, e.auc.low, 0.05);
    bt_enrichment none = measure(scores, active, 300, 0, 5);
    expect_all(&none.auc, e.auc.value);
  }
}

/* The one resampling of the first call is also the first of the second call, where two do not give a 95 % interval. */
static void test_few_resamplings(void **state) {
  (void)state;
  double scores[MOST];
  bool active[MOST];
  mix(scores, active, 300, 10, 1);
  for (uint64_t seed = 1; seed <= 20; seed++) {
    bt_enrichment one = measure(scores, active, 300, 1, seed), two = measure(scores, active, 300, 2, seed);
    assert_near(one.auc.high, one.auc.low, 0);
    assert_true(two.auc.low <= one.auc.low && one.auc.low <= two.auc.high);
    assert_true(two.auc.low < two.auc.high);
  }
}

/* The share of the other kind that one ligand is on the right side of. */
static double place_of(const double *scores, const bool *active, size_t n, size_t i) {
  double right = 0, others = 0;
  for (size_t j = 0; j < n; j++) {
    if (active[j] == active[i]) continue;
    right += active[i] ? scores[i] < scores[j] : scores[j] < scores[i];
    others++;
  }
  return right / others;
}

/* By the variance of the AUC from such places: DeLong, DeLong, Clarke-Pearson, Biometrics 44 (1988) 837. With as many
 * actives as decoys both resamplings make the half of it. */
static void test_width_of_intervals(void **state) {
  (void)state;
  double scores[MOST];
  bool active[MOST];
  for (uint64_t trial = 1; trial <= 10; trial++) {
    double variance = 0;
    mix(scores, active, 400, 2, trial);
    bt_enrichment e = measure(scores, active, 400, 4 * RESAMPLINGS, trial);
    for (size_t i = 0; i < 400; i++)
      variance += pow(place_of(scores, active, 400, i) - e.auc.value, 2) / (200.0 * 200.0);
    assert_near((e.auc.high - e.auc.low) / (2 * 1.96 * sqrt(variance)), 1, 0.08);
    assert_near((e.auc.value - e.auc.low) / (e.auc.high - e.auc.value), 1, 0.25);
  }
}

static void test_one_kind_alone(void **state) {
  (void)state;
  const double scores[] = {1, 2};
  const bool none[] = {false, false}, all[] = {true, true};
  bt_enrichment e;
  bt_error error;
  support_failed(bt_enrichment_measure(scores, none, 2, 10, 1, &e, &error), BT_ERR_USAGE, &error, "0 actives");
  support_failed(bt_enrichment_measure(scores, all, 2, 10, 1, &e, &error), BT_ERR_USAGE, &error, "0 decoys");
  support_failed(bt_enrichment_measure(scores, all, 0, 10, 1, &e, &error), BT_ERR_USAGE, &error, "0 actives");
}

/* Few ligands have a point each, many have points at equal steps along the curve. */
static void test_roc_of_few_and_many(void **state) {
  (void)state;
  double scores[MOST];
  bool active[MOST];
  static const size_t sizes[] = {20, 100, 190, 210, 500, 2000};
  for (int k = 0; k < 6; k++) {
    mix(scores, active, sizes[k], 10, 3);
    bt_enrichment e = measure(scores, active, sizes[k], 10, 1);
    assert_near(area_of_roc(&e), e.auc.value, sizes[k] < 30 ? 1e-12 : 2e-3);
    if (k == 0) assert_int_equal(e.n_roc, 21);
    if (k > 0) assert_true(e.n_roc > 80);
    for (int i = 1; i < e.n_roc; i++) assert_true(e.roc[i][0] - e.roc[i - 1][0] < 0.06);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_perfect_and_reversed),
      cmocka_unit_test(test_by_hand),
      cmocka_unit_test(test_equal_scores),
      cmocka_unit_test(test_ties_count_in_proportion),
      cmocka_unit_test(test_undocked_ligands_are_last),
      cmocka_unit_test(test_intervals),
      cmocka_unit_test(test_few_resamplings),
      cmocka_unit_test(test_width_of_intervals),
      cmocka_unit_test(test_one_kind_alone),
      cmocka_unit_test(test_roc_of_few_and_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
