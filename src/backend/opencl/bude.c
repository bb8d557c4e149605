/* bude.c - the BUDE engine's kernels on OpenCL devices: compiled at run time for what the force field has in common. */
#include "backend/runtime_bude.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/opencl/opencl.h"
#include "backend/opencl/state.h"

#define KERNEL_NAME(constant, entry) [constant] = #entry "_cl",
static const char *const kernel_names[BT_BUDE_KERNEL_COUNT] = {BT_BUDE_KERNELS(KERNEL_NAME)};
#undef KERNEL_NAME
#define ENERGY_KERNEL(constant, entry) [constant] = true,
static const bool of_energy[BT_BUDE_KERNEL_COUNT] = {BT_BUDE_ENERGY_KERNELS(ENERGY_KERNEL)};
#undef ENERGY_KERNEL

/* The kernels' source, made by the build (cmake/BackendOpencl.cmake). */
extern const char bt_opencl_bude_source[];

struct bt_bude_program {
  bt_bude_program *next; /* of the device's list */
  bt_bude_variant variant;
  cl_program program;
  cl_kernel kernels[BT_BUDE_KERNEL_COUNT]; /* NULL: not of this variant */
};

static void destroy(const bt_cl_api *api, bt_bude_program *program) {
  for (int k = 0; k < BT_BUDE_KERNEL_COUNT; k++)
    if (program->kernels[k] != NULL) api->clReleaseKernel(program->kernels[k]);
  if (program->program != NULL) api->clReleaseProgram(program->program);
  free(program);
}

void bt_cl_bude_close(bt_runtime_device *device) {
  for (bt_bude_program *program = device->bude_programs, *next; program != NULL; program = next) {
    next = program->next;
    destroy(&device->api, program);
  }
  device->bude_programs = NULL;
}

static bt_bude_info info(const bt_runtime_device *device, bt_bude_variant variant) {
  enum { ENERGY_ITEMS = 256, LOCAL_BYTES = 32 << 10 };
  const bt_runtime_properties *p = &device->properties;
  bt_bude_info of = {.lanes = bt_cl_lanes(&device->api, &device->device), .scale = 1, .items = 1, .free_items = 1};
  if (of.lanes > 1) return of;
  of.items = variant.poses > 0 && p->block_threads > ENERGY_ITEMS ? ENERGY_ITEMS : p->block_threads;
  of.free_items = of.items;
  of.local = p->local_memory < LOCAL_BYTES ? p->local_memory : LOCAL_BYTES;
  return of;
}

static bt_status build(bt_runtime_device *device, bt_bude_program *program, bt_error *opt_error) {
  char options[256], constants[64] = "", platform[64];
  const bt_cl_api *api = &device->api;
  const bt_bude_variant *v = &program->variant;
  bt_cl_platform_text(api, device->device.platform, CL_PLATFORM_NAME, platform, sizeof platform);
  bool keep = strcmp(platform, "Portable Computing Language") != 0; /* it keeps binaries itself */
  if (v->hardness > 0 && v->poses > 0) {
    /* as an exact number in hexadecimal, whatever the locale */
    snprintf(constants, sizeof constants, " -DBT_BUDE_HARDNESS=%af", (double)v->hardness);
    for (char *c = constants; *c != '\0'; c++)
      if (*c == ',') *c = '.';
  }
  snprintf(options, sizeof options,
           "-cl-std=CL1.2 -w -cl-mad-enable -DBT_LANES=%d -DBT_BUDE_POSES=%d -DBT_BUDE_WITHOUT=%u%s",
           info(device, *v).lanes, v->poses, v->without, constants);
  BT_TRY(bt_cl_build(api, device->context, &device->device, bt_opencl_bude_source, options, keep, &program->program,
                     NULL, opt_error));
  for (int k = 0; k < BT_BUDE_KERNEL_COUNT; k++) {
    cl_int code = 0;
    if (of_energy[k] != (v->poses > 0)) continue;
    program->kernels[k] = api->clCreateKernel(program->program, kernel_names[k], &code);
    if (program->kernels[k] == NULL || code != 0)
      return bt_cl_fail(opt_error, code, "cannot load kernel %s", kernel_names[k]);
  }
  return BT_OK;
}

static bt_status program(bt_runtime_device *device, bt_bude_variant variant, bt_bude_program **ret_program,
                         bt_error *opt_error) {
  for (bt_bude_program *p = device->bude_programs; p != NULL; p = p->next) {
    if (p->variant.poses != variant.poses || p->variant.without != variant.without ||
        p->variant.hardness != variant.hardness)
      continue;
    *ret_program = p;
    return BT_OK;
  }
  if (variant.poses < 0 || variant.poses > 32)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "choose 1 to 32", "work-items do not take %d poses",
                   variant.poses);
  bt_bude_program *made = calloc(1, sizeof *made);
  if (made == NULL) return bt_fail_memory(opt_error);
  made->variant = variant;
  bt_status status = build(device, made, opt_error);
  if (status != BT_OK) {
    destroy(&device->api, made);
    return status;
  }
  made->next = device->bude_programs;
  device->bude_programs = made;
  *ret_program = made;
  return BT_OK;
}

static bt_status launch(bt_runtime_device *device, bt_bude_program *of, bt_bude_kernel kernel, size_t groups, int items,
                        size_t local_bytes, bt_runtime_buffer *arena, const bt_bude_launch *what, bt_error *opt_error) {
  enum { SMALLEST_LOCAL = 16 }; /* a local argument of no bytes is an error */
  const bt_cl_api *api = &device->api;
  cl_kernel entry = of->kernels[kernel];
  cl_mem memory = arena->handle;
  size_t group = (size_t)items, all = groups * group;
  if (groups == 0) return BT_OK;
  if (groups > INT32_MAX || local_bytes > device->properties.local_memory)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "take fewer ligands or poses at a time",
                   "%.60s: %zu groups with %zu bytes of local memory are more than one launch takes",
                   device->properties.name, groups, local_bytes);
  cl_int code = api->clSetKernelArg(entry, 0, sizeof memory, &memory);
  if (code == 0) code = api->clSetKernelArg(entry, 1, sizeof *what, what);
  if (code == 0)
    code = api->clSetKernelArg(entry, 2, local_bytes > SMALLEST_LOCAL ? local_bytes : SMALLEST_LOCAL, NULL);
  if (code == 0) code = api->clEnqueueNDRangeKernel(device->queue, entry, 1, NULL, &all, &group, 0, NULL, NULL);
  if (code == 0) code = api->clFlush(device->queue);
  return code == 0 ? BT_OK
                   : bt_cl_fail(opt_error, code, "cannot run kernel %s in %zu groups of %d work-items",
                                kernel_names[kernel], groups, items);
}

const bt_runtime_bude bt_opencl_bude = {
    .info = info,
    .program = program,
    .launch = launch,
};
