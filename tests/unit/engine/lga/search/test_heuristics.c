/* test_heuristics.c - evaluations per run from the number of torsions: the published table. */
#include <berth/berth.h>

#include "engine/lga/search/heuristics.h"

#include "unit/assert_near.h"
#include "unit/support.h"

static void the_published_table_is_reproduced(void **state) {
  (void)state;
  static const struct {
    bt_local_search method;
    int torsions, runs;
    double evaluations;
  } table[] = {
      {BT_LS_ADADELTA, 0, 20, 1132076},   {BT_LS_ADADELTA, 3, 50, 480000},    {BT_LS_ADADELTA, 6, 100, 244898},
      {BT_LS_ADADELTA, 8, 20, 1613968},   {BT_LS_ADADELTA, 10, 20, 2542121},  {BT_LS_ADADELTA, 16, 50, 4050120},
      {BT_LS_ADADELTA, 20, 20, 9280967},  {BT_LS_ADADELTA, 32, 20, 11793080}, {BT_LS_SOLIS_WETS, 3, 20, 1132076},
      {BT_LS_SOLIS_WETS, 6, 20, 5114805}, {BT_LS_SOLIS_WETS, 8, 50, 7716685},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    assert_near((double)bt_heuristic_evaluations(table[i].method, table[i].torsions, table[i].runs, 12000000),
                table[i].evaluations, 2.0); /* the table was made in single precision */
}

/* Berth's own search by ADAM needs a fifth of the published estimate, unless a fraction is given. */
static void the_share_follows_from_the_search(void **state) {
  (void)state;
  bt_dock_options options = bt_dock_options_default();
  assert_near(bt_heuristic_share(&options), 0.2, 1e-12);
  options.local_search = BT_LS_ADADELTA;
  assert_near(bt_heuristic_share(&options), 1.0, 1e-12);
  options.heuristics_share = 0.5;
  assert_near(bt_heuristic_share(&options), 0.5, 1e-12);
  assert_int_equal(bt_heuristic_capped(250000, 12000000), 244898);
}

static void many_torsions_do_not_overflow(void **state) {
  (void)state;
  int64_t evaluations = bt_heuristic_evaluations(BT_LS_SOLIS_WETS, 60, 20, 12000000);
  assert_true(evaluations > 11990000 && evaluations <= 12000000);
}

static void autostop_waits_longer_the_more_was_cut(void **state) {
  (void)state;
  assert_near(bt_heuristic_autostop_minimum(1000, 1000), 0, 1e-9);
  assert_near(bt_heuristic_autostop_minimum(500, 1000), 50, 0.5 + 50 * 0.35);
  /* a published log: 32.69 % of the estimate left, autostop after 23.64 % */
  assert_near(bt_heuristic_autostop_minimum(0.3269, 1.0) / 0.3269, 0.2364, 0.0005);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_published_table_is_reproduced), cmocka_unit_test(the_share_follows_from_the_search),
      cmocka_unit_test(many_torsions_do_not_overflow), cmocka_unit_test(autostop_waits_longer_the_more_was_cut)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
