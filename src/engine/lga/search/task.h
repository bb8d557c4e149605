/* task.h - the docking of one ligand of a batch, from the queue to its result. */
#ifndef BERTH_ENGINE_LGA_SEARCH_TASK_H
#define BERTH_ENGINE_LGA_SEARCH_TASK_H

#include "kernel/lga/parameters.h"
#include "results/result.h"
#include "engine/lga/search/autostop.h"
#include "engine/lga/device/kernel_data.h"

typedef struct bt_dock_task {
  int index; /* in the batch */
  const bt_dock_options *options;
  bt_scorer *scorer;
  bt_dock_data *data;
  bt_search_parameters parameters; /* of all runs */
  int64_t limit;                   /* evaluations per run */
  double autostop_minimum;         /* evaluations per run before autostop may end the search */
  bool keeps_outside;              /* poses outside the box count as results */
  bool checked;                    /* poses have a search_reference */
  bt_result *result;

  /* while it is searched */
  bt_autostop *autostop;
  int64_t evaluations;      /* all runs */
  double best_energy;       /* kcal/mol, of all individuals */
  double fraction;          /* of the limit */
  float *energies;          /* [runs * population] */
  int64_t *run_evaluations; /* [runs] */
  float *genes;             /* [runs * population] individuals */
} bt_dock_task;

/* Checks and builds everything that a search needs; the task is closed also after a failure. BT_ERR_PARAMETER,
 * BT_ERR_BOX, BT_ERR_INPUT: the ligand's own fault. */
bt_status bt_dock_task_open(bt_dock_task *task, int index, const bt_ligand *ligand, const bt_maps *maps,
                            const bt_molecule *opt_reference, const bt_dock_options *options,
                            bt_error *opt_error) BT_MUST_USE;
void bt_dock_task_close(bt_dock_task *task);
/* Discards the state of a search, so that another one can begin. */
bt_status bt_dock_task_reset(bt_dock_task *task, bt_error *opt_error) BT_MUST_USE;

/* Evaluations per run so far, averaged over runs. */
double bt_dock_task_mean(const bt_dock_task *task);
/* The best pose of every run, and further minima, go from energies, run_evaluations and genes into the result, refined where the scoring
 * function has sums besides its maps (score/refine.h), with double-precision energies; poses are clustered. Runs without
 * a pose inside the box are left out. BT_ERR_INPUT when a run has no pose of finite energy, BT_ERR_BOX when none is
 * inside. */
bt_status bt_dock_task_finish(bt_dock_task *task, int threads, bt_error *opt_error) BT_MUST_USE;

#endif
