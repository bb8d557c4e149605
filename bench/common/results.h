/* results.h - what benchmarks measure.
 *
 * Conventions are those of berth.h.
 */
#ifndef BERTH_BENCH_COMMON_RESULTS_H
#define BERTH_BENCH_COMMON_RESULTS_H

#include <berth/berth.h>

/* One line of `berth bench evals`. A processor: one thread, process CPU time. A GPU: wall-clock time. */
typedef struct bt_bench_evals_result {
  bool valid;                     /* kernel energies and gradients agree with double precision */
  double worst_energy;            /* largest deviation in units of 0.005 kcal/mol + 5e-6 per pair + 0.00025 |E| */
  double worst_gradient;          /* ... of 0.02 + 0.0006 of the largest component + 1e-4 of all moments */
  double microseconds_energy;     /* one energy of a random pose */
  double microseconds_gradient;   /* one energy and gradient of a random pose */
  double microseconds_solis_wets, microseconds_adadelta, microseconds_adam; /* docking, per evaluation */
  int64_t evaluations_solis_wets, evaluations_adadelta, evaluations_adam;
  char device[64], device_description[128];
  int threads; /* of the processor, 1; 0: it was a GPU */
  int runs, population;
  int poses;   /* evaluated at once */
  int atoms, torsions, pairs;
} bt_bench_evals_result;

/* Checks the kernels on random and near-input poses, then times them and whole dockings of options->evaluations
 * evaluations per run (limits and autostop off). auto is the processor; runs 0: 4, on a GPU 100. */
bt_status bt_bench_evals(const bt_ligand *ligand, const bt_maps *maps, const bt_dock_options *options,
                         bt_bench_evals_result *ret_result, bt_error *opt_error) BT_MUST_USE;

/* Whole dockings on one device: one cell of `berth bench portability`. */
typedef struct bt_bench_docking_result {
  bool valid;              /* energies and gradients agree with double precision, as in bt_bench_evals */
  double worst_energy, worst_gradient; /* largest deviations in those tolerances */
  double energy_deviation; /* largest deviation of an energy below 100 kcal/mol, kcal/mol */
  double best_energy;      /* lowest inter + intra that was found, double precision, kcal/mol */
  int64_t evaluations;     /* of all runs of one docking */
  double seconds, seconds_min, seconds_max; /* of one docking: median, fastest, slowest */
  double setup_seconds;    /* before it: the ligand and its maps go to the device */
  char device[64], device_description[128];
  int threads;             /* of the host; 0: the device is none of its processors */
  int team, team_last;     /* lanes that share a pose while all poses are searched, and when one is left */
  int runs, population;
  int atoms, torsions, pairs;
} bt_bench_docking_result;

/* Docks with the options' local search and options->evaluations evaluations per run (limits and autostop off), repeats
 * times with the same seed. Compares energies and gradients of random poses and of poses of the last populations, and
 * the energies that the search itself kept. auto is the first usable device. */
bt_status bt_bench_docking(const bt_ligand *ligand, const bt_maps *maps, const bt_dock_options *options, int repeats,
                           bt_bench_docking_result *ret_result, bt_error *opt_error) BT_MUST_USE;

/* The best pose of one run so far. */
typedef struct bt_bench_step {
  int run;             /* from 0 */
  int64_t evaluations; /* of this run, when the generation ended that found the pose */
  double energy;       /* inter + intra in double precision, closed forms, kcal/mol */
  double rmsd;         /* to the reference, Angstrom */
} bt_bench_step;

/* Called from the calling thread, run after run, when a generation (or the first population) gave a run a better pose.
 * false: it is enough, the search ends with this generation. */
typedef bool (*bt_bench_step_fn)(void *user, const bt_bench_step *step);

typedef struct bt_bench_convergence_result {
  bool valid;          /* the search's own energies of these poses agree with double precision, as in bt_bench_evals */
  double worst_energy; /* largest deviation in those tolerances */
  int64_t evaluations; /* of all runs */
  int64_t generations;
  double seconds;      /* of the search and of the looking at it */
  char device[64], device_description[128];
  int threads;         /* of the host; 0: the device is none of its processors */
  int atoms, torsions, pairs;
  double docking_seconds; /* of the search alone, after a generation to warm up: what all these evaluations take */
} bt_bench_convergence_result;

/* Docks as bt_dock with heuristics and autostop off, and tells how every run comes down. Poses that are less than 0.001
 * kcal/mol better than the last one told are not told. opt_progress of the options is called after every generation;
 * BT_ERR_CANCELLED when it returns false. run_evaluations[options->runs] receives what each run used. auto is the first
 * usable device. */
bt_status bt_bench_convergence(const bt_ligand *ligand, const bt_maps *maps, const bt_molecule *opt_reference,
                               const bt_dock_options *options, bt_bench_step_fn step, void *user,
                               int64_t *run_evaluations, bt_bench_convergence_result *ret_result,
                               bt_error *opt_error) BT_MUST_USE;

/* E50: evaluations that one run needs to succeed with a probability of one half (docs/benchmarks/e50.md). */

/* When a run began to be successful, when it ceased to be, began again...: evaluations, ascending; successful at a budget
 * of n when an odd number of them are <= n. */
typedef struct bt_e50_run {
  const int64_t *changes;
  int n_changes;
  int64_t evaluations; /* at which the run was ended */
} bt_e50_run;

typedef struct bt_e50 {
  int runs, successes;      /* runs that end successfully */
  double value, low, high;  /* E50 and its 95 % interval; INFINITY: beyond what was seen */
  bool interpolated;        /* value is that of the curve; else of the memoryless model */
  double by_curve;          /* where the share of successful runs crosses one half; INFINITY when it does not */
  double by_model;          /* p(n) = 1 - 2^(-n / E50), maximum likelihood; INFINITY without a success */
  double shape;             /* Weibull exponent; 1: memoryless, below 1: some runs never come down; NaN: unknown */
  double shape_probability; /* of a likelihood ratio at least this far from shape 1 if the shape is 1; NaN: unknown */
  double counted;           /* value; without a success that of half a success, a lower bound */
} bt_e50;

/* The interval is the percentile interval of 2,000 bootstrap samples of runs, drawn from seed. */
bt_status bt_e50_estimate(const bt_e50_run *runs, int count, uint64_t seed, bt_e50 *ret_e50,
                          bt_error *opt_error) BT_MUST_USE;
/* Seconds until one of many runs that are searched together has succeeded with this chance, in (0, 1), when all of them
 * together make so many evaluations per second: n evaluations of memoryless runs, or of runs that are started anew after
 * E50, succeed with 1 - 2^(-n / E50), however they are spread over runs. NaN when the rate is not known. */
double bt_e50_seconds(double e50, double evaluations_per_second, double chance);
/* E50 of memoryless runs when only the number of those is known that were successful at a budget of evaluations. No
 * success counts as half a one and no failure as half a one, which gives a lower and an upper bound. NaN: impossible. */
double bt_e50_of_hits(int hits, int runs, double evaluations);
/* Share of the runs that are successful at this budget; runs that ended before count as they ended. */
double bt_e50_share(const bt_e50_run *runs, int count, double budget);

/* The runs of one complex with two configurations. */
typedef struct bt_e50_pair {
  const bt_e50_run *first, *second;
  int n_first, n_second;
  double first_cost, second_cost; /* what an evaluation costs, such as seconds: ratios become those of E50 times cost;
                                   * unless both are above 0, it costs both the same */
} bt_e50_pair;

typedef enum bt_e50_verdict {
  BT_E50_UNDECIDED,
  BT_E50_EQUIVALENT,   /* the interval lies within [0.8, 1.25] */
  BT_E50_SECOND_FEWER, /* the interval lies below 1: the second one needs fewer evaluations */
  BT_E50_SECOND_MORE
} bt_e50_verdict;

typedef struct bt_e50_comparison {
  int pairs;               /* complexes in which at least one of the two succeeded */
  double ratio, low, high; /* geometric mean of E50 of the second / of the first, and its 95 % interval */
  double probability;      /* of ratios at least as one-sided if there is no difference: Wilcoxon's signed ranks, exact */
  bt_e50_verdict verdict;
} bt_e50_comparison;

/* Paired over complexes; the interval is that of 2,000 nested bootstrap samples, complexes outside, runs inside. A side
 * without a success counts half a success. opt_ratios[count]: of each pair, NaN where neither succeeded. */
bt_status bt_e50_compare(const bt_e50_pair *pairs, int count, uint64_t seed, double *opt_ratios,
                         bt_e50_comparison *ret_comparison, bt_error *opt_error) BT_MUST_USE;

/* What a program is known to achieve on one complex. */
typedef struct bt_e50_reference_row {
  char *name;          /* of the complex */
  double energy;       /* what success was measured from: inter + intra within 1.0 kcal/mol of it, or below */
  int hits, runs;      /* runs that succeeded, of how many */
  int64_t evaluations; /* per run */
  double seconds;      /* docking time of all runs; NaN: not told */
} bt_e50_reference_row;

typedef struct bt_e50_reference {
  char *program;
  bt_e50_reference_row *rows; /* complexes are different */
  int count;
} bt_e50_reference;

/* Reads a table (docs/benchmarks/e50.md): fields between tabs, a first line with their names, of which complex, reference
 * and PROGRAM_hits are needed and PROGRAM_seconds, runs and evaluations may be there; without the last two a comment,
 * which opens with #, says "100 runs of 1,000,000 evaluations". opt_program: NULL: the first that has hits. A complex with
 * - for its hits or its reference is left out. */
bt_status bt_e50_reference_read(const char *path, const char *opt_program, bt_e50_reference **ret_reference,
                                bt_error *opt_error) BT_MUST_USE;
void bt_e50_reference_destroy(bt_e50_reference *opt_reference);
/* NULL when it is not there. */
const bt_e50_reference_row *bt_e50_reference_find(const bt_e50_reference *reference, const char *name);

/* The runs of one complex beside what is known of it. */
typedef struct bt_e50_match {
  const bt_e50_run *runs; /* successes as the reference defines them */
  int n_runs;
  int64_t evaluations;    /* limit per run that they were searched with */
  double cost;            /* seconds per evaluation, all runs searched together; NaN: unknown */
  const bt_e50_reference_row *reference;
} bt_e50_match;

typedef struct bt_e50_match_result {
  bool same_budget;       /* the runs were given as many evaluations as the reference's, or all have succeeded: hits may be
                           * compared */
  int hits;               /* at the reference's budget; without same_budget at the end */
  double missing;         /* hits that the reference has more, of its number of runs; NaN without same_budget */
  bt_e50 e50;             /* from the times of success */
  double reference_e50;   /* from hits, bt_e50_of_hits */
  double e50_by_hits;     /* the same of the runs; NaN without same_budget */
  double ratio, seconds_ratio;                 /* e50 / reference_e50, both with half a success where there is none; at
                                                * least 1 when the runs have none; NaN where neither has one */
  double ratio_by_hits, seconds_ratio_by_hits; /* from hits on both sides, shares of hits kept half a run of the smaller
                                                * side away from 0 and 1; NaN where neither has a hit */
} bt_e50_match_result;

/* Geometric means of these ratios; first: the reference, second: the runs. */
typedef struct bt_e50_match_summary {
  bt_e50_comparison e50, seconds;
  bt_e50_comparison e50_by_hits, seconds_by_hits;
  int bounds; /* complexes in which all of the reference's runs succeeded: its E50 is at most, and the ratios of e50 and
               * seconds at least, what is told; unless they say "more", nothing is decided */
  bt_e50_comparison e50_no_bounds, seconds_no_bounds; /* without those complexes */
} bt_e50_match_summary;

/* results[count]. Complexes in which neither has a success are left out of the means. Intervals are those of nested
 * bootstrap samples, in which the reference's runs are drawn as well, by its share of hits. */
bt_status bt_e50_match_all(const bt_e50_match *matches, int count, uint64_t seed, bt_e50_match_result *results,
                           bt_e50_match_summary *ret_summary, bt_error *opt_error) BT_MUST_USE;

/* Errors of sums over many poses. A sum's error is |sum - sum in double precision| / sum of |terms|. */
typedef struct bt_bench_reduction_errors {
  double seven_mean, seven_max;       /* net force and torque (3 each) and energy */
  double subtree_mean, subtree_max;   /* force and torque of all atoms that a torsion moves */
  double energy_mean, energy_max;     /* of the energy's sum, kcal/mol */
  double gradient_mean, gradient_max; /* of the gradient in genes: largest component's error / largest component */
  double overflow;                    /* share of poses with a sum that is not finite; left out of the above */
} bt_bench_reduction_errors;

/* One way of adding up. */
typedef struct bt_bench_reduction_row {
  bt_reduction reduction;
  int team;
  bool measured; /* on the device; otherwise reckoned on the host, which gives errors alone */
  char reason[256]; /* why it could not be measured; empty otherwise */
  bt_bench_reduction_errors early, late; /* random poses; the same population five generations later */
  /* Measured only. No time is given unless valid. */
  bool valid;                          /* energies and gradients agree with double precision as in bt_bench_evals */
  double worst_energy, worst_gradient; /* largest deviations in those tolerances */
  double fraction;                     /* of ADADELTA's clock cycles that pass in sums; NaN: not counted */
  int dockings;
  int64_t evaluations;                 /* per run, mean of all dockings */
  double seconds, seconds_min, seconds_max, seconds_deviation; /* of a docking: mean, standard deviation */
  double microseconds;                 /* per evaluation, mean over dockings */
  double best_energy, best_energy_rmsd; /* lowest intermolecular + intramolecular energy of all runs, its RMSD */
  double best_rmsd, best_rmsd_energy;  /* lowest RMSD to the input pose, its energy */
  int successes, runs;                 /* runs within 1 kcal/mol of the lowest energy that any row found; all runs */
} bt_bench_reduction_row;

enum { BT_BENCH_REDUCTION_ROWS = 16 };

typedef struct bt_bench_reductions_result {
  bool valid;             /* of the rows that a docking may use by default: simt and tensor-ec */
  bt_bench_reduction_row rows[BT_BENCH_REDUCTION_ROWS];
  int n_rows;             /* host rows first; then by team: simt, tensor-ec, tensor-fp16 */
  double peak;            /* S: tensor cores' TF32 peak / single-precision peak of this GPU; NaN: unknown */
  char device[64], device_description[128];
  char reason[256];       /* why nothing was measured; empty otherwise */
  int poses, runs, population;
  int64_t evaluations;    /* limit per run */
  int atoms, torsions, bodies, pairs;
} bt_bench_reductions_result;

/* How teams of 64, 128 and 256 lanes add up (or options->team alone): errors on poses of an ADADELTA search, and on a GPU
 * with tensor cores cycles and times of whole dockings (limits and autostop off), repeats of each. auto is the first
 * GPU; on a processor, errors are reckoned number by number. */
bt_status bt_bench_reductions(const bt_ligand *ligand, const bt_maps *maps, const bt_dock_options *options, int repeats,
                              bt_bench_reductions_result *ret_result, bt_error *opt_error) BT_MUST_USE;
/* The paper's model: 1 / (f / S + 1 - f), with f the fraction that S times faster units take over. */
double bt_bench_reductions_model(double fraction, double peak);

#endif
