/* test_deadline.c - expired deadlines and cancelled work. */
#include "base/deadline.h"

#include <string.h>

#include "unit/support.h"

static bool yes(void *user) { return ++*(int *)user > 1; }

static void test_time(void **state) {
  (void)state;
  bt_error error;
  bt_deadline none = bt_deadline_begin(0, NULL, NULL), early = bt_deadline_begin(1e-9, NULL, NULL),
              late = bt_deadline_begin(1e9, NULL, NULL);
  assert_int_equal(bt_deadline_check(NULL, (bt_where){0}, &error), BT_OK);
  assert_int_equal(bt_deadline_check(&none, (bt_where){0}, &error), BT_OK);
  assert_int_equal(bt_deadline_check(&late, (bt_where){0}, &error), BT_OK);
  support_failed(bt_deadline_check(&early, (bt_where){.file = "x"}, &error), BT_ERR_LIMIT, &error, "1e-09 s");
}

static void test_wish(void **state) {
  (void)state;
  int asked = 0;
  bt_error error;
  bt_deadline deadline = bt_deadline_begin(1e9, yes, &asked);
  assert_int_equal(bt_deadline_check(&deadline, (bt_where){0}, &error), BT_OK);
  assert_int_equal(bt_deadline_check(&deadline, (bt_where){0}, &error), BT_ERR_CANCELLED);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_time), cmocka_unit_test(test_wish)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
