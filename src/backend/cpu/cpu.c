/* cpu.c - the host CPU as a back end: plain arrays, and blocks distributed over threads. */
#include "backend/cpu/cpu.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/threads.h"

struct bt_runtime_program {
  const bt_cpu_entries *entries;
};

struct bt_runtime_device {
  int isa;
  int threads;
};

enum { ALIGNMENT = 64, LARGE_PAGE = 2 << 20, LOCAL_BYTES = 1 << 20 };

static bool is_supported(int isa) {
#if defined(__x86_64__)
  __builtin_cpu_init();
#endif
#define SUPPORTED(name, index, description, supported) \
  if (isa == index) return supported;
  BT_CPU_ISAS(SUPPORTED)
#undef SUPPORTED
  return false;
}

static const char *description_of(int isa) {
#define DESCRIPTION(name, index, description, supported) [index] = description,
  static const char *const descriptions[] = {BT_CPU_ISAS(DESCRIPTION)};
#undef DESCRIPTION
  return descriptions[isa];
}

/* The code of an image; NULL if there is none for this instruction set. */
static const bt_cpu_entries *const *code_for(const bt_kernel_image *image, int isa) {
  const bt_cpu_entries *const *code = (const bt_cpu_entries *const *)image->opt_code + isa;
  return *code != NULL ? code : NULL;
}

static int device_count(char *reason, size_t reason_size) {
  if (reason_size > 0) reason[0] = '\0';
  return BT_CPU_COUNT;
}

static void device_properties(int index, bt_runtime_properties *ret_properties) {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  size_t memory = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : 0;
  const bt_cpu_entries *const *code = code_for(bt_cpu_images, index);
  *ret_properties = (bt_runtime_properties){.memory = memory,
                                            .free_memory = memory / 4, /* leave some for others */
                                            .largest_buffer = memory,
                                            .local_memory = LOCAL_BYTES,
                                            .local_memory_core = LOCAL_BYTES,
                                            .cores = bt_thread_count_default(),
                                            .block_threads = 1,
                                            .wave = 1,
                                            .lanes = code != NULL ? (*code)->lanes : 1,
                                            .cpu = true};
  snprintf(ret_properties->name, sizeof ret_properties->name, "%s", description_of(index));
  if (!is_supported(index))
    snprintf(ret_properties->reason, sizeof ret_properties->reason, "this CPU lacks the instruction set");
  else if (code == NULL)
    snprintf(ret_properties->reason, sizeof ret_properties->reason, "left out of this build (BERTH_CPU_SETS)");
}

static bt_status open_device(int index, bt_runtime_device **ret_device, bt_error *opt_error) {
  bt_runtime_device *device = malloc(sizeof *device);
  if (device == NULL) return bt_fail_memory(opt_error);
  *device = (bt_runtime_device){index, bt_thread_count_default()};
  *ret_device = device;
  return BT_OK;
}

static void close_device(bt_runtime_device *device) { free(device); }

static void use_threads(bt_runtime_device *device, int threads) {
  device->threads = threads > 0 ? threads : bt_thread_count_default();
}

/* ---- Memory ---- */

static bt_status allocate(bt_runtime_device *device, size_t bytes, bt_runtime_buffer *ret_buffer, bt_error *opt_error) {
  size_t alignment = bytes < LARGE_PAGE ? ALIGNMENT : LARGE_PAGE;
  size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  (void)device;
  *ret_buffer = (bt_runtime_buffer){rounded >= bytes ? aligned_alloc(alignment, rounded) : NULL, bytes};
#ifdef MADV_HUGEPAGE /* maps are read at random: huge pages avoid most TLB misses */
  if (ret_buffer->handle != NULL && alignment == LARGE_PAGE) (void)madvise(ret_buffer->handle, rounded, MADV_HUGEPAGE);
#endif
  if (ret_buffer->handle != NULL) return BT_OK;
  return bt_fail(opt_error, BT_ERR_MEMORY, (bt_where){0}, "dock fewer ligands at a time",
                 "%.1f MiB do not fit into memory", (double)bytes / 1048576.0);
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

static bt_status synchronize(bt_runtime_device *device, bt_error *opt_error) {
  (void)device, (void)opt_error;
  return BT_OK;
}

/* ---- Kernels ---- */

static const bt_cpu_entries *const *code_of(const bt_runtime_device *device, const bt_module *module,
                                            const bt_variant *variant) {
  const bt_kernel_image *image = bt_image_find(bt_cpu_images, module, variant);
  return image != NULL ? code_for(image, device->isa) : NULL;
}

static bt_kernel_limits limits(const bt_runtime_device *device, const bt_module *module, const bt_variant *variant) {
  const bt_cpu_entries *const *code = code_of(device, module, variant);
  return (bt_kernel_limits){.lanes = code != NULL ? (*code)->lanes : 1,
                            .root_scale = code != NULL ? (*code)->root_scale : 1,
                            .items = 1,
                            .free_items = 1};
}

/* A program is a pointer into the table of images, opaque to its users and never written to. */
static bt_status program(bt_runtime_device *device, const bt_module *module, const bt_variant *variant,
                         bt_runtime_program **ret_program, bt_error *opt_error) {
  const bt_cpu_entries *const *code = code_of(device, module, variant);
  if (code == NULL) return bt_variant_missing(bt_runtime_cpu.devices[device->isa + 1].name, module, variant, opt_error);
  *ret_program = (bt_runtime_program *)(uintptr_t)code;
  return BT_OK;
}

static int blocks_per_core(const bt_runtime_program *of, int entry, int items, size_t local_bytes) {
  (void)of, (void)entry, (void)items, (void)local_bytes;
  return 1;
}

typedef struct work {
  void (*run)(void *arena, void *maps, const void *launch, int block, float *local);
  void *arena, *maps;
  const void *launch;
  float *local;
  size_t local_bytes, blocks;
  atomic_size_t next;
} work;

static void run_blocks(void *context, int thread) {
  work *w = context;
  float *local = w->local != NULL ? w->local + (size_t)thread * (w->local_bytes / sizeof(float)) : NULL;
  if (local != NULL) memset(local, 0, w->local_bytes); /* keeps unused lanes free of denormals */
  for (size_t block; (block = atomic_fetch_add(&w->next, 1)) < w->blocks;)
    w->run(w->arena, w->maps, w->launch, (int)block, local);
}

static bt_status launch(bt_runtime_device *device, bt_runtime_program *of, int entry, bt_launch_size size,
                        const bt_runtime_buffer *arena, const bt_runtime_buffer *opt_maps, const void *what,
                        bt_error *opt_error) {
  int threads = size.blocks < (size_t)device->threads ? (int)size.blocks : device->threads;
  if (size.blocks == 0) return BT_OK;
  if (size.blocks > INT32_MAX || entry >= of->entries->n_entries)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "dock fewer ligands at a time",
                   "%zu blocks with %zu bytes each exceed the limits of a launch", size.blocks, size.local_bytes);
  work w = {.run = of->entries->run[entry],
            .arena = arena->handle,
            .maps = opt_maps != NULL ? opt_maps->handle : NULL,
            .launch = what,
            .local_bytes = (size.local_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT,
            .blocks = size.blocks};
  if (size.local_bytes > 0) {
    w.local = aligned_alloc(ALIGNMENT, w.local_bytes * (size_t)threads);
    if (w.local == NULL) return bt_fail_memory(opt_error);
  }
  bt_parallel(threads, run_blocks, &w);
  free(w.local);
  return BT_OK;
}

static const bt_backend devices[] = {
    {"cpu", &bt_runtime_cpu, -1},
#define DEVICE(isa, index, description, supported) {"cpu/" #isa, &bt_runtime_cpu, index},
    BT_CPU_ISAS(DEVICE)
#undef DEVICE
};

const bt_runtime bt_runtime_cpu = {
    .name = "cpu",
    .description = "this CPU",
    .one_item = true,
    .generic_addresses = true,
    .images = bt_cpu_images,
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
    .opt_use_threads = use_threads,
};
