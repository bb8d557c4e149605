/* flags.h - what a reader of results should be warned of. */
#ifndef BERTH_RESULTS_FLAGS_H
#define BERTH_RESULTS_FLAGS_H

#include "results/result.h"

static inline bool bt_run_is_outside(const bt_run *run) { return run->energy.atoms_outside > 0; }
/* The receptor pushes the ligand away. */
static inline bool bt_run_clashes(const bt_run *run) { return run->energy.inter > 0; }
/* Is there a reference, or an input pose, that the poses could be compared with? */
static inline bool bt_result_has_reference(const bt_result *result) { return result->reference_xyz != NULL; }

#endif
