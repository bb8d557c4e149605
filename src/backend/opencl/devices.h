/* devices.h - the OpenCL devices of this machine that can run the kernels, GPUs first. */
#ifndef BERTH_BACKEND_OPENCL_DEVICES_H
#define BERTH_BACKEND_OPENCL_DEVICES_H

#include "backend/runtime.h"
#include "backend/opencl/api.h"

typedef struct bt_cl_device {
  cl_platform_id platform;
  cl_device_id id;
  cl_bitfield type;
} bt_cl_device;

/* Devices of all platforms; free(*ret_list). 0, an empty list and a reason if none can be used. */
int bt_cl_devices(const bt_cl_api *api, bt_cl_device **ret_list, char *reason, size_t reason_size);

/* True if no platform has devices other than the host CPU, as far as is known without querying devices. */
bool bt_cl_only_processors(const bt_cl_api *api);

void bt_cl_describe(const bt_cl_api *api, const bt_cl_device *device, bt_runtime_properties *ret_properties);

/* A numeric property of a device; 0 if it is unknown. */
size_t bt_cl_device_size(const bt_cl_api *api, cl_device_id device, cl_uint what);
cl_ulong bt_cl_device_long(const bt_cl_api *api, cl_device_id device, cl_uint what);
cl_uint bt_cl_device_uint(const bt_cl_api *api, cl_device_id device, cl_uint what);
/* A string property of a device, trimmed and cut to size; "" if it is unknown. */
void bt_cl_device_text(const bt_cl_api *api, cl_device_id device, cl_uint what, char *text, size_t size);
void bt_cl_platform_text(const bt_cl_api *api, cl_platform_id platform, cl_uint what, char *text, size_t size);

/* Poses side by side in one work-item that suit the device: its vectors' width on a CPU, 1 on a GPU. */
int bt_cl_lanes(const bt_cl_api *api, const bt_cl_device *device);

#endif
