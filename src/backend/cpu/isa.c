/* isa.c - which instruction sets this build has, and which of them this processor understands. */
#include "backend/cpu/isa.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/threads.h"

#define EXTERN_KERNELS(name, index, description) extern const bt_cpu_kernels bt_cpu_kernels_##name;
BT_CPU_ISAS(EXTERN_KERNELS)
#undef EXTERN_KERNELS

static const struct isa {
  const char *name, *description;
  const bt_cpu_kernels *kernels;
} isa_table[] = {
#define ISA_LINE(name, index, description) {#name, description, &bt_cpu_kernels_##name},
    BT_CPU_ISAS(ISA_LINE)
#undef ISA_LINE
};

/* Vectors of poses per thread that keep it busy until the others are done as well. */
enum { VECTORS_PER_THREAD = 16 };

static bool isa_supported(const char *name) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (strcmp(name, "avx512") == 0)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (strcmp(name, "avx2") == 0) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  (void)name;
#endif
  return true;
}

const char *bt_cpu_isa_name(int index) { return isa_table[index].name; }
const char *bt_cpu_isa_description(int index) { return isa_table[index].description; }
bool bt_cpu_isa_supported(int index) { return isa_supported(isa_table[index].name); }
const bt_cpu_kernels *bt_cpu_isa_kernels(int index) { return isa_table[index].kernels; }

bt_device_info bt_cpu_isa_describe(const bt_backend *backend) {
  const struct isa *isa = &isa_table[backend->device];
  int threads = bt_thread_count_default();
  bt_device_info info = {.usable = isa_supported(isa->name),
                         .lanes = isa->kernels->lanes,
                         .threads = threads,
                         .cores = threads,
                         .poses = VECTORS_PER_THREAD * threads * isa->kernels->lanes,
                         .teams = {1},
                         .n_teams = 1,
                         .reductions = 1u << BT_REDUCTION_SIMT};
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) info.memory = (uint64_t)pages * (uint64_t)page;
  snprintf(info.name, sizeof info.name, "%s", backend->name);
  snprintf(info.description, sizeof info.description, "%s", isa->description);
  if (!info.usable) snprintf(info.reason, sizeof info.reason, "this processor lacks the instructions");
  return info;
}
