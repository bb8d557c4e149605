/* lga.h - the Lamarckian genetic algorithm, generation by generation, for a batch of ligands. */
#ifndef BERTH_ENGINE_LGA_SEARCH_LGA_H
#define BERTH_ENGINE_LGA_SEARCH_LGA_H

#include "engine/lga/search/batch.h"

/* Observer of a search. */
typedef struct bt_lga_watch {
  void *user;
  /* After every generation; false: stop. */
  bool (*report)(void *user, const bt_dock_batch *batch);
  /* A ligand is done: its result is complete, or status and error give the reason why not. One at a time, in the order
   * of the ligands that ended together, perhaps from another thread. */
  void (*done)(void *user, bt_dock_task *task, bt_status status, const bt_error *error);
} bt_lga_watch;

/* Searches until every ligand has reached a limit or has converged; each is handed to done() as soon as it is. After a
 * failure (of a device, or BT_ERR_CANCELLED) the ligands that are still active were not. */
bt_status bt_lga_search(bt_dock_batch *batch, const bt_lga_watch *watch, bt_error *opt_error) BT_MUST_USE;

/* Generations after which that many evaluations (of all runs) may be reached at the earliest; at least 1. */
int64_t bt_lga_stride(const bt_search_parameters *parameters, double evaluations);

#endif
