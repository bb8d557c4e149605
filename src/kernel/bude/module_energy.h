/* module_energy.h - the module bude: the energy kernel, for a given number of poses per work-item (BT_BUDE_POSES) and
 * with some optimizations disabled (BT_BUDE_WITHOUT). See kernel/lga/module.h. */
#ifndef BERTH_KERNEL_BUDE_MODULE_ENERGY_H
#define BERTH_KERNEL_BUDE_MODULE_ENERGY_H

#include "launch.h"

#define BT_MODULE_LAUNCH bt_bude_launch
#include "kernel/lane/item.h"
#include "kernel/lane/lane_math.h"

#include "energy.h"

#define BT_MODULE_ENTRIES BT_BUDE_ENERGY_KERNELS
#define BT_MODULE_ITEMS BT_BUDE_ENERGY_ITEMS
#define BT_MODULE_WARPS (BT_BUDE_POSES > 16 ? 8 : 16)
#define BT_MODULE_CALL(entry, arena, maps, launch, memory) entry##_body(arena, launch, memory)

#endif
