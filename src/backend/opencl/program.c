/* program.c - the kernels of one variant: built for the device, launched in blocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl/opencl.h"
#include "backend/opencl/state.h"

void bt_cl_program_destroy(const bt_cl_api *api, bt_runtime_program *program) {
  if (program == NULL) return;
  for (int k = 0; k < program->module->n_entries; k++)
    if (program->kernels[k] != NULL) api->clReleaseKernel(program->kernels[k]);
  if (program->program != NULL) api->clReleaseProgram(program->program);
  free(program);
}

/* On a CPU, vectors hold poses if a block may be one work-item. */
bt_kernel_limits bt_cl_limits(const bt_runtime_device *device, const bt_module *module, const bt_variant *variant) {
  const bt_runtime_properties *p = &device->properties;
  int fixed = bt_variant_items(module, variant), items = module->items < p->block_threads ? module->items
                                                                                         : p->block_threads;
  if (fixed > 0) items = fixed;
  bt_kernel_limits of = {.lanes = fixed <= 1 ? bt_cl_lanes(&device->api, &device->device) : 1, .root_scale = 1};
  of.items = of.free_items = of.lanes > 1 ? 1 : items;
  if (of.lanes == 1) of.local = p->local_memory < module->local_bytes ? p->local_memory : module->local_bytes;
  return of;
}

static bt_status make_kernels(bt_runtime_device *device, bt_runtime_program *program, bt_error *opt_error) {
  const bt_cl_api *api = &device->api;
  size_t block = (size_t)bt_variant_items(program->module, &program->variant);
  for (int k = 0; k < program->module->n_entries; k++) {
    char name[80];
    cl_int code = 0;
    snprintf(name, sizeof name, "%s_cl", program->module->entries[k]);
    program->kernels[k] = api->clCreateKernel(program->program, name, &code);
    if (program->kernels[k] == NULL || code != 0) return bt_cl_fail(opt_error, code, "cannot load kernel %s", name);
    size_t most = 0;
    code = api->clGetKernelWorkGroupInfo(program->kernels[k], device->device.id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
                                         &most, NULL);
    if (code == 0 && most < block)
      return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "choose a smaller team",
                     "blocks of %zu work-items are too large for kernel %s on %.60s, whose limit is %zu", block, name,
                     device->properties.name, most);
  }
  return BT_OK;
}

/* The -D options of the variant. */
static void write_options(const bt_runtime_device *device, const bt_module *module, const bt_variant *variant,
                          char *options, size_t size) {
  int lanes = bt_cl_limits(device, module, variant).lanes;
  size_t used = (size_t)snprintf(options, size, "-cl-std=CL1.2 -w -cl-mad-enable -DBT_LANES=%d" BT_KERNEL_OPTIONS,
                                 lanes);
  for (int k = 0; k < BT_VARIANT_VALUES && module->constants[k] != NULL; k++)
    used += (size_t)snprintf(options + used, size - used, " -D%s=%d", module->constants[k], variant->values[k]);
  if (module->opt_real == NULL || !(variant->real > 0)) return;
  /* as an exact number in hexadecimal, whatever the locale */
  char *real = options + used;
  snprintf(real, size - used, " -D%s=%af", module->opt_real, (double)variant->real);
  for (char *c = real; *c != '\0'; c++)
    if (*c == ',') *c = '.';
}

static bt_status make_program(bt_runtime_device *device, const char *source, bool keep, bt_runtime_program *program,
                              bt_error *opt_error) {
  char options[400];
  bt_cl_origin origin = BT_CL_COMPILED;
  write_options(device, program->module, &program->variant, options, sizeof options);
  BT_TRY(bt_cl_build(&device->api, device->context, &device->device, source, options, keep, &program->program, &origin,
                     opt_error));
  program->cached = origin == BT_CL_CACHED;
  return make_kernels(device, program, opt_error);
}

bt_status bt_opencl_program_from(bt_runtime_device *device, const bt_module *module, const bt_variant *variant,
                                 const char *source, bool keep, bt_runtime_program **ret_program,
                                 bt_error *opt_error) {
  for (bt_runtime_program *p = device->programs; p != NULL; p = p->next) {
    if (p->module != module || !bt_variant_same(&p->variant, variant)) continue;
    *ret_program = p;
    return BT_OK;
  }
  if (bt_variant_items(module, variant) > device->properties.block_threads)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "choose a smaller team",
                   "blocks of %d x %d work-items are too large for %.60s, whose limit is %d", variant->values[0],
                   variant->values[1], device->properties.name, device->properties.block_threads);
  bt_runtime_program *program = calloc(1, sizeof *program + (size_t)module->n_entries * sizeof program->kernels[0]);
  if (program == NULL) return bt_fail_memory(opt_error);
  program->module = module;
  program->variant = *variant;
  program->device = device;
  bt_status status = make_program(device, source, keep, program, opt_error);
  if (status != BT_OK) {
    bt_cl_program_destroy(&device->api, program);
    return status;
  }
  program->next = device->programs;
  device->programs = program;
  *ret_program = program;
  return BT_OK;
}

bool bt_opencl_program_cached(const bt_runtime_program *program) { return program->cached; }

bt_status bt_cl_program(bt_runtime_device *device, const bt_module *module, const bt_variant *variant,
                        bt_runtime_program **ret_program, bt_error *opt_error) {
  /* PoCL compiles a kernel at its first launch and keeps the result on disk itself; a binary would hold all kernels */
  char platform[64];
  bt_cl_platform_text(&device->api, device->device.platform, CL_PLATFORM_NAME, platform, sizeof platform);
  bool keep = strcmp(platform, "Portable Computing Language") != 0;
  const bt_kernel_image *image = bt_image_find(bt_opencl_images, module, variant);
  if (image == NULL) return bt_variant_missing(device->properties.name, module, variant, opt_error);
  return bt_opencl_program_from(device, module, variant, image->opt_code, keep, ret_program, opt_error);
}

/* OpenCL does not report this; if the device's registers are known, it is a conservative guess. */
int bt_cl_program_blocks(const bt_runtime_program *program, int entry, int block_items, size_t local_bytes) {
  enum { REGISTERS = 128, THREADS = 2048, LOCAL_OVERHEAD = 1024 }; /* of a work-item, a multiprocessor, a block */
  const bt_runtime_properties *p = &program->device->properties;
  (void)entry;
  if (p->cpu) return 1;
  if (p->registers_core <= 0) return 0;
  size_t items = (size_t)block_items, blocks = (size_t)p->registers_core / (items * REGISTERS);
  size_t by_threads = THREADS / items, by_memory = p->local_memory_core / (local_bytes + LOCAL_OVERHEAD);
  if (by_threads < blocks) blocks = by_threads;
  if (by_memory < blocks) blocks = by_memory;
  return blocks > 0 ? (int)blocks : 1;
}

bt_status bt_cl_launch(bt_runtime_device *device, bt_runtime_program *program, int entry, bt_launch_size size,
                       const bt_runtime_buffer *arena, const bt_runtime_buffer *opt_maps, const void *launch,
                       bt_error *opt_error) {
  const bt_cl_api *api = &device->api;
  if (size.blocks == 0) return BT_OK;
  if (size.local_bytes > device->properties.local_memory || size.blocks > INT32_MAX)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "choose fewer poses per block or another device",
                   "%zu blocks with %zu bytes of local memory are too large for %.60s, which has %zu", size.blocks,
                   size.local_bytes, device->properties.name, device->properties.local_memory);
  enum { SMALLEST_LOCAL = 16 }; /* a local argument of no bytes is an error */
  size_t local = size.local_bytes > SMALLEST_LOCAL ? size.local_bytes : SMALLEST_LOCAL;
  cl_kernel kernel = program->kernels[entry];
  cl_mem arena_memory = arena->handle, maps_memory = opt_maps != NULL ? opt_maps->handle : NULL;
  size_t block = (size_t)size.items, items = size.blocks * block;
  cl_int code = api->clSetKernelArg(kernel, 0, sizeof arena_memory, &arena_memory);
  if (code == 0) code = api->clSetKernelArg(kernel, 1, sizeof maps_memory, &maps_memory);
  if (code == 0) code = api->clSetKernelArg(kernel, 2, program->module->launch_bytes, launch);
  if (code == 0) code = api->clSetKernelArg(kernel, 3, local, NULL);
  if (code == 0) code = api->clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &items, &block, 0, NULL, NULL);
  if (code == 0) code = api->clFlush(device->queue);
  return code == 0 ? BT_OK
                   : bt_cl_fail(opt_error, code, "cannot run kernel %s in %zu blocks of %d work-items",
                                program->module->entries[entry], size.blocks, size.items);
}
