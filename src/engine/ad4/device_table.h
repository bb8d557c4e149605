/* device_table.h - the devices of the runtimes of this build as back ends: "cuda:0", "cuda:1", ... */
#ifndef BERTH_ENGINE_AD4_DEVICE_TABLE_H
#define BERTH_ENGINE_AD4_DEVICE_TABLE_H

#include "backend/backend.h"
#include "backend/runtime.h"

/* One more than the devices of a runtime that can be named; more of them than that are not used. */
enum { BT_DEVICE_ENTRIES = 33 };

/* Entry 0 is called as the runtime and stands for it where it has no device; entry 1 + i is device i. */
typedef struct bt_device_table {
  const bt_runtime *runtime;
  bt_backend entries[BT_DEVICE_ENTRIES];
} bt_device_table;

/* The runtimes of this build, in the order in which auto tries them; NULL behind the last. */
const bt_device_table *bt_device_table_get(int index);

/* Back ends of one runtime: its devices, or one unusable entry that says why there is none. */
int bt_device_backend_count(const bt_device_table *table);
const bt_backend *bt_device_backend_get(const bt_device_table *table, int index);

/* bt_backend's describe. */
bt_device_info bt_device_describe(const bt_backend *backend);

/* Fills a table: const bt_device_table table = BT_DEVICE_TABLE("cuda", bt_runtime_cuda); */
#define BT_DEVICE_ENTRY(entry_name, table_runtime, number)                                                           \
  {                                                                                                                  \
    .name = entry_name, .runtime = &table_runtime, .device = number, .describe = bt_device_describe,      \
    .job_create = bt_device_job_create, .job_destroy = bt_device_job_destroy,                                        \
    .initialize = bt_device_job_initialize, .generation = bt_device_job_generation,                                  \
    .opt_autostop = bt_device_job_autostop,                                                                          \
    .read_progress = bt_device_job_read_progress, .read_energies = bt_device_job_read_energies,                      \
    .read_genes = bt_device_job_read_genes, .evaluate = bt_device_job_evaluate,                                      \
    .local_search = bt_device_job_local_search, .draw = bt_device_job_draw, .opt_team = bt_device_job_team,          \
    .opt_study_cycles = bt_device_job_study_cycles, .opt_study_sums = bt_device_job_study_sums                       \
  }
#define BT_DEVICE_ONE(name, runtime, number) BT_DEVICE_ENTRY(name ":" #number, runtime, number)
#define BT_DEVICE_FOUR(name, runtime, a, b, c, d)                                                     \
  BT_DEVICE_ONE(name, runtime, a), BT_DEVICE_ONE(name, runtime, b), BT_DEVICE_ONE(name, runtime, c), \
      BT_DEVICE_ONE(name, runtime, d)
#define BT_DEVICE_TABLE(name, runtime_)                                                               \
  {                                                                                                   \
    .runtime = &runtime_, .entries = {                                                                \
      BT_DEVICE_ENTRY(name, runtime_, -1),                                                            \
      BT_DEVICE_FOUR(name, runtime_, 0, 1, 2, 3),     BT_DEVICE_FOUR(name, runtime_, 4, 5, 6, 7),     \
      BT_DEVICE_FOUR(name, runtime_, 8, 9, 10, 11),   BT_DEVICE_FOUR(name, runtime_, 12, 13, 14, 15), \
      BT_DEVICE_FOUR(name, runtime_, 16, 17, 18, 19), BT_DEVICE_FOUR(name, runtime_, 20, 21, 22, 23), \
      BT_DEVICE_FOUR(name, runtime_, 24, 25, 26, 27), BT_DEVICE_FOUR(name, runtime_, 28, 29, 30, 31), \
    }                                                                                                 \
  }

#endif
