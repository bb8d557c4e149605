/* group.h - ligands that are searched together, on one device or with their runs shared out over several.
 *
 * A part is what one device does, or one of several that keep it busy together: a job of all the group's ligands with the runs [first_run, first_run + runs). Runs
 * are independent and keep their random numbers, so it does not matter how many parts there are.
 */
#ifndef BERTH_ENGINE_AD4_GROUP_H
#define BERTH_ENGINE_AD4_GROUP_H

#include "engine/ad4/job.h"
#include "engine/ad4/task.h"

typedef struct bt_dock_part {
  const bt_backend *backend;
  int first_run, runs;
  bt_search_parameters *parameters; /* [count] */
  bt_job_ligand *ligands;           /* [count] */
  bt_job_progress *progress;        /* [count] */
  bt_job *job;
  bt_status status;
  bt_error error;
} bt_dock_part;

typedef struct bt_dock_group {
  bt_dock_task *const *tasks; /* borrowed */
  int count;
  bt_dock_part *parts;
  int n_parts;
  bt_turns *opt_turns; /* of all jobs on these devices */
  bool *active; /* [count] still searched */
  bool *ended, *test, *converged; /* [count] of this generation */
  uint32_t next_generation; /* of those under way */
  bool remote;  /* a GPU works while the host does something else; looking at its state makes both wait */
} bt_dock_group;

/* Makes the jobs. backends[n_backends], of which at most as many as there are runs are used. Fails with the status of
 * the first part that failed, as does every function below; bt_dock_group_failed() tells which one that is. The group
 * is closed also after a failure. */
bt_status bt_dock_group_open(bt_dock_group *group, bt_dock_task *const *tasks, int count,
                             const bt_backend *const *backends, int n_backends, bt_turns *opt_turns,
                             bt_error *opt_error) BT_MUST_USE;
void bt_dock_group_close(bt_dock_group *group);
/* Index of the part whose device failed, -1: none. */
int bt_dock_group_failed(const bt_dock_group *group);

bt_status bt_dock_group_initialize(bt_dock_group *group, bt_error *opt_error) BT_MUST_USE;
/* So many generations of the active ligands, from number first >= 1 on. */
bt_status bt_dock_group_generations(bt_dock_group *group, uint32_t first, int count, bt_error *opt_error) BT_MUST_USE;
/* Evaluations and best energy of every task. */
bt_status bt_dock_group_progress(bt_dock_group *group, bt_error *opt_error) BT_MUST_USE;
/* Tests the tasks of group->test for convergence; on the device, if it has all of their runs and can. */
bt_status bt_dock_group_autostop(bt_dock_group *group, bt_error *opt_error) BT_MUST_USE;
/* Energies and evaluations, and the genes, of one task. */
bt_status bt_dock_group_energies(bt_dock_group *group, int task, bt_error *opt_error) BT_MUST_USE;
bt_status bt_dock_group_genes(bt_dock_group *group, int task, bt_error *opt_error) BT_MUST_USE;

#endif
