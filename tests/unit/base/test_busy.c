/* test_busy.c - the length of the union of spans of time, whatever their order. */
#include "base/busy.h"
#include "base/threads.h"
#include "unit/assert_near.h"
#include "unit/support.h"

static void overlapping_spans_count_once(void **state) {
  (void)state;
  bt_busy busy;
  bt_busy_open(&busy);
  assert_near(bt_busy_seconds(&busy), 0, 0);
  bt_busy_add(&busy, 10, 12);
  bt_busy_add(&busy, 11, 13); /* overlaps */
  bt_busy_add(&busy, 20, 21);
  bt_busy_add(&busy, 5, 6); /* comes late */
  assert_near(bt_busy_seconds(&busy), 5, 1e-12);
  bt_busy_add(&busy, 11, 12); /* inside another */
  bt_busy_add(&busy, 13, 14); /* touches one */
  assert_near(bt_busy_seconds(&busy), 6, 1e-12);
  assert_int_equal(busy.count, 3);
  bt_busy_add(&busy, 5.5, 20.5); /* joins all */
  assert_near(bt_busy_seconds(&busy), 16, 1e-12);
  assert_int_equal(busy.count, 1);
  bt_busy_add(&busy, 30, 30); /* empty, or no span at all */
  bt_busy_add(&busy, 32, 31);
  assert_near(bt_busy_seconds(&busy), 16, 1e-12);
  bt_busy_close(&busy);
}

/* With any number of gaps; each span is half of its second. */
static void many_gaps_are_kept_as_a_sum(void **state) {
  (void)state;
  bt_busy busy;
  bt_busy_open(&busy);
  for (int k = 0; k < 10 * BT_BUSY_SPANS; k++) bt_busy_add(&busy, k, k + 0.5);
  assert_near(bt_busy_seconds(&busy), 5.0 * BT_BUSY_SPANS, 1e-9);
  bt_busy_add(&busy, 0, 1); /* long closed */
  assert_near(bt_busy_seconds(&busy), 5.0 * BT_BUSY_SPANS, 1e-9);
  bt_busy_close(&busy);
}

enum { THREADS = 4, EACH = 1000 };

/* All threads' spans of a second overlap by halves. */
static void add_some(void *context, int thread) {
  for (int k = 0; k < EACH; k++) bt_busy_add(context, k + 0.1 * thread, k + 0.1 * thread + 0.2);
}

static void threads_add_to_one(void **state) {
  (void)state;
  bt_busy busy;
  bt_busy_open(&busy);
  bt_parallel(THREADS, add_some, &busy);
  assert_true(bt_busy_seconds(&busy) <= 0.5 * EACH + 1e-6);
  bt_busy_add(&busy, 0, EACH + 1);
  assert_true(bt_busy_seconds(&busy) <= EACH + 1 + 1e-6);
  bt_busy_close(&busy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(overlapping_spans_count_once),
      cmocka_unit_test(many_gaps_are_kept_as_a_sum),
      cmocka_unit_test(threads_add_to_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
