/* test_residue_word.c - names of residues, in every form that users type and that messages print. */
#include "chem/residue_word.h"
#include "unit/support.h"

static int fits(const char *word, const bt_residue_id *residue) {
  return bt_residue_word_fits(bt_span_from(word), residue);
}

static void every_form_names_the_residue(void **state) {
  (void)state;
  const bt_residue_id xk2 = {"A", "XK2", 263, ' '}, his = {"B", "HIS", -3, 'C'}, blank = {"", "478", 200, ' '};
  const char *of_xk2[] = {"XK2",      "xk2",       "263",       "XK2263",  "A:",    "A:263", "A:XK2",
                          "A:XK2263", "A:XK2:263", "XK2:A:263", "XK2:263", "XK2:A", "*:263", " A:263 "};
  const char *of_his[] = {"HIS", "-3C", "HIS-3C", "B:", "B:-3C", "B:HIS-3C", "B:HIS:-3C", "HIS:B:-3C"};
  const char *of_blank[] = {"478", "200", "478200", ":478:200", ":200", ":", "478::200"};
  for (size_t k = 0; k < sizeof of_xk2 / sizeof *of_xk2; k++) assert_true(fits(of_xk2[k], &xk2) > 0);
  for (size_t k = 0; k < sizeof of_his / sizeof *of_his; k++) assert_true(fits(of_his[k], &his) > 0);
  for (size_t k = 0; k < sizeof of_blank / sizeof *of_blank; k++) assert_true(fits(of_blank[k], &blank) > 0);
}

static void others_are_not_meant(void **state) {
  (void)state;
  const bt_residue_id xk2 = {"A", "XK2", 263, ' '};
  const char *others[] = {"XK",    "26",      "263A", "B:263", "a:263",  "A:264", "A:XK1:263", "B:XK2:263", "XK2264",
                          "K2263", "A:B:C:D", "",     " ",     "A:XK2:", ":263",  "+263",      "XK2:B"};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) assert_int_equal(fits(others[k], &xk2), 0);
}

static void the_first_reading_counts(void **state) {
  (void)state;
  const bt_residue_id named = {"A", "478", 200, ' '}, numbered = {"A", "ARG", 478, ' '};
  assert_true(fits("478", &named) < fits("478", &numbered));
  assert_true(fits("A:478", &numbered) < fits("A:478", &named)); /* A:57 has always been a number */
}

static void what_is_no_word(void **state) {
  (void)state;
  assert_true(bt_is_residue_word(bt_span_from("A:")) && bt_is_residue_word(bt_span_from("A:HIS:57")));
  assert_false(bt_is_residue_word(bt_span_from("")) || bt_is_residue_word(bt_span_from("A:B:C:D")));
  assert_false(bt_is_residue_word(bt_span_from("A:HIS:")) || bt_is_residue_word(bt_span_from("::5")));
}

static void near_ones_can_be_suggested(void **state) {
  (void)state;
  const bt_residue_id arg = {"A", "ARG", 8, ' '}, asp = {"A", "ASP", 25, ' '};
  assert_true(bt_residue_word_near(bt_span_from("ARG9"), &arg) && bt_residue_word_near(bt_span_from("B:8"), &arg));
  assert_false(bt_residue_word_near(bt_span_from("A:ARG9"), &asp));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_form_names_the_residue), cmocka_unit_test(others_are_not_meant),
      cmocka_unit_test(the_first_reading_counts),     cmocka_unit_test(what_is_no_word),
      cmocka_unit_test(near_ones_can_be_suggested),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
