/* test_e50_budgets.c - programs compared by the least seconds over budgets: a table worked out by hand, and refusals.
 */
#include "bench/e50/budgets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit/assert_near.h"
#include "unit/support.h"

#define HEADER "program\tcommit\tcard\tblock\testimator\tcomplex\treference\tevaluations\truns\thits\tseconds\n"
/* a: 1 s per run, half of which hit; 2 s, nine in ten: 2 ln 0.01 / ln 0.1 = 4 s is the least. b: 1 s, nine in ten: 2 s;
 * 2 s, ten in ten, counted as 9.5. */
#define A_X "a\t11\tH\t64\thits\tx\t-5\t1000\t10\t5\t10\na\t11\tH\t64\thits\tx\t-5\t2,000\t10\t9\t20\n"
#define B_X "b\t22\tH\t-\thits\tx\t-5\t1000\t10\t9\t10\nb\t22\tH\t-\thits\tx\t-5\t2000\t10\t10\t20\n"
/* a as before; b: no hit within 0.1 s per run, which does not count; 0.25 s, nine in ten: 0.5 s */
#define A_Y "a\t11\tH\t64\thits\ty\t-7\t1000\t10\t5\t10\na\t11\tH\t64\thits\ty\t-7\t2000\t10\t9\t20\n"
#define B_Y "b\t22\tH\t-\thits\ty\t-7\t100\t10\t0\t1\nb\t22\tH\t-\thits\ty\t-7\t250\t10\t9\t2.5\n"

static void test_by_hand(void **state) {
  (void)state;
  static const char text[] = "# made up\n" HEADER A_X B_X HEADER A_Y B_Y "a\t11\tH\t64\thits\talone\t-1\t5\t1\t1\t1\n";
  bt_e50_budgets t;
  bt_e50_budget_pair pairs[16];
  bt_e50_budget_contest c;
  bt_error error;
  assert_true(bt_e50_is_budgets(text, sizeof text - 1));
  support_ok(bt_e50_budgets_parse("t.tsv", text, sizeof text - 1, &t, &error), &error);
  assert_int_equal(t.n_programs, 2);
  assert_int_equal(t.n_rows, 9);
  assert_string_equal(t.programs[0].block, "64");
  support_ok(bt_e50_budgets_compare(&t, "t.tsv", 0, 1, 1, pairs, &c, &error), &error);
  assert_int_equal(c.n_pairs, 2);
  assert_int_equal(c.alone, 1);
  assert_string_equal(c.pairs[0].complex, "x");
  assert_near(c.pairs[0].sides[0].seconds, 4, 1e-12);
  assert_int_equal(c.pairs[0].sides[0].row->evaluations, 2000);
  assert_true(c.pairs[0].sides[0].at_edge);
  assert_near(c.pairs[0].sides[1].seconds, 2, 1e-12);
  assert_near(c.pairs[1].sides[1].seconds, 0.5, 1e-12);
  assert_near(c.pairs[0].ratio, 0.5, 1e-12);
  assert_near(c.pairs[1].ratio, 0.125, 1e-12);
  assert_near(c.mean.ratio, 0.25, 1e-12);
  assert_near(c.least, 0.125, 1e-12);
  assert_near(c.largest, 0.5, 1e-12);
  assert_true(c.mean.low < 0.25 && c.mean.low > 0 && c.mean.high > 0.25);
  assert_int_equal(c.mean.pairs, 2);
  support_ok(bt_e50_budgets_compare(&t, "t.tsv", 1, 0, 1, pairs, &c, &error), &error); /* the other way round */
  assert_near(c.mean.ratio, 4, 1e-12);
  bt_e50_budgets_free(&t);
}

static void test_seconds_of_hits(void **state) {
  (void)state;
  assert_near(bt_e50_seconds_of_hits(90, 100, 100, 100), 2, 1e-12);
  assert_near(bt_e50_seconds_of_hits(100, 100, 100, 100), log(0.01) / log(0.005), 1e-12); /* 1 counts as 0.995 */
  assert_near(bt_e50_seconds_of_hits(100, 100, 10, 100), log(0.01) / log(0.05), 1e-12);   /* the other side has 10 */
  assert_near(bt_e50_seconds_of_hits(1, 100, 10, 100), log(0.01) / log(0.99), 1e-12);     /* few hits are as they are */
  assert_near(bt_e50_seconds_of_hits(0, 10, 10, 10), log(0.01) / log(0.95), 1e-12);
}

static void test_no_hits(void **state) {
  (void)state;
  static const char text[] = HEADER A_X
      "b\t22\tH\t-\thits\tx\t-5\t1000\t10\t0\t10\nb\t22\tH\t-\thits\tx\t-5\t2000\t10\t0\t20\n"
      "a\t11\tH\t64\thits\tz\t-5\t1000\t10\t0\t10\na\t11\tH\t64\thits\tz\t-5\t2000\t10\t0\t10\n"
      "b\t22\tH\t-\thits\tz\t-5\t1000\t10\t0\t10\nb\t22\tH\t-\thits\tz\t-5\t2000\t10\t0\t10\n";
  bt_e50_budgets t;
  bt_e50_budget_pair pairs[16];
  bt_e50_budget_contest c;
  bt_error error;
  support_ok(bt_e50_budgets_parse("t.tsv", text, sizeof text - 1, &t, &error), &error);
  support_ok(bt_e50_budgets_compare(&t, "t.tsv", 0, 1, 1, pairs, &c, &error), &error);
  assert_true(c.pairs[0].sides[1].bound); /* the longest budget, half a hit */
  assert_near(c.pairs[0].sides[1].seconds, 2 * log(0.01) / log(0.95), 1e-12);
  assert_true(isnan(c.pairs[1].ratio)); /* neither hits: no ratio */
  assert_int_equal(c.mean.pairs, 1);
  bt_e50_budgets_free(&t);
}

static void refuse(const char *text, long line, const char *message) {
  bt_e50_budgets t;
  bt_error error;
  bt_status status = bt_e50_budgets_parse("t.tsv", text, strlen(text), &t, &error);
  support_failed(status, BT_ERR_INPUT, &error, message);
  assert_int_equal(error.line, line);
  assert_null(strchr(error.message, '\n'));
  bt_e50_budgets_free(&t);
}

static void test_refused(void **state) {
  (void)state;
  refuse(HEADER A_X "b\t22\tH\t-\ttimes\tx\t-5\t1000\t10\t9\t10\n", 4,
         "estimators are mixed: 'times' here, 'hits' above");
  refuse(HEADER "b\t22\tH\t-\ttimes\tx\t-5\t1000\t10\t9\t10\n", 2, "'times' is no estimator");
  refuse(HEADER A_X "b\t22\tL\t-\thits\tx\t-5\t1000\t10\t9\t10\n", 4, "the card is 'L' here, 'H' above");
  refuse(HEADER A_X "a\t12\tH\t64\thits\ty\t-5\t1000\t10\t9\t10\n", 4, "a has rows of two commits or block sizes");
  refuse(HEADER A_X "a\t11\tH\t128\thits\ty\t-5\t1000\t10\t9\t10\n", 4, "a has rows of two commits or block sizes");
  refuse(HEADER A_X "b\t22\tH\t-\thits\tx\t-5.1\t1000\t10\t9\t10\n", 4, "x is judged from -5.1 here, from -5 above");
  refuse(HEADER A_X "a\t11\tH\t64\thits\tx\t-5\t1000\t10\t9\t10\n", 4, "listed twice");
  refuse(HEADER A_X, 0, "a comparison needs two programs, this table has 1");
  refuse(HEADER "b\t22\tH\t-\thits\tx\t-5\t1000\t10\t11\t10\n", 2, "must lie between 0 and 10");
  refuse(HEADER "b\t22\tH\t-\thits\tx\t-5\t1000\t10\t1\t0\n", 2, "the seconds cannot be '0'");
  refuse(HEADER "b\t22\tH\t-\thits\tx\tlow\t1000\t10\t1\t1\n", 2, "the reference cannot be 'low'");
  refuse(HEADER "b\t22\tH\t-\thits\tx\t-5\t0\t10\t1\t1\n", 2, "the evaluations cannot be '0'");
  refuse(HEADER "b\t22\tH\t-\thits\tx\t-5\t1000\t\t1\t1\n", 2, "the runs is missing");
  refuse(HEADER "b\t22\n", 2, "there are 2 fields");
  refuse("program\tcomplex\n", 1, "there is no column commit");
  refuse("", 0, "needs two programs");
}

static void test_single_budgets(void **state) {
  (void)state;
  static const char single[] = HEADER A_X "b\t22\tH\t-\thits\tx\t-5\t1000\t10\t9\t10\n", apart[] = HEADER A_X B_Y;
  const char *const texts[] = {single, apart}, *const words[] = {"b has a single budget for x", "no complex in common"};
  for (int i = 0; i < 2; i++) {
    bt_e50_budgets t;
    bt_e50_budget_pair pairs[16];
    bt_e50_budget_contest c;
    bt_error error;
    support_ok(bt_e50_budgets_parse("t.tsv", texts[i], strlen(texts[i]), &t, &error), &error);
    support_failed(bt_e50_budgets_compare(&t, "t.tsv", 0, 1, 1, pairs, &c, &error), BT_ERR_INPUT, &error, words[i]);
    bt_e50_budgets_free(&t);
  }
  assert_false(bt_e50_is_budgets("# 5 runs\ncomplex\treference\ta_hits\n", 38));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_hand), cmocka_unit_test(test_seconds_of_hits), cmocka_unit_test(test_no_hits),
      cmocka_unit_test(test_refused), cmocka_unit_test(test_single_budgets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
