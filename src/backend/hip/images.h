/* images.h - the compiled kernels inside this library; cmake/BackendHip.cmake generates the tables. */
#ifndef BERTH_BACKEND_HIP_IMAGES_H
#define BERTH_BACKEND_HIP_IMAGES_H

#include "backend/runtime.h"

extern const bt_kernel_image bt_hip_images[];
extern const char bt_hip_build[];                  /* "gfx90a gfx1030"; "" without kernels */

#endif
