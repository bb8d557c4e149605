/* cuda.h - NVIDIA GPUs through the CUDA driver. */
#ifndef BERTH_BACKEND_CUDA_CUDA_H
#define BERTH_BACKEND_CUDA_CUDA_H

#include "backend/runtime.h"

/* In a build without kernels it has no device and says how to build with them. */
extern const bt_runtime bt_runtime_cuda;

/* Made by cmake/BackendCuda.cmake: the compiled kernels inside this library. */
extern const bt_kernel_image bt_cuda_images[];
extern const char bt_cuda_build[];                  /* "80-real 90"; "" without kernels */
extern const int bt_cuda_toolkit;                   /* 13000 */
extern const int bt_cuda_real[], bt_cuda_virtual[]; /* 80, 90: machine code, PTX; each ends with 0 */

#endif
