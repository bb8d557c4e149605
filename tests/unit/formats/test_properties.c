/* test_properties.c - named values of a ligand, out of SDF records and lists. */
#include <string.h>

#include "formats/properties.h"
#include "unit/support.h"

static bt_span span(const char *text) { return bt_span_from(text); }

static void test_lists(void **state) {
  (void)state;
  assert_true(bt_properties_want("price,In Stock", span("PRICE")));
  assert_true(bt_properties_want(" price , In Stock ", span("in stock")));
  assert_false(bt_properties_want("price", span("prices")));
  assert_false(bt_properties_want("price,", span("")));
  assert_true(bt_properties_want("price,all", span("anything")));
  assert_false(bt_properties_want("x[", span("x{")));
}

static void test_values_are_one_line(void **state) {
  (void)state;
  bt_text text = {0};
  bt_properties_add(&text, span(" a "), span("\t1\n2\r\n"));
  bt_properties_add(&text, span("empty"), span("  \n"));
  bt_properties_add(&text, span(""), span("x"));
  assert_string_equal(text.data, "a\t1 2\n");
  assert_true(bt_properties_check(text.data));
  const char *at = text.data;
  bt_span name, value;
  assert_true(bt_properties_next(&at, &name, &value));
  assert_true(bt_span_equals(name, "a") && bt_span_equals(value, "1 2"));
  assert_false(bt_properties_next(&at, &name, &value));
  at = NULL;
  assert_false(bt_properties_next(&at, &name, &value));
  bt_text_destroy(&text);
}

static void test_malformed_texts(void **state) {
  (void)state;
  static const char *const texts[] = {"a",    "a\n",       "a\t",        "a\t\n",     "\tb\n",
                                      "a\tb", "a\tb\tc\n", "a\x01\tb\n", "a\tb\x7f\n"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) assert_false(bt_properties_check(texts[k]));
  assert_true(bt_properties_check(""));
}

static void test_items_of_sdf(void **state) {
  (void)state;
  static const char record[] =
      "> <title>\n\n\nM  END\n> 25 <Price> (7)\n12.5\n\n>  <note>\ntwo\nlines\n\n> <id>\nx\n\n"
      "> <empty>\n\n> <last>\nend\n$$$$\n";
  bt_text text = {0};
  bt_properties_of_sdf(span(record), "all", "id", &text);
  assert_string_equal(text.data, "Price\t12.5\nnote\ttwo lines\nlast\tend\n");
  text.size = 0;
  bt_properties_of_sdf(span(record), "price,absent", NULL, &text);
  assert_string_equal(text.data, "Price\t12.5\n");
  bt_text some = {0};
  bt_properties_select("a\t1\nb\t2\n", "B", &some);
  bt_properties_select("c\t3\n", NULL, &some);
  assert_string_equal(some.data, "b\t2\nc\t3\n");
  bt_text_destroy(&some);
  bt_text_destroy(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists), cmocka_unit_test(test_values_are_one_line),
                                     cmocka_unit_test(test_malformed_texts), cmocka_unit_test(test_items_of_sdf)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
