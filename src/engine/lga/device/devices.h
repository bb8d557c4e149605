/* devices.h - resolves device names given by the user to back ends. */
#ifndef BERTH_ENGINE_LGA_DEVICE_DEVICES_H
#define BERTH_ENGINE_LGA_DEVICE_DEVICES_H

#include <berth/berth.h>

#include "backend/backend.h"

typedef struct bt_device_list {
  const bt_backend **items;
  int count;
  bool next_allowed; /* another device may take over when these have failed */
} bt_device_list;

/* opt_device and opt_isa as in bt_dock_options or, for a screen, as in bt_screen_options. BT_ERR_USAGE, or
 * BT_ERR_DEVICE for one that cannot be used here. */
bt_status bt_device_list_make(const char *opt_device, const char *opt_isa, bool screen, bt_device_list *ret_list,
                              bt_error *opt_error) BT_MUST_USE;
void bt_device_list_free(bt_device_list *list);

/* What it is, whether (or why not) it can be used on this machine, and which of our kernels there are for it. */
bt_device_info bt_device_describe(const bt_backend *backend);

/* The usable device that auto tries after this one, another instruction set or GPU; NULL: none. */
const bt_backend *bt_device_next(const bt_backend *after);

/* One device for a small task: auto is the CPU. */
bt_status bt_device_single(const char *opt_device, const char *opt_isa, const bt_backend **ret_backend,
                           bt_error *opt_error) BT_MUST_USE;

#endif
