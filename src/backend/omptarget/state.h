/* state.h - an opened device; shared by omptarget.c and properties.c. */
#ifndef BERTH_BACKEND_OMPTARGET_STATE_H
#define BERTH_BACKEND_OMPTARGET_STATE_H

#include "backend/omptarget/omptarget.h"

struct bt_runtime_program {
  bt_runtime_program *next; /* of the device's list */
  const bt_kernel_image *image;
  const bt_omptarget_entries *entries;
  bool teams; /* work-items of a block meet at barriers */
};

struct bt_runtime_device {
  const bt_omptarget_table *table;
  int number; /* OpenMP's */
  bt_runtime_properties properties;
  bt_runtime_program *programs;
  void *scratch;
  size_t scratch_bytes;
};

#endif
