/* pipe.h - a bounded FIFO of pointers between the threads of a pipeline, the counterpart of an OpenCL pipe between
 * kernels on an FPGA. */
#ifndef BERTH_BENCH_FPGA_PIPE_H
#define BERTH_BENCH_FPGA_PIPE_H

#include <pthread.h>

typedef struct fpga_pipe {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  void **slots; /* [capacity], borrowed */
  int capacity, first, count;
  int writers; /* that have not closed it */
} fpga_pipe;

/* Initializes an empty pipe in zeroed memory. */
void fpga_pipe_open(fpga_pipe *pipe, void **slots, int capacity, int writers);
/* Blocks while the pipe is full. */
void fpga_pipe_push(fpga_pipe *pipe, void *item);
/* Blocks while the pipe is empty; NULL: all writers have closed it and nothing is left. */
void *fpga_pipe_pop(fpga_pipe *pipe);
/* Called by each writer when it is done. */
void fpga_pipe_close(fpga_pipe *pipe);

#endif
