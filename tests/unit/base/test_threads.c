/* test_threads.c - work is shared among threads; waits of a limited time are timed by the monotonic clock. */
#include "base/threads.h"

#include <sys/syscall.h>
#include <time.h>

#include "unit/support.h"

static long step_seconds; /* that the clock on the wall goes wrong */

/* Replaces the C library's function: the time of day may be set at any moment. */
int clock_gettime(clockid_t clock, struct timespec *now) {
  long code = syscall(SYS_clock_gettime, clock, now);
  if (code == 0 && clock == CLOCK_REALTIME) now->tv_sec += step_seconds;
  return (int)code;
}

static void count(void *context, int thread) { ((int *)context)[thread]++; }

static void every_share_is_done_once(void **state) {
  (void)state;
  int done[5] = {0};
  bt_parallel(5, count, done);
  for (int t = 0; t < 5; t++) assert_int_equal(done[t], 1);
}

static void a_wait_ends_in_time_when_the_clock_is_set(void **state) {
  (void)state;
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition;
  bt_condition_init(&condition);
  alarm(60); /* a wait by the wall clock would last a year */
  for (int sign = -1; sign <= 1; sign++) {
    step_seconds = sign * 31536000L;
    struct timespec began, ended;
    pthread_mutex_lock(&lock);
    clock_gettime(CLOCK_MONOTONIC, &began);
    while (bt_condition_wait(&condition, &lock, 0.05)) continue; /* nobody signals */
    clock_gettime(CLOCK_MONOTONIC, &ended);
    pthread_mutex_unlock(&lock);
    double passed = (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec);
    assert_true(passed >= 0.04);
  }
  alarm(0);
  step_seconds = 0;
  pthread_cond_destroy(&condition);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_share_is_done_once),
      cmocka_unit_test(a_wait_ends_in_time_when_the_clock_is_set),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
