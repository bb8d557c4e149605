/* program.c - the kernels of one variant: built for the device, launched in blocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl/opencl.h"
#include "backend/opencl/state.h"

static const char *const kernel_names[BT_LAUNCH_KERNEL_COUNT] = {
#define BT_CL_NAME(constant, entry) [constant] = #entry "_cl",
    BT_LAUNCH_KERNELS(BT_CL_NAME)
#undef BT_CL_NAME
};

void bt_cl_program_destroy(const bt_cl_api *api, bt_runtime_program *program) {
  if (program == NULL) return;
  for (int k = 0; k < BT_LAUNCH_KERNEL_COUNT; k++)
    if (program->kernels[k] != NULL) api->clReleaseKernel(program->kernels[k]);
  if (program->program != NULL) api->clReleaseProgram(program->program);
  free(program);
}

static bt_status make_kernels(bt_runtime_device *device, bt_runtime_program *program, bt_error *opt_error) {
  const bt_cl_api *api = &device->api;
  size_t block = (size_t)program->variant.team * (size_t)program->variant.poses;
  for (int k = 0; k < BT_LAUNCH_KERNEL_COUNT; k++) {
    cl_int code = 0;
    program->kernels[k] = api->clCreateKernel(program->program, kernel_names[k], &code);
    if (program->kernels[k] == NULL || code != 0)
      return bt_cl_fail(opt_error, code, "cannot load kernel %s", kernel_names[k]);
    size_t most = 0;
    code = api->clGetKernelWorkGroupInfo(program->kernels[k], device->device.id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
                                         &most, NULL);
    if (code == 0 && most < block)
      return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "choose a smaller team",
                     "blocks of %zu work-items are too large for kernel %s on %.60s, which takes %zu", block,
                     kernel_names[k], device->properties.name, most);
  }
  return BT_OK;
}

static bt_status make_program(bt_runtime_device *device, const char *source, bool keep, bt_runtime_program *program,
                              bt_error *opt_error) {
  char options[256];
  const bt_runtime_variant *variant = &program->variant;
  snprintf(options, sizeof options, "-cl-std=CL1.2 -w -cl-mad-enable -DBT_TEAM=%d -DBT_POSES=%d -DBT_LANES=%d",
           variant->team, variant->poses, program->lanes);
  bt_cl_origin origin = BT_CL_COMPILED;
  BT_TRY(bt_cl_build(&device->api, device->context, &device->device, source, options, keep, &program->program, &origin,
                     opt_error));
  program->cached = origin == BT_CL_CACHED;
  return make_kernels(device, program, opt_error);
}

bt_status bt_opencl_program_from(bt_runtime_device *device, const bt_runtime_variant *variant, const char *source,
                                 bool keep, bt_runtime_program **ret_program, bt_error *opt_error) {
  for (bt_runtime_program *p = device->programs; p != NULL; p = p->next) {
    if (p->variant.team != variant->team || p->variant.poses != variant->poses) continue;
    *ret_program = p;
    return BT_OK;
  }
  if (variant->team < 1 || variant->poses < 1 || variant->team > device->properties.block_threads / variant->poses)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "choose a smaller team",
                   "blocks of %d x %d work-items are too large for %.60s, which takes %d", variant->team,
                   variant->poses, device->properties.name, device->properties.block_threads);
  if (variant->reduction != BT_REDUCTION_AUTO && variant->reduction != BT_REDUCTION_SIMT)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "choose --reduction simt, or CUDA",
                   "OpenCL 1.2 knows no tensor cores");
  bt_runtime_program *program = calloc(1, sizeof *program);
  if (program == NULL) return bt_fail_memory(opt_error);
  program->variant = *variant;
  program->device = device;
  /* a processor's vectors hold poses when a block is one work-item */
  program->lanes = variant->team * variant->poses == 1 ? bt_cl_lanes(&device->api, &device->device) : 1;
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

bt_status bt_cl_program(bt_runtime_device *device, const bt_runtime_variant *variant, bt_runtime_program **ret_program,
                        bt_error *opt_error) {
  /* PoCL compiles a kernel at its first launch and keeps the result on disk itself; a binary would hold all kernels */
  char platform[64];
  bt_cl_platform_text(&device->api, device->device.platform, CL_PLATFORM_NAME, platform, sizeof platform);
  bool keep = strcmp(platform, "Portable Computing Language") != 0;
  return bt_opencl_program_from(device, variant, bt_opencl_source, keep, ret_program, opt_error);
}

int bt_cl_program_lanes(const bt_runtime_program *program) { return program->lanes; }

/* OpenCL does not tell; where the device has told its registers this is a guess, on the low side. */
int bt_cl_program_blocks(const bt_runtime_program *program, bt_launch_kernel kernel, size_t local_bytes) {
  enum { REGISTERS = 128, THREADS = 2048, LOCAL_OVERHEAD = 1024 }; /* of a work-item, a multiprocessor, a block */
  const bt_runtime_properties *p = &program->device->properties;
  (void)kernel;
  if (p->cpu) return 1;
  if (p->registers_core <= 0) return 0;
  size_t items = (size_t)program->variant.team * (size_t)program->variant.poses;
  size_t blocks = (size_t)p->registers_core / (items * REGISTERS);
  size_t by_threads = THREADS / items, by_memory = p->local_memory_core / (local_bytes + LOCAL_OVERHEAD);
  if (by_threads < blocks) blocks = by_threads;
  if (by_memory < blocks) blocks = by_memory;
  return blocks > 0 ? (int)blocks : 1;
}

bt_status bt_cl_launch(bt_runtime_device *device, bt_runtime_program *program, bt_launch_kernel kernel, size_t blocks,
                       size_t local_bytes, bt_runtime_buffer *arena, bt_runtime_buffer *maps, const bt_launch *launch,
                       bt_error *opt_error) {
  const bt_cl_api *api = &device->api;
  if (blocks == 0) return BT_OK;
  if (local_bytes > device->properties.local_memory)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "choose fewer poses per block or another device",
                   "a block needs %zu bytes of local memory, %.60s has %zu", local_bytes, device->properties.name,
                   device->properties.local_memory);
  enum { SMALLEST_LOCAL = 16 }; /* a local argument of no bytes is an error */
  cl_kernel entry = program->kernels[kernel];
  cl_mem arena_memory = arena->handle, maps_memory = maps->handle;
  size_t block = (size_t)program->variant.team * (size_t)program->variant.poses, items = blocks * block;
  cl_int code = api->clSetKernelArg(entry, 0, sizeof arena_memory, &arena_memory);
  if (code == 0) code = api->clSetKernelArg(entry, 1, sizeof maps_memory, &maps_memory);
  if (code == 0) code = api->clSetKernelArg(entry, 2, sizeof *launch, launch);
  if (code == 0)
    code = api->clSetKernelArg(entry, 3, local_bytes > SMALLEST_LOCAL ? local_bytes : SMALLEST_LOCAL, NULL);
  if (code == 0) code = api->clEnqueueNDRangeKernel(device->queue, entry, 1, NULL, &items, &block, 0, NULL, NULL);
  if (code == 0) code = api->clFlush(device->queue);
  return code == 0 ? BT_OK
                   : bt_cl_fail(opt_error, code, "cannot run kernel %s in %zu blocks of %d x %d work-items",
                                kernel_names[kernel], blocks, program->variant.team, program->variant.poses);
}
