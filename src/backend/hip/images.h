/* images.h - the compiled kernels inside this library; cmake/BackendHip.cmake generates the tables. */
#ifndef BERTH_BACKEND_HIP_IMAGES_H
#define BERTH_BACKEND_HIP_IMAGES_H

#include "backend/runtime_bude.h"

extern const bt_runtime_variant bt_hip_variants[]; /* ends with team = 0 */
extern const unsigned char *const bt_hip_images[]; /* of the variants; NULL: not in this build */
extern const char bt_hip_build[];                  /* "gfx90a gfx1030"; "" without kernels */

extern const bt_bude_variant bt_hip_bude_variants[];    /* ends with poses = -1 */
extern const unsigned char *const bt_hip_bude_images[]; /* of these; NULL: not in this build */

#endif
