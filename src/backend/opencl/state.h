/* state.h - an opened device and its programs; shared by the files of this folder. */
#ifndef BERTH_BACKEND_OPENCL_STATE_H
#define BERTH_BACKEND_OPENCL_STATE_H

#include "backend/opencl/build.h"

struct bt_runtime_program {
  bt_runtime_program *next; /* of the device's list */
  bt_runtime_variant variant;
  cl_program program;
  cl_kernel kernels[BT_LAUNCH_KERNEL_COUNT];
  const bt_runtime_device *device;
  int lanes;
  bool cached;
};

struct bt_runtime_device {
  bt_cl_api api;
  bt_cl_device device;
  bt_runtime_properties properties;
  cl_context context;
  cl_command_queue queue;
  bt_runtime_program *programs;
  struct bt_bude_program *bude_programs;
};

/* program.c */
void bt_cl_program_destroy(const bt_cl_api *api, bt_runtime_program *program);
bt_status bt_cl_program(bt_runtime_device *device, const bt_runtime_variant *variant, bt_runtime_program **ret_program,
                        bt_error *opt_error);
int bt_cl_program_lanes(const bt_runtime_program *program);
int bt_cl_program_blocks(const bt_runtime_program *program, bt_launch_kernel kernel, size_t local_bytes);
bt_status bt_cl_launch(bt_runtime_device *device, bt_runtime_program *program, bt_launch_kernel kernel, size_t blocks,
                       size_t local_bytes, bt_runtime_buffer *arena, bt_runtime_buffer *maps, const bt_launch *launch,
                       bt_error *opt_error);

/* bude.c */
extern const struct bt_runtime_bude bt_opencl_bude;
void bt_cl_bude_close(bt_runtime_device *device);

#endif
