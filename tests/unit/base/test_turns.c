/* turns.h: who is alone is alone, and does not wait for ever among many who share. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/turns.h"
#include "unit/support.h"

static bt_turns *turns;
static atomic_int sharing, together, disturbed, rounds;
static atomic_bool over;

static void *share(void *unused) {
  while (!atomic_load(&over)) {
    bt_turns_share(turns);
    if (atomic_fetch_add(&sharing, 1) > 0) atomic_store(&together, 1);
    sched_yield();
    atomic_fetch_sub(&sharing, 1);
    bt_turns_end(turns);
    atomic_fetch_add(&rounds, 1);
  }
  return unused;
}

static void test_alone_among_many(void **state) {
  (void)state;
  bt_error error;
  pthread_t threads[3];
  support_ok(bt_turns_create(&turns, &error), &error);
  for (int i = 0; i < 3; i++) assert_int_equal(pthread_create(&threads[i], NULL, share, NULL), 0);
  while (atomic_load(&rounds) < 1000 || !atomic_load(&together)) sched_yield();
  for (int i = 0; i < 200; i++) {
    bt_turns_alone(turns);
    if (atomic_load(&sharing) != 0) atomic_fetch_add(&disturbed, 1);
    sched_yield();
    if (atomic_load(&sharing) != 0) atomic_fetch_add(&disturbed, 1);
    bt_turns_end(turns);
  }
  atomic_store(&over, true);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert_int_equal(atomic_load(&disturbed), 0);
  bt_turns_destroy(turns);
}

static void test_nobody_else(void **state) {
  (void)state;
  bt_turns_alone(NULL);
  bt_turns_end(NULL);
  bt_turns_share(NULL);
  bt_turns_end(NULL);
  bt_turns_destroy(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_alone_among_many), cmocka_unit_test(test_nobody_else)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
