/* opencl.c - OpenCL devices as a bt_runtime: opening, memory, copies. */
#include "backend/opencl/opencl.h"

#include <stdio.h>
#include <stdlib.h>

#include "backend/opencl/state.h"
#include "base/memory.h"

/* -------------------------------------------------------------------------------------------------- devices -- */

static int device_count(char *reason, size_t reason_size) {
  bt_cl_api api;
  BT_SCOPED bt_cl_device *list = NULL;
  if (!bt_cl_load(&api, reason, reason_size)) return 0;
  int count = bt_cl_devices(&api, &list, reason, reason_size);
  return count;
}

static bool accelerators(void) {
  bt_cl_api api;
  char reason[256];
  return !bt_cl_load(&api, reason, sizeof reason) || !bt_cl_only_processors(&api);
}

/* The library and one of its devices. */
static bt_status find_device(int index, bt_cl_api *ret_api, bt_cl_device *ret_device, bt_error *opt_error) {
  char reason[256] = "";
  bt_cl_device *list = NULL;
  int count = 0;
  bool loaded = bt_cl_load(ret_api, reason, sizeof reason);
  if (loaded) count = bt_cl_devices(ret_api, &list, reason, sizeof reason);
  bool found = index >= 0 && index < count;
  if (found) *ret_device = list[index];
  free(list);
  if (found) return BT_OK;
  if (count > 0)
    return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, "see `berth devices`",
                   "no OpenCL device %d; there are only %d", index, count);
  return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, "see `berth devices`", "OpenCL cannot be used: %s", reason);
}

static void device_properties(int index, bt_runtime_properties *ret_properties) {
  bt_cl_api api;
  bt_cl_device device;
  *ret_properties = (bt_runtime_properties){.name = "no such device"};
  if (find_device(index, &api, &device, NULL) == BT_OK) bt_cl_describe(&api, &device, ret_properties);
}

static void close_device(bt_runtime_device *device) {
  if (device == NULL) return;
  if (device->queue != NULL) device->api.clFinish(device->queue);
  while (device->programs != NULL) {
    bt_runtime_program *next = device->programs->next;
    bt_cl_program_destroy(&device->api, device->programs);
    device->programs = next;
  }
  if (device->queue != NULL) device->api.clReleaseCommandQueue(device->queue);
  if (device->context != NULL) device->api.clReleaseContext(device->context);
  free(device);
}

static bt_status connect_device(bt_runtime_device *device, bt_error *opt_error) {
  cl_int code = 0;
  device->context = device->api.clCreateContext(NULL, 1, &device->device.id, NULL, NULL, &code);
  if (device->context == NULL || code != 0)
    return bt_cl_fail(opt_error, code, "cannot open %.80s", device->properties.name);
  device->queue = device->api.clCreateCommandQueue(device->context, device->device.id, 0, &code);
  if (device->queue == NULL || code != 0)
    return bt_cl_fail(opt_error, code, "cannot create a command queue on %.80s", device->properties.name);
  return BT_OK;
}

static bt_status open_device(int index, bt_runtime_device **ret_device, bt_error *opt_error) {
  bt_runtime_device *device = calloc(1, sizeof *device);
  if (device == NULL) return bt_fail_memory(opt_error);
  bt_status status = find_device(index, &device->api, &device->device, opt_error);
  if (status == BT_OK) {
    bt_cl_describe(&device->api, &device->device, &device->properties);
    status = connect_device(device, opt_error);
  }
  return BT_HAND_OVER(status, device, ret_device, close_device);
}

/* --------------------------------------------------------------------------------------------------- memory -- */

enum { LARGEST_FILL = 1 << 30 };

static void release(bt_runtime_device *device, bt_runtime_buffer *buffer) {
  if (buffer->handle != NULL) device->api.clReleaseMemObject(buffer->handle);
  *buffer = (bt_runtime_buffer){0};
}

static bt_status clear(bt_runtime_device *device, bt_runtime_buffer *buffer, size_t offset, size_t bytes,
                       bt_error *opt_error) {
  static const unsigned char zeros[4] = {0};
  if (bytes == 0) return BT_OK;
  size_t pattern = (offset | bytes) % sizeof zeros == 0 ? sizeof zeros : 1; /* must divide both */
  cl_int code = 0;
  for (size_t from = offset, size; code == 0 && from < offset + bytes; from += size) { /* NVIDIA's fill 2 GiB at most */
    size = offset + bytes - from < LARGEST_FILL ? offset + bytes - from : LARGEST_FILL;
    code = device->api.clEnqueueFillBuffer(device->queue, buffer->handle, zeros, pattern, from, size, 0, NULL, NULL);
  }
  return code == 0 ? BT_OK : bt_cl_fail(opt_error, code, "cannot clear %zu bytes of device memory", bytes);
}

static bt_status fail_allocation(const bt_runtime_device *device, size_t bytes, cl_int code, bt_error *opt_error) {
  char name[32], remedy[160];
  snprintf(remedy, sizeof remedy,
           "dock fewer runs or ligands at a time: this takes %.0f MiB, the largest buffer is %.0f",
           (double)bytes / 1048576.0, (double)device->properties.largest_buffer / 1048576.0);
  return bt_fail(opt_error, BT_ERR_MEMORY, (bt_where){0}, remedy, "cannot allocate %zu bytes on %.80s: %s", bytes,
                 device->properties.name, bt_cl_error_name(code, name));
}

static bt_status allocate(bt_runtime_device *device, size_t bytes, bt_runtime_buffer *ret_buffer, bt_error *opt_error) {
  cl_int code = CL_INVALID_BUFFER_SIZE;
  *ret_buffer = (bt_runtime_buffer){0};
  if (bytes == 0) bytes = 1;
  if (bytes > device->properties.largest_buffer) return fail_allocation(device, bytes, code, opt_error);
  bt_runtime_buffer buffer = {device->api.clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &code),
                              bytes};
  if (buffer.handle == NULL || code != 0) return fail_allocation(device, bytes, code, opt_error);
  /* drivers may defer the allocation until first use, and fail then */
  static const unsigned char zero = 0;
  code = device->api.clEnqueueWriteBuffer(device->queue, buffer.handle, true, bytes - 1, 1, &zero, 0, NULL, NULL);
  if (code != 0) {
    release(device, &buffer);
    return fail_allocation(device, bytes, code, opt_error);
  }
  *ret_buffer = buffer;
  return BT_OK;
}

static bt_status upload(bt_runtime_device *device, bt_runtime_buffer *to, size_t offset, const void *from, size_t bytes,
                        bt_error *opt_error) {
  if (bytes == 0) return BT_OK;
  cl_int code = device->api.clEnqueueWriteBuffer(device->queue, to->handle, true, offset, bytes, from, 0, NULL, NULL);
  return code == 0 ? BT_OK : bt_cl_fail(opt_error, code, "cannot copy %zu bytes to the device", bytes);
}

static bt_status download(bt_runtime_device *device, void *to, const bt_runtime_buffer *from, size_t offset,
                          size_t bytes, bt_error *opt_error) {
  if (bytes == 0) return BT_OK;
  cl_int code = device->api.clEnqueueReadBuffer(device->queue, from->handle, true, offset, bytes, to, 0, NULL, NULL);
  return code == 0 ? BT_OK : bt_cl_fail(opt_error, code, "cannot copy %zu bytes from the device", bytes);
}

static bt_status synchronize(bt_runtime_device *device, bt_error *opt_error) {
  cl_int code = device->api.clFinish(device->queue);
  return code == 0 ? BT_OK : bt_cl_fail(opt_error, code, "the device failed during execution");
}

/* ---------------------------------------------------------------------------------------------- the runtime -- */

static const bt_backend devices[] = BT_NUMBERED_DEVICES("opencl", bt_runtime_opencl);

const bt_runtime bt_runtime_opencl = {
    .name = "opencl",
    .description = "GPUs and CPUs through OpenCL 1.2",
    .images = bt_opencl_images,
    .devices = devices,
    .device_count = device_count,
    .opt_accelerators = accelerators,
    .device_properties = device_properties,
    .open = open_device,
    .close = close_device,
    .allocate = allocate,
    .release = release,
    .upload = upload,
    .download = download,
    .clear = clear,
    .limits = bt_cl_limits,
    .program = bt_cl_program,
    .blocks_per_core = bt_cl_program_blocks,
    .launch = bt_cl_launch,
    .synchronize = synchronize,
};
