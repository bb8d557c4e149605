/* pipe.h - a bounded FIFO of pointers between the threads of a pipeline: what an OpenCL pipe is to kernels on an FPGA.
 */
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

/* An empty pipe of zeroed memory. */
void fpga_pipe_open(fpga_pipe *pipe, void **slots, int capacity, int writers);
/* Waits for room. */
void fpga_pipe_push(fpga_pipe *pipe, void *item);
/* Waits for an item; NULL: all writers have closed the pipe, and nothing is left. */
void *fpga_pipe_pop(fpga_pipe *pipe);
/* One writer has nothing more to say. */
void fpga_pipe_close(fpga_pipe *pipe);

#endif
