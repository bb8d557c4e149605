/* kernels.c - the kernels of one module (BT_MODULE_HEADER) for the toy machine. */
#include "backend/toy/lane.h"
#include BT_MODULE_HEADER

#include "backend/toy/toy.h"

#define RUN(constant, entry)                                                                             \
  static void entry##_run(void *arena, void *maps, const void *given, int block, float *local) {         \
    bt_item_launch mine = {.launch = *(const BT_MODULE_LAUNCH *)given, .item = 0, .items = 1, .group = block}; \
    BT_MODULE_CALL(entry, arena, maps, &mine.launch, local);                                             \
  }
BT_MODULE_ENTRIES(RUN)

#define LINE(constant, entry) entry##_run,
const toy_entry toy_lga[] = {BT_MODULE_ENTRIES(LINE)};
