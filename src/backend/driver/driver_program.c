/* driver_program.c - kernels of CUDA and HIP: loading the images of this build, launching them. */
#include "backend/driver/driver_internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL_NAME(constant, entry) [constant] = #entry,
static const char *const kernel_names[BT_LAUNCH_KERNEL_COUNT] = {BT_LAUNCH_KERNELS(KERNEL_NAME)};
#undef KERNEL_NAME

static int load(bt_runtime_device *device, const unsigned char *image, bt_runtime_program *program, char *log,
                size_t log_size) {
  /* the log of the driver's compiler, where it has one: buffer, its size */
  int options[] = {5, 6};
  void *values[] = {log, (void *)(uintptr_t)log_size};
  const bt_driver_library *library = &device->library;
  int code = library->module_load(&program->module, image, 2, options, values);
  for (int k = 0; k < BT_LAUNCH_KERNEL_COUNT && code == 0; k++) {
    int fixed = 0;
    code = library->function(&program->functions[k], program->module, kernel_names[k]);
    if (code != 0) {
      snprintf(log, log_size, "kernel %s", kernel_names[k]);
      break;
    }
    code = library->function_attribute(&fixed, BT_DRIVER_FUNCTION_LOCAL, program->functions[k]);
    int most = (int)device->properties.local_memory - fixed;
    if (most < 0) most = 0;
    program->local_bytes[k] = most;
    if (code == 0 && device->driver->opt_grant != NULL)
      code = device->driver->opt_grant(library, program->functions[k], most);
  }
  return code;
}

static bt_status load_program(bt_runtime_device *device, const bt_runtime_variant *variant, const unsigned char *image,
                              bt_runtime_program **ret_program, bt_error *opt_error) {
  int code;
  char log[1024] = "";
  bt_runtime_program *program = calloc(1, sizeof *program);
  if (program == NULL) return bt_fail_memory(opt_error);
  program->device = device;
  program->variant = variant;
  BT_DRIVER_CALL(device, code, load(device, image, program, log, sizeof log));
  if (code != 0) {
    char what[400];
    log[strcspn(log, "\r\n")] = '\0';
    snprintf(what, sizeof what, "loading the kernels of %d x %d work-items%s%s%s", variant->team, variant->poses,
             log[0] != '\0' ? " (" : "", log, log[0] != '\0' ? ")" : "");
    bt_status status = bt_driver_fail(device, code, what, opt_error);
    if (program->module != NULL) BT_DRIVER_CALL(device, code, device->library.module_unload(program->module));
    free(program);
    return status;
  }
  program->next = device->programs;
  device->programs = program;
  *ret_program = program;
  return BT_OK;
}

bt_status bt_driver_program(bt_runtime_device *device, const bt_runtime_variant *variant,
                            bt_runtime_program **ret_program, bt_error *opt_error) {
  const bt_driver *driver = device->driver;
  for (int i = 0; driver->variants[i].team != 0; i++) {
    const bt_runtime_variant *have = &driver->variants[i];
    if (have->team != variant->team || have->poses != variant->poses || have->reduction != variant->reduction) continue;
    for (bt_runtime_program *program = device->programs; program != NULL; program = program->next) {
      if (program->variant != have) continue;
      *ret_program = program;
      return BT_OK;
    }
    if (have->team * have->poses > device->properties.block_threads)
      return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "use a smaller --team",
                     "%s: a block of %d x %d work-items is larger than its limit of %d", device->properties.name,
                     have->team, have->poses, device->properties.block_threads);
    const unsigned char *image = driver->opt_image != NULL ? driver->opt_image(&device->library, have) : NULL;
    if (image == NULL) image = driver->images[i];
    if (image == NULL)
      return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, driver->no_kernels, "%s: this build has no kernels",
                     device->properties.name);
    return load_program(device, have, image, ret_program, opt_error);
  }
  return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "use another --team or --reduction",
                 "%s: this build has no kernels of %d x %d work-items with that reduction", device->properties.name,
                 variant->team, variant->poses);
}

int bt_driver_lanes(const bt_runtime_program *program) {
  (void)program;
  return 1; /* bt_real is float */
}

int bt_driver_blocks_per_core(const bt_runtime_program *program, bt_launch_kernel kernel, size_t local_bytes) {
  const bt_runtime_device *device = program->device;
  int code, blocks = 0;
  BT_DRIVER_CALL(device, code,
                 device->library.blocks_per_core(&blocks, program->functions[kernel],
                                                 program->variant->team * program->variant->poses, local_bytes));
  return code == 0 ? blocks : 0;
}

bt_status bt_driver_launch(bt_runtime_device *device, bt_runtime_program *program, bt_launch_kernel kernel,
                           size_t blocks, size_t local_bytes, bt_runtime_buffer *arena, bt_runtime_buffer *maps,
                           const bt_launch *launch, bt_error *opt_error) {
  int code;
  if (blocks == 0) return BT_OK;
  unsigned int threads = (unsigned int)(program->variant->team * program->variant->poses);
  const char *name = kernel_names[kernel];
  if (local_bytes > (size_t)program->local_bytes[kernel])
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "use a larger --team, or a smaller ligand",
                   "%s: %s needs %zu bytes of local memory per block, %d are available", device->properties.name, name,
                   local_bytes, program->local_bytes[kernel]);
  if (blocks > INT_MAX || blocks > device->driver->grid_threads / threads)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "dock fewer ligands or runs at once",
                   "%s: %zu blocks of %s are more than one launch takes", device->properties.name, blocks, name);
  bt_launch copy = *launch;
  void *arguments[] = {&arena->handle, &maps->handle, &copy};
  BT_DRIVER_CALL(device, code,
                 device->library.launch(program->functions[kernel], (unsigned int)blocks, 1, 1, threads, 1, 1,
                                        (unsigned int)local_bytes, device->stream, arguments, NULL));
  return code == 0 ? BT_OK : bt_driver_fail(device, code, name, opt_error);
}
