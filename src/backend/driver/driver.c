/* driver.c - the runtime of CUDA and of HIP: memory, copies, launches on one stream per opened device.
 *
 * Contents: 1. Errors  2. Devices  3. Memory (programs and launches: driver_program.c)
 * After a fault in a kernel a driver answers every call with the same error for the rest of the process. Nothing is
 * retried here: the caller continues with another device.
 */
#include "backend/driver/driver_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Small uploads go through pinned memory, so that they wait for nothing. */
#define STAGING_BYTES ((size_t)256 << 10)

_Static_assert(sizeof(void *) == 8, "device addresses are kept in pointers");

/* ---- 1. Errors ---- */

bt_status bt_driver_fail(const bt_runtime_device *device, int code, const char *what, bt_error *opt_error) {
  char text[200];
  const char *remedy = "run it again; if it fails again, use another --device";
  bt_status status = BT_ERR_DEVICE;
  device->driver->error_text(&device->library, code, text, sizeof text);
  switch (code) { /* the same numbers in both drivers */
    case BT_DRIVER_OUT_OF_MEMORY:
      status = BT_ERR_MEMORY;
      remedy = "dock fewer ligands or runs at once, or use another --device";
      break;
    case BT_DRIVER_INVALID_VALUE:
    case BT_DRIVER_TOO_MANY_RESOURCES:
      status = BT_ERR_LIMIT;
      remedy = "use another --team";
      break;
    case BT_DRIVER_INVALID_IMAGE:
    case BT_DRIVER_NO_BINARY:
    case BT_DRIVER_INVALID_PTX:
    case BT_DRIVER_NO_COMPILER:
    case BT_DRIVER_NEWER_PTX: remedy = device->driver->no_kernels; break;
    default:
      if (code == BT_DRIVER_UNAVAILABLE || code == BT_DRIVER_ECC || code == BT_DRIVER_LINK ||
          code == BT_DRIVER_CONTAINED || (code >= BT_DRIVER_FAULT && code < BT_DRIVER_FAULT + 100))
        remedy = "this process has lost the device: start it again; if it fails again, use another --device";
  }
  return bt_fail(opt_error, status, (bt_where){0}, remedy, "%s: %s failed: %s", device->properties.name, what, text);
}

/* ---- 2. Devices ---- */

bt_status bt_driver_open(const bt_driver *driver, int index, bt_runtime_device **ret_device, bt_error *opt_error) {
  char reason[256];
  bt_runtime_device *device = calloc(1, sizeof *device);
  if (device == NULL) return bt_fail_memory(opt_error);
  device->driver = driver;
  bt_driver_device_properties(driver, index, &device->properties);
  bool found = bt_driver_library_open(driver, &device->library, reason, sizeof reason);
  if (found) snprintf(reason, sizeof reason, "%s", device->properties.reason);
  if (reason[0] != '\0' && (!found || device->properties.reason[0] != '\0')) {
    free(device);
    return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, "see `berth devices` for what can be used here",
                   "device %d of %s cannot be used: %s", index, driver->name, reason);
  }
  int code = device->library.device(&device->device, index);
  bool held = false;
  if (code == 0) {
    code = driver->context_open(&device->library, device->device, &device->context);
    held = code == 0;
  }
  if (code == 0) BT_DRIVER_CALL(device, code, device->library.stream_create(&device->stream, 1 /* non-blocking */));
  if (code == 0) {
    void *staging = NULL;
    BT_DRIVER_CALL(device, code, device->library.allocate_pinned(&staging, STAGING_BYTES, 0));
    device->staging = staging;
  }
  if (code != 0) {
    bt_status status = bt_driver_fail(device, code, "opening it", opt_error);
    if (device->stream != NULL) BT_DRIVER_CALL(device, code, device->library.stream_destroy(device->stream));
    if (held) driver->context_close(&device->library, device->device);
    free(device);
    return status;
  }
  *ret_device = device;
  return BT_OK;
}

void bt_driver_close(bt_runtime_device *device) {
  if (device == NULL) return;
  const bt_driver_library *library = &device->library;
  int code;
  BT_DRIVER_CALL(device, code, library->stream_synchronize(device->stream));
  for (bt_runtime_program *program = device->programs, *next; program != NULL; program = next) {
    next = program->next;
    BT_DRIVER_CALL(device, code, library->module_unload(program->loaded));
    free(program);
  }
  BT_DRIVER_CALL(device, code, (bt_driver_watch_close(device), 0));
  BT_DRIVER_CALL(device, code, library->release_pinned(device->staging));
  BT_DRIVER_CALL(device, code, library->stream_destroy(device->stream));
  (void)code; /* of a lost device */
  device->driver->context_close(library, device->device);
  free(device);
}

static int wait(bt_runtime_device *device) {
  int code = device->library.stream_synchronize(device->stream);
  if (code != 0) return code;
  device->staged = 0;
  bt_driver_watch_read(device);
  return 0;
}

bt_status bt_driver_synchronize(bt_runtime_device *device, bt_error *opt_error) {
  int code;
  BT_DRIVER_CALL(device, code, wait(device));
  return code == 0 ? BT_OK : bt_driver_fail(device, code, "waiting for its kernels", opt_error);
}

/* ---- 3. Memory ---- */

bt_status bt_driver_allocate(bt_runtime_device *device, size_t bytes, bt_runtime_buffer *ret_buffer,
                             bt_error *opt_error) {
  int code;
  *ret_buffer = (bt_runtime_buffer){0};
  if (bytes == 0) return BT_OK;
  BT_DRIVER_CALL(device, code, device->library.allocate(&ret_buffer->handle, bytes));
  if (code == 0) {
    ret_buffer->bytes = bytes;
    return BT_OK;
  }
  ret_buffer->handle = NULL;
  if (code != BT_DRIVER_OUT_OF_MEMORY) return bt_driver_fail(device, code, "allocating memory", opt_error);
  return bt_fail(opt_error, BT_ERR_MEMORY, (bt_where){0}, "dock fewer ligands or runs at once, or use another --device",
                 "%s: %.1f MiB do not fit into its memory", device->properties.name, (double)bytes / 1048576.0);
}

void bt_driver_release(bt_runtime_device *device, bt_runtime_buffer *buffer) {
  int code;
  if (device == NULL || buffer->handle == NULL) return;
  BT_DRIVER_CALL(device, code, device->library.release(buffer->handle));
  (void)code; /* of a lost device */
  *buffer = (bt_runtime_buffer){0};
}

static char *at(const bt_runtime_buffer *buffer, size_t offset) { return (char *)buffer->handle + offset; }

/* Whether [offset, offset + bytes) lies in the buffer. */
static bt_status check(const bt_runtime_device *device, const bt_runtime_buffer *buffer, size_t offset, size_t bytes,
                       bt_error *opt_error) {
  if (offset <= buffer->bytes && bytes <= buffer->bytes - offset) return BT_OK;
  return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, "please report it",
                 "%s: bytes %zu to %zu are not in a buffer of %zu bytes", device->properties.name, offset,
                 offset + bytes, buffer->bytes);
}

static int upload(bt_runtime_device *device, char *to, const void *from, size_t bytes) {
  const bt_driver_library *library = &device->library;
  int code = 0;
  if (bytes > STAGING_BYTES) {
    code = library->upload(to, from, bytes, device->stream);
    return code == 0 ? wait(device) : code;
  }
  if (bytes > STAGING_BYTES - device->staged) code = wait(device);
  if (code != 0) return code;
  char *staged = device->staging + device->staged;
  memcpy(staged, from, bytes);
  device->staged += bytes;
  return library->upload(to, staged, bytes, device->stream);
}

static int download(bt_runtime_device *device, void *to, const char *from, size_t bytes) {
  int code = device->library.download(to, from, bytes, device->stream);
  return code == 0 ? wait(device) : code;
}

bt_status bt_driver_upload(bt_runtime_device *device, bt_runtime_buffer *to, size_t offset, const void *from,
                           size_t bytes, bt_error *opt_error) {
  int code;
  BT_TRY(check(device, to, offset, bytes, opt_error));
  if (bytes == 0) return BT_OK;
  BT_DRIVER_CALL(device, code, upload(device, at(to, offset), from, bytes));
  return code == 0 ? BT_OK : bt_driver_fail(device, code, "copying to it", opt_error);
}

bt_status bt_driver_download(bt_runtime_device *device, void *to, const bt_runtime_buffer *from, size_t offset,
                             size_t bytes, bt_error *opt_error) {
  int code;
  BT_TRY(check(device, from, offset, bytes, opt_error));
  if (bytes == 0) return bt_driver_synchronize(device, opt_error);
  BT_DRIVER_CALL(device, code, download(device, to, at(from, offset), bytes));
  return code == 0 ? BT_OK : bt_driver_fail(device, code, "copying from it", opt_error);
}

bt_status bt_driver_clear(bt_runtime_device *device, bt_runtime_buffer *buffer, size_t offset, size_t bytes,
                          bt_error *opt_error) {
  int code;
  BT_TRY(check(device, buffer, offset, bytes, opt_error));
  if (bytes == 0) return BT_OK;
  BT_DRIVER_CALL(device, code, device->library.clear(at(buffer, offset), 0, bytes, device->stream));
  return code == 0 ? BT_OK : bt_driver_fail(device, code, "clearing memory", opt_error);
}
