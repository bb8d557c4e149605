/* omptarget.c - OpenMP target devices as a bt_runtime. Launches return when the kernel has run.
 *
 * libgomp terminates the process when the driver reports an error within a target region; this cannot be intercepted.
 * Insufficient memory is reported before that can happen.
 */
#include "backend/omptarget/omptarget.h"

#include <stdio.h>
#include <stdlib.h>

struct bt_runtime_program {
  bt_runtime_program *next; /* of the device's list */
  const bt_kernel_image *image;
  const bt_omptarget_entries *entries;
  bool teams; /* work-items of a block synchronize at barriers */
  int lanes;  /* of a core, if work-items of a block are threads that do not; else 0 */
};

struct bt_runtime_device {
  const bt_omptarget_table *table;
  int number; /* OpenMP's */
  bt_runtime_properties properties;
  bt_runtime_program *programs;
  void *scratch;
  size_t scratch_bytes;
};

/* Threads resident on a core, and available to any team: 32 lanes each with 255 registers, which all kernels use since
 * target regions are called through pointers. */
enum { CORE_THREADS = 8 };

static int device_count(char *reason, size_t reason_size) {
  int count;
  if (reason_size > 0) reason[0] = '\0';
  bt_omptarget_devices(&count, reason, reason_size);
  return count;
}

static void device_properties(int index, bt_runtime_properties *ret_properties) {
  int count;
  *ret_properties = (bt_runtime_properties){.wave = 1};
  const bt_omptarget_table *table = bt_omptarget_devices(&count, ret_properties->reason, sizeof ret_properties->reason);
  if (table != NULL) bt_omptarget_properties(table, index, ret_properties);
}

static void close_device(bt_runtime_device *device) {
  if (device == NULL) return;
  while (device->programs != NULL) {
    bt_runtime_program *next = device->programs->next;
    free(device->programs);
    device->programs = next;
  }
  if (device->scratch != NULL) device->table->release(device->number, device->scratch);
  free(device);
}

static bt_status fail_host(const bt_runtime_device *device, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, "use another device; see `berth devices`",
                 "a target region for %.80s ran on the host: libgomp has no code for it", device->properties.name);
}

static bt_status open_device(int index, bt_runtime_device **ret_device, bt_error *opt_error) {
  char reason[256] = "";
  int count;
  bool host;
  const bt_omptarget_table *table = bt_omptarget_devices(&count, reason, sizeof reason);
  if (table == NULL || index < 0 || index >= count)
    return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, "see `berth devices`", "OpenMP target cannot be used: %s",
                   table == NULL ? reason : "no such device");
  bt_runtime_device *device = calloc(1, sizeof *device);
  if (device == NULL) return bt_fail_memory(opt_error);
  device->table = table;
  device->number = bt_omptarget_number(table, index, &host);
  bt_omptarget_properties(table, index, &device->properties);
  if (!host && !table->runs_there(device->number)) {
    bt_status status = fail_host(device, opt_error);
    close_device(device);
    return status;
  }
  if (!host) bt_omptarget_deepen_stacks();
  *ret_device = device;
  return BT_OK;
}

/* --------------------------------------------------------------------------------------------------- memory -- */

static bt_status allocate(bt_runtime_device *device, size_t bytes, bt_runtime_buffer *ret_buffer, bt_error *opt_error) {
  bool possible = bytes <= device->properties.largest_buffer;
  *ret_buffer = (bt_runtime_buffer){possible ? device->table->allocate(device->number, bytes) : NULL, bytes};
  if (ret_buffer->handle != NULL) return BT_OK;
  char remedy[120];
  snprintf(remedy, sizeof remedy, "dock fewer ligands at a time: this takes %.0f MiB", (double)bytes / 1048576.0);
  return bt_fail(opt_error, BT_ERR_MEMORY, (bt_where){0}, remedy, "cannot allocate %zu bytes on %.80s", bytes,
                 device->properties.name);
}

static void release(bt_runtime_device *device, bt_runtime_buffer *buffer) {
  if (buffer->handle != NULL) device->table->release(device->number, buffer->handle);
  *buffer = (bt_runtime_buffer){0};
}

static bt_status upload(bt_runtime_device *device, bt_runtime_buffer *to, size_t offset, const void *from, size_t bytes,
                        bt_error *opt_error) {
  if (bytes == 0 || device->table->upload(device->number, to->handle, offset, from, bytes)) return BT_OK;
  return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, "use another device", "cannot copy %zu bytes to %.80s", bytes,
                 device->properties.name);
}

static bt_status download(bt_runtime_device *device, void *to, const bt_runtime_buffer *from, size_t offset,
                          size_t bytes, bt_error *opt_error) {
  if (bytes == 0 || device->table->download(device->number, to, from->handle, offset, bytes)) return BT_OK;
  return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, "use another device", "cannot copy %zu bytes from %.80s",
                 bytes, device->properties.name);
}

static bt_status clear(bt_runtime_device *device, bt_runtime_buffer *buffer, size_t offset, size_t bytes,
                       bt_error *opt_error) {
  (void)opt_error;
  if (bytes > 0) device->table->clear(device->number, buffer->handle, offset, bytes);
  return BT_OK;
}

/* -------------------------------------------------------------------------------------------------- kernels -- */

/* Blocks of work-items that synchronize at barriers, not lanes of a loop. */
static bool has_teams(const bt_module *module, const bt_variant *variant) {
  return module->items == 0 && variant->values[0] > 1;
}

static bt_kernel_limits limits(const bt_runtime_device *device, const bt_module *module, const bt_variant *variant) {
  int fixed = bt_variant_items(module, variant), most = device->properties.block_threads;
  return (bt_kernel_limits){.lanes = 1,
                            .root_scale = 1,
                            .items = fixed > 0 ? fixed : module->waits ? 1 : most,
                            .free_items = fixed > 0 ? fixed : most};
}

static bt_status program(bt_runtime_device *device, const bt_module *module, const bt_variant *variant,
                         bt_runtime_program **ret_program, bt_error *opt_error) {
  const bt_kernel_image *image = bt_image_find(bt_omptarget_images, module, variant);
  if (image == NULL) return bt_variant_missing(device->properties.name, module, variant, opt_error);
  for (bt_runtime_program *p = device->programs; p != NULL; p = p->next) {
    if (p->image != image) continue;
    *ret_program = p;
    return BT_OK;
  }
  const bt_omptarget_entries *entries = bt_omptarget_find(module, image);
  if (entries == NULL)
    return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, "install the program and its libraries together",
                   "the OpenMP target code is from another build");
  bt_runtime_program *made = calloc(1, sizeof *made);
  if (made == NULL) return bt_fail_memory(opt_error);
  bool teams = has_teams(module, variant);
  int lanes = teams || device->properties.cpu ? 0 : device->table->lanes;
  *made = (bt_runtime_program){device->programs, image, entries, teams, lanes};
  device->programs = made;
  *ret_program = made;
  return BT_OK;
}

static int blocks_per_core(const bt_runtime_program *of, int entry, int items, size_t local_bytes) {
  (void)entry;
  (void)local_bytes;
  if (of->lanes > 0) return of->lanes / items;
  return of->teams ? CORE_THREADS / items : CORE_THREADS;
}

/* For lanes of a loop: threads take blocks, and teams have more than one thread only when every core has one. Where
 * threads are lanes, teams are full, or spread as warps while there are fewer than cores. */
static bt_omptarget_shape shape_for(const bt_runtime_device *device, const bt_runtime_program *of,
                                    bt_launch_size size) {
  size_t cores = (size_t)device->properties.cores, threads = (size_t)size.items, teams = size.blocks, most = cores;
  if (of->lanes > 0) {
    size_t all = size.blocks * threads, warp = (size_t)device->properties.wave;
    threads = (all + cores * warp - 1) / (cores * warp) * warp;
    if (threads > (size_t)of->lanes) threads = (size_t)of->lanes;
    teams = (all + threads - 1) / threads;
  } else {
    if (!of->teams) {
      threads = (size.blocks + cores - 1) / cores;
      if (threads > CORE_THREADS) threads = CORE_THREADS;
      teams = (size.blocks + threads - 1) / threads;
    }
    if (!device->properties.cpu) most = cores * (CORE_THREADS / threads); /* resident at once */
  }
  if (teams > most) teams = most;
  return (bt_omptarget_shape){.device = device->number,
                              .teams = (int)teams,
                              .threads = (int)threads,
                              .items = size.items,
                              .blocks = (long)size.blocks,
                              .slice = (long)((size.local_bytes + 127) / 128 * 32)};
}

/* Ensures scratch memory of at least this many bytes. */
static bt_status reserve(bt_runtime_device *device, size_t bytes, bt_error *opt_error) {
  if (bytes <= device->scratch_bytes) return BT_OK;
  bt_runtime_buffer buffer = {device->scratch, device->scratch_bytes};
  release(device, &buffer);
  device->scratch = NULL;
  device->scratch_bytes = 0;
  BT_TRY(allocate(device, bytes, &buffer, opt_error));
  device->scratch = buffer.handle;
  device->scratch_bytes = bytes;
  return BT_OK;
}

static bt_status launch(bt_runtime_device *device, bt_runtime_program *of, int entry, bt_launch_size size,
                        const bt_runtime_buffer *arena, const bt_runtime_buffer *opt_maps, const void *with,
                        bt_error *opt_error) {
  if (size.blocks == 0) return BT_OK;
  if (size.blocks > INT32_MAX)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "dock fewer ligands or poses at a time",
                   "%zu blocks exceed the limits of a launch", size.blocks);
  bt_omptarget_shape shape = shape_for(device, of, size);
  size_t threads = (size_t)shape.teams * (size_t)shape.threads;
  size_t slices = of->teams ? (size_t)shape.teams : of->lanes > 0 ? threads / (size_t)size.items + 1 : threads;
  BT_TRY(reserve(device, slices * (size_t)shape.slice * sizeof(float), opt_error));
  void *maps = opt_maps != NULL ? opt_maps->handle : NULL;
  if (of->entries->run[entry](shape, arena->handle, maps, device->scratch, with)) return BT_OK;
  return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "choose --team 1, or allow OpenMP more threads",
                 "OpenMP does not provide teams of %d threads on %.80s", shape.threads, device->properties.name);
}

static bt_status synchronize(bt_runtime_device *device, bt_error *opt_error) {
  (void)device;
  (void)opt_error;
  return BT_OK;
}

static const bt_backend devices[] = BT_NUMBERED_DEVICES("omp-target", bt_runtime_omptarget);

const bt_runtime bt_runtime_omptarget = {
    .name = "omp-target",
    .description = "GPUs through OpenMP target regions",
    .images = bt_omptarget_images,
    .devices = devices,
    .device_count = device_count,
    .device_properties = device_properties,
    .open = open_device,
    .close = close_device,
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
