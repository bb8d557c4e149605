/* isa.c - which instruction sets this build has, and which of them this processor understands. */
#include "backend/cpu/isa.h"

#include <string.h>

static const struct isa {
  const char *name, *description;
} isa_table[] = {
#define ISA_LINE(name, index, description) {#name, description},
    BT_CPU_ISAS(ISA_LINE)
#undef ISA_LINE
};

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
