/* simulated_gpu.h - the state of the simulated driver. See simulated_gpu.c. */
#ifndef BERTH_BENCH_SIMULATED_GPU_H
#define BERTH_BENCH_SIMULATED_GPU_H

#include <pthread.h>
#include <stddef.h>

enum { SIMULATED_MOST = 32 };

typedef struct simulated_device {
  int index;
  pthread_mutex_t lock; /* of what follows */
  double free_at;       /* until then its kernels run, seconds of the monotonic clock */
  double busy;          /* seconds, of all kernels */
  long blocks;          /* of local searches */
} simulated_device;

typedef struct simulated_stream {
  simulated_device *device;
  double end; /* of its last kernel */
} simulated_stream;

typedef struct simulated_function {
  int kernel; /* bt_launch_kernel; -1: of another module */
} simulated_function;

/* What a kernel of the search leaves in memory, so that the host can go on (kernels.c). arguments: of cuLaunchKernel.
 */
void simulated_run(int kernel, unsigned int blocks, void **arguments);

#endif
