/* test_number.c - numbers are read strictly, exactly and in any locale. */
#include <locale.h>
#include <math.h>

#include "base/text/text.h"
#include "unit/support.h"

static void numbers_are_the_nearest_doubles(void **state) {
  (void)state;
  const char *texts[] = {"0",
                         "-0.",
                         "0.",
                         "1",
                         "-1.5",
                         "+2.25",
                         ".5",
                         "-.125",
                         "100000",
                         "0.001",
                         "-0.045",
                         "123456.789",
                         "1e5",
                         "1.5E-3",
                         "9999.999",
                         "-999.999",
                         "1e22",
                         "1e23",
                         "1e-22",
                         "1e-23",
                         "1e308",
                         "4.9e-324",
                         "2.2250738585072011e-308",
                         "9007199254740993",
                         "9007199254740992",
                         "0.1234567890123456789",
                         "123456789012345678901234567890",
                         "8.41e21",
                         "179769313486231570000000000000000",
                         "00000000000000000000000001.5",
                         "1e-400",
                         "175761.391"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    double value;
    if (!bt_parse_double(bt_span_from(texts[i]), &value)) fail_msg("%s", texts[i]);
    double expected = strtod(texts[i], NULL);
    if (memcmp(&value, &expected, sizeof value) != 0) fail_msg("%s: %.17g", texts[i], value);
  }
}

static void every_three_decimal_number_is_exact(void **state) {
  (void)state;
  uint32_t random = 1;
  for (int i = 0; i < 200000; i++) {
    random = random * 1664525u + 1013904223u;
    char text[32];
    snprintf(text, sizeof text, "%s%u.%03u", i % 2 ? "-" : "", random >> 15, (random >> 3) % 1000);
    double value;
    assert_true(bt_parse_double(bt_span_from(text), &value));
    assert_true(value == strtod(text, NULL));
  }
}

static void what_is_no_finite_number_is_refused(void **state) {
  (void)state;
  const char *texts[] = {"",    " ",   "nan", "NaN", "inf", "-Infinity", "1e400", "-1e999", "0x10",  "1,5", "1.5x",
                         "1 2", "--1", "+-1", ".",   "-",   "e5",        "1e",    "1e+",    "1.2.3", "1d5", "\t"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    double value;
    if (bt_parse_double(bt_span_from(texts[i]), &value)) fail_msg("'%s' was taken for %g", texts[i], value);
  }
  char digits[2001];
  memset(digits, '9', sizeof digits - 1);
  digits[sizeof digits - 1] = '\0';
  double value;
  assert_false(bt_parse_double(bt_span_from(digits), &value));
}

static void the_locale_does_not_matter(void **state) {
  (void)state;
  const char *names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"};
  for (size_t i = 0; i < 3 && setlocale(LC_ALL, names[i]) == NULL; i++) continue;
  double value;
  assert_true(bt_parse_double(bt_span_from("1.5"), &value) && value == 1.5);
  assert_true(bt_parse_double(bt_span_from("0.12345678901234567891"), &value) &&
              fabs(value - 0.12345678901234568) < 1e-15);
  assert_false(bt_parse_double(bt_span_from("1,5"), &value));
  setlocale(LC_ALL, "C");
}

static void scanning_stops_behind_the_number(void **state) {
  (void)state;
  const char *text = "-0.045\n1.5";
  double value;
  const char *end = bt_scan_double(text, text + strlen(text), &value);
  assert_ptr_equal(end, text + 6);
  assert_true(value == -0.045);
  assert_ptr_equal(bt_scan_double(text, text + 4, &value), text + 4); /* never reads past the end */
  assert_true(value == -0.0 || value == -0.04);
  assert_null(bt_scan_double(text + 6, text + 7, &value));
  assert_null(bt_scan_double(text, text, &value));
}

static void integers_are_strict(void **state) {
  (void)state;
  int value;
  uint64_t large;
  int64_t signed_large;
  assert_true(bt_parse_int(bt_span_from(" 42 "), &value) && value == 42);
  assert_true(bt_parse_int(bt_span_from("-7"), &value) && value == -7);
  assert_true(bt_parse_int(bt_span_from("+7"), &value) && value == 7);
  assert_true(bt_parse_int(bt_span_from("2147483647"), &value) && value == 2147483647);
  assert_false(bt_parse_int(bt_span_from("2147483648"), &value));
  assert_false(bt_parse_int(bt_span_from("1.0"), &value));
  assert_false(bt_parse_int(bt_span_from(""), &value));
  assert_false(bt_parse_int(bt_span_from("-"), &value));
  assert_false(bt_parse_int(bt_span_from("-+1"), &value));
  assert_false(bt_parse_int(bt_span_from("4 2"), &value));
  assert_true(bt_parse_uint64(bt_span_from("18446744073709551615"), &large) && large == UINT64_MAX);
  assert_false(bt_parse_uint64(bt_span_from("18446744073709551616"), &large));
  assert_false(bt_parse_uint64(bt_span_from("-1"), &large));
  assert_true(bt_parse_int64(bt_span_from("-9223372036854775807"), &signed_large));
  assert_false(bt_parse_int64(bt_span_from("9223372036854775808"), &signed_large));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_the_nearest_doubles),     cmocka_unit_test(every_three_decimal_number_is_exact),
      cmocka_unit_test(what_is_no_finite_number_is_refused), cmocka_unit_test(the_locale_does_not_matter),
      cmocka_unit_test(scanning_stops_behind_the_number),    cmocka_unit_test(integers_are_strict),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
