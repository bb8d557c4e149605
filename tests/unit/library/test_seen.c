/* test_seen.c - texts that were there before are known, however many there are. */
#include <stdio.h>
#include <string.h>

#include "library/seen.h"
#include "unit/support.h"

static void test_every_text_is_known_after_it_was_added(void **state) {
  (void)state;
  enum { TEXTS = 5000 };
  bt_seen *seen;
  bt_error error = {0};
  support_ok(bt_seen_create(&seen, &error), &error);
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < TEXTS; i++) {
      char text[32];
      bool known;
      snprintf(text, sizeof text, "C%dCC", i);
      support_ok(bt_seen_add(seen, text, strlen(text), &known, &error), &error);
      assert_int_equal(known, round == 1);
    }
  bt_seen_destroy(seen);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_text_is_known_after_it_was_added)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
