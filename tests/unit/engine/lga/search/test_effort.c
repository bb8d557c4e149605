/* test_effort.c - levels of effort: what they set, and that explicit options take precedence. */
#include <berth/berth.h>
#include <berth/search.h>

#include "unit/support.h"

static bt_dock_options with(bt_effort effort, unsigned chosen, bt_dock_options options) {
  bt_effort_apply(effort, chosen, &options);
  return options;
}

static void names_are_found(void **state) {
  (void)state;
  bt_effort effort = BT_EFFORT_SCREEN;
  assert_true(bt_effort_find("thorough", &effort));
  assert_int_equal(effort, BT_EFFORT_THOROUGH);
  assert_false(bt_effort_find("Thorough", &effort));
  assert_false(bt_effort_find("", &effort));
  char choices[64];
  snprintf(choices, sizeof choices, "%s|%s|%s", bt_effort_name(0), bt_effort_name(1), bt_effort_name(2));
  assert_string_equal(choices, bt_effort_choices());
}

static void levels_set_what_was_not_chosen(void **state) {
  (void)state;
  const bt_dock_options usual = bt_dock_options_default();
  bt_dock_options o = with(BT_EFFORT_SCREEN, 0, usual);
  assert_int_equal(o.runs, 10);
  assert_int_equal(o.evaluations, 12000);
  assert_false(o.heuristics);
  assert_true(o.autostop);
  o = with(BT_EFFORT_NORMAL, 0, usual);
  assert_int_equal(o.runs, usual.runs);
  assert_true(o.heuristics);
  assert_int_equal(o.evaluations, usual.heuristics_max); /* no lower limit than that of the heuristics */
  assert_int_equal(o.heuristics_runs, usual.heuristics_runs);
  o = with(BT_EFFORT_THOROUGH, 0, usual);
  assert_int_equal(o.runs, 100);
  assert_false(o.autostop);
  assert_true(o.heuristics);
  assert_int_equal(o.heuristics_runs, usual.runs); /* each of the 100 has as many evaluations as one of normal's 20 */
}

static void what_was_chosen_stays(void **state) {
  (void)state;
  bt_dock_options mine = bt_dock_options_default();
  mine.runs = 3;
  mine.evaluations = 5000;
  bt_dock_options o = with(BT_EFFORT_SCREEN, BT_CHOSEN_RUNS | BT_CHOSEN_EVALUATIONS, mine);
  assert_int_equal(o.runs, 3);
  assert_int_equal(o.evaluations, 5000);
  o = with(BT_EFFORT_NORMAL, BT_CHOSEN_EVALUATIONS, mine); /* a number of evaluations is that number */
  assert_false(o.heuristics);
  assert_int_equal(o.evaluations, 5000);
  o = with(BT_EFFORT_NORMAL, BT_CHOSEN_EVALUATIONS | BT_CHOSEN_HEURISTICS, mine); /* or a limit */
  assert_true(o.heuristics);
  assert_int_equal(o.evaluations, 5000);
  o = with(BT_EFFORT_NORMAL, BT_CHOSEN_LIMIT, mine);
  assert_true(o.heuristics);
  assert_int_equal(o.evaluations, 5000);
  o = with(BT_EFFORT_THOROUGH, BT_CHOSEN_AUTOSTOP | BT_CHOSEN_RUNS, mine);
  assert_true(o.autostop);
  assert_int_equal(o.runs, 3);
  o = with(BT_EFFORT_SCREEN, BT_CHOSEN_HEURISTICS, mine);
  assert_true(o.heuristics);
  assert_int_equal(o.evaluations, mine.heuristics_max);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_found),
                                     cmocka_unit_test(levels_set_what_was_not_chosen),
                                     cmocka_unit_test(what_was_chosen_stays)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
