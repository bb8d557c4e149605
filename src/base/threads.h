/* threads.h - run one function on several threads and wait for all of them. */
#ifndef BERTH_BASE_THREADS_H
#define BERTH_BASE_THREADS_H

/* Cores that this process may use. */
int bt_thread_count_default(void);

/* Calls function(context, thread) for thread = 0 .. threads-1; thread 0 is the caller. If a thread cannot be started,
 * the caller does its share, so every index is always called. */
void bt_parallel(int threads, void (*function)(void *context, int thread), void *context);

#endif
