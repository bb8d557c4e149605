/* opencl.h - the OpenCL 1.2 runtime: GPUs and accelerators of any vendor, and processors through PoCL and similar
 * implementations. */
#ifndef BERTH_BACKEND_OPENCL_OPENCL_H
#define BERTH_BACKEND_OPENCL_OPENCL_H

#include "backend/runtime.h"

extern const bt_runtime bt_runtime_opencl;

/* Made by cmake/BackendOpencl.cmake: the code of each is the module's source. */
extern const bt_kernel_image bt_opencl_images[];

/* What bt_runtime_opencl.program does, with a custom source that has all kernels of the module; a program of the same
 * variant that the device already has is not built again. keep: in the cache of binaries. For tests. */
bt_status bt_opencl_program_from(bt_runtime_device *device, const bt_module *module, const bt_variant *variant,
                                 const char *source, bool keep, bt_runtime_program **ret_program, bt_error *opt_error);
/* True if the program came from the cache of binaries. */
bool bt_opencl_program_cached(const bt_runtime_program *program);

#endif
