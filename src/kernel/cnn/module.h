/* module.h - the module cnn. See kernel/lga/module.h. */
#ifndef BERTH_KERNEL_CNN_MODULE_H
#define BERTH_KERNEL_CNN_MODULE_H

#include "launch.h"

#define BT_MODULE_LAUNCH bt_cnn_launch
#include "kernel/lane/item.h"
#include "kernel/lane/lane_math.h"

#include "field.h"

#include "grid.h"

#if BT_CNN_PRODUCTS
#include "convolve_matrix.h"
#else
#include "convolve.h"
#endif
#include "output.h"
#include "pool.h"

#define BT_MODULE_ENTRIES BT_CNN_KERNELS
#define BT_MODULE_ITEMS BT_CNN_ITEMS
#define BT_MODULE_WARPS 16
#define BT_MODULE_CALL(entry, arena, maps, launch, memory) entry##_body(arena, maps, launch, memory)

#endif
