/* module.h - the toy engine's module, for BT_WELL_DIMENSIONS; see kernel/ad4/module.h. A block is one particle. */
#ifndef BERTH_TESTS_BACKEND_TOY_MODULE_H
#define BERTH_TESTS_BACKEND_TOY_MODULE_H

#include "launch.h"

#define BT_MODULE_LAUNCH toy_launch
#include "kernel/lane/item.h"
#include "kernel/lane/lane_math.h"

BT_FUNCTION void toy_energy_body(BT_GLOBAL char *arena, const toy_launch *launch) {
  const BT_GLOBAL float *x = (const BT_GLOBAL float *)(arena + launch->positions) + BT_GROUP * BT_WELL_DIMENSIONS;
  float sum = 0;
  for (int k = 0; k < BT_WELL_DIMENSIONS; k++) sum += (x[k] - launch->center) * (x[k] - launch->center);
  ((BT_GLOBAL float *)(arena + launch->energies))[BT_GROUP] = 0.5f * launch->stiffness * sum;
}

BT_FUNCTION void toy_descend_body(BT_GLOBAL char *arena, const toy_launch *launch) {
  BT_GLOBAL float *x = (BT_GLOBAL float *)(arena + launch->positions) + BT_GROUP * BT_WELL_DIMENSIONS;
  for (int k = 0; k < BT_WELL_DIMENSIONS; k++) x[k] -= launch->rate * launch->stiffness * (x[k] - launch->center);
}

#define BT_MODULE_ENTRIES TOY_KERNELS
#define BT_MODULE_ITEMS 1
#define BT_MODULE_WARPS 16
#define BT_MODULE_CALL(entry, arena, maps, launch, memory) ((void)(memory), entry##_body(arena, launch))

#endif
