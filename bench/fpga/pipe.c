/* pipe.c - see pipe.h. */
#include "bench/fpga/pipe.h"

#include <stddef.h>

void fpga_pipe_open(fpga_pipe *pipe, void **slots, int capacity, int writers) {
  *pipe = (fpga_pipe){.lock = PTHREAD_MUTEX_INITIALIZER,
                      .changed = PTHREAD_COND_INITIALIZER,
                      .slots = slots,
                      .capacity = capacity,
                      .writers = writers};
}

void fpga_pipe_push(fpga_pipe *pipe, void *item) {
  pthread_mutex_lock(&pipe->lock);
  while (pipe->count == pipe->capacity) pthread_cond_wait(&pipe->changed, &pipe->lock);
  pipe->slots[(pipe->first + pipe->count++) % pipe->capacity] = item;
  pthread_cond_broadcast(&pipe->changed);
  pthread_mutex_unlock(&pipe->lock);
}

void *fpga_pipe_pop(fpga_pipe *pipe) {
  void *item = NULL;
  pthread_mutex_lock(&pipe->lock);
  while (pipe->count == 0 && pipe->writers > 0) pthread_cond_wait(&pipe->changed, &pipe->lock);
  if (pipe->count > 0) {
    item = pipe->slots[pipe->first];
    pipe->first = (pipe->first + 1) % pipe->capacity;
    pipe->count--;
    pthread_cond_broadcast(&pipe->changed);
  }
  pthread_mutex_unlock(&pipe->lock);
  return item;
}

void fpga_pipe_close(fpga_pipe *pipe) {
  pthread_mutex_lock(&pipe->lock);
  pipe->writers--;
  pthread_cond_broadcast(&pipe->changed);
  pthread_mutex_unlock(&pipe->lock);
}
