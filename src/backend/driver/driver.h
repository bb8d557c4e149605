/* driver.h - common to the runtimes of CUDA and HIP: one driver API under two sets of names.
 *
 * HIP's module interface follows CUDA's driver interface argument by argument, with the same error numbers. So the
 * runtime is written once (driver.c) in terms of the functions below, which each driver binds by its own names; the
 * differences are in struct bt_driver. Libraries are opened at run time; handles are opaque pointers, device addresses
 * are 64 bits, as in both drivers.
 */
#ifndef BERTH_BACKEND_DRIVER_DRIVER_H
#define BERTH_BACKEND_DRIVER_DRIVER_H

#include "backend/runtime.h"

/* X(member, name in CUDA, name in HIP, arguments): all return 0 or the driver's error number; NULL: not needed. */
#define BT_DRIVER_FUNCTIONS(X)                                                                                        \
  X(init, "cuInit", "hipInit", (unsigned int flags))                                                                  \
  X(version, "cuDriverGetVersion", "hipDriverGetVersion", (int *version))                                             \
  X(count, "cuDeviceGetCount", "hipGetDeviceCount", (int *count))                                                     \
  X(device, "cuDeviceGet", "hipDeviceGet", (int *device, int index))                                                  \
  X(name, "cuDeviceGetName", "hipDeviceGetName", (char *name, int size, int device))                                  \
  X(memory, "cuDeviceTotalMem_v2", "hipDeviceTotalMem", (size_t * bytes, int device))                                 \
  X(attribute, "cuDeviceGetAttribute", "hipDeviceGetAttribute", (int *value, int attribute, int device))              \
  X(free_memory, "cuMemGetInfo_v2", "hipMemGetInfo", (size_t * free, size_t * total))                                 \
  X(allocate, "cuMemAlloc_v2", "hipMalloc", (void **address, size_t bytes))                                           \
  X(release, "cuMemFree_v2", "hipFree", (void *address))                                                              \
  X(allocate_pinned, "cuMemHostAlloc", "hipHostMalloc", (void **memory, size_t bytes, unsigned int flags))            \
  X(release_pinned, "cuMemFreeHost", "hipHostFree", (void *memory))                                                   \
  X(upload, "cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync", (void *to, const void *from, size_t bytes, void *stream))   \
  X(download, "cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync", (void *to, const void *from, size_t bytes, void *stream)) \
  X(clear, "cuMemsetD8Async", "hipMemsetD8Async", (void *to, unsigned char value, size_t n, void *stream))            \
  X(stream_create, "cuStreamCreate", "hipStreamCreateWithFlags", (void **stream, unsigned int flags))                 \
  X(stream_destroy, "cuStreamDestroy_v2", "hipStreamDestroy", (void *stream))                                         \
  X(stream_synchronize, "cuStreamSynchronize", "hipStreamSynchronize", (void *stream))                                \
  X(event_create, "cuEventCreate", "hipEventCreateWithFlags", (void **event, unsigned int flags))                     \
  X(event_destroy, "cuEventDestroy_v2", "hipEventDestroy", (void *event))                                             \
  X(event_record, "cuEventRecord", "hipEventRecord", (void *event, void *stream))                                     \
  X(event_elapsed, "cuEventElapsedTime", "hipEventElapsedTime", (float *milliseconds, void *from, void *to))          \
  X(module_load, "cuModuleLoadDataEx", "hipModuleLoadDataEx",                                                         \
    (void **module, const void *image, unsigned int n_options, int *options, void **values))                          \
  X(module_unload, "cuModuleUnload", "hipModuleUnload", (void *module))                                               \
  X(function, "cuModuleGetFunction", "hipModuleGetFunction", (void **function, void *module, const char *name))       \
  X(function_attribute, "cuFuncGetAttribute", "hipFuncGetAttribute", (int *value, int attribute, void *function))     \
  X(launch, "cuLaunchKernel", "hipModuleLaunchKernel",                                                                \
    (void *function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by,             \
     unsigned int bz, unsigned int local_bytes, void *stream, void **arguments, void **extra))                        \
  X(blocks_per_core, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                                                   \
    "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor",                                                             \
    (int *blocks, void *function, int block_threads, size_t local_bytes))                                             \
  X(context_retain, "cuDevicePrimaryCtxRetain", NULL, (void **context, int device))                                   \
  X(context_release, "cuDevicePrimaryCtxRelease_v2", NULL, (int device))                                              \
  X(context_state, "cuDevicePrimaryCtxGetState", NULL, (int device, unsigned int *flags, int *active))                \
  X(context_push, "cuCtxPushCurrent_v2", NULL, (void *context))                                                       \
  X(context_pop, "cuCtxPopCurrent_v2", NULL, (void **context))                                                        \
  X(function_set, "cuFuncSetAttribute", NULL, (void *function, int attribute, int value))                             \
  X(error_name, "cuGetErrorName", NULL, (int code, const char **text))                                                \
  X(error_string, "cuGetErrorString", NULL, (int code, const char **text))                                            \
  X(device_set, NULL, "hipSetDevice", (int device))                                                                   \
  X(device_current, NULL, "hipGetDevice", (int *device))

typedef struct bt_driver_library {
  void *handle; /* of dlopen */
#define BT_DRIVER_MEMBER(member, cuda, hip, arguments) int(*member) arguments;
  BT_DRIVER_FUNCTIONS(BT_DRIVER_MEMBER)
#undef BT_DRIVER_MEMBER
} bt_driver_library;

/* Errors that are handled individually. */
#define BT_DRIVER_INVALID_VALUE 1
#define BT_DRIVER_OUT_OF_MEMORY 2
#define BT_DRIVER_UNAVAILABLE 46 /* used exclusively by another process */
#define BT_DRIVER_NO_DEVICE 100
#define BT_DRIVER_INVALID_DEVICE 101
#define BT_DRIVER_INVALID_IMAGE 200
#define BT_DRIVER_NO_BINARY 209 /* no code for this GPU */
#define BT_DRIVER_ECC 214
#define BT_DRIVER_INVALID_PTX 218
#define BT_DRIVER_LINK 220
#define BT_DRIVER_NO_COMPILER 221 /* for PTX */
#define BT_DRIVER_NEWER_PTX 222   /* newer than the driver's compiler supports */
#define BT_DRIVER_CONTAINED 226   /* a memory fault that affects only this process */
#define BT_DRIVER_FAULT 700       /* this and the next 99, except the one below: a kernel crashed */
#define BT_DRIVER_TOO_MANY_RESOURCES 701

#define BT_DRIVER_FUNCTION_THREADS 0 /* attributes of a function: largest block, */
#define BT_DRIVER_FUNCTION_LOCAL 1   /* and static local memory, bytes */

/* Numbers of device attributes; -1: the driver has none. */
typedef struct bt_driver_attributes {
  int block_threads, wave, cores, local_memory, local_memory_core, registers_core;
} bt_driver_attributes;

typedef struct bt_driver {
  const char *name;             /* "CUDA", in messages */
  const char *const *libraries; /* file names to try in turn; ends with NULL */
  const char *absent;           /* the reason if none of them is found */
  const char *const *symbols;   /* names of BT_DRIVER_FUNCTIONS, in its order */
  const char *build;            /* what the kernels were compiled for, in words; "" in a build without kernels */
  const char *no_kernels;       /* how to build with kernels */
  bt_driver_attributes attributes;
  size_t grid_threads; /* maximum number of work-items in a launch */

  const bt_kernel_image *images; /* of bt_runtime */
  /* Kernels that the library itself provides (in tests), preferred over those of the build; may be NULL. */
  const void *(*opt_code)(const bt_driver_library *library, const bt_kernel_image *image);

  /* The driver's name and sentence for an error. */
  void (*error_text)(const bt_driver_library *library, int code, char *text, size_t size);
  /* "CUDA 13.0, driver 580.159" */
  void (*driver_text)(const bt_driver_library *library, char *text, size_t size);
  /* Why kernels of this build cannot run on the device; "" if they can, as far as is known before loading. */
  void (*unusable)(const bt_driver_library *library, int device, char *reason, size_t size);
  /* A handle that must be held while the device is open. */
  int (*context_open)(const bt_driver_library *library, int device, void **ret_context);
  void (*context_close)(const bt_driver_library *library, int device);
  /* Makes the device current for this thread, and afterwards restores the previous one. */
  int (*enter)(const bt_driver_library *library, int device, void *context, int *ret_before);
  void (*leave)(const bt_driver_library *library, int before);
  /* Free bytes; the total if a query would be expensive. */
  size_t (*free_memory)(const bt_driver_library *library, int device, size_t total);
  /* Allows a function to use this much local memory per block; may be NULL. */
  int (*opt_grant)(const bt_driver_library *library, void *function, int local_bytes);
} bt_driver;

/* Loads the library and binds all functions; false, with a reason, on failure. The library stays open until the process
 * ends. */
bool bt_driver_library_open(const bt_driver *driver, bt_driver_library *ret_library, char *reason, size_t reason_size);

/* The functions of a bt_runtime (runtime.h); the first three are to be wrapped with the driver. */
int bt_driver_device_count(const bt_driver *driver, char *reason, size_t reason_size);
void bt_driver_device_properties(const bt_driver *driver, int index, bt_runtime_properties *ret_properties);
bt_status bt_driver_open(const bt_driver *driver, int index, bt_runtime_device **ret_device, bt_error *opt_error);
void bt_driver_close(bt_runtime_device *device);
bt_status bt_driver_allocate(bt_runtime_device *device, size_t bytes, bt_runtime_buffer *ret_buffer,
                             bt_error *opt_error);
void bt_driver_release(bt_runtime_device *device, bt_runtime_buffer *buffer);
bt_status bt_driver_upload(bt_runtime_device *device, bt_runtime_buffer *to, size_t offset, const void *from,
                           size_t bytes, bt_error *opt_error);
bt_status bt_driver_download(bt_runtime_device *device, void *to, const bt_runtime_buffer *from, size_t offset,
                             size_t bytes, bt_error *opt_error);
bt_status bt_driver_clear(bt_runtime_device *device, bt_runtime_buffer *buffer, size_t offset, size_t bytes,
                          bt_error *opt_error);
bt_kernel_limits bt_driver_limits(const bt_runtime_device *device, const bt_module *module, const bt_variant *variant);
bt_status bt_driver_program(bt_runtime_device *device, const bt_module *module, const bt_variant *variant,
                            bt_runtime_program **ret_program, bt_error *opt_error);
int bt_driver_blocks_per_core(const bt_runtime_program *program, int entry, int items, size_t local_bytes);
bt_status bt_driver_launch(bt_runtime_device *device, bt_runtime_program *program, int entry, bt_launch_size size,
                           const bt_runtime_buffer *arena, const bt_runtime_buffer *opt_maps, const void *launch,
                           bt_error *opt_error);
bt_status bt_driver_synchronize(bt_runtime_device *device, bt_error *opt_error);
void bt_driver_measure(bt_runtime_device *device, bt_busy *opt_busy);

/* Defines a runtime: its devices, wrappers that pass the driver, and its bt_runtime with the given further members. */
#define BT_DRIVER_RUNTIME(runtime, text, ...)                                                                  \
  static int device_count(char *reason, size_t size) { return bt_driver_device_count(&driver, reason, size); } \
  static void device_properties(int index, bt_runtime_properties *ret_properties) {                            \
    bt_driver_device_properties(&driver, index, ret_properties);                                               \
  }                                                                                                            \
  static bt_status open_device(int index, bt_runtime_device **ret_device, bt_error *opt_error) {               \
    return bt_driver_open(&driver, index, ret_device, opt_error);                                              \
  }                                                                                                            \
  static const bt_backend devices[] = BT_NUMBERED_DEVICES(text, runtime);                                      \
  const bt_runtime runtime = {.name = text,                                                                    \
                              .devices = devices,                                                              \
                              .device_count = device_count,                                                    \
                              .device_properties = device_properties,                                          \
                              .open = open_device,                                                             \
                              .close = bt_driver_close,                                                        \
                              .allocate = bt_driver_allocate,                                                  \
                              .release = bt_driver_release,                                                    \
                              .upload = bt_driver_upload,                                                      \
                              .download = bt_driver_download,                                                  \
                              .clear = bt_driver_clear,                                                        \
                              .limits = bt_driver_limits,                                                      \
                              .program = bt_driver_program,                                                    \
                              .blocks_per_core = bt_driver_blocks_per_core,                                    \
                              .launch = bt_driver_launch,                                                      \
                              .synchronize = bt_driver_synchronize,                                            \
                              .opt_measure = bt_driver_measure,                                                \
                              .generic_addresses = true,                                                       \
                              __VA_ARGS__}

#endif
