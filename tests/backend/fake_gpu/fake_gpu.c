/* fake_gpu.c - a fake GPU driver: the functions of CUDA and HIP that src/backend/driver calls, on host memory.
 *
 * Copies to the device are deferred until the stream is synchronized, and kernels do nothing. Any function can be made
 * to fail. The same library serves as both drivers; tests/backend/test_driver.c uses it.
 */
#include "fake_gpu.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
/* one function under both drivers' names */
#define BOTH(cuda, hip, arguments)                        \
  EXPORT int cuda arguments;                              \
  EXPORT int hip arguments __attribute__((alias(#cuda))); \
  int cuda arguments
#define LOCKED int code = enter(__func__)
#define MAX_COPIES 4096

EXPORT fake_gpu_state fake_gpu = {.major = 9, .minor = 0, .version = 99000};

typedef struct copy {
  void *to;
  const void *from;
  size_t bytes;
} copy;

typedef struct stream {
  copy copies[MAX_COPIES];
  int n;
} stream;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t used;
static _Thread_local int depth; /* of the stack of contexts, or whether a device was set */

/* Locks; 0 or the error that the test wants. */
static int enter(const char *function) {
  pthread_mutex_lock(&lock);
  if (fake_gpu.fail == NULL || strcmp(function, fake_gpu.fail) != 0) return 0;
  return fake_gpu.after-- > 0 ? 0 : fake_gpu.code;
}

static int leave(int code) {
  pthread_mutex_unlock(&lock);
  return code;
}

/* A call that needs a current device. */
static int current(int code) { return code == 0 && depth <= 0 ? 201 : code; }

BOTH(cuInit, hipInit, (unsigned int flags)) {
  return (void)flags,
         fake_gpu.code != 0 && fake_gpu.fail != NULL && strcmp(fake_gpu.fail, "cuInit") == 0 ? fake_gpu.code : 0;
}
BOTH(cuDriverGetVersion, hipDriverGetVersion, (int *version)) { return *version = fake_gpu.version, 0; }
BOTH(cuDeviceGetCount, hipGetDeviceCount, (int *count)) { return *count = FAKE_GPU_DEVICES, 0; }
BOTH(cuDeviceGet, hipDeviceGet, (int *device, int index)) {
  return *device = index, index >= 0 && index < FAKE_GPU_DEVICES ? 0 : 101;
}
BOTH(cuDeviceGetName, hipDeviceGetName, (char *name, int size, int device)) {
  return snprintf(name, (size_t)size, "%s %d", FAKE_GPU_NAME, device), 0;
}
BOTH(cuDeviceTotalMem_v2, hipDeviceTotalMem, (size_t * bytes, int device)) {
  return (void)device, *bytes = FAKE_GPU_MEMORY, 0;
}

BOTH(cuDeviceGetAttribute, hipDeviceGetAttribute, (int *value, int attribute, int device)) {
  (void)device;
  switch (attribute) { /* CUDA's number, HIP's */
    case 1:
    case 56: return *value = FAKE_GPU_BLOCK, 0;
    case 10:
    case 87: return *value = 32, 0;
    case 16:
    case 63: return *value = 7, 0;
    case 97:
    case 74: return *value = FAKE_GPU_LOCAL, 0;
    case 81:
    case 10002: return *value = 2 * FAKE_GPU_LOCAL, 0;
    case 82:
    case 71: return *value = 65536, 0;
    case 20: return *value = fake_gpu.compute_mode, 0;
    case 75: return *value = fake_gpu.major, 0;
    case 76: return *value = fake_gpu.minor, 0;
    default: return 1;
  }
}

EXPORT int cuDevicePrimaryCtxRetain(void **context, int device) {
  LOCKED;
  if (code == 0) {
    fake_gpu.contexts++;
    *context = &fake_gpu;
  }
  (void)device;
  return leave(code);
}
EXPORT int cuDevicePrimaryCtxRelease_v2(int device) {
  LOCKED;
  (void)device;
  fake_gpu.contexts--;
  return leave(code);
}
EXPORT int cuDevicePrimaryCtxGetState(int device, unsigned int *flags, int *active) {
  (void)device;
  *flags = 0;
  *active = fake_gpu.contexts > 0;
  return 0;
}
EXPORT int cuCtxPushCurrent_v2(void *context) { return context == &fake_gpu ? depth++, 0 : 201; }
EXPORT int cuCtxPopCurrent_v2(void **context) { return *context = &fake_gpu, depth--, 0; }
EXPORT int hipSetDevice(int device) { return (void)device, depth = 1, 0; }
EXPORT int hipGetDevice(int *device) { return depth = 1, *device = 0, 0; }
EXPORT int cuFuncSetAttribute(void *function, int attribute, int value) {
  return (void)function, attribute == 8 && value <= FAKE_GPU_LOCAL ? 0 : 1;
}
BOTH(cuFuncGetAttribute, hipFuncGetAttribute, (int *value, int attribute, void *function)) {
  return (void)attribute, (void)function, *value = 16, 0;
}

BOTH(cuMemGetInfo_v2, hipMemGetInfo, (size_t * free_bytes, size_t *total)) {
  LOCKED;
  *total = FAKE_GPU_MEMORY;
  *free_bytes = FAKE_GPU_MEMORY - used;
  return leave(current(code));
}

/* the size precedes the bytes */
BOTH(cuMemAlloc_v2, hipMalloc, (void **address, size_t bytes)) {
  LOCKED;
  code = current(code);
  if (code == 0 && bytes > FAKE_GPU_MEMORY - used) code = 2;
  size_t *memory = code == 0 ? malloc(bytes + 64) : NULL;
  if (memory != NULL) {
    *memory = bytes;
    used += bytes;
    fake_gpu.allocations++;
    *address = (char *)memory + 64;
  } else if (code == 0) {
    code = 2;
  }
  return leave(code);
}
BOTH(cuMemFree_v2, hipFree, (void *address)) {
  LOCKED;
  size_t *memory = (size_t *)((char *)address - 64);
  used -= *memory;
  fake_gpu.allocations--;
  free(memory);
  return leave(current(code));
}
BOTH(cuMemHostAlloc, hipHostMalloc, (void **memory, size_t bytes, unsigned int flags)) {
  LOCKED;
  (void)flags;
  *memory = code == 0 ? malloc(bytes) : NULL;
  fake_gpu.pinned += *memory != NULL;
  return leave(*memory != NULL ? current(code) : code);
}
BOTH(cuMemFreeHost, hipHostFree, (void *memory)) {
  LOCKED;
  fake_gpu.pinned -= memory != NULL;
  free(memory);
  return leave(code);
}

static void flush(stream *s) {
  for (int i = 0; i < s->n; i++) memcpy(s->copies[i].to, s->copies[i].from, s->copies[i].bytes);
  s->n = 0;
}

BOTH(cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync, (void *to, const void *from, size_t bytes, void *on)) {
  LOCKED;
  stream *s = on;
  code = current(code);
  if (code == 0) {
    if (s->n == MAX_COPIES) flush(s);
    s->copies[s->n++] = (copy){to, from, bytes};
  }
  return leave(code);
}
BOTH(cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync, (void *to, const void *from, size_t bytes, void *on)) {
  return cuMemcpyHtoDAsync_v2(to, from, bytes, on);
}
BOTH(cuMemsetD8Async, hipMemsetD8Async, (void *to, unsigned char value, size_t count, void *on)) {
  LOCKED;
  flush(on);
  memset(to, value, count);
  return leave(current(code));
}

BOTH(cuStreamCreate, hipStreamCreateWithFlags, (void **created, unsigned int flags)) {
  LOCKED;
  (void)flags;
  code = current(code);
  *created = code == 0 ? calloc(1, sizeof(stream)) : NULL;
  fake_gpu.streams += *created != NULL;
  return leave(code);
}
BOTH(cuStreamDestroy_v2, hipStreamDestroy, (void *old)) {
  LOCKED;
  fake_gpu.streams--;
  free(old);
  return leave(code);
}
BOTH(cuStreamSynchronize, hipStreamSynchronize, (void *on)) {
  LOCKED;
  code = current(code);
  if (code == 0) flush(on);
  return leave(code);
}

BOTH(cuEventCreate, hipEventCreateWithFlags, (void **created, unsigned int flags)) {
  LOCKED;
  (void)flags;
  code = current(code);
  *created = code == 0 ? calloc(1, sizeof(float)) : NULL;
  fake_gpu.events += *created != NULL;
  return leave(code);
}
BOTH(cuEventDestroy_v2, hipEventDestroy, (void *event)) {
  LOCKED;
  fake_gpu.events--;
  free(event);
  return leave(code);
}
BOTH(cuEventRecord, hipEventRecord, (void *event, void *on)) {
  LOCKED;
  (void)on;
  code = current(code);
  if (code == 0) *(float *)event = fake_gpu.clock;
  return leave(code);
}
BOTH(cuEventElapsedTime, hipEventElapsedTime, (float *milliseconds, void *from, void *to)) {
  LOCKED;
  code = current(code);
  if (code == 0) *milliseconds = *(const float *)to - *(const float *)from;
  return leave(code);
}

BOTH(cuModuleLoadDataEx, hipModuleLoadDataEx,
     (void **module, const void *image, unsigned int n_options, int *options, void **values)) {
  LOCKED;
  *module = NULL;
  for (unsigned int i = 0; i < n_options; i++)
    if (options[i] == 5 && fake_gpu.log != NULL) strcpy(values[i], fake_gpu.log);
  if (code == 0 && image != NULL) {
    fake_gpu.modules++;
    *module = &fake_gpu;
  }
  return leave(current(code));
}
BOTH(cuModuleUnload, hipModuleUnload, (void *module)) {
  LOCKED;
  (void)module;
  fake_gpu.modules--;
  return leave(code);
}
BOTH(cuModuleGetFunction, hipModuleGetFunction, (void **function, void *module, const char *name)) {
  LOCKED;
  (void)name;
  *function = module;
  return leave(code);
}

BOTH(cuLaunchKernel, hipModuleLaunchKernel,
     (void *function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by,
      unsigned int bz, unsigned int local_bytes, void *on, void **arguments, void **extra)) {
  LOCKED;
  (void)function, (void)extra;
  code = current(code);
  flush(on);
  if (code == 0) {
    fake_gpu.kernels++;
    fake_gpu.clock += FAKE_GPU_KERNEL;
    fake_gpu.blocks = gx * gy * gz;
    fake_gpu.threads = bx * by * bz;
    fake_gpu.local_bytes = local_bytes;
    memcpy(&fake_gpu.arena, arguments[0], sizeof fake_gpu.arena);
    memcpy(&fake_gpu.maps, arguments[1], sizeof fake_gpu.maps);
    memcpy(fake_gpu.launch, arguments[2], 64);
  }
  return leave(code);
}
BOTH(cuOccupancyMaxActiveBlocksPerMultiprocessor, hipModuleOccupancyMaxActiveBlocksPerMultiprocessor,
     (int *blocks, void *function, int threads, size_t local_bytes)) {
  LOCKED;
  (void)function;
  *blocks = (int)(2 * FAKE_GPU_LOCAL / (local_bytes + 1));
  if (*blocks > 2048 / threads) *blocks = 2048 / threads;
  return leave(current(code));
}

EXPORT int cuGetErrorName(int code, const char **text) { return *text = code == 2 ? "ERROR_TWO" : "ERROR_FAKE", 0; }
EXPORT int cuGetErrorString(int code, const char **text) { return (void)code, *text = "as the test wished", 0; }
EXPORT const char *hipGetErrorName(int code) { return code == 2 ? "ERROR_TWO" : "ERROR_FAKE"; }
EXPORT const char *hipGetErrorString(int code) { return (void)code, "as the test wished"; }
/* so that AMD's kernels need not have been compiled */
EXPORT const void *bt_hip_on_cuda_code(const void *image) { return (void)image, "code"; }
