/* properties.c - properties of an OpenMP device. OpenMP reports only its existence; for NVIDIA GPUs the driver, which
 * libgomp has already opened, is queried.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backend/omptarget/omptarget.h"

/* A block of one rank has 32 poses, and libgomp gives a team up to 8 threads of 32 lanes. */
enum { LANES = 32, BLOCK_ITEMS = 32, CUDA_CORES = 16 };
/* Scratch memory in global memory has no limit of its own; this one keeps a few thousand blocks below a few GB. */
enum { BLOCK_SCRATCH = 1 << 20 };

/* Kept free: libgomp uses 128 KiB of stack for each running thread. */
static const size_t kept_free = (size_t)3 << 29;

typedef int (*device_get)(int *device, int index);
typedef int (*device_name)(char *name, int size, int device);
typedef int (*device_memory)(size_t *bytes, int device);
typedef int (*device_attribute)(int *value, int attribute, int device);
typedef int (*limit_get)(size_t *value, int limit);
typedef int (*limit_set)(int limit, size_t value);

static void *open_driver(void) { return dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD); }

/* The compiler is part of the name: it decides about the speed as much as the GPU does. */
static void describe_gpu(const bt_omptarget_table *table, int index, bt_runtime_properties *p) {
  int device, cores = 0;
  snprintf(p->name, sizeof p->name, "OpenMP device %d", index);
  p->cores = 64; /* a guess, if nothing is known */
  p->memory = (size_t)4 << 30;
  void *driver = open_driver();
  if (driver != NULL) {
    device_get get = (device_get)dlsym(driver, "cuDeviceGet");
    device_name name = (device_name)dlsym(driver, "cuDeviceGetName");
    device_memory memory = (device_memory)dlsym(driver, "cuDeviceTotalMem_v2");
    device_attribute attribute = (device_attribute)dlsym(driver, "cuDeviceGetAttribute");
    if (get != NULL && get(&device, index) == 0) {
      if (name != NULL) name(p->name, (int)sizeof p->name, device);
      if (memory != NULL) memory(&p->memory, device);
      if (attribute != NULL && attribute(&cores, CUDA_CORES, device) == 0 && cores > 0) p->cores = cores;
    }
    dlclose(driver); /* drops only the reference of this dlopen */
  }
  size_t length = strlen(p->name);
  snprintf(p->name + length, sizeof p->name - length, ", OpenMP for %s", table->build);
  p->free_memory = p->memory > 2 * kept_free ? p->memory - kept_free : p->memory / 2;
  p->wave = LANES;
}

void bt_omptarget_deepen_stacks(void) {
  enum { LIMIT_STACK = 0, BYTES = 4096 };
  void *driver = open_driver();
  if (driver == NULL) return;
  limit_get get = (limit_get)dlsym(driver, "cuCtxGetLimit");
  limit_set set = (limit_set)dlsym(driver, "cuCtxSetLimit");
  size_t bytes = 0;
  if (get != NULL && set != NULL && get(&bytes, LIMIT_STACK) == 0 && bytes < BYTES) set(LIMIT_STACK, BYTES);
  dlclose(driver);
}

static void describe_host(bt_runtime_properties *p) {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE), cores = sysconf(_SC_NPROCESSORS_ONLN);
  snprintf(p->name, sizeof p->name, "this machine's CPU, for tests (BERTH_OMPTARGET_ALLOW_HOST=1)");
  p->memory = p->free_memory = pages > 0 && page > 0 ? (size_t)pages * (size_t)page / 4 : (size_t)1 << 30;
  p->cores = cores > 0 ? (int)cores : 1;
  p->wave = 1;
  p->cpu = true;
}

void bt_omptarget_properties(const bt_omptarget_table *table, int index, bt_runtime_properties *ret_properties) {
  bool host;
  bt_runtime_properties p = {.block_threads = BLOCK_ITEMS, .local_memory = BLOCK_SCRATCH};
  bt_omptarget_number(table, index, &host);
  if (host)
    describe_host(&p);
  else
    describe_gpu(table, index, &p);
  p.largest_buffer = p.memory;
  p.local_memory_core = p.local_memory;
  snprintf(p.driver, sizeof p.driver, "OpenMP target, %s",
           table->build[0] != '\0' ? table->build : "code for the host");
  *ret_properties = p;
}
