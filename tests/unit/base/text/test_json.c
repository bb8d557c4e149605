/* test_json.c - JSON that every parser accepts: escapes, numbers, commas. */
#include "base/text/json.h"

#include <inttypes.h>
#include <math.h>

#include "unit/support.h"

static void expect(bt_text *text, const char *expected) {
  bt_error error;
  support_ok(bt_text_status(text, &error), &error);
  assert_string_equal(text->data, expected);
  bt_text_destroy(text);
}

static void commas_stand_between_values(void **state) {
  (void)state;
  bt_text text = {0};
  bt_json json = {.text = &text};
  bt_json_open(&json, '{');
  bt_json_key(&json, "empty");
  bt_json_open(&json, '[');
  bt_json_close(&json, ']');
  bt_json_key(&json, "list");
  bt_json_open(&json, '[');
  bt_json_integer(&json, -1);
  bt_json_open(&json, '{');
  bt_json_key(&json, "yes");
  bt_json_bool(&json, true);
  bt_json_close(&json, '}');
  bt_json_null(&json);
  bt_json_close(&json, ']');
  bt_json_key(&json, "seed");
  bt_json_unsigned(&json, UINT64_MAX);
  bt_json_close(&json, '}');
  expect(&text, "{\"empty\": [], \"list\": [-1, {\"yes\": true}, null], \"seed\": 18446744073709551615}");
}

static void pretty_levels_have_lines_of_their_own(void **state) {
  (void)state;
  bt_text text = {0};
  bt_json json = {.text = &text, .pretty = 1};
  bt_json_open(&json, '{');
  bt_json_key(&json, "a");
  bt_json_open(&json, '[');
  bt_json_integer(&json, 1);
  bt_json_integer(&json, 2);
  bt_json_close(&json, ']');
  bt_json_key(&json, "b");
  bt_json_integer(&json, 3);
  bt_json_close(&json, '}');
  expect(&text, "{\n  \"a\": [1, 2],\n  \"b\": 3\n}\n");
}

static void numbers_are_finite_or_null(void **state) {
  (void)state;
  static const double values[] = {NAN, INFINITY, -INFINITY, -0.0, 0.1, -7.25, 1e300, 123456789.0123};
  bt_text text = {0};
  bt_json json = {.text = &text};
  bt_json_open(&json, '[');
  for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) bt_json_number(&json, values[k]);
  bt_json_close(&json, ']');
  expect(&text, "[null, null, null, 0, 0.1, -7.25, 1e+300, 123456789.012]");
}

static void strings_are_escaped(void **state) {
  (void)state;
  static const struct {
    const char *raw, *escaped;
  } cases[] = {{"plain", "\"plain\""},
               {"", "\"\""},
               {"a\"b\\c/d", "\"a\\\"b\\\\c/d\""},
               {"line\nand\ttab\r\x01\x7f", "\"line\\nand\\ttab\\u000d\\u0001\\u007f\""},
               {"\xc3\xa4\xe2\x82\xac\xf0\x9f\xa7\xaa", "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\xa7\xaa\""},
               {"\xff"
                "a\xc3",
                "\"\xef\xbf\xbd"
                "a\xef\xbf\xbd\""},                                          /* stray and cut bytes */
               {"\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\""},                 /* overlong */
               {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, /* half of a surrogate pair */
               {"\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}}; /* beyond U+10FFFF */
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    bt_text text = {0};
    bt_json json = {.text = &text};
    bt_json_string(&json, cases[k].raw);
    expect(&text, cases[k].escaped);
  }
  bt_text text = {0};
  bt_json json = {.text = &text};
  bt_json_string(&json, NULL);
  expect(&text, "null");
}

static void formats_are_words(void **state) {
  (void)state;
  bt_text text = {0};
  bt_json json = {.text = &text, .digits = 3};
  int64_t large = INT64_C(1) << 40;
  bool yes = true; /* the literal is an int to Clang */
  bt_json_printf(&json, "{ name %s yes %hhd numbers [ %d %" PRId64 " %zu ]", "a b", yes, -7, large,
                 (size_t)8);
  bt_json_printf(&json, "seed %" PRIu64 " tenth %g nan %g rounded [ %.2f %.0f ] empty { } }", UINT64_MAX, 0.123456, NAN,
                 1.006, 12.0);
  expect(&text,
         "{\"name\": \"a b\", \"yes\": true, \"numbers\": [-7, 1099511627776, 8], "
         "\"seed\": 18446744073709551615, \"tenth\": 0.123, \"nan\": null, \"rounded\": [1.01, 12], \"empty\": {}}");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(commas_stand_between_values), cmocka_unit_test(pretty_levels_have_lines_of_their_own),
      cmocka_unit_test(numbers_are_finite_or_null), cmocka_unit_test(strings_are_escaped),
      cmocka_unit_test(formats_are_words)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
