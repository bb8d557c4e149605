/* build.h - from kernel source to a program, through the cache of binaries. */
#ifndef BERTH_BACKEND_OPENCL_BUILD_H
#define BERTH_BACKEND_OPENCL_BUILD_H

#include "backend/opencl/devices.h"

typedef enum bt_cl_origin {
  BT_CL_COMPILED, /* from source */
  BT_CL_CACHED,   /* from a binary cached by an earlier process */
} bt_cl_origin;

/* Builds source with options for one device. The caller releases the program. keep: use the cache of
 * binaries. BT_ERR_DEVICE with the first lines of the compiler's log if it does not build. */
bt_status bt_cl_build(const bt_cl_api *api, cl_context context, const bt_cl_device *device, const char *source,
                      const char *options, bool keep, cl_program *ret_program, bt_cl_origin *opt_ret_origin,
                      bt_error *opt_error);

#endif
