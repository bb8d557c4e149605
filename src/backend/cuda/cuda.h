/* cuda.h - NVIDIA GPUs through the CUDA driver. */
#ifndef BERTH_BACKEND_CUDA_CUDA_H
#define BERTH_BACKEND_CUDA_CUDA_H

#include "backend/runtime.h"

/* In a build without kernels it has no device and says how to build with them. */
extern const bt_runtime bt_runtime_cuda;

#endif
