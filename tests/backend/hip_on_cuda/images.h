/* images.h - the kernels of src/backend/hip compiled for NVIDIA GPUs; the tables are generated. */
#ifndef BERTH_TESTS_HIP_ON_CUDA_IMAGES_H
#define BERTH_TESTS_HIP_ON_CUDA_IMAGES_H

#include "backend/runtime.h"

extern const bt_runtime_variant bt_hip_on_cuda_variants[];
extern const unsigned char *const bt_hip_on_cuda_images[];

#endif
