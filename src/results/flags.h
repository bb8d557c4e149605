/* flags.h - warnings about poses. */
#ifndef BERTH_RESULTS_FLAGS_H
#define BERTH_RESULTS_FLAGS_H

#include <math.h>

#include "results/result.h"

/* Angstrom; what AutoDock-GPU prints for a reference that does not fit. */
#define BT_RMSD_NO_MATCH 100000.0

static inline bool bt_run_is_outside(const bt_run *run) { return run->energy.atoms_outside > 0; }
/* The interaction with the receptor is repulsive. */
static inline bool bt_run_clashes(const bt_run *run) { return run->energy.inter > 0; }
/* True if there is a reference or an input pose to compare with. */
static inline bool bt_result_has_reference(const bt_result *result) { return result->reference_xyz != NULL; }
/* As logs have it, where every run has a number. */
static inline double bt_run_logged_rmsd(const bt_run *run) {
  return isnan(run->reference_rmsd) ? BT_RMSD_NO_MATCH : run->reference_rmsd;
}

#endif
