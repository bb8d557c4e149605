/* toy.c - a back end that is a loop: blocks run one after another, in host memory. */
#include "backend/toy/toy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/runtime.h"

struct bt_runtime_device {
  int unused;
};

enum { MEMORY = 1 << 30, LOCAL_BYTES = 1 << 20 };

static const bt_kernel_image images[] = {{"lga", {1, 1, 1}, toy_lga}, {0}};

static int device_count(char *reason, size_t size) { return snprintf(reason, size, "%s", ""), 1; }

static void device_properties(int index, bt_runtime_properties *p) {
  (void)index;
  *p = (bt_runtime_properties){.name = "a loop",
                               .memory = MEMORY,
                               .free_memory = MEMORY,
                               .largest_buffer = MEMORY,
                               .local_memory = LOCAL_BYTES,
                               .local_memory_core = LOCAL_BYTES,
                               .cores = 1,
                               .block_threads = 1,
                               .wave = 1,
                               .lanes = 1,
                               .cpu = true};
}

static bt_status open(int index, bt_runtime_device **ret_device, bt_error *opt_error) {
  (void)index;
  *ret_device = calloc(1, sizeof **ret_device);
  return *ret_device != NULL ? BT_OK : bt_fail_memory(opt_error);
}

static void close(bt_runtime_device *device) { free(device); }

static bt_status allocate(bt_runtime_device *device, size_t bytes, bt_runtime_buffer *ret_buffer, bt_error *opt_error) {
  (void)device;
  *ret_buffer = (bt_runtime_buffer){calloc(1, bytes), bytes};
  return ret_buffer->handle != NULL ? BT_OK : bt_fail_memory(opt_error);
}

static void release(bt_runtime_device *device, bt_runtime_buffer *buffer) {
  (void)device;
  free(buffer->handle);
  *buffer = (bt_runtime_buffer){0};
}

static bt_status upload(bt_runtime_device *device, bt_runtime_buffer *to, size_t offset, const void *from, size_t bytes,
                        bt_error *opt_error) {
  (void)device, (void)opt_error;
  if (bytes > 0) memcpy((char *)to->handle + offset, from, bytes);
  return BT_OK;
}

static bt_status download(bt_runtime_device *device, void *to, const bt_runtime_buffer *from, size_t offset,
                          size_t bytes, bt_error *opt_error) {
  (void)device, (void)opt_error;
  if (bytes > 0) memcpy(to, (const char *)from->handle + offset, bytes);
  return BT_OK;
}

static bt_status clear(bt_runtime_device *device, bt_runtime_buffer *buffer, size_t offset, size_t bytes,
                       bt_error *opt_error) {
  (void)device, (void)opt_error;
  if (bytes > 0) memset((char *)buffer->handle + offset, 0, bytes);
  return BT_OK;
}

static bt_kernel_limits limits(const bt_runtime_device *device, const bt_module *module, const bt_variant *variant) {
  (void)device, (void)module, (void)variant;
  return (bt_kernel_limits){.lanes = 1, .root_scale = 1, .items = 1, .free_items = 1};
}

/* A program is the table of its entries. */
static bt_status program(bt_runtime_device *device, const bt_module *module, const bt_variant *variant,
                         bt_runtime_program **ret_program, bt_error *opt_error) {
  (void)device;
  const bt_kernel_image *image = bt_image_find(images, module, variant);
  if (image == NULL) return bt_variant_missing("toy", module, variant, opt_error);
  *ret_program = (bt_runtime_program *)(uintptr_t)image->opt_code;
  return BT_OK;
}

static int blocks_per_core(const bt_runtime_program *of, int entry, int items, size_t local_bytes) {
  (void)of, (void)entry, (void)items, (void)local_bytes;
  return 1;
}

static bt_status launch(bt_runtime_device *device, bt_runtime_program *of, int entry, bt_launch_size size,
                        const bt_runtime_buffer *arena, const bt_runtime_buffer *opt_maps, const void *what,
                        bt_error *opt_error) {
  (void)device;
  toy_entry run = ((const toy_entry *)(const void *)of)[entry];
  float *local = calloc(1, size.local_bytes + 1);
  if (local == NULL) return bt_fail_memory(opt_error);
  for (size_t block = 0; block < size.blocks; block++)
    run(arena->handle, opt_maps != NULL ? opt_maps->handle : NULL, what, (int)block, local);
  free(local);
  return BT_OK;
}

static bt_status synchronize(bt_runtime_device *device, bt_error *opt_error) {
  (void)device, (void)opt_error;
  return BT_OK;
}

extern const bt_runtime bt_runtime_toy; /* for the registry */
static const bt_backend devices[] = {{"toy", &bt_runtime_toy, -1}, {"toy:0", &bt_runtime_toy, 0}};
const bt_runtime bt_runtime_toy = {
    .name = "toy",
    .description = "a loop",
    .one_item = true,
    .images = images,
    .devices = devices,
    .device_count = device_count,
    .device_properties = device_properties,
    .open = open,
    .close = close,
    .allocate = allocate,
    .release = release,
    .upload = upload,
    .download = download,
    .clear = clear,
    .limits = limits,
    .program = program,
    .blocks_per_core = blocks_per_core,
    .launch = launch,
    .synchronize = synchronize,
};
