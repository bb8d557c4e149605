/* api.h - the part of OpenCL 1.2's host interface that is used here, declared so that building needs no package.
 *
 * The library is opened at run time. Opening it again costs next to nothing, so there are no global variables: users of
 * OpenCL hold a bt_cl_api. The library is never unloaded, since drivers do not survive that. Types and values: Khronos,
 * The OpenCL Specification 1.2, cl.h; the names are the specification's.
 */
#ifndef BERTH_BACKEND_OPENCL_API_H
#define BERTH_BACKEND_OPENCL_API_H

#include "base/status.h"

typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;
typedef int32_t cl_int;
typedef uint32_t cl_uint, cl_bool;
typedef uint64_t cl_ulong, cl_bitfield;

enum {
  CL_DEVICE_NOT_FOUND = -1,
  CL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
  CL_OUT_OF_RESOURCES = -5,
  CL_OUT_OF_HOST_MEMORY = -6,
  CL_BUILD_PROGRAM_FAILURE = -11,
  CL_INVALID_VALUE = -30,
  CL_INVALID_WORK_GROUP_SIZE = -54,
  CL_INVALID_WORK_ITEM_SIZE = -55,
  CL_INVALID_BUFFER_SIZE = -61,
};

enum {
  CL_PLATFORM_VERSION = 0x0901,
  CL_PLATFORM_NAME = 0x0902,

  CL_DEVICE_TYPE = 0x1000,
  CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
  CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
  CL_DEVICE_MAX_WORK_ITEM_SIZES = 0x1005,
  CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
  CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
  CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
  CL_DEVICE_ENDIAN_LITTLE = 0x1026,
  CL_DEVICE_AVAILABLE = 0x1027,
  CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
  CL_DEVICE_NAME = 0x102B,
  CL_DRIVER_VERSION = 0x102D,
  CL_DEVICE_VERSION = 0x102F,
  CL_DEVICE_EXTENSIONS = 0x1030,
  CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT = 0x103A,
  /* of extensions: queried only if the device lists them */
  CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV = 0x4000,
  CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV = 0x4001,
  CL_DEVICE_REGISTERS_PER_BLOCK_NV = 0x4002,
  CL_DEVICE_WARP_SIZE_NV = 0x4003,
  CL_DEVICE_WAVEFRONT_WIDTH_AMD = 0x4043,

  CL_PROGRAM_BINARY_SIZES = 0x1165,
  CL_PROGRAM_BINARIES = 0x1166,
  CL_PROGRAM_BUILD_LOG = 0x1183,
  CL_KERNEL_WORK_GROUP_SIZE = 0x11B0,
  CL_KERNEL_LOCAL_MEM_SIZE = 0x11B2,
};

#define CL_DEVICE_TYPE_CPU ((cl_bitfield)1 << 1)
#define CL_DEVICE_TYPE_GPU ((cl_bitfield)1 << 2)
#define CL_DEVICE_TYPE_ACCELERATOR ((cl_bitfield)1 << 3)
#define CL_DEVICE_TYPE_ALL ((cl_bitfield)0xFFFFFFFF)
#define CL_MEM_READ_WRITE ((cl_bitfield)1)

typedef void (*bt_cl_notify)(const char *text, const void *data, size_t size, void *user);
typedef void (*bt_cl_build_notify)(cl_program program, void *user);

/* X(result, name, parameters). The event lists that end most calls are never used. */
#define BT_CL_FUNCTIONS(X)                                                                                            \
  X(cl_int, clGetPlatformIDs, (cl_uint, cl_platform_id *, cl_uint *))                                                 \
  X(cl_int, clGetPlatformInfo, (cl_platform_id, cl_uint, size_t, void *, size_t *))                                   \
  X(cl_int, clGetDeviceIDs, (cl_platform_id, cl_bitfield, cl_uint, cl_device_id *, cl_uint *))                        \
  X(cl_int, clGetDeviceInfo, (cl_device_id, cl_uint, size_t, void *, size_t *))                                       \
  X(cl_context, clCreateContext, (const intptr_t *, cl_uint, const cl_device_id *, bt_cl_notify, void *, cl_int *))   \
  X(cl_int, clReleaseContext, (cl_context))                                                                           \
  X(cl_command_queue, clCreateCommandQueue, (cl_context, cl_device_id, cl_bitfield, cl_int *))                        \
  X(cl_int, clReleaseCommandQueue, (cl_command_queue))                                                                \
  X(cl_int, clFlush, (cl_command_queue))                                                                              \
  X(cl_int, clFinish, (cl_command_queue))                                                                             \
  X(cl_mem, clCreateBuffer, (cl_context, cl_bitfield, size_t, void *, cl_int *))                                      \
  X(cl_int, clReleaseMemObject, (cl_mem))                                                                             \
  X(cl_int, clEnqueueWriteBuffer,                                                                                     \
    (cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint, const cl_event *, cl_event *))         \
  X(cl_int, clEnqueueReadBuffer,                                                                                      \
    (cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *))               \
  X(cl_int, clEnqueueFillBuffer,                                                                                      \
    (cl_command_queue, cl_mem, const void *, size_t, size_t, size_t, cl_uint, const cl_event *, cl_event *))          \
  X(cl_program, clCreateProgramWithSource, (cl_context, cl_uint, const char **, const size_t *, cl_int *))            \
  X(cl_program, clCreateProgramWithBinary,                                                                            \
    (cl_context, cl_uint, const cl_device_id *, const size_t *, const unsigned char **, cl_int *, cl_int *))          \
  X(cl_int, clReleaseProgram, (cl_program))                                                                           \
  X(cl_int, clBuildProgram, (cl_program, cl_uint, const cl_device_id *, const char *, bt_cl_build_notify, void *))    \
  X(cl_int, clGetProgramInfo, (cl_program, cl_uint, size_t, void *, size_t *))                                        \
  X(cl_int, clGetProgramBuildInfo, (cl_program, cl_device_id, cl_uint, size_t, void *, size_t *))                     \
  X(cl_kernel, clCreateKernel, (cl_program, const char *, cl_int *))                                                  \
  X(cl_int, clReleaseKernel, (cl_kernel))                                                                             \
  X(cl_int, clSetKernelArg, (cl_kernel, cl_uint, size_t, const void *))                                               \
  X(cl_int, clGetKernelWorkGroupInfo, (cl_kernel, cl_device_id, cl_uint, size_t, void *, size_t *))                   \
  X(cl_int, clEnqueueNDRangeKernel,                                                                                   \
    (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint, const cl_event *, \
     cl_event *))

typedef struct bt_cl_api {
#define BT_CL_MEMBER(result, name, parameters) result(*name) parameters;
  BT_CL_FUNCTIONS(BT_CL_MEMBER)
#undef BT_CL_MEMBER
} bt_cl_api;

/* False, with a reason, if there is no OpenCL library. */
bool bt_cl_load(bt_cl_api *ret_api, char *reason, size_t reason_size);

/* "CL_OUT_OF_RESOURCES"; other numbers are written as such. */
const char *bt_cl_error_name(cl_int code, char buffer[32]);

/* Fails with the name of the code and the remedy for it. what: "cannot run kernel bt_entry_fold". */
bt_status bt_cl_fail(bt_error *opt_error, cl_int code, const char *what_format, ...) BT_PRINTF(3, 4);

#endif
