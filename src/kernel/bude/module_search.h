/* module_search.h - the module bude_search: all BUDE kernels but the energy kernel. See kernel/lga/module.h. */
#ifndef BERTH_KERNEL_BUDE_MODULE_SEARCH_H
#define BERTH_KERNEL_BUDE_MODULE_SEARCH_H

#include "launch.h"

#define BT_MODULE_LAUNCH bt_bude_launch
#include "kernel/lane/item.h"
#include "kernel/lane/lane_math.h"

#include "fold_and_peak.h"
#include "search.h"

#define BT_MODULE_ENTRIES BT_BUDE_SEARCH_KERNELS
#define BT_MODULE_ITEMS BT_BUDE_SEARCH_ITEMS
#define BT_MODULE_WARPS 16
#define BT_MODULE_CALL(entry, arena, maps, launch, memory) entry##_body(arena, launch, memory)

#endif
