/* driver_program.c - kernels of CUDA and HIP: loading the images of this build, launching them. */
#include "backend/driver/driver_internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Local memory that every kernel gets without requesting it. */
#define FREE_LOCAL_BYTES ((size_t)48 << 10)

static int load_function(bt_runtime_device *device, bt_runtime_program *program, int entry) {
  const bt_driver_library *library = &device->library;
  bt_driver_function *f = &program->functions[entry];
  int fixed = 0, items = 0, code = library->function(&f->function, program->loaded, program->module->entries[entry]);
  if (code == 0) code = library->function_attribute(&fixed, BT_DRIVER_FUNCTION_LOCAL, f->function);
  size_t most = bt_driver_limits(device, program->module, &(bt_variant){0}).local;
  f->local_bytes = (size_t)fixed < most ? (int)most - fixed : 0;
  if (code == 0 && program->module->items > 0) {
    code = library->function_attribute(&items, BT_DRIVER_FUNCTION_THREADS, f->function);
    if (items < program->items) program->items = items;
  }
  if (code == 0 && device->driver->opt_grant != NULL && program->module->local_bytes > FREE_LOCAL_BYTES)
    code = device->driver->opt_grant(library, f->function, f->local_bytes);
  return code;
}

static int load(bt_runtime_device *device, const void *image, bt_runtime_program *program, char *log, size_t log_size) {
  /* log of the driver's compiler, if any: buffer, its size */
  int options[] = {5, 6};
  void *values[] = {log, (void *)(uintptr_t)log_size};
  int code = device->library.module_load(&program->loaded, image, 2, options, values);
  for (int k = 0; k < program->module->n_entries && code == 0; k++) {
    code = load_function(device, program, k);
    if (code != 0) snprintf(log, log_size, "kernel %s", program->module->entries[k]);
  }
  return code;
}

static bt_status load_program(bt_runtime_device *device, const bt_module *module, const bt_variant *variant,
                              const bt_kernel_image *image, const void *code_of_it, bt_runtime_program **ret_program,
                              bt_error *opt_error) {
  int code;
  char log[1024] = "";
  bt_runtime_program *program = calloc(1, sizeof *program + (size_t)module->n_entries * sizeof program->functions[0]);
  if (program == NULL) return bt_fail_memory(opt_error);
  program->device = device;
  program->image = image;
  program->module = module;
  program->items = bt_driver_limits(device, module, variant).items;
  BT_DRIVER_CALL(device, code, load(device, code_of_it, program, log, sizeof log));
  if (code != 0) {
    char what[400], text[80];
    log[strcspn(log, "\r\n")] = '\0';
    bt_variant_text(module, variant, text, sizeof text);
    snprintf(what, sizeof what, "loading the kernels of %s%s%.280s%s", text, log[0] != '\0' ? " (" : "", log,
             log[0] != '\0' ? ")" : "");
    bt_status status = bt_driver_fail(device, code, what, opt_error);
    if (program->loaded != NULL) BT_DRIVER_CALL(device, code, device->library.module_unload(program->loaded));
    free(program);
    return status;
  }
  program->next = device->programs;
  device->programs = program;
  *ret_program = program;
  return BT_OK;
}

bt_kernel_limits bt_driver_limits(const bt_runtime_device *device, const bt_module *module, const bt_variant *variant) {
  const bt_runtime_properties *p = &device->properties;
  int fixed = bt_variant_items(module, variant), items = module->items < p->block_threads ? module->items
                                                                                         : p->block_threads;
  if (fixed > 0) items = fixed;
  return (bt_kernel_limits){.lanes = 1, /* bt_real is float */
                            .root_scale = 1,
                            .items = items,
                            .free_items = items,
                            .local = p->local_memory < module->local_bytes ? p->local_memory : module->local_bytes};
}

bt_status bt_driver_program(bt_runtime_device *device, const bt_module *module, const bt_variant *variant,
                            bt_runtime_program **ret_program, bt_error *opt_error) {
  const bt_driver *driver = device->driver;
  const char *name = device->properties.name;
  const bt_kernel_image *image = bt_image_find(driver->images, module, variant);
  if (image == NULL) return bt_variant_missing(name, module, variant, opt_error);
  for (bt_runtime_program *program = device->programs; program != NULL; program = program->next) {
    if (program->image != image) continue;
    *ret_program = program;
    return BT_OK;
  }
  if (bt_variant_items(module, variant) > device->properties.block_threads)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "use a smaller --team",
                   "%s: a block of %d x %d work-items is larger than its limit of %d", name, variant->values[0],
                   variant->values[1], device->properties.block_threads);
  const void *code = driver->opt_code != NULL ? driver->opt_code(&device->library, image) : NULL;
  if (code == NULL) code = image->opt_code;
  if (code == NULL)
    return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, driver->no_kernels, "%s: this build has no kernels", name);
  return load_program(device, module, variant, image, code, ret_program, opt_error);
}

int bt_driver_blocks_per_core(const bt_runtime_program *program, int entry, int items, size_t local_bytes) {
  const bt_runtime_device *device = program->device;
  int code, blocks = 0;
  BT_DRIVER_CALL(device, code,
                 device->library.blocks_per_core(&blocks, program->functions[entry].function, items, local_bytes));
  return code == 0 ? blocks : 0;
}

static int launch_watched(bt_runtime_device *device, void *function, bt_launch_size size, void **arguments) {
  bt_driver_watch_begin(device);
  int code = device->library.launch(function, (unsigned int)size.blocks, 1, 1, (unsigned int)size.items, 1, 1,
                                    (unsigned int)size.local_bytes, device->stream, arguments, NULL);
  bt_driver_watch_end(device);
  return code;
}

bt_status bt_driver_launch(bt_runtime_device *device, bt_runtime_program *program, int entry, bt_launch_size size,
                           const bt_runtime_buffer *arena, const bt_runtime_buffer *opt_maps, const void *launch,
                           bt_error *opt_error) {
  int code;
  if (size.blocks == 0) return BT_OK;
  const char *name = program->module->entries[entry];
  const bt_driver_function *f = &program->functions[entry];
  if (size.local_bytes > (size_t)f->local_bytes)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "use a larger --team, or a smaller ligand",
                   "%s: %s needs %zu bytes of local memory per block, %d are available", device->properties.name, name,
                   size.local_bytes, f->local_bytes);
  if (size.blocks > INT_MAX || size.items > program->items ||
      size.blocks > device->driver->grid_threads / (size_t)size.items)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "dock fewer ligands or runs at once",
                   "%s: %zu blocks of %d work-items of %s exceed the limits of a launch", device->properties.name,
                   size.blocks, size.items, name);
  const bt_runtime_buffer none = {0}, *maps = opt_maps != NULL ? opt_maps : &none;
  void *arguments[] = {(void *)(uintptr_t)&arena->handle, (void *)(uintptr_t)&maps->handle, (void *)(uintptr_t)launch};
  BT_DRIVER_CALL(device, code, launch_watched(device, f->function, size, arguments));
  return code == 0 ? BT_OK : bt_driver_fail(device, code, name, opt_error);
}
