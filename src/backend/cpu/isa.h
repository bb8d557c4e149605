/* isa.h - the instruction sets of this build, best first. */
#ifndef BERTH_BACKEND_CPU_ISA_H
#define BERTH_BACKEND_CPU_ISA_H

#include "backend/backend.h"

/* X(name, index, description) */
#if defined(__x86_64__)
#define BT_CPU_ISAS(X)                                \
  X(avx512, 0, "x86-64 with AVX-512 (F, BW, DQ, VL)") \
  X(avx2, 1, "x86-64 with AVX2 and FMA")              \
  X(sse2, 2, "any x86-64")                            \
  X(scalar, 3, "plain C, one pose at a time")
#elif defined(__aarch64__)
#define BT_CPU_ISAS(X)               \
  X(neon, 0, "64-bit Arm with NEON") \
  X(scalar, 1, "plain C, one pose at a time")
#else
#define BT_CPU_ISAS(X) X(scalar, 0, "plain C, one pose at a time")
#endif

enum {
#define BT_CPU_INDEX(name, index, description) BT_CPU_INDEX_##name = index,
  BT_CPU_ISAS(BT_CPU_INDEX)
#undef BT_CPU_INDEX
      BT_CPU_COUNT = BT_CPU_INDEX_scalar + 1
};

const char *bt_cpu_isa_name(int index);
const char *bt_cpu_isa_description(int index);
/* Whether this processor understands it. */
bool bt_cpu_isa_supported(int index);

#endif
