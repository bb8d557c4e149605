/* threads.c - fork and join with POSIX threads, and waiting for a limited time. */
#include "base/threads.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct share {
  void (*function)(void *, int);
  void *context;
  int thread;
  pthread_t handle;
  bool started;
} share;

int bt_thread_count_default(void) {
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 0) return CPU_COUNT(&allowed);
#endif
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 1;
}

static void *run_share(void *argument) {
  share *mine = argument;
  mine->function(mine->context, mine->thread);
  return NULL;
}

void bt_parallel(int threads, void (*function)(void *context, int thread), void *context) {
  share *shares = threads > 1 ? calloc((size_t)threads, sizeof *shares) : NULL;
  if (shares == NULL) {
    for (int t = 0; t < threads; t++) function(context, t);
    return;
  }
  for (int t = 1; t < threads; t++) {
    shares[t] = (share){.function = function, .context = context, .thread = t};
    shares[t].started = pthread_create(&shares[t].handle, NULL, run_share, &shares[t]) == 0;
  }
  function(context, 0);
  for (int t = 1; t < threads; t++) {
    if (shares[t].started)
      pthread_join(shares[t].handle, NULL);
    else
      function(context, t);
  }
  free(shares);
}

void bt_condition_init(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
}

bool bt_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += (time_t)seconds;
  until.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
  if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, until.tv_sec++;
  return pthread_cond_timedwait(condition, lock, &until) == 0;
}
