/* images.h - the compiled kernels inside this library; cmake/BackendCuda.cmake generates the tables. */
#ifndef BERTH_BACKEND_CUDA_IMAGES_H
#define BERTH_BACKEND_CUDA_IMAGES_H

#include "backend/runtime_bude.h"

extern const bt_runtime_variant bt_cuda_variants[]; /* ends with team = 0 */
extern const unsigned char *const bt_cuda_images[]; /* of the variants; NULL: not in this build */
extern const char bt_cuda_build[];                  /* "80-real 90"; "" without kernels */
extern const int bt_cuda_toolkit;                   /* 13000 */
extern const int bt_cuda_real[], bt_cuda_virtual[]; /* 80, 90: machine code, PTX; each ends with 0 */

extern const bt_bude_variant bt_cuda_bude_variants[];    /* ends with poses = -1 */
extern const unsigned char *const bt_cuda_bude_images[]; /* of these; NULL: not in this build */

#endif
