/* runtime_bude.h - what a runtime offers to the BUDE engine: variants of its kernels, and launching them.
 *
 * The rest is the runtime's own: devices, memory, copies (runtime.h). */
#ifndef BERTH_BACKEND_RUNTIME_BUDE_H
#define BERTH_BACKEND_RUNTIME_BUDE_H

#include "backend/runtime.h"
#include "kernel/bude/launch.h"

/* Kernels compiled together: the energy kernel for so many poses per work-item, or with 0 all the others. */
typedef struct bt_bude_variant {
  int poses;
  unsigned int without; /* BT_BUDE_WITHOUT_*, of the kernel */
  float hardness; /* if it is the same for all types: where kernels are compiled at run time it becomes a constant;
                   * 0: it is not, or shall be read */
} bt_bude_variant;

typedef struct bt_bude_program bt_bude_program; /* loaded kernels; owned by the device */

/* What it is good to know of a variant. */
typedef struct bt_bude_info {
  int lanes;      /* poses side by side in a vector: a work-item evaluates poses * lanes */
  float scale;    /* of the sites' coordinates */
  int items;      /* most work-items of a group */
  int free_items; /* likewise, if they do not wait for each other */
  size_t local;   /* most bytes of local memory of a group; 0: energies are computed without */
} bt_bude_info;

typedef struct bt_runtime_bude {
  bt_bude_info (*info)(const bt_runtime_device *device, bt_bude_variant variant);
  /* BT_ERR_LIMIT: there is no such variant; BT_ERR_DEVICE with the reason when it does not load. Loaded once per
   * device. */
  bt_status (*program)(bt_runtime_device *device, bt_bude_variant variant, bt_bude_program **ret_program,
                       bt_error *opt_error);
  /* groups groups of items work-items with local_bytes of local memory each. Asynchronous where the driver can. */
  bt_status (*launch)(bt_runtime_device *device, bt_bude_program *program, bt_bude_kernel kernel, size_t groups,
                      int items, size_t local_bytes, bt_runtime_buffer *arena, const bt_bude_launch *launch,
                      bt_error *opt_error);
} bt_runtime_bude;

#endif
