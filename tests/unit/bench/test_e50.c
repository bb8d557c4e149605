/* test_e50.c - E50 against cases computed by hand and against simulated searches. */
#include "bench/e50/e50.h"

#include <math.h>
#include <stdlib.h>

#include "unit/support.h"
#include "unit/assert_near.h"

enum { RUNS = 100 };

typedef struct runs {
  bt_e50_run items[RUNS];
  int64_t changes[RUNS];
} runs;

/* Runs whose times of success follow p(n) = 1 - 2^(-(n / e50)^shape), stopped at limit. */
static void simulate(runs *r, double e50, double shape, int64_t limit, uint64_t seed) {
  for (int i = 0; i < RUNS; i++) {
    double u = ((double)(bt_e50_draw(&seed) >> 11) + 0.5) * 0x1p-53;
    double t = e50 * pow(-log2(u), 1.0 / shape);
    r->changes[i] = t < (double)limit ? (int64_t)ceil(t) : limit + 1;
    r->items[i] = (bt_e50_run){.changes = &r->changes[i], .n_changes = t < (double)limit, .evaluations = limit};
  }
}

static bt_e50 estimate(const bt_e50_run *items, int count) { return bt_e50_estimate(items, count, 1); }

static void test_by_hand(void **state) {
  (void)state;
  /* two succeed at 100 and 300, one is ended at 600: ln 2 * 1000 / 2 */
  const int64_t first = 100, second = 300;
  const bt_e50_run items[] = {{&first, 1, 600}, {&second, 1, 600}, {NULL, 0, 600}};
  bt_e50 e50 = estimate(items, 3);
  assert_int_equal(e50.successes, 2);
  assert_near(e50.by_model, log(2.0) * 500.0, 1e-9);
  assert_near(e50.counted, e50.value, 0.0);
  assert_near(bt_e50_share(items, 3, 99), 0.0, 0.0);
  assert_near(bt_e50_share(items, 3, 100), 1.0 / 3.0, 1e-15);
  assert_near(bt_e50_share(items, 3, 1e9), 2.0 / 3.0, 1e-15);
  /* one half is between the budgets 2^8 with 1/3 and 2^8.5 with 2/3 */
  assert_near(e50.by_curve, exp2(8.25), 1e-6);
}

static void test_successes_that_are_lost(void **state) {
  (void)state;
  /* right at 50, wrong from 200 on, right again from 400 on; the other one is lost for good */
  const int64_t back[] = {50, 200, 400}, lost[] = {50, 200};
  const bt_e50_run items[] = {{back, 3, 1000}, {lost, 2, 1000}};
  bt_e50 e50 = estimate(items, 2);
  assert_int_equal(e50.successes, 1);
  assert_near(bt_e50_share(items, 2, 100), 1.0, 0.0);
  assert_near(bt_e50_share(items, 2, 300), 0.0, 0.0);
  assert_near(bt_e50_share(items, 2, 500), 0.5, 0.0);
  assert_near(e50.by_model, log(2.0) * 1400.0, 1e-9);
}

static void test_no_success(void **state) {
  (void)state;
  runs r;
  simulate(&r, 1e12, 1.0, 1000, 1);
  bt_e50 e50 = estimate(r.items, RUNS);
  assert_int_equal(e50.successes, 0);
  assert_true(isinf(e50.value) && isinf(e50.low) && isinf(e50.high) && isinf(e50.by_curve));
  assert_true(isnan(e50.shape));
  assert_near(e50.counted, 2.0 * log(2.0) * 1e5, 1e-6); /* half a success */
}

static void test_memoryless_searches(void **state) {
  (void)state;
  /* budgets of half, equal and four times E50: the estimate holds where the curve has no crossing any more */
  const int64_t limits[] = {2000000, 1000000, 250000};
  for (int l = 0; l < 3; l++) {
    int covered = 0;
    double sum = 0;
    for (uint64_t trial = 0; trial < 40; trial++) {
      runs r;
      simulate(&r, 1e6, 1.0, limits[l], 1000 * trial + 17);
      bt_e50 e50 = estimate(r.items, RUNS);
      sum += log(e50.by_model / 1e6);
      covered += e50.low <= 1e6 && 1e6 <= e50.high;
      if (l == 2) assert_false(e50.interpolated);
    }
    assert_near(sum / 40, 0.0, 0.12);
    assert_true(covered >= 32);
  }
}

static void test_shape_tells_when_the_model_fails(void **state) {
  (void)state;
  runs r;
  simulate(&r, 1e6, 3.0, 4000000, 3);
  bt_e50 e50 = estimate(r.items, RUNS);
  assert_near(e50.shape, 3.0, 0.7);
  assert_true(e50.shape_probability < 0.01 && e50.interpolated);
  assert_near(e50.value / 1e6, 1.0, 0.15); /* the model alone would say otherwise */
  simulate(&r, 1e6, 0.4, 4000000, 4);      /* some never succeed */
  e50 = estimate(r.items, RUNS);
  assert_near(e50.shape, 0.4, 0.12);
  assert_true(e50.shape_probability < 0.01 && e50.interpolated);
  simulate(&r, 1e6, 1.0, 4000000, 5);
  assert_true(estimate(r.items, RUNS).shape_probability > 0.01);
}

static bt_e50_comparison compare(double factor, double *ratios) {
  static const double difficulty[] = {1e4, 3e4, 1e5, 2e5, 5e5, 1e6, 2e6, 4e6};
  enum { CASES = sizeof difficulty / sizeof difficulty[0] };
  runs *r = calloc(2 * CASES, sizeof *r);
  bt_e50_pair pairs[CASES];
  bt_e50_comparison comparison;
  assert_non_null(r);
  for (int i = 0; i < CASES; i++) {
    simulate(&r[2 * i], difficulty[i], 1.0, 2000000, (uint64_t)i + 1);
    simulate(&r[2 * i + 1], factor * difficulty[i], 1.0, 2000000, (uint64_t)i + 101);
    pairs[i] = (bt_e50_pair){{{r[2 * i].items, RUNS, NAN}, {r[2 * i + 1].items, RUNS, NAN}}};
  }
  comparison = bt_e50_compare(pairs, CASES, false, 1, ratios);
  assert_int_equal(comparison.pairs, CASES);
  free(r);
  return comparison;
}

static void test_verdicts(void **state) {
  (void)state;
  double ratios[8];
  bt_e50_comparison same = compare(1.0, ratios);
  assert_int_equal(same.verdict, BT_E50_EQUIVALENT);
  assert_near(same.ratio, 1.0, 0.12);
  bt_e50_comparison half = compare(0.5, ratios);
  assert_int_equal(half.verdict, BT_E50_SECOND_FEWER);
  assert_true(half.low < 0.5 && 0.5 < half.high);
  assert_near(half.probability, 2.0 / 256.0, 1e-12); /* all eight the same way */
  for (int i = 0; i < 8; i++) assert_true(ratios[i] < 1.0);
  assert_int_equal(compare(3.0, NULL).verdict, BT_E50_SECOND_MORE);
}

static void test_seconds(void **state) {
  (void)state;
  /* a million evaluations at half a million per second; 99 % is log2(100) times one half */
  assert_near(bt_e50_seconds(1e6, 5e5, 0.5), 2.0, 1e-12);
  assert_near(bt_e50_seconds(1e6, 5e5, 0.99), 2.0 * log2(100.0), 1e-12);
  assert_true(isinf(bt_e50_seconds(INFINITY, 5e5, 0.5)));
  assert_true(isnan(bt_e50_seconds(1e6, 0, 0.5)) && isnan(bt_e50_seconds(1e6, NAN, 0.5)));
  assert_true(isnan(bt_e50_seconds(1e6, 5e5, 1.0)) && isnan(bt_e50_seconds(1e6, 5e5, 0.0)));
}

static void test_hits_alone(void **state) {
  (void)state;
  assert_near(bt_e50_of_hits(50, 100, 1e6), 1e6, 1e-6);
  assert_near(bt_e50_of_hits(75, 100, 1e6), 5e5, 1e-6);
  assert_near(bt_e50_of_hits(0, 100, 1e6), bt_e50_of_hits(1, 200, 1e6), 1e-3);     /* half a success */
  assert_near(bt_e50_of_hits(100, 100, 1e6), bt_e50_of_hits(199, 200, 1e6), 1e-3); /* half a failure */
  assert_true(isnan(bt_e50_of_hits(0, 0, 1e6)) && isnan(bt_e50_of_hits(5, 4, 1e6)));
  assert_true(isnan(bt_e50_of_hits(-1, 4, 1e6)));
  /* the times of success say the same where the search is memoryless */
  runs r;
  simulate(&r, 1e6, 1.0, 1000000, 11);
  bt_e50 e50 = estimate(r.items, RUNS);
  assert_near(log(bt_e50_of_hits(e50.successes, RUNS, 1e6) / e50.by_model), 0.0, 0.2);
}

static void test_costs(void **state) {
  (void)state;
  /* a search of the same E50 whose evaluations take three times as long */
  runs first, second;
  simulate(&first, 1e5, 1.0, 1000000, 21);
  simulate(&second, 1e5, 1.0, 1000000, 22);
  const bt_e50_pair known = {{{first.items, RUNS, 3e6}, {second.items, RUNS, 1e6}}};
  const bt_e50_pair unknown = {{{first.items, RUNS, 3e6}, {second.items, RUNS, NAN}}};
  bt_e50_comparison comparison[3] = {bt_e50_compare(&known, 1, false, 1, NULL),
                                     bt_e50_compare(&known, 1, true, 1, NULL),
                                     bt_e50_compare(&unknown, 1, true, 1, NULL)};
  assert_near(comparison[1].ratio, 3.0 * comparison[0].ratio, 1e-9);
  assert_near(comparison[1].low, 3.0 * comparison[0].low, 1e-9);
  assert_near(comparison[1].high, 3.0 * comparison[0].high, 1e-9);
  assert_int_equal(comparison[2].pairs, 0);
}

static void test_nothing_and_itself(void **state) {
  (void)state;
  runs never, some;
  simulate(&never, 1e12, 1.0, 1000, 1);
  simulate(&some, 1000, 1.0, 1000, 2);
  bt_e50_pair pairs[] = {{{{never.items, RUNS, NAN}, {never.items, RUNS, NAN}}},
                         {{{some.items, RUNS, NAN}, {some.items, RUNS, NAN}}},
                         {{{some.items, RUNS, NAN}, {never.items, RUNS, NAN}}}};
  double ratios[3];
  bt_e50_comparison comparison;
  comparison = bt_e50_compare(pairs, 2, false, 1, ratios);
  assert_int_equal(comparison.pairs, 1);
  assert_true(isnan(ratios[0]));
  assert_near(ratios[1], 1.0, 0.0);
  assert_near(comparison.probability, 1.0, 0.0);
  /* half a success: ln 2 * 100 * 1000 / 0.5 */
  comparison = bt_e50_compare(pairs + 2, 1, false, 1, ratios);
  assert_near(ratios[0] * estimate(some.items, RUNS).by_model, 2.0 * log(2.0) * 1e5, 1e-3);
  comparison = bt_e50_compare(pairs, 0, false, 1, NULL);
  assert_int_equal(comparison.pairs, 0);
  assert_true(isnan(comparison.ratio));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_hand),
      cmocka_unit_test(test_successes_that_are_lost),
      cmocka_unit_test(test_no_success),
      cmocka_unit_test(test_memoryless_searches),
      cmocka_unit_test(test_shape_tells_when_the_model_fails),
      cmocka_unit_test(test_verdicts),
      cmocka_unit_test(test_seconds),
      cmocka_unit_test(test_hits_alone),
      cmocka_unit_test(test_costs),
      cmocka_unit_test(test_nothing_and_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
