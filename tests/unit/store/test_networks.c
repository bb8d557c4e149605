/* Lists of networks with their hashes: which network differs first. */
#include "store/networks.h"

#include <string.h>

#include "unit/support.h"

static void test_equal_lists(void **state) {
  (void)state;
  bt_network_difference d;
  assert_false(bt_networks_differ("", "", &d));
  assert_false(bt_networks_differ("dense:66848962fa159c56", "dense:66848962fa159c56", &d));
  assert_false(bt_networks_differ("a:1,b:2", "b:2,a:1", &d)); /* the mean does not depend on their order */
}

static void assert_difference(const char *known, const char *other, const char *name, const char *hash,
                              const char *other_hash) {
  bt_network_difference d;
  assert_true(bt_networks_differ(known, other, &d));
  assert_true(bt_span_equals(d.name, name));
  assert_true(bt_span_equals(d.known, hash));
  assert_true(bt_span_equals(d.other, other_hash));
}

static void test_the_first_difference(void **state) {
  (void)state;
  assert_difference("a:1,b:2,c:3", "a:1,b:4,c:5", "b", "2", "4");
  assert_difference("a:1,b:2", "a:1", "b", "2", "none");
  assert_difference("a:1", "a:1,b:2", "b", "none", "2");
  assert_difference("a:1,ab:2", "ab:2,a:3", "a", "1", "3");
  assert_difference("my:net:1", "my:net:2", "my:net", "1", "2"); /* a file's name may have colons */
}

static void test_damaged_lists(void **state) {
  (void)state;
  assert_difference("a", "a:1", "a", "", "1");
  assert_difference("", "a:1", "a", "none", "1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equal_lists),
      cmocka_unit_test(test_the_first_difference),
      cmocka_unit_test(test_damaged_lists),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
