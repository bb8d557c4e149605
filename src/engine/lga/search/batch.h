/* batch.h - ligands that are searched together, on one device, or with their runs distributed over several.
 *
 * A range of runs is what one device does, or one of several ranges that keep it busy together: a job of all ligands of
 * the batch with some of each one's runs. Runs are independent and keep their random numbers, so it does
 * not matter how many ranges there are.
 */
#ifndef BERTH_ENGINE_LGA_SEARCH_BATCH_H
#define BERTH_ENGINE_LGA_SEARCH_BATCH_H

#include "base/memory.h"
#include "engine/lga/search/job.h"
#include "engine/lga/device/held_device.h"
#include "engine/lga/search/task.h"

typedef struct bt_run_range {
  const bt_backend *backend;
  int *first_runs; /* [count] of each task's runs, which begin at 0 */
  bt_search_parameters *parameters; /* [count] */
  bt_job_ligand *ligands;           /* [count] */
  bt_job_progress *progress;        /* [count] */
  bt_job_population *populations;   /* [count] parts of the tasks' arrays */
  bt_job *job;
  bt_status status;
  bt_error error;
} bt_run_range;

typedef struct bt_dock_batch {
  bt_arena memory;            /* of the arrays */
  bt_dock_task *const *tasks; /* borrowed */
  int count;
  bt_run_range *ranges;
  int n_ranges;
  pthread_rwlock_t *opt_lock;     /* of all jobs on these devices */
  bt_held_device *opt_held;       /* of all jobs of this worker */
  bool *active;                   /* [count] still searched */
  bool *ended, *test, *converged; /* [count] of this generation */
  bool *wanted;                   /* [count] whose populations are read */
  uint32_t next_generation;       /* of those under way */
  bool remote; /* a GPU works while the host does something else; looking at its state makes both wait */
} bt_dock_batch;

/* Makes the jobs; a single one leaves its device and memory in opt_held. backends[n_backends], of which at most as
 * many as there are runs are used. Fails with the status of the first range that failed, as does every function below;
 * bt_dock_batch_failed() tells which one that is. The batch is closed also after a failure. */
bt_status bt_dock_batch_open(bt_dock_batch *batch, bt_dock_task *const *tasks, int count,
                             const bt_backend *const *backends, int n_backends, pthread_rwlock_t *opt_lock,
                             bt_held_device *opt_held, bt_error *opt_error) BT_MUST_USE;
void bt_dock_batch_close(bt_dock_batch *batch);
/* Index of the range whose device failed, -1: none. */
int bt_dock_batch_failed(const bt_dock_batch *batch);

bt_status bt_dock_batch_initialize(bt_dock_batch *batch, bt_error *opt_error) BT_MUST_USE;
/* Runs this many generations of the active ligands, from number first >= 1 on. */
bt_status bt_dock_batch_generations(bt_dock_batch *batch, uint32_t first, int count, bt_error *opt_error) BT_MUST_USE;
/* Evaluations and best energy of every task. */
bt_status bt_dock_batch_progress(bt_dock_batch *batch, bt_error *opt_error) BT_MUST_USE;
/* Tests the tasks of batch->test for convergence; on the device, if it has all of their runs and can. */
bt_status bt_dock_batch_autostop(bt_dock_batch *batch, bt_error *opt_error) BT_MUST_USE;
/* Energies, evaluations and genes of the tasks of batch->wanted. */
bt_status bt_dock_batch_populations(bt_dock_batch *batch, bt_error *opt_error) BT_MUST_USE;

#endif
