/* bude_kernels.c - the BUDE engine's kernels for one instruction set (BT_CPU_ISA) and one variant (BT_BUDE_POSES,
 * BT_BUDE_WITHOUT): this file is compiled once per pair of them. */
#include "backend/cpu/bude.h"
#include "backend/cpu/bude_lane.h"
#include "kernel/bude/bude.h"

#define NAME__(isa, poses, without) bt_cpu_bude_##isa##_##poses##_##without
#define NAME_(isa, poses, without) NAME__(isa, poses, without)
#define NAME NAME_(BT_CPU_ISA, BT_BUDE_POSES, BT_BUDE_WITHOUT)

#define RUN(constant, entry)                                                                   \
  static void entry##_run(char *arena, const bt_bude_launch *given, int group, float *local) { \
    bt_bude_group_launch mine = {*given, group};                                               \
    entry##_body(arena, &mine.launch, local);                                                  \
  }
#define LINE(constant, entry) [constant] = entry##_run,

#if BT_BUDE_POSES > 0
BT_BUDE_ENERGY_KERNELS(RUN)
#else
BT_BUDE_OTHER_KERNELS(RUN)
#endif

extern const bt_cpu_bude_kernels NAME;
const bt_cpu_bude_kernels NAME = {.lanes = BT_CPU_LANES,
                                  .scale = BT_BUDE_SCALE,
                                  .run = {
#if BT_BUDE_POSES > 0
                                      BT_BUDE_ENERGY_KERNELS(LINE)
#else
                                      BT_BUDE_OTHER_KERNELS(LINE)
#endif
                                  }};
