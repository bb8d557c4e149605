/* bude_lane.h - what the BUDE kernels need of OpenMP target regions besides lane.h. Work-items of a group are lanes of
 * a 'simd' loop and never wait for each other. */
#ifndef BERTH_BACKEND_OMPTARGET_BUDE_LANE_H
#define BERTH_BACKEND_OMPTARGET_BUDE_LANE_H

#define BT_TEAM 1
#define BT_POSES 1
#include "backend/omptarget/lane.h"
#include "kernel/bude/launch.h"

/* A launch as one work-item sees it. */
typedef struct bt_bude_item_launch {
  bt_bude_launch launch;
  int item, items, group;
} bt_bude_item_launch;
#define BT_BUDE_ITEM (((const bt_bude_item_launch *)launch)->item)
#define BT_BUDE_ITEMS (((const bt_bude_item_launch *)launch)->items)
#define BT_BUDE_GROUP (((const bt_bude_item_launch *)launch)->group)
#define BT_BUDE_LOCAL 0
#define BT_BUDE_UNROLL_SITES

BT_FUNCTION bt_real bt_bude_load(const float *from) { return *from; }
BT_FUNCTION bt_real bt_bude_load_strided(const float *from, int step) { return (void)step, *from; }
BT_FUNCTION void bt_bude_store(float *to, bt_real value) { *to = value; }
BT_FUNCTION bt_bude_site bt_bude_read_site(const bt_bude_site *from) { return *from; }
BT_FUNCTION unsigned int bt_bude_mulhi(unsigned int a, unsigned int b) {
  return (unsigned int)((unsigned long long)a * b >> 32);
}
BT_FUNCTION bt_real bt_bude_root(bt_real q) { return __builtin_sqrtf(bt_max(q, 0.0f)); }

#endif
