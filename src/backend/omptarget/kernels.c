/* kernels.c - the kernels of one module (BT_MODULE_HEADER) in OpenMP target regions, compiled once per variant.
 *
 * One rank (BT_TEAM 1), without synchronization: GCC's threads are warps, whose lanes only 'simd' uses, so 'teams
 * distribute parallel for' goes over the blocks and 'simd' over the poses of a block. Clang ignores 'simd' on GPUs, and
 * its threads are lanes: each takes one pose of a block, neighbors the neighboring poses.
 * Several ranks: each team runs one parallel region whose threads are the work-items of a block; they synchronize at
 * barriers and loop over blocks, since a device may provide fewer teams than requested.
 *
 * OpenMP 4.5 cannot address a GPU's local memory: the scratch memory of a block is a slice of global memory.
 */
#include <omp.h>

#include "backend/omptarget/lane.h"
#include BT_MODULE_HEADER

#include "backend/omptarget/target.h"

#define BT_PRAGMA(text) _Pragma(#text)
/* clang-format off */
#define BT_TARGET(construct, most)                                                                       \
  BT_PRAGMA(omp target construct device(shape.device) num_teams(shape.teams) thread_limit(most)          \
                is_device_ptr(arena, maps, scratch) firstprivate(launch, shape) map(tofrom: complete))
/* clang-format on */

#if BT_TEAM == 1 && defined __clang__
/* A slice belongs to as many neighboring threads as a block has items. On the host, which has fewer threads, each takes
 * whole blocks. The limit is a constant, from which the compiler derives how many registers a thread may have. */
#define BT_RUN(entry)                                                                        \
  BT_TARGET(teams, BT_OMPTARGET_LANES) {                                                     \
    BT_PRAGMA(omp parallel num_threads(shape.threads)) {                                     \
      long threads = (long)omp_get_num_teams() * omp_get_num_threads();                      \
      long thread = (long)omp_get_team_num() * omp_get_num_threads() + omp_get_thread_num(); \
      long together = threads >= BT_BLOCK_ITEMS ? BT_BLOCK_ITEMS : 1;                        \
      int first = (int)(thread % together), step = (int)together;                            \
      long slice = thread / together, slices = threads / together;                           \
      for (long block = slice; slice < slices && block < shape.blocks; block += slices) {    \
        for (int item = first; item < BT_BLOCK_ITEMS; item += step) {                        \
          bt_item_launch mine = {launch, item, BT_BLOCK_ITEMS, (int)block};                  \
          BT_MODULE_CALL(entry, arena, maps, &mine.launch, scratch + slice * shape.slice);   \
        }                                                                                    \
      }                                                                                      \
    }                                                                                        \
  }
#elif BT_TEAM == 1
#define BT_RUN(entry)                                                                  \
  BT_TARGET(teams distribute parallel for num_threads(shape.threads), shape.threads)   \
  for (long block = 0; block < shape.blocks; block++) {                                \
    long slice = (long)omp_get_team_num() * shape.threads + omp_get_thread_num();      \
    BT_PRAGMA(omp simd)                                                                \
    for (int item = 0; item < BT_BLOCK_ITEMS; item++) {                                \
      bt_item_launch mine = {launch, item, BT_BLOCK_ITEMS, (int)block};                \
      BT_MODULE_CALL(entry, arena, maps, &mine.launch, scratch + slice * shape.slice); \
    }                                                                                  \
  }
#else
#define BT_RUN(entry)                                                                               \
  BT_TARGET(teams, shape.threads) {                                                                 \
    BT_PRAGMA(omp parallel num_threads(shape.threads)) {                                            \
      float *memory = scratch + omp_get_team_num() * shape.slice;                                   \
      if (omp_get_num_threads() == BT_TEAM * BT_POSES) {                                            \
        for (long block = omp_get_team_num(); block < shape.blocks; block += omp_get_num_teams()) { \
          bt_item_launch mine = {launch, omp_get_thread_num(), BT_TEAM * BT_POSES, (int)block};     \
          BT_MODULE_CALL(entry, arena, maps, &mine.launch, memory);                                 \
          bt_sync();                                                                                \
        }                                                                                           \
      } else {                                                                                      \
        BT_PRAGMA(omp atomic write) complete = 0;                                                   \
      }                                                                                             \
    }                                                                                               \
  }
#endif

/* Clang names the device's code after the file, line and function: the images would be one another's without theirs. */
#define BT_FUNCTION_NAME__(entry, image) entry##_##image
#define BT_FUNCTION_NAME_(entry, image) BT_FUNCTION_NAME__(entry, image)
#define BT_FUNCTION_NAME(entry) BT_FUNCTION_NAME_(entry, BT_IMAGE)
#define BT_ENTRY(constant, entry)                                                                        \
  static bool BT_FUNCTION_NAME(entry)(bt_omptarget_shape shape, void *arena, void *maps, float *scratch, \
                                      const void *given) {                                               \
    BT_MODULE_LAUNCH launch = *(const BT_MODULE_LAUNCH *)given;                                          \
    int complete = 1;                                                                                    \
    (void)maps; /* unused in some modules */                                                             \
    BT_RUN(entry)                                                                                        \
    return complete != 0;                                                                                \
  }
BT_MODULE_ENTRIES(BT_ENTRY)

#define BT_ONE(constant, entry) +1
#define BT_LIST(constant, entry) BT_FUNCTION_NAME(entry),
#define BT_NAME_(image) bt_omptarget_##image
#define BT_NAME(image) BT_NAME_(image)
__attribute__((visibility("default"))) extern const bt_omptarget_entries BT_NAME(BT_IMAGE);
const bt_omptarget_entries BT_NAME(BT_IMAGE) = {
    0 BT_MODULE_ENTRIES(BT_ONE), sizeof(BT_MODULE_LAUNCH), {BT_MODULE_ENTRIES(BT_LIST)}};
