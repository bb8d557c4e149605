/* target.c - the functions of libberth_omptarget.so besides its kernels: memory, and where target regions run. */
#include "backend/omptarget/target.h"

#include <omp.h>

static bool runs_there(int device) {
  int host = 1;
#pragma omp target device(device) map(from : host)
  host = omp_is_initial_device();
  return !host;
}

/* At least one byte, since OpenMP does not allocate zero bytes. */
static void *allocate(int device, size_t bytes) { return omp_target_alloc(bytes > 0 ? bytes : 1, device); }

static void release(int device, void *memory) { omp_target_free(memory, device); }

static bool upload(int device, void *to, size_t offset, const void *from, size_t bytes) {
  return omp_target_memcpy(to, from, bytes, offset, 0, device, omp_get_initial_device()) == 0;
}

static bool download(int device, void *to, const void *from, size_t offset, size_t bytes) {
  return omp_target_memcpy(to, from, bytes, 0, offset, omp_get_initial_device(), device) == 0;
}

static void clear(int device, void *memory, size_t offset, size_t bytes) {
  size_t words = (offset | bytes) % sizeof(int) == 0 ? bytes / sizeof(int) : 0, rest = bytes - words * sizeof(int);
  int *first = (int *)memory + offset / sizeof(int);
  char *begin = (char *)memory + offset;
  if (words > 0) {
#pragma omp target teams distribute parallel for simd device(device) is_device_ptr(first)
    for (size_t i = 0; i < words; i++) first[i] = 0;
  }
  if (rest > 0) {
#pragma omp target teams distribute parallel for simd device(device) is_device_ptr(begin)
    for (size_t i = 0; i < rest; i++) begin[i] = 0;
  }
}

__attribute__((visibility("default"))) const bt_omptarget_table bt_omptarget = {
    .build = BT_OMPTARGET_BUILD,
#ifdef __clang__
    .lanes = BT_OMPTARGET_LANES,
#endif
    .device_count = omp_get_num_devices,
    .host = omp_get_initial_device,
    .runs_there = runs_there,
    .allocate = allocate,
    .release = release,
    .upload = upload,
    .download = download,
    .clear = clear,
};
