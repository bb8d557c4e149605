/* fake_gpu.h - how a test controls the fake driver. Found in the library with dlsym. */
#ifndef BERTH_TESTS_FAKE_GPU_H
#define BERTH_TESTS_FAKE_GPU_H

#include <stddef.h>

#define FAKE_GPU_NAME "Fake GPU"
#define FAKE_GPU_DEVICES 2
#define FAKE_GPU_MEMORY ((size_t)64 << 20)
#define FAKE_GPU_LOCAL 65536
#define FAKE_GPU_KERNEL 2.0F
#define FAKE_GPU_BLOCK 512 /* the largest block: smaller than some variant needs */

typedef struct fake_gpu_state {
  /* set by the test */
  const char *fail; /* this function fails, by its name in CUDA; NULL: none */
  int code;         /* with this error */
  int after;        /* once it has been called so often */
  int major, minor, version, compute_mode;
  const char *log; /* what the compiler says */
  /* set by the driver */
  int allocations, pinned, modules, streams, contexts; /* that are alive */
  int kernels;                                         /* launched */
  int events;                                          /* that are alive */
  float clock;                                         /* ms; each kernel takes FAKE_GPU_KERNEL */
  unsigned int blocks, threads, local_bytes;           /* of the last launch */
  unsigned char launch[256];                           /* its third argument */
  void *arena, *maps;
} fake_gpu_state;

#endif
