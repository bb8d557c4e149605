/* test_local_search.c - names of local searches, and of the orders of clusters. */
#include <berth/rescore.h>
#include <berth/search.h>

#include "unit/support.h"

static void local_searches(void **state) {
  (void)state;
  char choices[64];
  snprintf(choices, sizeof choices, "%s|%s|%s|%s", bt_local_search_name(BT_LS_NONE),
           bt_local_search_name(BT_LS_SOLIS_WETS), bt_local_search_name(BT_LS_ADADELTA),
           bt_local_search_name(BT_LS_ADAM));
  assert_string_equal(choices, "none|solis-wets|adadelta|adam");
  assert_string_equal(choices, bt_local_search_choices());
}

static void orders_of_clusters(void **state) {
  (void)state;
  assert_string_equal(bt_rank_choices(), "score|ranks|blend|sum");
  assert_string_equal(bt_rank_name(BT_RANK_BLEND), "blend");
  assert_string_equal(bt_rank_name(BT_RANK_SUM), "sum");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(local_searches), cmocka_unit_test(orders_of_clusters)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
