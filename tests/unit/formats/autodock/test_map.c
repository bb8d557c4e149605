/* test_map.c - the text of one AutoGrid map, read and written. */
#include "formats/autodock/map.h"

#include <float.h>
#include <math.h>

#include "unit/support.h"

static const bt_box box = {.center = {0.5, 1.25, -3.0}, .npts = {2, 2, 2}, .spacing = 0.375};

#define HEADER                                                                                       \
  "GRID_PARAMETER_FILE g.gpf\nGRID_DATA_FILE rec.maps.fld\nMACROMOLECULE rec.pdbqt\nSPACING 0.375\n" \
  "NELEMENTS 2 2 2\nCENTER 0.500 1.250 -3.000\n"
#define NINE "-0.045\n0.\n0.000\n100000.000\n175761.391\n1e2\n+7.5\n-12\n.25\n"

static bt_status parse(const char *text, float **values, bt_error *error) {
  return bt_map_parse("rec.C.map", text, strlen(text), &box, values, error);
}

static void values_come_in_file_order(void **state) {
  (void)state;
  float *values;
  bt_error error;
  const char *ends[] = {"", "\n\n", "  \r\n"};
  for (int e = 0; e < 3; e++) {
    char text[1000];
    snprintf(text, sizeof text, "%s%s%s%s%s", HEADER, NINE, NINE, NINE, ends[e]);
    support_ok(parse(text, &values, &error), &error);
    const float expected[9] = {-0.045f, 0, 0, 100000, 175761.391f, 100, 7.5f, -12, 0.25f};
    for (int i = 0; i < 27; i++) assert_true(values[i] == expected[i % 9]);
    free(values);
  }
}

static void line_ends_and_blanks_do_not_matter(void **state) {
  (void)state;
  bt_text text = {0};
  for (const char *c = HEADER NINE NINE NINE; *c != '\0'; c++) {
    if (*c == '\n') bt_text_add_string(&text, " \r");
    bt_text_add_char(&text, *c);
  }
  float *values;
  bt_error error;
  support_ok(parse(text.data, &values, &error), &error);
  assert_true(values[26] == 0.25f && values[4] == 175761.391f);
  free(values);
  bt_text_destroy(&text);
}

static void fails(const char *text, long line, const char *words) {
  float *values;
  bt_error error = {0};
  support_failed(parse(text, &values, &error), BT_ERR_INPUT, &error, words);
  assert_string_equal(error.file, "rec.C.map");
  if (error.line != line) fail_msg("%s: line %ld instead of %ld", words, error.line, line);
}

static void broken_values_are_named_with_their_line(void **state) {
  (void)state;
  fails(HEADER NINE NINE "0\n0\n0\n0\nnan\n0\n0\n0\n0\n", 29, "not a finite number: 'nan'");
  fails(HEADER NINE NINE "0\n0\n0\n0\n-inf\n0\n0\n0\n0\n", 29, "not a finite number: '-inf'");
  fails(HEADER NINE NINE "0\n0\n0\n0\n1e39\n0\n0\n0\n0\n", 29, "not a finite number: '1e39'");
  fails(HEADER NINE NINE "0\n0\n0\n0\n1,5\n0\n0\n0\n0\n", 29, "not a finite number");
  fails(HEADER NINE NINE "0\n0\n0\n0\n\n0\n0\n0\n0\n0\n", 29, "empty line");
  fails(HEADER NINE NINE "0\n0\n0\n0\n0 0\n0\n0\n0\n0\n", 29, "not a finite number");
  fails(HEADER NINE NINE "0\n0\n0\n0\n0\n0\n0\n0\n", 32, "ends after 26 of 27 values");
  fails(HEADER NINE NINE NINE "0\n", 34, "more values than the 27");
  fails(HEADER, 0, "too short for 3 x 3 x 3");
  fails(HEADER NINE NINE NINE NINE, 34, "more values");
}

static void headers_must_agree_with_the_fld(void **state) {
  (void)state;
#define REST NINE NINE NINE
  fails("SPACING 0.400\nNELEMENTS 2 2 2\nCENTER 0.5 1.25 -3\n" REST, 1, "SPACING differs");
  fails("SPACING 0.375\nNELEMENTS 2 2 4\nCENTER 0.5 1.25 -3\n" REST, 2, "NELEMENTS differs");
  fails("SPACING 0.375\nNELEMENTS 2 2 2\nCENTER 0.5 1.26 -3\n" REST, 3, "CENTER differs");
  fails("SPACING 0\nNELEMENTS 2 2 2\nCENTER 0.5 1.25 -3\n" REST, 1, "spacing is not a number from");
  fails("SPACING nan\nNELEMENTS 2 2 2\nCENTER 0.5 1.25 -3\n" REST, 1, "spacing is not a number from");
  fails("SPACING 0.375\nNELEMENTS 2 3 2\nCENTER 0.5 1.25 -3\n" REST, 2, "odd: 3");
  fails("SPACING 0.375\nNELEMENTS 2 2\nCENTER 0.5 1.25 -3\n" REST, 2, "not three positive numbers");
  fails("SPACING 0.375\nNELEMENTS 2 2 99999999999\nCENTER 0.5 1.25 -3\n" REST, 2, "not three positive numbers");
  fails("SPACING 0.375\nNELEMENTS 2 2 2\nCENTER 0.5 1.25\n" REST, 3, "not three coordinates");
  fails(REST, 0, "no CENTER line");
  fails("", 0, "no CENTER line");
}

static void absurd_sizes_need_no_memory(void **state) {
  (void)state;
  const bt_box huge = {.center = {0}, .npts = {2147483646, 2147483646, 2147483646}, .spacing = 0.375};
  const char text[] = "CENTER 0 0 0\n1\n2\n3\n";
  float *values;
  bt_error error;
  support_failed(bt_map_parse("x.map", text, sizeof text - 1, &huge, &values, &error), BT_ERR_INPUT, &error,
                 "too short");
}

static void assert_printed(float value, const char *expected) {
  const bt_map_header header = {"g.gpf", "rec.maps.fld", "rec.pdbqt", box};
  bt_text text = {0};
  bt_error error;
  bt_map_format_header(&text, &header);
  support_ok(bt_map_format_values(&text, &value, 0, 1, &error), &error);
  assert_memory_equal(text.data, HEADER, strlen(HEADER));
  assert_int_equal(text.data[text.size - 1], '\n');
  text.data[text.size - 1] = '\0';
  if (strcmp(text.data + strlen(HEADER), expected) != 0)
    fail_msg("%.9g is printed as %s instead of %s", (double)value, text.data + strlen(HEADER), expected);
  bt_text_destroy(&text);
}

static void values_are_printed_as_autogrid_prints_them(void **state) {
  (void)state;
  assert_printed(0.0f, "0.");
  assert_printed(-0.0f, "0.");
  assert_printed(0.00009f, "0.");
  assert_printed(-0.00009f, "0.");
  assert_printed(0.0002f, "0.000");
  assert_printed(-0.0002f, "0.000");
  assert_printed(-0.0006f, "-0.001");
  assert_printed(0.0006f, "0.001");
  assert_printed(-0.045f, "-0.045");
  assert_printed(1.0f, "1.000");
  assert_printed(-12.3456f, "-12.346");
  assert_printed(175761.391f, "175761.391");
  assert_printed(100000.0f, "100000.000");
  assert_printed(-1234567.0f, "-1234567.000");
  assert_printed(1e15f, "999999986991104.000");
}

/* Every value that is already rounded to three decimals, or too large for that, comes out as printf's %.3f. */
static void rounded_values_are_kept(void **state) {
  (void)state;
  uint32_t random = 7;
  for (int i = 0; i < 100000; i++) {
    random = random * 1664525u + 1013904223u;
    double thousandths = (double)(random >> (i % 24)) - 100000.0;
    float value = (float)(thousandths / 1000.0);
    if (value == 0.0f) continue;
    char expected[64];
    snprintf(expected, sizeof expected, "%.3f", (double)value);
    assert_printed(value, expected);
  }
}

static void no_nan_is_written(void **state) {
  (void)state;
  const float bad[] = {NAN, INFINITY, -INFINITY, FLT_MAX};
  for (int i = 0; i < 4; i++) {
    bt_text text = {0};
    bt_error error;
    support_failed(bt_map_format_values(&text, &bad[i], 0, 1, &error), BT_ERR_LIMIT, &error, "not a finite number");
    bt_text_destroy(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_come_in_file_order),
      cmocka_unit_test(line_ends_and_blanks_do_not_matter),
      cmocka_unit_test(broken_values_are_named_with_their_line),
      cmocka_unit_test(headers_must_agree_with_the_fld),
      cmocka_unit_test(absurd_sizes_need_no_memory),
      cmocka_unit_test(values_are_printed_as_autogrid_prints_them),
      cmocka_unit_test(rounded_values_are_kept),
      cmocka_unit_test(no_nan_is_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
