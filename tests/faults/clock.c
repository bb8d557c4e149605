/* clock.c - makes the wall clock jump: BERTH_FAULT_CLOCK=SEED shifts every few readings by up to an hour, back and
 * forth. Monotonic clocks are not affected. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static uint64_t seed;

__attribute__((constructor)) static void read_seed(void) {
  const char *text = getenv("BERTH_FAULT_CLOCK");
  if (text != NULL) seed = strtoull(text, NULL, 10) + 1;
}

/* Seconds; another number for every third reading. */
static long shift(void) {
  static _Atomic(uint64_t) readings;
  uint64_t mixed = (seed + readings++ / 3) * 0x9E3779B97F4A7C15u;
  return (long)((mixed >> 40) % 7200) - 3600;
}

int __real_clock_gettime(clockid_t clock, struct timespec *ret_time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *ret_time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *ret_time) {
  int result = __real_clock_gettime(clock, ret_time);
  if (seed != 0 && clock == CLOCK_REALTIME) ret_time->tv_sec += shift();
  return result;
}

time_t __real_time(time_t *opt_time);
time_t __wrap_time(time_t *opt_time);
time_t __wrap_time(time_t *opt_time) {
  time_t now = __real_time(NULL) + (seed != 0 ? shift() : 0);
  if (opt_time != NULL) *opt_time = now;
  return now;
}
