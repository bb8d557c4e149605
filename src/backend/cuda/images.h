/* images.h - the compiled kernels inside this library; cmake/BackendCuda.cmake generates the tables. */
#ifndef BERTH_BACKEND_CUDA_IMAGES_H
#define BERTH_BACKEND_CUDA_IMAGES_H

#include "backend/runtime.h"

extern const bt_kernel_image bt_cuda_images[];
extern const char bt_cuda_build[];                  /* "80-real 90"; "" without kernels */
extern const int bt_cuda_toolkit;                   /* 13000 */
extern const int bt_cuda_real[], bt_cuda_virtual[]; /* 80, 90: machine code, PTX; each ends with 0 */

#endif
