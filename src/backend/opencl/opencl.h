/* opencl.h - the OpenCL 1.2 runtime: GPUs and accelerators of any vendor, and processors through PoCL and its like. */
#ifndef BERTH_BACKEND_OPENCL_OPENCL_H
#define BERTH_BACKEND_OPENCL_OPENCL_H

#include "backend/runtime.h"

extern const bt_runtime bt_runtime_opencl;

/* The kernels' source, made by the build (cmake/BackendOpencl.cmake). */
extern const char bt_opencl_source[];

/* What bt_runtime_opencl.program does, with a source of one's own that has all kernels of BT_LAUNCH_KERNELS; a program
 * of the same variant that the device already has is not built again. keep: in the cache of
 * binaries. For tests. */
bt_status bt_opencl_program_from(bt_runtime_device *device, const bt_runtime_variant *variant, const char *source,
                                 bool keep, bt_runtime_program **ret_program, bt_error *opt_error);
/* True if the program came from the cache of binaries. */
bool bt_opencl_program_cached(const bt_runtime_program *program);

#endif
