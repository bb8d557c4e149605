/* cpu.h - this processor as a back end: its devices are the instruction sets, its device memory is main memory. */
#ifndef BERTH_BACKEND_CPU_CPU_H
#define BERTH_BACKEND_CPU_CPU_H

#include "backend/runtime.h"

/* X(name, index, description, supported), best first. */
#if defined(__x86_64__)
#define BT_CPU_ISAS(X)                                                                          \
  X(avx512, 0, "x86-64 with AVX-512 (F, BW, DQ, VL)",                                           \
    __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&                  \
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))               \
  X(avx2, 1, "x86-64 with AVX2 and FMA", __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) \
  X(sse2, 2, "any x86-64", true)                                                                \
  X(scalar, 3, "plain C, one pose at a time", true)
#elif defined(__aarch64__)
#define BT_CPU_ISAS(X)                           \
  X(neon, 0, "64-bit Arm with NEON", true)       \
  X(scalar, 1, "plain C, one pose at a time", true)
#else
#define BT_CPU_ISAS(X) X(scalar, 0, "plain C, one pose at a time", true)
#endif

enum {
#define BT_CPU_INDEX(name, index, description, supported) BT_CPU_INDEX_##name = index,
  BT_CPU_ISAS(BT_CPU_INDEX)
#undef BT_CPU_INDEX
      BT_CPU_COUNT = BT_CPU_INDEX_scalar + 1
};

extern const bt_runtime bt_runtime_cpu;

/* The kernels of a module for one variant and instruction set. */
typedef struct bt_cpu_entries {
  int lanes;
  float root_scale;
  int n_entries;
  /* Runs one block, which is one work-item, with the local memory of its thread. */
  void (*const *run)(void *arena, void *maps, const void *launch, int block, float *local);
} bt_cpu_entries;

/* Made by cmake/BackendCpu.cmake: the code of each, const bt_cpu_entries *[BT_CPU_COUNT]; NULL where there is none. */
extern const bt_kernel_image bt_cpu_images[];

#endif
