/* module.h - The kernels of the search as a module for runtimes, and its variants. */
#ifndef BERTH_ENGINE_LGA_DEVICE_MODULE_H
#define BERTH_ENGINE_LGA_DEVICE_MODULE_H

#include <berth/types.h>

#include "backend/runtime.h"
#include "kernel/lga/launch.h"

/* Launches take a bt_launch_kernel. */
extern const bt_module bt_lga_module;

typedef struct bt_team_variant {
  int team;  /* T: ranks that share a pose */
  int poses; /* P: work-items side by side in a block, each with BT_LANES poses; block = T * P work-items */
  bt_reduction reduction;
} bt_team_variant;

/* The next variant that the build has for a runtime, after *at, which is NULL at first; false: none is left. */
bool bt_team_variant_next(const bt_runtime *runtime, const bt_kernel_image **at, bt_team_variant *ret_variant);
/* As the runtime wants it. */
bt_variant bt_team_variant_key(const bt_team_variant *variant);

#endif
