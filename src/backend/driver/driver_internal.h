/* driver_internal.h - an opened device and its programs, for driver.c and driver_program.c. */
#ifndef BERTH_BACKEND_DRIVER_DRIVER_INTERNAL_H
#define BERTH_BACKEND_DRIVER_DRIVER_INTERNAL_H

#include "backend/driver/driver.h"

typedef struct bt_driver_function {
  void *function;
  int local_bytes; /* maximum dynamic local memory of a block */
} bt_driver_function;

struct bt_runtime_program {
  bt_runtime_program *next;
  const bt_runtime_device *device;
  const bt_kernel_image *image;
  const bt_module *module;
  void *loaded;
  int items;                      /* maximum number of work-items in a block */
  bt_driver_function functions[]; /* [n_entries] */
};

/* When kernels run (driver_watch.c). */
enum { BT_DRIVER_WATCHED = 64 };

typedef struct bt_driver_watch {
  bt_busy *opt_busy; /* NULL: nobody asks */
  void *base;        /* an event */
  double base_time;  /* when it was, on the clock of bt_seconds */
  void *events[2 * BT_DRIVER_WATCHED]; /* [made] before and after each launch since the host waited last */
  int made, count;                     /* count: of the launches */
} bt_driver_watch;

struct bt_runtime_device {
  const bt_driver *driver;
  bt_driver_library library;
  bt_runtime_properties properties;
  int device;
  void *context, *stream;
  char *staging; /* pinned memory */
  size_t staged; /* bytes of it that pending copies may still read */
  bt_runtime_program *programs;
  bt_driver_watch watch;
};

/* Around a launch, after the host has waited for the stream, and at the end; the device is current. */
void bt_driver_watch_begin(bt_runtime_device *device);
void bt_driver_watch_end(bt_runtime_device *device);
void bt_driver_watch_read(bt_runtime_device *device);
void bt_driver_watch_close(bt_runtime_device *device);

/* Fills opt_error with the driver's error and a remedy: "DEVICE: WHAT failed: ERROR". */
bt_status bt_driver_fail(const bt_runtime_device *device, int code, const char *what, bt_error *opt_error);

/* code = call, made while the device is current for this thread. */
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
