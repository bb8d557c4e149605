/* bude_kernels.c - the kernels of the BUDE engine in OpenMP target regions, compiled once per number of poses (BT_BUDE_POSES).
 *
 * 'teams distribute parallel for' over the groups, 'simd' over the work-items of a group.
 */
#include <omp.h>

#include "backend/omptarget/bude_lane.h"
#include "kernel/bude/bude.h"

#include "backend/omptarget/target.h"

#define BT_PRAGMA(text) _Pragma(#text)
/* clang-format off */
#define BT_ENTRY(constant, entry)                                                                                  \
  static void entry##_run(bt_omptarget_shape shape, int items, char *arena, float *scratch,                        \
                          const bt_bude_launch *given) {                                                           \
    bt_bude_launch launch = *given;                                                                                \
    BT_PRAGMA(omp target teams distribute parallel for device(shape.device) num_teams(shape.teams)                 \
              thread_limit(shape.threads) num_threads(shape.threads) is_device_ptr(arena, scratch)                 \
              firstprivate(launch, shape, items))                                                                  \
    for (long group = 0; group < shape.blocks; group++) {                                                          \
      long slice = (long)omp_get_team_num() * shape.threads + omp_get_thread_num();                                \
      BT_PRAGMA(omp simd)                                                                                          \
      for (int item = 0; item < items; item++) {                                                                   \
        bt_bude_item_launch mine = {launch, item, items, (int)group};                                              \
        entry##_body(arena, &mine.launch, scratch + slice * shape.slice);                                          \
      }                                                                                                            \
    }                                                                                                              \
  }
/* clang-format on */

#define BT_NAME__(poses) bt_omptarget_bude_##poses
#define BT_NAME_(poses) BT_NAME__(poses)
#define BT_NAME BT_NAME_(BT_BUDE_POSES)
#define BT_LIST(constant, entry) [constant] = entry##_run,
extern const bt_omptarget_bude_run BT_NAME[BT_BUDE_KERNEL_COUNT];

#if BT_BUDE_POSES > 0
BT_BUDE_ENERGY_KERNELS(BT_ENTRY)
const bt_omptarget_bude_run BT_NAME[BT_BUDE_KERNEL_COUNT] = {BT_BUDE_ENERGY_KERNELS(BT_LIST)};
#else
BT_BUDE_OTHER_KERNELS(BT_ENTRY)
const bt_omptarget_bude_run BT_NAME[BT_BUDE_KERNEL_COUNT] = {BT_BUDE_OTHER_KERNELS(BT_LIST)};
#endif
