/* module.h - the module lga as back ends compile it, after their lane.h, for one team size (BT_TEAM, BT_POSES).
 *
 * Every module defines: BT_MODULE_LAUNCH, the structure passed to a launch; BT_MODULE_ENTRIES(X), X(constant, entry) of
 * its kernels; BT_MODULE_ITEMS, the maximum number of work-items per block, and BT_MODULE_WARPS, the number of warps
 * that should fit on a multiprocessor; BT_MODULE_CALL, how to call a kernel's body.
 */
#ifndef BERTH_KERNEL_LGA_MODULE_H
#define BERTH_KERNEL_LGA_MODULE_H

#include "launch.h"

#define BT_MODULE_LAUNCH bt_launch
#include "kernel/lane/item.h"

#include "kernel.h"

#include "entries.h"

#define BT_MODULE_ENTRIES BT_LAUNCH_KERNELS
#define BT_MODULE_ITEMS (BT_TEAM * BT_POSES)
#define BT_MODULE_WARPS 16
#define BT_MODULE_CALL(entry, arena, maps, launch, memory) entry##_body(arena, maps, launch, memory)

#endif
