/* kernels.c - the kernels of one module (BT_MODULE_HEADER) for one instruction set (BT_CPU_ISA) and one variant: this
 * file is compiled once for each of them. */
#include "backend/cpu/lane.h"
#include BT_MODULE_HEADER

#include "backend/cpu/cpu.h"

#define NAME__(isa, image) bt_cpu_##isa##_##image
#define NAME_(isa, image) NAME__(isa, image)
#define NAME NAME_(BT_CPU_ISA, BT_IMAGE)

#define RUN(constant, entry)                                                                                   \
  static void entry##_run(void *arena, void *maps, const void *given, int block, float *local) {               \
    bt_item_launch mine = {.launch = *(const BT_MODULE_LAUNCH *)given, .item = 0, .items = 1, .group = block}; \
    (void)maps;                                                                                                \
    BT_MODULE_CALL(entry, arena, maps, &mine.launch, local);                                                   \
  }
BT_MODULE_ENTRIES(RUN)

#define LINE(constant, entry) entry##_run,
static void (*const run[])(void *, void *, const void *, int, float *) = {BT_MODULE_ENTRIES(LINE)};

extern const bt_cpu_entries NAME;
const bt_cpu_entries NAME = {BT_LANES, BT_ROOT_SCALE, sizeof run / sizeof run[0], run};
