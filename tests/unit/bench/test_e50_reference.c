/* test_e50_reference.c - tables of hits that are read or refused, and runs compared with them. */
#include "bench/e50/e50.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit/support.h"
#include "unit/assert_near.h"

static bt_e50_reference *parse(const char *text, const char *opt_program) {
  bt_e50_reference *table;
  bt_error error;
  bt_status status = bt_e50_reference_parse("t.tsv", text, strlen(text), opt_program, &table, &error);
  if (status != BT_OK) print_message("%s; %s\n", error.message, error.remedy);
  assert_int_equal(status, BT_OK);
  return table;
}

static void assert_refused(const char *text, const char *opt_program, long line, const char *message,
                           const char *remedy) {
  bt_e50_reference *table;
  bt_error error;
  assert_int_equal(bt_e50_reference_parse("t.tsv", text, strlen(text), opt_program, &table, &error), BT_ERR_INPUT);
  assert_null(table);
  assert_string_equal(error.file, "t.tsv");
  assert_int_equal(error.line, line);
  if (strstr(error.message, message) == NULL || strstr(error.remedy, remedy) == NULL)
    print_message("%s; %s\n", error.message, error.remedy);
  assert_non_null(strstr(error.message, message));
  assert_non_null(strstr(error.remedy, remedy));
}

#define COMMENT "# One GPU, 100 runs of 1,000,000 evaluations, 2026.\n"
#define HEADER "complex\tatoms\treference\ta_hits\ta_seconds\tb_hits\tb_seconds\n"

static void test_table(void **state) {
  (void)state;
  bt_e50_reference *t =
      parse(COMMENT HEADER "x\t8\t-5.7\t100\t0.5\t7\t0.2\r\n\ny\t9\t-9\t-\t-\t0\t-\nz\t1\t-1e0\t3\t\t4\t1\n", NULL);
  assert_string_equal(t->program, "a");
  assert_int_equal(t->count, 2); /* y has no hits of a */
  assert_null(bt_e50_reference_find(t, "y"));
  const bt_e50_reference_row *x = bt_e50_reference_find(t, "x"), *z = bt_e50_reference_find(t, "z");
  assert_int_equal(x->hits, 100);
  assert_int_equal(x->runs, 100);
  assert_int_equal(x->evaluations, 1000000);
  assert_near(x->energy, -5.7, 0.0);
  assert_near(x->seconds, 0.5, 0.0);
  assert_true(isnan(z->seconds));
  bt_e50_reference_destroy(t);
  t = parse(COMMENT HEADER "x\t8\t-5.7\t100\t0.5\t7\t0.2\ny\t9\t-9\t-\t-\t0\t-\n", "b");
  assert_string_equal(t->program, "b");
  assert_int_equal(bt_e50_reference_find(t, "x")->hits, 7);
  assert_true(isnan(bt_e50_reference_find(t, "y")->seconds));
  bt_e50_reference_destroy(t);
  bt_e50_reference_destroy(NULL);
}

static void test_columns_of_runs(void **state) {
  (void)state;
  bt_e50_reference *t = parse(COMMENT "complex\truns\tevaluations\treference\ta_hits\nx\t20\t2500000\t-5\t20", NULL);
  assert_int_equal(t->rows[0].runs, 20);
  assert_int_equal(t->rows[0].evaluations, 2500000);
  assert_true(isnan(t->rows[0].seconds));
  bt_e50_reference_destroy(t);
}

static void test_refused(void **state) {
  (void)state;
  assert_refused("", NULL, 0, "no complex", "line for each complex");
  assert_refused(COMMENT HEADER, NULL, 0, "no complex", "line for each complex");
  assert_refused("complex\treference\nx\t1\n", NULL, 1, "no column of hits", "PROGRAM_hits");
  assert_refused("complex\treference\t_hits\nx\t1\t2\n", NULL, 1, "no column of hits", "PROGRAM_hits");
  assert_refused("complex reference a_hits\nx 1 2\n", NULL, 1, "no column complex", "tabs");
  assert_refused("complex\ta_hits\n", NULL, 1, "no column reference", "first line");
  assert_refused(COMMENT HEADER, "c", 2, "no column c_hits", "program that the first line names");
  assert_refused(HEADER "x\t8\t-5.7\t100\t0.5\t7\t0.2\n", NULL, 2, "number of runs", "# 100 runs of 1,000,000");
  assert_refused("# 0 runs of 5 evaluations\n" HEADER "x\t8\t-5.7\t100\t0.5\t7\t0.2\n", NULL, 3, "number of runs", "#");
  assert_refused(COMMENT HEADER "x\t8\t-5.7\t100\n", NULL, 3, "4 fields, the first line names 7", "tab");
  assert_refused(COMMENT HEADER "x\t8\t-5.7\t101\t1\t1\t1\n", NULL, 3, "between 0 and 100", "whole number");
  assert_refused(COMMENT HEADER "x\t8\t-5.7\t-1\t1\t1\t1\n", NULL, 3, "between 0 and 100", "whole number");
  assert_refused(COMMENT HEADER "x\t8\t-5.7\t9.5\t1\t1\t1\n", NULL, 3, "between 0 and 100", "whole number");
  assert_refused(COMMENT HEADER "x\t8\tlow\t9\t1\t1\t1\n", NULL, 3, "'low' is no energy", "kcal/mol");
  assert_refused(COMMENT HEADER "x\t8\t-5\t9\t0\t1\t1\n", NULL, 3, "'0' is no docking time", "seconds");
  assert_refused(COMMENT HEADER "\t8\t-5\t9\t1\t1\t1\n", NULL, 3, "no name", "name");
  assert_refused(COMMENT HEADER "x\t8\t-5\t9\t1\t1\t1\nx\t8\t-5\t9\t1\t1\t1\n", NULL, 4, "twice", "one of the lines");
  assert_refused("complex\truns\tevaluations\treference\ta_hits\nx\tmany\t9\t-5\t2\n", NULL, 2, "number of runs",
                 "whole");
  assert_refused("complex\truns\tevaluations\treference\ta_hits\nx\t5\t-9\t-5\t2\n", NULL, 2, "evaluations", "whole");
  bt_e50_reference *table;
  bt_error error;
  assert_int_equal(bt_e50_reference_parse("t.tsv", "a\0b", 3, NULL, &table, &error), BT_ERR_INPUT);
  assert_int_equal(bt_e50_reference_read("absent.tsv", NULL, &table, &error), BT_ERR_IO);
  assert_string_equal(error.file, "absent.tsv");
}

enum { RUNS = 100 };

typedef struct runs {
  bt_e50_run items[RUNS];
  int64_t changes[RUNS];
} runs;

/* The first `hits` runs succeed, one after the other until `last`; all are ended at limit. */
static void make_runs(runs *r, int hits, int64_t last, int64_t limit) {
  for (int i = 0; i < RUNS; i++) {
    r->changes[i] = (i + 1) * last / (hits > 0 ? hits : 1);
    r->items[i] = (bt_e50_run){.changes = &r->changes[i], .n_changes = i < hits, .evaluations = limit};
  }
}

static bt_e50_reference_row row_of(int hits, double seconds) {
  return (bt_e50_reference_row){.energy = -5, .hits = hits, .runs = 50, .evaluations = 1000000, .seconds = seconds};
}

static void test_by_hand(void **state) {
  (void)state;
  runs r;
  make_runs(&r, 75, 1000000, 1000000);
  bt_e50_reference_row row = row_of(25, 2.0); /* E50 of a million at 25 million evaluations/s */
  bt_e50_match match = {r.items, RUNS, 1000000, 1e-8, &row};
  bt_e50_match_result result;
  bt_e50_match_summary summary;
  summary = bt_e50_match_all(&match, 1, 1, &result);
  assert_true(result.same_budget);
  assert_int_equal(result.hits, 75);
  assert_near(result.missing, 25 - 37.5, 1e-12);
  assert_near(result.reference_e50, 1e6, 1e-6);
  assert_near(result.e50_by_hits, 5e5, 1e-6);
  assert_near(result.ratios[BT_E50_HITS], 0.5, 1e-12);
  assert_near(result.ratios[BT_E50_HITS_SECONDS], 0.5 * 1e-8 / (2.0 / 50e6), 1e-12);
  assert_int_equal(summary.means[BT_E50_HITS].pairs, 1);
  assert_near(summary.means[BT_E50_HITS].ratio, 0.5, 1e-12);
  assert_near(summary.means[BT_E50_HITS_SECONDS].ratio, result.ratios[BT_E50_HITS_SECONDS], 1e-12);
  assert_true(summary.means[BT_E50_HITS].low < 0.5 && 0.5 < summary.means[BT_E50_HITS].high);
  assert_near(summary.means[BT_E50_HITS_SECONDS].low, 0.25 * summary.means[BT_E50_HITS].low, 1e-9);
}

static void test_budgets(void **state) {
  (void)state;
  runs r;
  bt_e50_reference_row row = row_of(50, NAN);
  bt_e50_match match = {r.items, RUNS, 2000000, 1e-8, &row};
  bt_e50_match_result result;
  bt_e50_match_summary summary;
  make_runs(&r, 80, 2000000, 2000000); /* longer runs: what they had at the reference's budget */
  summary = bt_e50_match_all(&match, 1, 1, &result);
  assert_true(result.same_budget);
  assert_int_equal(result.hits, 40);
  assert_near(result.missing, 50 - 20, 1e-12);
  assert_true(isnan(result.ratios[BT_E50_HITS_SECONDS])); /* the reference has no seconds */
  assert_int_equal(summary.means[BT_E50_HITS_SECONDS].pairs, 0);
  make_runs(&r, 80, 500000, 500000); /* shorter ones: no hits to compare */
  match.evaluations = 500000;
  summary = bt_e50_match_all(&match, 1, 1, &result);
  assert_false(result.same_budget);
  assert_true(isnan(result.missing) && isnan(result.e50_by_hits) && isnan(result.ratios[BT_E50_HITS]));
  assert_int_equal(summary.means[BT_E50_HITS].pairs, 0);
  make_runs(&r, RUNS, 500000, 500000); /* unless all of them succeeded */
  summary = bt_e50_match_all(&match, 1, 1, &result);
  assert_true(result.same_budget);
  assert_int_equal(result.hits, RUNS);
}

static void test_all_succeed(void **state) {
  (void)state;
  /* 100 of 100 and 50 of 50 are equal, however soon they succeed */
  runs r;
  make_runs(&r, RUNS, 400000, 1000000);
  bt_e50_reference_row row = row_of(50, 1.0);
  bt_e50_match match = {r.items, RUNS, 1000000, 2e-8, &row};
  bt_e50_match_result result;
  bt_e50_match_summary summary;
  summary = bt_e50_match_all(&match, 1, 1, &result);
  assert_near(result.ratios[BT_E50_HITS], 1.0, 1e-12);
  assert_near(result.ratios[BT_E50_HITS_SECONDS], 1.0, 1e-9);
  make_runs(&r, RUNS, 2000, 1000000);
  summary = bt_e50_match_all(&match, 1, 1, &result);
  assert_near(summary.means[BT_E50_HITS].ratio, 1.0, 1e-12);
  /* none of 50: half a success on both sides */
  row.hits = 0;
  make_runs(&r, 0, 1, 1000000);
  r.items[0].n_changes = 1;
  summary = bt_e50_match_all(&match, 1, 1, &result);
  assert_near(result.ratios[BT_E50_HITS], 1.0, 1e-12); /* 1 of 100 is as 0.5 of 50 */
}

static void test_short_runs_prove_nothing(void **state) {
  (void)state;
  /* ten short runs without a success against 3 of 50: no answer */
  runs r;
  make_runs(&r, 0, 1, 100000);
  bt_e50_reference_row row = row_of(3, 1.0);
  bt_e50_match match = {r.items, 10, 100000, 2e-8, &row};
  bt_e50_match_result result;
  bt_e50_match_summary summary = bt_e50_match_all(&match, 1, 1, &result);
  assert_false(result.same_budget);
  assert_true(isnan(result.ratios[BT_E50_HITS]) && isnan(result.ratios[BT_E50_HITS_SECONDS]));
  assert_int_equal(summary.means[BT_E50_HITS].pairs, 0);
}

static void test_means(void **state) {
  (void)state;
  /* better on one complex, worse on the other, and one that nobody solves */
  static const int ours[] = {75, 50, 0}, theirs[] = {25, 37, 0};
  runs r[3];
  bt_e50_reference_row rows[3];
  bt_e50_match matches[3];
  bt_e50_match_result results[3];
  bt_e50_match_summary summary, again;
  for (int i = 0; i < 3; i++) {
    make_runs(&r[i], ours[i], 1000000, 1000000);
    rows[i] = row_of(theirs[i], 1.0);
    matches[i] = (bt_e50_match){r[i].items, RUNS, 1000000, 2e-8, &rows[i]};
  }
  summary = bt_e50_match_all(matches, 3, 1, results);
  assert_int_equal(summary.means[BT_E50_HITS].pairs, 2);
  assert_int_equal(summary.means[BT_E50_HITS_SECONDS].pairs, 2);
  assert_true(isnan(results[2].ratios[BT_E50_HITS]));
  assert_near(results[2].missing, 0, 0.0);
  assert_near(summary.means[BT_E50_HITS].ratio, sqrt(results[0].ratios[BT_E50_HITS] * results[1].ratios[BT_E50_HITS]),
              1e-12);
  assert_near(summary.means[BT_E50_HITS_SECONDS].ratio, summary.means[BT_E50_HITS].ratio,
              1e-9); /* 2e-8 seconds per evaluation on both sides */
  again = bt_e50_match_all(matches, 3, 1, results);
  assert_near(again.means[BT_E50_HITS].low, summary.means[BT_E50_HITS].low, 0.0);
  again = bt_e50_match_all(matches, 0, 1, results);
  assert_int_equal(again.means[BT_E50_HITS].pairs, 0);
  assert_true(isnan(again.means[BT_E50_HITS].ratio));
}

static void test_intervals_cover(void **state) {
  (void)state;
  /* both sides have the same chance: the interval of the ratio by hits holds 1 in most trials */
  uint64_t seed = 5;
  int covered = 0;
  for (int trial = 0; trial < 40; trial++) {
    enum { COMPLEXES = 6 };
    runs r[COMPLEXES];
    bt_e50_reference_row rows[COMPLEXES];
    bt_e50_match matches[COMPLEXES];
    bt_e50_match_result results[COMPLEXES];
    bt_e50_match_summary summary;
    for (int i = 0; i < COMPLEXES; i++) {
      int chance = 15 * (i + 1), hits[2] = {0, 0};
      for (int k = 0; k < RUNS; k++) hits[0] += bt_e50_draw_below(&seed, 100) < chance;
      for (int k = 0; k < 50; k++) hits[1] += bt_e50_draw_below(&seed, 100) < chance;
      make_runs(&r[i], hits[0], 1000000, 1000000);
      rows[i] = row_of(hits[1], 1.0);
      matches[i] = (bt_e50_match){r[i].items, RUNS, 1000000, 2e-8, &rows[i]};
    }
    summary = bt_e50_match_all(matches, COMPLEXES, 1, results);
    covered += summary.means[BT_E50_HITS].low <= 1.0 && 1.0 <= summary.means[BT_E50_HITS].high;
  }
  assert_true(covered >= 34);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_columns_of_runs),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_by_hand),
      cmocka_unit_test(test_budgets),
      cmocka_unit_test(test_all_succeed),
      cmocka_unit_test(test_short_runs_prove_nothing),
      cmocka_unit_test(test_means),
      cmocka_unit_test(test_intervals_cover),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
