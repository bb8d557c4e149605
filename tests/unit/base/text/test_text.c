/* test_text.c - lines, columns, words and the growing text. */
#include "base/text/text.h"

#include "unit/support.h"

static void lines_end_with_lf_or_crlf(void **state) {
  (void)state;
  const char *text = "one\r\n\ntwo\nthree";
  bt_lines lines = bt_lines_of(text, strlen(text));
  bt_span line;
  const char *expected[] = {"one", "", "two", "three"};
  for (int i = 0; i < 4; i++) {
    assert_true(bt_lines_next(&lines, &line));
    assert_true(bt_span_equals(line, expected[i]));
    assert_int_equal(lines.number, i + 1);
  }
  assert_false(bt_lines_next(&lines, &line));
  lines = bt_lines_of("", 0);
  assert_false(bt_lines_next(&lines, &line));
}

static void columns_are_clipped_to_the_line(void **state) {
  (void)state;
  bt_span line = bt_span_from("ATOM      1");
  assert_true(bt_span_equals(bt_span_columns(line, 0, 4), "ATOM"));
  assert_true(bt_span_equals(bt_span_trim(bt_span_columns(line, 6, 11)), "1"));
  assert_int_equal(bt_span_columns(line, 30, 38).size, 0);
  assert_int_equal(bt_span_columns(line, 10, 38).size, 1);
}

static void words_are_separated_by_blanks_and_tabs(void **state) {
  (void)state;
  bt_span rest = bt_span_from("  npts\t60 60  ");
  assert_true(bt_span_equals(bt_span_word(&rest), "npts"));
  assert_true(bt_span_equals(bt_span_word(&rest), "60"));
  assert_true(bt_span_equals_ignoring_case(bt_span_word(&rest), "60"));
  assert_int_equal(bt_span_word(&rest).size, 0);
  assert_true(bt_span_equals_ignoring_case(bt_span_from("GridFld"), "gridfld"));
  assert_false(bt_span_equals(bt_span_from("GridFld"), "gridfld"));
}

static void copying_says_whether_it_fits(void **state) {
  (void)state;
  char buffer[4];
  assert_true(bt_span_copy(bt_span_from("CG0"), buffer, sizeof buffer));
  assert_string_equal(buffer, "CG0");
  assert_false(bt_span_copy(bt_span_from("CG01"), buffer, sizeof buffer));
  assert_string_equal(buffer, "CG0");
}

static void binary_data_are_recognized(void **state) {
  (void)state;
  assert_true(bt_text_is_binary("ATOM\0", 5));
  assert_true(
      bt_text_is_binary("\x7f"
                        "ELF\x02",
                        5));
  assert_false(bt_text_is_binary("REMARK caf\xc3\xa9\t\r\n", 15));
  assert_false(bt_text_is_binary("", 0));
}

static void a_text_grows(void **state) {
  (void)state;
  bt_text text = {0};
  for (int i = 0; i < 10000; i++) bt_text_printf(&text, "%d,", i % 10);
  bt_text_add_char(&text, '.');
  assert_int_equal(text.size, 20001);
  assert_int_equal(strlen(text.data), text.size);
  assert_memory_equal(text.data, "0,1,2,3", 7);
  char wide[3000];
  memset(wide, 'x', sizeof wide - 1);
  wide[sizeof wide - 1] = '\0';
  bt_text_printf(&text, "%s", wide);
  assert_int_equal(text.size, 20001 + 2999);
  assert_int_equal(bt_text_status(&text, NULL), BT_OK);
  assert_false(bt_text_reserve(&text, SIZE_MAX / 2));
  assert_int_equal(bt_text_status(&text, NULL), BT_ERR_MEMORY);
  bt_text_destroy(&text);
}

/* One field, as CSV. */
static void assert_csv(const char *field, const char *expected) {
  bt_text text = {0};
  bt_text_add(&text, "", 0);
  bt_text_csv(&text, field);
  assert_string_equal(text.data, expected);
  bt_text_destroy(&text);
}

static void a_field_of_csv_is_quoted_and_no_formula(void **state) {
  (void)state;
  assert_csv(NULL, "");
  assert_csv("(+)-catechin", "(+)-catechin");
  assert_csv("2,4-D", "\"2,4-D\"");
  assert_csv("5\" nail", "\"5\"\" nail\"");
  assert_csv("a=b", "a=b");
  assert_csv("-", "-");
  assert_csv("=1+1", "'=1+1");
  assert_csv("+1", "'+1");
  assert_csv("-2+3", "'-2+3");
  assert_csv("@SUM(A1)", "'@SUM(A1)");
  assert_csv("\t=1", "'\t=1");
  assert_csv("=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\"");
}

static void a_word_is_found_among_others(void **state) {
  (void)state;
  static const char *const words[] = {"screen", "normal", "thorough"};
  assert_int_equal(bt_span_index(bt_span_from("normal"), words, 3), 1);
  assert_int_equal(bt_span_index(bt_span_from("norm"), words, 3), -1);
  assert_int_equal(bt_span_index(bt_span_from("thorough"), words, 2), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_end_with_lf_or_crlf),
      cmocka_unit_test(columns_are_clipped_to_the_line),
      cmocka_unit_test(words_are_separated_by_blanks_and_tabs),
      cmocka_unit_test(copying_says_whether_it_fits),
      cmocka_unit_test(binary_data_are_recognized),
      cmocka_unit_test(a_text_grows),
      cmocka_unit_test(a_word_is_found_among_others),
      cmocka_unit_test(a_field_of_csv_is_quoted_and_no_formula),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
