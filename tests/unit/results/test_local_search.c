/* test_local_search.c - names of local searches, and of the orders of clusters. */
#include <berth/rescore.h>
#include <berth/search.h>

#include "unit/support.h"

static void local_searches(void **state) {
  (void)state;
  bt_local_search method = BT_LS_NONE;
  char choices[64];
  snprintf(choices, sizeof choices, "%s|%s|%s|%s", bt_local_search_name(BT_LS_NONE),
           bt_local_search_name(BT_LS_SOLIS_WETS), bt_local_search_name(BT_LS_ADADELTA),
           bt_local_search_name(BT_LS_ADAM));
  assert_string_equal(choices, "none|solis-wets|adadelta|adam");
  assert_string_equal(choices, bt_local_search_choices());
  assert_true(bt_local_search_find("adadelta", &method));
  assert_int_equal(method, BT_LS_ADADELTA);
  assert_false(bt_local_search_find("ada", &method));
  assert_int_equal(method, BT_LS_ADADELTA);
}

static void orders_of_clusters(void **state) {
  (void)state;
  bt_rank_by by = BT_RANK_SCORE;
  assert_string_equal(bt_rank_choices(), "score|ranks|blend");
  assert_true(bt_rank_find(bt_rank_name(BT_RANK_BLEND), &by));
  assert_int_equal(by, BT_RANK_BLEND);
  assert_false(bt_rank_find("rank", &by));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(local_searches), cmocka_unit_test(orders_of_clusters)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
