/* bude.h - the BUDE engine's kernels on the CPU: one set per instruction set and variant, behind a runtime whose device
 * memory is memory. */
#ifndef BERTH_BACKEND_CPU_BUDE_H
#define BERTH_BACKEND_CPU_BUDE_H

#include "backend/runtime_bude.h"

/* Kernels of one instruction set and variant. */
typedef struct bt_cpu_bude_kernels {
  int lanes;
  float scale;
  /* Runs one group, which is one work-item; NULL: not of this variant. */
  void (*run[BT_BUDE_KERNEL_COUNT])(char *arena, const bt_bude_launch *launch, int group, float *local);
} bt_cpu_bude_kernels;

/* Device i is instruction set i (isa.h). Only what the engine calls is there; opened devices use all cores unless told.
 */
extern const bt_runtime bt_runtime_cpu;
void bt_cpu_bude_set_threads(bt_runtime_device *device, int threads);

#endif
