/* hip.h - AMD GPUs through the HIP runtime. */
#ifndef BERTH_BACKEND_HIP_HIP_H
#define BERTH_BACKEND_HIP_HIP_H

#include "backend/runtime.h"

/* In a build without kernels it has no device and says how to build with them. */
extern const bt_runtime bt_runtime_hip;

/* Made by cmake/BackendHip.cmake: the compiled kernels inside this library. */
extern const bt_kernel_image bt_hip_images[];
extern const char bt_hip_build[];                  /* "gfx90a gfx1030"; "" without kernels */

#endif
