/* item.h - work-item and group indices where the language has no built-in for them: the launch carries them.
 *
 * Every function that uses BT_ITEM, BT_ITEMS or BT_GROUP has the module's launch as `launch`; BT_MODULE_LAUNCH is its
 * type.
 */
#ifndef BERTH_KERNEL_LANE_ITEM_H
#define BERTH_KERNEL_LANE_ITEM_H

#ifndef BT_GROUP
/* A launch as one work-item sees it. */
typedef struct bt_item_launch {
  BT_MODULE_LAUNCH launch;
  int item, items, group;
} bt_item_launch;
#define BT_GROUP (((const bt_item_launch *)(const void *)launch)->group)
#ifndef BT_ITEM
#define BT_ITEM (((const bt_item_launch *)(const void *)launch)->item)
#define BT_ITEMS (((const bt_item_launch *)(const void *)launch)->items)
#endif
#endif

#endif
