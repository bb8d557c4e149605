/* driver_internal.h - an opened device and its programs, for driver.c and driver_program.c. */
#ifndef BERTH_BACKEND_DRIVER_DRIVER_INTERNAL_H
#define BERTH_BACKEND_DRIVER_DRIVER_INTERNAL_H

#include "backend/driver/driver.h"

struct bt_runtime_program {
  bt_runtime_program *next;
  const bt_runtime_device *device;
  const bt_runtime_variant *variant;
  void *module;
  void *functions[BT_LAUNCH_KERNEL_COUNT];
  int local_bytes[BT_LAUNCH_KERNEL_COUNT]; /* most dynamic local memory of a block */
};

struct bt_runtime_device {
  const bt_driver *driver;
  bt_driver_library library;
  bt_runtime_properties properties;
  int device;
  void *context, *stream;
  char *staging; /* pinned memory */
  size_t staged; /* bytes of it that copies under way may still read */
  bt_runtime_program *programs;
  struct bt_bude_program *bude_programs;
};

/* driver_bude.c: unloads the BUDE engine's kernels. */
void bt_driver_bude_close(bt_runtime_device *device);

/* Fills opt_error with the driver's error and a remedy: "DEVICE: WHAT failed: ERROR". */
bt_status bt_driver_fail(const bt_runtime_device *device, int code, const char *what, bt_error *opt_error);

/* code = call, made while the device is this thread's. */
#define BT_DRIVER_CALL(device, code, call)                                                               \
  do {                                                                                                   \
    int bt_before;                                                                                       \
    code = (device)->driver->enter(&(device)->library, (device)->device, (device)->context, &bt_before); \
    if (code == 0) {                                                                                     \
      code = (call);                                                                                     \
      (device)->driver->leave(&(device)->library, bt_before);                                            \
    }                                                                                                    \
  } while (0)

#endif
