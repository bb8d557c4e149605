/* hip_on_cuda.c - a library with the functions of AMD's libamdhip64 that src/backend/hip calls, on the CUDA driver.
 *
 * It runs the HIP runtime and the source of its kernels on an NVIDIA GPU. LD_LIBRARY_PATH=<build>/hip_on_cuda loads it
 * in place of AMD's library; it contains its own kernels (bt_hip_on_cuda_code). For tests only, not for docking.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "backend/runtime.h"

extern const bt_kernel_image bt_hip_on_cuda_images[];

#define EXPORT __attribute__((visibility("default")))
#define NO_DEVICE 100
#define INVALID_VALUE 1
#define MAX_DEVICES 64
#define FUNCTION_LOCAL 1
#define FUNCTION_MAX_DYNAMIC_LOCAL 8
#define ATTRIBUTE_LOCAL_OPTIN 97

/* X(member, name, arguments) */
#define CUDA_FUNCTIONS(X)                                                                                              \
  X(init, "cuInit", (unsigned int))                                                                                    \
  X(version, "cuDriverGetVersion", (int *))                                                                            \
  X(count, "cuDeviceGetCount", (int *))                                                                                \
  X(device, "cuDeviceGet", (int *, int))                                                                               \
  X(name, "cuDeviceGetName", (char *, int, int))                                                                       \
  X(memory, "cuDeviceTotalMem_v2", (size_t *, int))                                                                    \
  X(attribute, "cuDeviceGetAttribute", (int *, int, int))                                                              \
  X(retain, "cuDevicePrimaryCtxRetain", (void **, int))                                                                \
  X(set_current, "cuCtxSetCurrent", (void *))                                                                          \
  X(free_memory, "cuMemGetInfo_v2", (size_t *, size_t *))                                                              \
  X(allocate, "cuMemAlloc_v2", (void **, size_t))                                                                      \
  X(release, "cuMemFree_v2", (void *))                                                                                 \
  X(allocate_pinned, "cuMemHostAlloc", (void **, size_t, unsigned int))                                                \
  X(release_pinned, "cuMemFreeHost", (void *))                                                                         \
  X(upload, "cuMemcpyHtoDAsync_v2", (void *, const void *, size_t, void *))                                            \
  X(download, "cuMemcpyDtoHAsync_v2", (void *, const void *, size_t, void *))                                          \
  X(clear, "cuMemsetD8Async", (void *, unsigned char, size_t, void *))                                                 \
  X(stream_create, "cuStreamCreate", (void **, unsigned int))                                                          \
  X(stream_destroy, "cuStreamDestroy_v2", (void *))                                                                    \
  X(stream_synchronize, "cuStreamSynchronize", (void *))                                                               \
  X(event_create, "cuEventCreate", (void **, unsigned int))                                                            \
  X(event_destroy, "cuEventDestroy_v2", (void *))                                                                      \
  X(event_record, "cuEventRecord", (void *, void *))                                                                   \
  X(event_elapsed, "cuEventElapsedTime", (float *, void *, void *))                                                    \
  X(module_load, "cuModuleLoadDataEx", (void **, const void *, unsigned int, int *, void **))                          \
  X(module_unload, "cuModuleUnload", (void *))                                                                         \
  X(function, "cuModuleGetFunction", (void **, void *, const char *))                                                  \
  X(function_attribute, "cuFuncGetAttribute", (int *, int, void *))                                                    \
  X(function_set, "cuFuncSetAttribute", (void *, int, int))                                                            \
  X(launch, "cuLaunchKernel",                                                                                          \
    (void *, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, void *, \
     void **, void **))                                                                                                \
  X(blocks, "cuOccupancyMaxActiveBlocksPerMultiprocessor", (int *, void *, int, size_t))                               \
  X(error_name, "cuGetErrorName", (int, const char **))                                                                \
  X(error_string, "cuGetErrorString", (int, const char **))

static struct {
#define MEMBER(member, name, arguments) int(*member) arguments;
  CUDA_FUNCTIONS(MEMBER)
#undef MEMBER
} cuda;
static void *contexts[MAX_DEVICES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static _Thread_local int current; /* device of this thread */
static _Thread_local bool entered;

EXPORT const void *bt_hip_on_cuda_code(const bt_kernel_image *wanted) {
  for (const bt_kernel_image *i = bt_hip_on_cuda_images; i->module != NULL; i++)
    if (strcmp(i->module, wanted->module) == 0 && memcmp(i->values, wanted->values, sizeof i->values) == 0)
      return i->opt_code;
  return NULL;
}

EXPORT int hipInit(unsigned int flags) {
  pthread_mutex_lock(&lock);
  if (!ready) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    ready = library != NULL;
#define BIND(member, name, arguments)                                        \
  if (library != NULL) cuda.member = (int(*) arguments)dlsym(library, name); \
  if (cuda.member == NULL) ready = 0;
    CUDA_FUNCTIONS(BIND)
#undef BIND
  }
  pthread_mutex_unlock(&lock);
  return ready ? cuda.init(flags) : NO_DEVICE;
}

EXPORT const char *hipGetErrorName(int code) {
  const char *text = NULL;
  if (!ready || cuda.error_name(code, &text) != 0) text = NULL;
  return text != NULL ? text : "hipErrorUnknown";
}

EXPORT const char *hipGetErrorString(int code) {
  const char *text = NULL;
  if (!ready) return "there is no CUDA driver below";
  return cuda.error_string(code, &text) == 0 ? text : "";
}

EXPORT int hipDriverGetVersion(int *version) { return *version = 50200000, 0; }
EXPORT int hipGetDeviceCount(int *count) { return cuda.count(count); }
EXPORT int hipDeviceGet(int *device, int index) { return cuda.device(device, index); }
EXPORT int hipDeviceGetName(char *name, int size, int device) { return cuda.name(name, size, device); }
EXPORT int hipDeviceTotalMem(size_t *bytes, int device) { return cuda.memory(bytes, device); }

EXPORT int hipDeviceGetAttribute(int *value, int attribute, int device) {
  static const struct {
    int hip, cuda;
  } numbers[] = {{56, 1}, {87, 10}, {63, 16}, {74, ATTRIBUTE_LOCAL_OPTIN}, {10002, 81}, {71, 12}};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (numbers[i].hip == attribute) return cuda.attribute(value, numbers[i].cuda, device);
  return INVALID_VALUE;
}

EXPORT int hipSetDevice(int device) {
  if (device < 0 || device >= MAX_DEVICES) return 101;
  pthread_mutex_lock(&lock);
  int code = contexts[device] != NULL ? 0 : cuda.retain(&contexts[device], device);
  pthread_mutex_unlock(&lock);
  if (code == 0) code = cuda.set_current(contexts[device]);
  if (code == 0) current = device, entered = true;
  return code;
}

EXPORT int hipGetDevice(int *device) { return *device = current, 0; }

/* HIP's device 0 is every thread's without a call; CUDA's is not. */
static int enter(void) { return entered ? 0 : hipSetDevice(current); }
#define ENTERED(call) \
  int code = enter(); \
  return code != 0 ? code : (call)

EXPORT int hipMemGetInfo(size_t *free_bytes, size_t *total) { ENTERED(cuda.free_memory(free_bytes, total)); }
EXPORT int hipMalloc(void **address, size_t bytes) { ENTERED(cuda.allocate(address, bytes)); }
EXPORT int hipFree(void *address) { ENTERED(cuda.release(address)); }
EXPORT int hipHostMalloc(void **memory, size_t bytes, unsigned int flags) {
  ENTERED(cuda.allocate_pinned(memory, bytes, flags));
}
EXPORT int hipHostFree(void *memory) { ENTERED(cuda.release_pinned(memory)); }
EXPORT int hipMemcpyHtoDAsync(void *to, const void *from, size_t bytes, void *stream) {
  ENTERED(cuda.upload(to, from, bytes, stream));
}
EXPORT int hipMemcpyDtoHAsync(void *to, const void *from, size_t bytes, void *stream) {
  ENTERED(cuda.download(to, from, bytes, stream));
}
EXPORT int hipMemsetD8Async(void *to, unsigned char value, size_t count, void *stream) {
  ENTERED(cuda.clear(to, value, count, stream));
}
EXPORT int hipStreamCreateWithFlags(void **stream, unsigned int flags) { ENTERED(cuda.stream_create(stream, flags)); }
EXPORT int hipStreamDestroy(void *stream) { ENTERED(cuda.stream_destroy(stream)); }
EXPORT int hipStreamSynchronize(void *stream) { ENTERED(cuda.stream_synchronize(stream)); }
EXPORT int hipEventCreateWithFlags(void **event, unsigned int flags) { ENTERED(cuda.event_create(event, flags)); }
EXPORT int hipEventDestroy(void *event) { ENTERED(cuda.event_destroy(event)); }
EXPORT int hipEventRecord(void *event, void *stream) { ENTERED(cuda.event_record(event, stream)); }
EXPORT int hipEventElapsedTime(float *ms, void *from, void *to) { ENTERED(cuda.event_elapsed(ms, from, to)); }
EXPORT int hipModuleLoadDataEx(void **module, const void *image, unsigned int n_options, int *options, void **values) {
  ENTERED(cuda.module_load(module, image, n_options, options, values));
}
EXPORT int hipModuleUnload(void *module) { ENTERED(cuda.module_unload(module)); }

/* AMD's kernels may use all local memory without asking. */
EXPORT int hipModuleGetFunction(void **function, void *module, const char *name) {
  int most = 0, fixed = 0, code = enter();
  if (code == 0) code = cuda.function(function, module, name);
  if (code == 0) code = cuda.attribute(&most, ATTRIBUTE_LOCAL_OPTIN, current);
  if (code == 0) code = cuda.function_attribute(&fixed, FUNCTION_LOCAL, *function);
  return code != 0 ? code : cuda.function_set(*function, FUNCTION_MAX_DYNAMIC_LOCAL, most - fixed);
}

EXPORT int hipFuncGetAttribute(int *value, int attribute, void *function) {
  ENTERED(cuda.function_attribute(value, attribute, function));
}
EXPORT int hipModuleLaunchKernel(void *function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                                 unsigned int by, unsigned int bz, unsigned int local_bytes, void *stream,
                                 void **arguments, void **extra) {
  ENTERED(cuda.launch(function, gx, gy, gz, bx, by, bz, local_bytes, stream, arguments, extra));
}
EXPORT int hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads,
                                                              size_t local_bytes) {
  ENTERED(cuda.blocks(blocks, function, threads, local_bytes));
}
