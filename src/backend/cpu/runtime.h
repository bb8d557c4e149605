/* runtime.h - this processor as a runtime, whose device memory is memory; device i is instruction set i (isa.h). */
#ifndef BERTH_BACKEND_CPU_RUNTIME_H
#define BERTH_BACKEND_CPU_RUNTIME_H

#include "backend/cpu/isa.h"
#include "backend/runtime.h"

extern const bt_runtime bt_runtime_cpu;

/* The kernels of a module for one variant and instruction set. */
typedef struct bt_cpu_entries {
  int lanes;
  float root_scale;
  int n_entries;
  /* Run one block, which is one work-item, in local memory of its thread. */
  void (*const *run)(void *arena, void *maps, const void *launch, int block, float *local);
} bt_cpu_entries;

/* Made by cmake/BackendCpu.cmake: the code of each is const bt_cpu_entries *[BT_CPU_COUNT], NULL where there is none. */
extern const bt_kernel_image bt_cpu_images[];

#endif
