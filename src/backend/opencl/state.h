/* state.h - an opened device and its programs; shared by the files of this folder. */
#ifndef BERTH_BACKEND_OPENCL_STATE_H
#define BERTH_BACKEND_OPENCL_STATE_H

#include "backend/opencl/build.h"
#include "backend/runtime.h"

struct bt_runtime_program {
  bt_runtime_program *next; /* of the device's list */
  const bt_module *module;
  bt_variant variant;
  cl_program program;
  const bt_runtime_device *device;
  bool cached;
  cl_kernel kernels[]; /* [n_entries] */
};

struct bt_runtime_device {
  bt_cl_api api;
  bt_cl_device device;
  bt_runtime_properties properties;
  cl_context context;
  cl_command_queue queue;
  bt_runtime_program *programs;
};

/* program.c */
void bt_cl_program_destroy(const bt_cl_api *api, bt_runtime_program *program);
bt_kernel_limits bt_cl_limits(const bt_runtime_device *device, const bt_module *module, const bt_variant *variant);
bt_status bt_cl_program(bt_runtime_device *device, const bt_module *module, const bt_variant *variant,
                        bt_runtime_program **ret_program, bt_error *opt_error);
int bt_cl_program_blocks(const bt_runtime_program *program, int entry, int items, size_t local_bytes);
bt_status bt_cl_launch(bt_runtime_device *device, bt_runtime_program *program, int entry, bt_launch_size size,
                       const bt_runtime_buffer *arena, const bt_runtime_buffer *opt_maps, const void *launch,
                       bt_error *opt_error);

#endif
