/* kernels.c - the kernels of src/kernel in OpenMP target regions, compiled once per variant (BT_TEAM, BT_POSES).
 *
 * One rank (BT_TEAM 1): 'teams distribute parallel for' over the blocks, 'simd' over the poses of a block; nobody waits
 * for anybody. Several ranks: each team runs one parallel region whose threads are the work-items of a block; they meet
 * at barriers, and take one block after the other, since a device may give fewer teams than asked for.
 *
 * A GPU's local memory has no name in OpenMP 4.5: the scratch memory of a block is a slice of global memory.
 */
#include <omp.h>

#include "backend/omptarget/lane.h"
#include "kernel/ad4/kernel.h"

#include "kernel/ad4/entries.h"

#include "backend/omptarget/target.h"

#define BT_PRAGMA(text) _Pragma(#text)
/* clang-format off */
#define BT_TARGET(construct)                                                                             \
  BT_PRAGMA(omp target construct device(shape.device) num_teams(shape.teams) thread_limit(shape.threads) \
                is_device_ptr(arena, maps, scratch) firstprivate(launch, shape) map(tofrom: complete))
/* clang-format on */

#if BT_TEAM == 1
#define BT_RUN(entry)                                                             \
  BT_TARGET(teams distribute parallel for num_threads(shape.threads))             \
  for (long block = 0; block < shape.blocks; block++) {                           \
    long slice = (long)omp_get_team_num() * shape.threads + omp_get_thread_num(); \
    BT_PRAGMA(omp simd)                                                           \
    for (int item = 0; item < BT_POSES; item++) {                                 \
      bt_item_launch mine = {launch, item, (int)block};                           \
      entry##_body(arena, maps, &mine.launch, scratch + slice * shape.slice);     \
    }                                                                             \
  }
#else
#define BT_RUN(entry)                                                                               \
  BT_TARGET(teams) {                                                                                \
    BT_PRAGMA(omp parallel num_threads(shape.threads)) {                                            \
      float *memory = scratch + omp_get_team_num() * shape.slice;                                   \
      if (omp_get_num_threads() == BT_TEAM * BT_POSES) {                                            \
        for (long block = omp_get_team_num(); block < shape.blocks; block += omp_get_num_teams()) { \
          bt_item_launch mine = {launch, omp_get_thread_num(), (int)block};                         \
          entry##_body(arena, maps, &mine.launch, memory);                                          \
          bt_sync();                                                                                \
        }                                                                                           \
      } else {                                                                                      \
        BT_PRAGMA(omp atomic write) complete = 0;                                                   \
      }                                                                                             \
    }                                                                                               \
  }
#endif

#define BT_ENTRY(constant, entry)                                                             \
  static bool entry##_run(bt_omptarget_shape shape, char *arena, float *maps, float *scratch, \
                          const bt_launch *given) {                                           \
    bt_launch launch = *given;                                                                \
    int complete = 1;                                                                         \
    BT_RUN(entry)                                                                             \
    return complete != 0;                                                                     \
  }
BT_LAUNCH_KERNELS(BT_ENTRY)

#define BT_NAME__(team, poses) bt_omptarget_t##team##_p##poses
#define BT_NAME_(team, poses) BT_NAME__(team, poses)
#define BT_NAME BT_NAME_(BT_TEAM, BT_POSES)
#define BT_LIST(constant, entry) [constant] = entry##_run,
extern const bt_omptarget_run BT_NAME[BT_LAUNCH_KERNEL_COUNT];
const bt_omptarget_run BT_NAME[BT_LAUNCH_KERNEL_COUNT] = {BT_LAUNCH_KERNELS(BT_LIST)};
