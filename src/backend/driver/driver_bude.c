/* driver_bude.c - the BUDE engine's kernels on CUDA and HIP: loading the images of this build, launching them. */
#include "backend/runtime_bude.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/driver/driver_internal.h"

#define KERNEL_NAME(constant, entry) [constant] = #entry,
static const char *const kernel_names[BT_BUDE_KERNEL_COUNT] = {BT_BUDE_KERNELS(KERNEL_NAME)};
#undef KERNEL_NAME
#define ENERGY_KERNEL(constant, entry) [constant] = true,
static const bool of_energy[BT_BUDE_KERNEL_COUNT] = {BT_BUDE_ENERGY_KERNELS(ENERGY_KERNEL)};
#undef ENERGY_KERNEL

struct bt_bude_program {
  bt_bude_program *next;
  const bt_runtime_device *device;
  bt_bude_variant variant; /* without hardness */
  void *module;
  void *functions[BT_BUDE_KERNEL_COUNT]; /* NULL: not of this variant */
  int items;
};

/* Local memory that every kernel may have without asking for it. */
enum { LOCAL_BYTES = 48 << 10 };

void bt_driver_bude_close(bt_runtime_device *device) {
  int code;
  for (bt_bude_program *program = device->bude_programs, *next; program != NULL; program = next) {
    next = program->next;
    BT_DRIVER_CALL(device, code, device->library.module_unload(program->module));
    free(program);
  }
  (void)code; /* of a lost device */
  device->bude_programs = NULL;
}

static int load(bt_runtime_device *device, const unsigned char *image, bt_bude_program *program, char *log,
                size_t log_size) {
  int options[] = {5, 6}; /* the log of the driver's compiler, where it has one: buffer, its size */
  void *values[] = {log, (void *)(uintptr_t)log_size};
  int code = device->library.module_load(&program->module, image, 2, options, values);
  program->items = INT_MAX;
  for (int k = 0; k < BT_BUDE_KERNEL_COUNT && code == 0; k++) {
    int items = 0;
    if (of_energy[k] != (program->variant.poses > 0)) continue;
    code = device->library.function(&program->functions[k], program->module, kernel_names[k]);
    if (code == 0) code = device->library.function_attribute(&items, BT_DRIVER_FUNCTION_THREADS, program->functions[k]);
    if (code == 0 && items < program->items) program->items = items;
  }
  return code;
}

static bt_status load_program(bt_runtime_device *device, bt_bude_variant variant, const unsigned char *image,
                              bt_bude_program **ret_program, bt_error *opt_error) {
  int code;
  char log[1024] = "";
  bt_bude_program *program = calloc(1, sizeof *program);
  if (program == NULL) return bt_fail_memory(opt_error);
  program->device = device;
  program->variant = variant;
  BT_DRIVER_CALL(device, code, load(device, image, program, log, sizeof log));
  if (code != 0) {
    char what[400];
    log[strcspn(log, "\r\n")] = '\0';
    snprintf(what, sizeof what, "loading the BUDE kernels of %d poses%s%.300s", variant.poses,
             log[0] != '\0' ? ": " : "", log);
    bt_status status = bt_driver_fail(device, code, what, opt_error);
    if (program->module != NULL) BT_DRIVER_CALL(device, code, device->library.module_unload(program->module));
    free(program);
    return status;
  }
  program->next = device->bude_programs;
  device->bude_programs = program;
  *ret_program = program;
  return BT_OK;
}

static bt_status program(bt_runtime_device *device, bt_bude_variant variant, bt_bude_program **ret_program,
                         bt_error *opt_error) {
  const bt_driver *driver = device->driver;
  for (bt_bude_program *p = device->bude_programs; p != NULL; p = p->next) {
    if (p->variant.poses != variant.poses || p->variant.without != variant.without) continue;
    *ret_program = p;
    return BT_OK;
  }
  for (int i = 0; driver->bude_variants[i].poses >= 0; i++) {
    if (driver->bude_variants[i].poses != variant.poses || driver->bude_variants[i].without != variant.without)
      continue;
    if (driver->bude_images[i] == NULL)
      return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, driver->no_kernels, "%s: this build has no kernels",
                     device->properties.name);
    return load_program(device, variant, driver->bude_images[i], ret_program, opt_error);
  }
  return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0},
                 "choose 1, 2, 4, 8, 16 or 32 poses, and 8 to leave out something",
                 "%s: this build has no BUDE kernels of %d poses per work-item without that", device->properties.name,
                 variant.poses);
}

/* As bude.cu and bude.hip promise their compilers. */
static bt_bude_info info(const bt_runtime_device *device, bt_bude_variant variant) {
  enum { ENERGY_ITEMS = 256, OTHER_ITEMS = 1024 };
  const bt_runtime_properties *p = &device->properties;
  int items = variant.poses > 0 ? ENERGY_ITEMS : OTHER_ITEMS;
  if (items > p->block_threads) items = p->block_threads;
  return (bt_bude_info){.lanes = 1,
                        .scale = 1,
                        .items = items,
                        .free_items = items,
                        .local = p->local_memory < LOCAL_BYTES ? p->local_memory : LOCAL_BYTES};
}

static bt_status launch(bt_runtime_device *device, bt_bude_program *of, bt_bude_kernel kernel, size_t groups, int items,
                        size_t local_bytes, bt_runtime_buffer *arena, const bt_bude_launch *what, bt_error *opt_error) {
  int code;
  if (groups == 0) return BT_OK;
  bt_bude_info most = info(device, of->variant);
  if (groups > INT_MAX || local_bytes > most.local || items > most.items || items > of->items ||
      groups > device->driver->grid_threads / (size_t)items)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "take fewer ligands or poses at a time",
                   "%s: %zu groups of %d work-items with %zu bytes of local memory are more than one launch takes",
                   device->properties.name, groups, items, local_bytes);
  bt_bude_launch copy = *what;
  void *arguments[] = {&arena->handle, &copy};
  BT_DRIVER_CALL(device, code,
                 device->library.launch(of->functions[kernel], (unsigned int)groups, 1, 1, (unsigned int)items, 1, 1,
                                        (unsigned int)local_bytes, device->stream, arguments, NULL));
  return code == 0 ? BT_OK : bt_driver_fail(device, code, kernel_names[kernel], opt_error);
}

const bt_runtime_bude bt_driver_bude = {
    .program = program,
    .info = info,
    .launch = launch,
};
