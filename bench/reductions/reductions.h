/* reductions.h - shared by the files of `berth bench reductions`: reductions.c (poses, rows computed on the host),
 * errors.c, device.c (measurements), report.c (tables and JSON). */
#ifndef BERTH_BENCH_REDUCTIONS_REDUCTIONS_H
#define BERTH_BENCH_REDUCTIONS_REDUCTIONS_H

#include "bench/common/job.h"
#include "bench/common/output.h"
#include "bench/reductions/model.h"

enum { REDUCTION_POSES = 192, REDUCTION_ROWS = 24 };

/* Errors of one kind: mean (the sum until reduction_errors_mean) and largest; NaN if there are none. */
typedef struct reduction_error {
  double mean, largest;
  long count;
} reduction_error;

/* Errors of sums over many poses. A sum's error is |sum - sum in double precision| / sum of |terms|. */
typedef struct reduction_errors {
  reduction_error seven;    /* net force and torque (3 each) and energy */
  reduction_error subtree;  /* force and torque of all atoms that a torsion moves */
  reduction_error energy;   /* of the energy's sum, kcal/mol */
  reduction_error gradient; /* of the gradient in genes: largest error of a component / largest component */
  reduction_error overflow; /* 1 for a pose with a sum that is not finite, which the others leave out; otherwise 0 */
} reduction_errors;

/* One reduction. */
typedef struct reduction_row {
  bt_reduction reduction;
  int team;
  bool measured;                /* on the device; otherwise computed on the host, which gives errors only */
  char reason[256];             /* why it could not be measured; empty otherwise */
  reduction_errors early, late; /* random poses; the same population five generations later */
  bool valid; /* measured: energies and gradients agree with double precision; on the host: reduction_sums_hold */
  /* Measured only. No time is given unless valid. */
  bench_deviation worst; /* in those tolerances */
  double fraction;       /* of ADADELTA's clock cycles spent in sums; NaN: not counted */
  double cycles;         /* in the sums of one evaluation; NaN: not counted */
  int dockings;
  int64_t evaluations;                                         /* per run, mean of all dockings */
  double seconds, seconds_min, seconds_max, seconds_deviation; /* of a docking: mean, standard deviation */
  double microseconds;                                         /* per evaluation, mean over dockings */
  double best_energy, best_energy_rmsd; /* lowest intermolecular + intramolecular energy of all runs, its RMSD */
  double best_rmsd, best_rmsd_energy;   /* lowest RMSD to the input pose, its energy */
  int successes, runs;                  /* runs within 1 kcal/mol of the lowest energy that any row found; all runs */
  double *energies;                     /* [runs] */
} reduction_row;

typedef struct reduction_bench {
  bench_case of;
  bench_job job; /* on the device to measure on */
  bench_subject subject;
  int repeats;
  float *genes[2];                    /* [REDUCTION_POSES] early and late poses */
  bool valid;                         /* all rows but those in half precision */
  reduction_row rows[REDUCTION_ROWS]; /* host rows first; then by team */
  int n_rows;
  double peak;      /* S: tensor cores' TF32 peak / single-precision peak of this GPU; NaN: unknown */
  char reason[256]; /* why nothing was measured; empty otherwise */
} reduction_bench;

/* The baseline of a reduction: sequential for those of the papers, simt for Berth's own. */
bt_reduction reduction_baseline(bt_reduction reduction);
/* Whether it is in half precision: only for the study, not expected to be valid. */
bool reduction_is_half(bt_reduction reduction);

/* The paper's model: 1 / (f / S + 1 - f), where the fraction f moves to units that are S times faster. */
double reduction_speedup(double fraction, double peak);

/* Adds the errors of one pose: of sums against their terms, of gradient (NULL: from the sums) against pose. */
void reduction_errors_add(const bench_pose *pose, const bt_reduction_case *c, const float *values, const float *sums,
                          const float *opt_gradient, reduction_errors *errors);
reduction_errors reduction_errors_mean(reduction_errors errors);

/* Whether no pose overflows and every sum is within the rounding of single precision of that in double precision. */
bool reduction_sums_hold(const reduction_errors *errors);

bt_reduction_case reduction_case_of(const reduction_bench *bench, int ranks);

/* Measures a row on the device; if that is impossible, the row gets a reason. */
bt_status reduction_measure(reduction_bench *bench, reduction_row *row, bt_error *error) BT_MUST_USE;

/* Write the tables, and the members of the JSON object, of a reduction_bench. */
void reduction_print(const void *bench);
void reduction_members(bt_json *json, const void *bench);

#endif
