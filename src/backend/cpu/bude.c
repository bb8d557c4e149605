/* bude.c - a runtime for the BUDE engine on the CPU: arrays, and groups shared out among threads. */
#include "backend/cpu/bude.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/cpu.h"
#include "backend/cpu/isa.h"
#include "base/threads.h"

/* X(isa, poses, without): generated from the lists of cmake/Bude.cmake. */
#define DECLARE(isa, poses, without) extern const bt_cpu_bude_kernels bt_cpu_bude_##isa##_##poses##_##without;
#define BT_BUDE_CPU_VARIANT(isa, poses, without) DECLARE(isa, poses, without)
#include "bude_cpu_variants.inc"
#undef BT_BUDE_CPU_VARIANT
#undef DECLARE

struct bt_bude_program {
  const char *isa;
  bt_bude_variant variant;
  const bt_cpu_bude_kernels *kernels;
};

static const bt_bude_program programs[] = {
#define BT_BUDE_CPU_VARIANT(isa, poses, without) {#isa, {poses, without, 0}, &bt_cpu_bude_##isa##_##poses##_##without},
#include "bude_cpu_variants.inc"
#undef BT_BUDE_CPU_VARIANT
};

struct bt_runtime_device {
  const char *isa;
  int threads;
};

enum { ALIGNMENT = 64, LOCAL_BYTES = 1 << 20 };

static bt_status open_device(int index, bt_runtime_device **ret_device, bt_error *opt_error) {
  const bt_backend *backend = bt_cpu_backend_get(index);
  bt_runtime_device *device = malloc(sizeof *device);
  if (device == NULL) return bt_fail_memory(opt_error);
  *device = (bt_runtime_device){strchr(backend->name, '/') + 1, bt_thread_count_default()};
  *ret_device = device;
  return BT_OK;
}

static void close_device(bt_runtime_device *device) { free(device); }

void bt_cpu_bude_set_threads(bt_runtime_device *device, int threads) {
  device->threads = threads > 0 ? threads : bt_thread_count_default();
}

static void device_properties(int index, bt_runtime_properties *ret_properties) {
  const bt_backend *backend = bt_cpu_backend_get(index);
  bt_device_info info = backend->describe(backend);
  *ret_properties = (bt_runtime_properties){.memory = (size_t)info.memory,
                                            .free_memory = (size_t)info.memory,
                                            .largest_buffer = (size_t)info.memory,
                                            .local_memory = LOCAL_BYTES,
                                            .cores = info.cores,
                                            .block_threads = 1,
                                            .wave = 1,
                                            .cpu = true};
  snprintf(ret_properties->name, sizeof ret_properties->name, "%s", info.description);
}

static bt_status allocate(bt_runtime_device *device, size_t bytes, bt_runtime_buffer *ret_buffer, bt_error *opt_error) {
  size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  (void)device;
  *ret_buffer = (bt_runtime_buffer){rounded >= bytes ? aligned_alloc(ALIGNMENT, rounded) : NULL, bytes};
  if (ret_buffer->handle != NULL) return BT_OK;
  return bt_fail(opt_error, BT_ERR_MEMORY, (bt_where){0}, "take fewer ligands at a time",
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

static bt_status program(bt_runtime_device *device, bt_bude_variant variant, bt_bude_program **ret_program,
                         bt_error *opt_error) {
  for (size_t p = 0; p < sizeof programs / sizeof programs[0]; p++) {
    const bt_bude_program *have = &programs[p];
    if (strcmp(have->isa, device->isa) != 0 || have->variant.poses != variant.poses ||
        have->variant.without != variant.without)
      continue;
    *ret_program = (bt_bude_program *)(uintptr_t)have; /* opaque to its users, and never written to */
    return BT_OK;
  }
  return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0},
                 "choose 1, 2, 4 or 8 poses per work-item, with 4 to leave out "
                 "optimisations, and --isa avx2 or avx512 for that",
                 "cpu/%s has no kernels of %d vectors of poses with that selection of optimisations", device->isa,
                 variant.poses);
}

static bt_bude_info info(const bt_runtime_device *device, bt_bude_variant variant) {
  bt_bude_program *of = NULL;
  bt_bude_info none = {.lanes = 1, .scale = 1, .items = 1, .free_items = 1};
  if (program((bt_runtime_device *)(uintptr_t)device, variant, &of, NULL) != BT_OK || of == NULL) return none;
  return (bt_bude_info){.lanes = of->kernels->lanes, .scale = of->kernels->scale, .items = 1, .free_items = 1};
}

typedef struct work {
  const bt_bude_program *program;
  bt_bude_kernel kernel;
  char *arena;
  const bt_bude_launch *launch;
  float *local;
  size_t local_bytes;
  size_t groups;
  atomic_size_t next;
} work;

static void run(void *context, int thread) {
  work *w = context;
  float *local = w->local != NULL ? w->local + (size_t)thread * (w->local_bytes / sizeof(float)) : NULL;
  for (size_t group; (group = atomic_fetch_add(&w->next, 1)) < w->groups;)
    w->program->kernels->run[w->kernel](w->arena, w->launch, (int)group, local);
}

static bt_status launch(bt_runtime_device *device, bt_bude_program *of, bt_bude_kernel kernel, size_t groups, int items,
                        size_t local_bytes, bt_runtime_buffer *arena, const bt_bude_launch *what, bt_error *opt_error) {
  (void)items; /* a group is one work-item */
  int threads = groups < (size_t)device->threads ? (int)groups : device->threads;
  if (groups == 0) return BT_OK;
  if (local_bytes > LOCAL_BYTES || groups > INT32_MAX || of->kernels->run[kernel] == NULL)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "take fewer ligands at a time",
                   "%zu groups with %zu bytes each are more than one launch takes", groups, local_bytes);
  work w = {of, kernel, arena->handle, what, NULL, (local_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, groups, 0};
  if (local_bytes > 0) {
    w.local = aligned_alloc(ALIGNMENT, w.local_bytes * (size_t)threads);
    if (w.local == NULL) return bt_fail_memory(opt_error);
  }
  bt_parallel(threads, run, &w);
  free(w.local);
  return BT_OK;
}

static const bt_runtime_bude bude = {
    .program = program,
    .info = info,
    .launch = launch,
};

const bt_runtime bt_runtime_cpu = {
    .name = "cpu",
    .description = "this processor",
    .device_properties = device_properties,
    .open = open_device,
    .close = close_device,
    .allocate = allocate,
    .release = release,
    .upload = upload,
    .download = download,
    .clear = clear,
    .synchronize = synchronize,
    .opt_bude = &bude,
};
