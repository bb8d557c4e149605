/* state.h - an opened device; shared by omptarget.c and bude.c. */
#ifndef BERTH_BACKEND_OMPTARGET_STATE_H
#define BERTH_BACKEND_OMPTARGET_STATE_H

#include "backend/omptarget/omptarget.h"

struct bt_runtime_program {
  bt_runtime_program *next; /* of the device's list */
  bt_runtime_variant variant;
  const bt_omptarget_run *kernels;
};

struct bt_runtime_device {
  const bt_omptarget_table *table;
  int number; /* OpenMP's */
  bt_runtime_properties properties;
  bt_runtime_program *programs;
  void *scratch;
  size_t scratch_bytes;
};

/* omptarget.c: teams and threads for so many blocks; scratch memory of at least so many bytes. */
bt_omptarget_shape bt_omptarget_shape_for(const bt_runtime_device *device, const bt_runtime_variant *variant,
                                          size_t blocks, size_t local_bytes);
bt_status bt_omptarget_reserve(bt_runtime_device *device, size_t bytes, bt_error *opt_error);

/* bude.c */
extern const struct bt_runtime_bude bt_omptarget_bude;

#endif
