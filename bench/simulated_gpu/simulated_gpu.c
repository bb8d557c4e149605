/* simulated_gpu.c - NVIDIA's driver without a GPU: kernels of the search take the time of a GPU and compute nothing.
 *
 *     LD_LIBRARY_PATH=build/release/simulated_gpu SIMULATED_GPUS=8 SIMULATED_GPU_BLOCKS=20000 berth screen ...
 *
 * What the host does for a screen on several GPUs - preparing ligands, feeding devices, finishing poses, writing - is
 * real, and so are its locks; poses are random. SIMULATED_GPUS: how many there are [8]. SIMULATED_GPU_BLOCKS: blocks of
 * a local search that one of them does per second [20000]: that of a real one, or fewer where the host has too few
 * cores for so many GPUs. A device does one kernel after the other. At the end of the process the time that each has
 * worked is printed, and its blocks. Only what src/backend/driver calls is there. See docs/screening.md.
 */
#include "simulated_gpu.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "kernel/lga/launch.h"

#define EXPORT __attribute__((visibility("default")))

/* Of an H200. */
enum { CORES = 132, BLOCK_THREADS = 1024, WAVE = 32, LOCAL = 227 << 10, LOCAL_CORE = 228 << 10, REGISTERS = 65536 };
#define MEMORY ((size_t)8 << 30) /* of the host, in truth */

static simulated_device devices[SIMULATED_MOST];
static int n_devices = 8;
static double block_seconds = 1.0 / 20000;
static _Thread_local simulated_device *contexts[8]; /* a stack, */
static _Thread_local int depth;                     /* of this height */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void wait_until(double end) {
  struct timespec t = {.tv_sec = (time_t)end, .tv_nsec = (long)((end - (double)(time_t)end) * 1e9)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0) continue;
}

__attribute__((constructor)) static void start(void) {
  const char *count = getenv("SIMULATED_GPUS"), *rate = getenv("SIMULATED_GPU_BLOCKS");
  if (count != NULL) n_devices = (int)strtol(count, NULL, 10);
  if (n_devices < 1 || n_devices > SIMULATED_MOST) n_devices = 1;
  if (rate != NULL && strtod(rate, NULL) > 0) block_seconds = 1.0 / strtod(rate, NULL);
  for (int d = 0; d < n_devices; d++) {
    devices[d].index = d;
    pthread_mutex_init(&devices[d].lock, NULL);
  }
}

__attribute__((destructor)) static void report(void) {
  for (int d = 0; d < n_devices; d++)
    if (devices[d].blocks > 0)
      fprintf(stderr, "simulated GPU %d: %.2f s of kernels, %ld blocks\n", d, devices[d].busy, devices[d].blocks);
}

/* ---- Devices ---- */

EXPORT int cuInit(unsigned int flags) { return (void)flags, 0; }
EXPORT int cuDriverGetVersion(int *version) { return *version = 99000, 0; }
EXPORT int cuDeviceGetCount(int *count) { return *count = n_devices, 0; }
EXPORT int cuDeviceGet(int *device, int index) { return *device = index, index >= 0 && index < n_devices ? 0 : 101; }
EXPORT int cuDeviceGetName(char *name, int size, int device) {
  return (void)device, snprintf(name, (size_t)size, "simulated GPU"), 0;
}
EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device) { return (void)device, *bytes = MEMORY, 0; }

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device) {
  static const struct {
    int attribute, value;
  } known[] = {{1, BLOCK_THREADS}, {10, WAVE},           {16, CORES}, {97, LOCAL}, {81, LOCAL_CORE},
               {82, REGISTERS},    {20, 0 /* shared */}, {75, 9},     {76, 0}};
  (void)device;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (known[k].attribute == attribute) return *value = known[k].value, 0;
  return 1;
}

EXPORT int cuDevicePrimaryCtxRetain(void **context, int device) { return *context = &devices[device], 0; }
EXPORT int cuDevicePrimaryCtxRelease_v2(int device) { return (void)device, 0; }
EXPORT int cuDevicePrimaryCtxGetState(int device, unsigned int *flags, int *active) {
  return (void)device, *flags = 0, *active = 1, 0;
}
EXPORT int cuCtxPushCurrent_v2(void *context) { return depth < 8 ? contexts[depth++] = context, 0 : 1; }
EXPORT int cuCtxPopCurrent_v2(void **context) { return depth > 0 ? *context = contexts[--depth], 0 : 201; }
EXPORT int cuGetErrorName(int code, const char **text) { return (void)code, *text = "ERROR_SIMULATED", 0; }
EXPORT int cuGetErrorString(int code, const char **text) { return (void)code, *text = "of the simulated driver", 0; }

/* ---- Memory: the host's; copies are done at once ---- */

EXPORT int cuMemGetInfo_v2(size_t *free_bytes, size_t *total) { return *free_bytes = *total = MEMORY, 0; }

EXPORT int cuMemAlloc_v2(void **address, size_t bytes) { /* the size precedes the bytes */
  size_t all = bytes + 64;
  size_t *memory = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 2;
  *memory = all;
  return *address = (char *)memory + 64, 0;
}

EXPORT int cuMemFree_v2(void *address) {
  size_t *memory = (size_t *)(void *)((char *)address - 64);
  return munmap(memory, *memory) == 0 ? 0 : 1;
}

EXPORT int cuMemHostAlloc(void **memory, size_t bytes, unsigned int flags) {
  (void)flags;
  return (*memory = malloc(bytes)) != NULL ? 0 : 2;
}
EXPORT int cuMemFreeHost(void *memory) { return free(memory), 0; }

EXPORT int cuMemcpyHtoDAsync_v2(void *to, const void *from, size_t bytes, void *stream) {
  return (void)stream, memcpy(to, from, bytes), 0;
}
EXPORT int cuMemcpyDtoHAsync_v2(void *to, const void *from, size_t bytes, void *stream) {
  const simulated_stream *s = stream;
  wait_until(s->end);
  return memcpy(to, from, bytes), 0;
}
EXPORT int cuMemsetD8Async(void *to, unsigned char value, size_t bytes, void *stream) {
  return (void)stream, memset(to, value, bytes), 0;
}

/* ---- Streams and events ---- */

EXPORT int cuStreamCreate(void **created, unsigned int flags) {
  simulated_stream *stream = calloc(1, sizeof *stream);
  (void)flags;
  if (stream == NULL || depth == 0) return free(stream), 201;
  stream->device = contexts[depth - 1];
  return *created = stream, 0;
}
EXPORT int cuStreamDestroy_v2(void *stream) { return free(stream), 0; }
EXPORT int cuStreamSynchronize(void *stream) {
  const simulated_stream *s = stream;
  return wait_until(s->end), 0;
}

EXPORT int cuEventCreate(void **created, unsigned int flags) {
  (void)flags;
  return (*created = calloc(1, sizeof(double))) != NULL ? 0 : 2;
}
EXPORT int cuEventDestroy_v2(void *event) { return free(event), 0; }
EXPORT int cuEventRecord(void *event, void *stream) {
  const simulated_stream *s = stream;
  double time = now();
  return *(double *)event = s->end > time ? s->end : time, 0;
}
EXPORT int cuEventElapsedTime(float *milliseconds, void *from, void *to) {
  return *milliseconds = (float)(1e3 * (*(const double *)to - *(const double *)from)), 0;
}

/* ---- Kernels ---- */

static const char *const names[] = {
#define NAME(constant, entry) [constant] = #entry,
    BT_LAUNCH_KERNELS(NAME)
#undef NAME
};
static simulated_function functions[BT_LAUNCH_KERNEL_COUNT + 1];

EXPORT int cuModuleLoadDataEx(void **module, const void *image, unsigned int n, int *options, void **values) {
  (void)image, (void)n, (void)options, (void)values;
  return *module = functions, 0;
}
EXPORT int cuModuleUnload(void *module) { return (void)module, 0; }

EXPORT int cuModuleGetFunction(void **function, void *module, const char *name) {
  int kernel = 0;
  (void)module;
  while (kernel < BT_LAUNCH_KERNEL_COUNT && strcmp(names[kernel], name) != 0) kernel++;
  functions[kernel].kernel = kernel < BT_LAUNCH_KERNEL_COUNT ? kernel : -1;
  return *function = &functions[kernel], 0;
}

EXPORT int cuFuncGetAttribute(int *value, int attribute, void *function) {
  return (void)attribute, (void)function, *value = 128, 0;
}
EXPORT int cuFuncSetAttribute(void *function, int attribute, int value) {
  return (void)function, (void)attribute, (void)value, 0;
}
EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, size_t local_bytes) {
  (void)function;
  *blocks = (int)((size_t)LOCAL_CORE / (local_bytes + 1024));
  if (*blocks > 512 / threads) *blocks = 512 / threads; /* of 128 registers a thread */
  return 0;
}

EXPORT int cuLaunchKernel(void *function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                          unsigned int by, unsigned int bz, unsigned int local_bytes, void *stream, void **arguments,
                          void **extra) {
  const simulated_function *f = function;
  simulated_stream *s = stream;
  simulated_device *device = s->device;
  (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)local_bytes, (void)extra;
  bool search = f->kernel == BT_LAUNCH_ADAM || f->kernel == BT_LAUNCH_ADADELTA || f->kernel == BT_LAUNCH_SOLIS_WETS;
  simulated_run(f->kernel, gx, arguments);
  double took = search ? gx * block_seconds : 0.0, begin = now();
  pthread_mutex_lock(&device->lock);
  if (begin < s->end) begin = s->end;
  if (search && begin < device->free_at) begin = device->free_at;
  s->end = begin + took;
  if (search) device->free_at = s->end;
  device->busy += took;
  device->blocks += search ? (long)gx : 0;
  pthread_mutex_unlock(&device->lock);
  return 0;
}
