/* threads.c - fork and join with POSIX threads. */
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
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
