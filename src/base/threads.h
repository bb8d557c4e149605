/* threads.h - run one function on several threads and wait for all of them. */
#ifndef BERTH_BASE_THREADS_H
#define BERTH_BASE_THREADS_H

#include <pthread.h>
#include <stdbool.h>

/* Cores available to this process. */
int bt_thread_count_default(void);

/* Calls function(context, thread) for thread = 0 .. threads-1; thread 0 is the caller. If a thread cannot be started,
 * the caller does its share, so every index is always called. */
void bt_parallel(int threads, void (*function)(void *context, int thread), void *context);

/* A condition variable whose waits use the monotonic clock, so that setting the time of day does not affect them. */
void bt_condition_init(pthread_cond_t *condition);
/* Waits for at most this many seconds; false when they have passed. */
bool bt_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double seconds);

#endif
