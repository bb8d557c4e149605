/* measure.h - what the parts of `berth bench reductions` share: bench_reductions.c (poses, rows reckoned on the
 * host), bench_reductions_errors.c, and bench_reductions_device.c (measurements). */
#ifndef BERTH_BENCH_REDUCTIONS_MEASURE_H
#define BERTH_BENCH_REDUCTIONS_MEASURE_H

#include "bench/common/results.h"

#include "backend/backend.h"
#include "bench/common/deviation.h"
#include "bench/reductions/model.h"

enum { BT_STUDY_POSES = 192 };

typedef struct bt_reduction_bench {
  const bt_ligand *ligand; /* borrowed, as is maps */
  const bt_maps *maps;
  const bt_backend *backend; /* to measure on */
  bt_dock_options options;
  int repeats;
  bt_dock_data *data;
  bt_scorer *scorer;
  bt_bench_pose pose;
  float *genes[2];                               /* [BT_STUDY_POSES] early and late poses */
  double *energies[BT_BENCH_REDUCTION_ROWS];     /* of all runs of a row's dockings */
  int n_energies[BT_BENCH_REDUCTION_ROWS];
} bt_reduction_bench;

/* Errors while they are added up. */
typedef struct bt_reduction_tally {
  bt_bench_reduction_errors errors;
  long seven, subtree, gradient, energy, poses, overflowed;
} bt_reduction_tally;

/* Adds one pose's: sums against their terms, gradient (NULL: as it follows from sums) against bench->pose, which is set. */
bt_status bt_reduction_tally_add(const bt_reduction_bench *bench, const bt_reduction_case *c, const float *values,
                                 const float *sums, const float *opt_gradient, bt_reduction_tally *tally,
                                 bt_error *opt_error) BT_MUST_USE;
bt_bench_reduction_errors bt_reduction_tally_mean(const bt_reduction_tally *tally);

bt_reduction_case bt_reduction_case_of(const bt_reduction_bench *bench, int ranks);

/* Fills row `index` on the device; one that cannot be measured gets a reason. */
bt_status bt_reduction_measure(bt_reduction_bench *bench, int index, bt_bench_reduction_row *row,
                               bt_error *opt_error) BT_MUST_USE;

#endif
