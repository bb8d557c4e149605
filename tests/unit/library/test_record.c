/* test_record.c - a record that fails: its own faults, and failures that may not recur. */
#include "btl_cases.h"
#include "library/library_internal.h"

static bt_library *open_text(const char *text, bt_prepare_options options, const char *format) {
  bt_library *library = NULL;
  bt_error error = {0};
  options.opt_format = format;
  support_ok(bt_library_open_text(text, strlen(text), "text", &options, &library, &error), &error);
  return library;
}

typedef struct plan {
  int calls, failures;
  bt_status status;
} plan;

static bt_status follow(void *context, bt_error *reason, bt_error *error) {
  plan *p = context;
  (void)reason;
  return ++p->calls > p->failures ? BT_OK : bt_fail(error, p->status, (bt_where){0}, "", "as planned");
}

static void test_memory_is_tried_twice(void **state) {
  (void)state;
  bt_library *library = open_text(case_plain, bt_prepare_options_default(), "pdbqt");
  const struct {
    plan plan;
    int calls;
    bt_status expected, reason;
  } cases[] = {
      {{0, 0, BT_OK}, 1, BT_OK, BT_OK},
      {{0, 1, BT_ERR_MEMORY}, 2, BT_OK, BT_OK},
      {{0, 9, BT_ERR_MEMORY}, 2, BT_OK, BT_ERR_LIMIT}, /* there is memory: it is the record that wants too much */
      {{0, 9, BT_ERR_CANCELLED}, 1, BT_ERR_CANCELLED, BT_OK}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    bt_error reason = {0}, error = {0};
    plan p = cases[k].plan;
    assert_int_equal(bt_library_try(library, follow, &p, &reason, &error), cases[k].expected);
    assert_int_equal(p.calls, cases[k].calls);
    assert_int_equal(reason.status, cases[k].reason);
  }
  bt_library_close(library);
}

static bool is_cancelled(void *user) { return *(bool *)user; }

/* Cancelling a screen does not wait for the conformers of its largest molecule. */
static void test_preparation_is_cancelled(void **state) {
  (void)state;
  if (*bt_rdkit_version() == '\0') skip();
  bool cancelled = true, found;
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_cancelled = is_cancelled;
  options.opt_cancelled_user = &cancelled;
  bt_library *library = open_text("CCO one\n", options, "smiles");
  bt_library_item item;
  bt_error error = {0};
  support_ok(bt_library_next(library, &item, &found, &error), &error);
  assert_int_equal(bt_library_prepare(library, &item, &error), BT_ERR_CANCELLED);
  assert_null(item.molecule);
  assert_int_equal(item.error.status, BT_OK); /* it was not rejected */
  cancelled = false;
  support_ok(bt_library_prepare(library, &item, &error), &error);
  assert_non_null(item.molecule);
  bt_library_item_clear(&item);
  bt_library_close(library);
}

static void test_time_of_a_record(void **state) {
  (void)state;
  if (*bt_rdkit_version() == '\0') skip();
  bool found;
  bt_prepare_options options = bt_prepare_options_default();
  options.record_seconds = 1e-9;
  bt_library *library = open_text("CCO one\n", options, "smiles");
  bt_library_item item;
  bt_error error = {0};
  support_ok(bt_library_next(library, &item, &found, &error), &error);
  support_ok(bt_library_prepare(library, &item, &error), &error);
  assert_int_equal(item.error.status, BT_ERR_LIMIT);
  assert_non_null(strstr(item.error.message, "record 1 (one): preparation took longer than"));
  bt_library_item_clear(&item);
  bt_library_close(library);
}

/* A title that contains NUL belongs to its own record, even if nothing precedes the NUL. */
static void test_nul_in_a_title(void **state) {
  (void)state;
  static const char text[] = "CCO one\nCCC o\0ne\nCCN \0\nCCCC four\n";
  const char *names[] = {"one", "o ne", "text_3", "four"};
  bt_prepare_options options = bt_prepare_options_default();
  bt_library *library = NULL;
  bt_error error = {0};
  options.opt_format = "smiles";
  support_ok(bt_library_open_text(text, sizeof text - 1, "text", &options, &library, &error), &error);
  for (long k = 0; k < 4; k++) {
    bt_library_item item;
    bool found;
    support_ok(bt_library_next(library, &item, &found, &error), &error);
    assert_true(found);
    assert_string_equal(item.name, names[k]);
    assert_int_equal(item.number, k + 1);
    assert_int_equal(item.error.status, k == 1 || k == 2 ? BT_ERR_INPUT : BT_OK);
    if (item.error.status != BT_OK) assert_int_equal(item.error.line, k + 1);
    bt_library_item_clear(&item);
  }
  bt_library_close(library);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory_is_tried_twice),
                                     cmocka_unit_test(test_preparation_is_cancelled),
                                     cmocka_unit_test(test_time_of_a_record), cmocka_unit_test(test_nul_in_a_title)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
