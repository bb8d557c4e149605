/* study.h - what all traces of a study say together. */
#ifndef BERTH_BENCH_E50_STUDY_H
#define BERTH_BENCH_E50_STUDY_H

#include "bench/e50/set.h"
#include "bench/common/output.h"

typedef enum e50_criterion { E50_SCORE, E50_RMSD, E50_CRITERIA } e50_criterion;

/* bench_e50_runs.c: when each run of a trace was successful. */
typedef struct e50_runs {
  bt_e50_run *items; /* [trace.runs], their changes are in pool */
  int64_t *pool;
} e50_runs;

/* A pose is a success when its energy and its RMSD are at most these; INFINITY: it does not matter. Free the runs also
 * after a failure. */
bt_status e50_runs_find(const e50_trace *trace, double energy, double rmsd, e50_runs *ret_runs,
                        bt_error *opt_error) BT_MUST_USE;
void e50_runs_free(e50_runs *runs);

/* One configuration on one complex. */
typedef struct e50_cell {
  e50_trace trace;
  e50_runs runs[E50_CRITERIA];
  bt_e50 e50[E50_CRITERIA];
  double best, best_rmsd; /* lowest energy of all runs, kcal/mol, and the RMSD of that pose, Angstrom */
  double rate;            /* evaluations per second of docking, all runs together; NaN: unknown */
  double ratio[E50_CRITERIA], seconds_ratio[E50_CRITERIA]; /* to the first configuration; NaN: unknown */
} e50_cell;

typedef struct e50_row {
  double minimum;   /* the lowest known or found, kcal/mol: what success by score is measured from */
  double best;      /* the lowest found */
  double best_rmsd; /* of that pose to the crystal pose, Angstrom */
  double minimum_rmsd; /* of the minimum: best_rmsd, or what the set says when no run came near the minimum; NaN: unknown */
  bool by_rmsd;     /* it is within the radius, so that success by RMSD means something */
} e50_row;

/* Ratios of one configuration to another, over complexes. */
typedef struct e50_contest {
  bt_e50_comparison evaluations[E50_CRITERIA], seconds[E50_CRITERIA];
} e50_contest;

/* Geometric means of one configuration over the complexes in which any configuration succeeded. */
typedef struct e50_mean {
  int complexes;
  double e50;
  double seconds; /* to a chance of one half; NaN unless known in all of them */
} e50_mean;

typedef struct e50_against e50_against; /* bench_e50_against.h */

typedef struct e50_study {
  const e50_set *set;       /* borrowed */
  const e50_limits *limits; /* borrowed */
  e50_config *configs;
  int n_configs;
  e50_cell *cells; /* [complexes][configurations] */
  e50_row *rows;   /* [complexes] */
  e50_contest *contests;         /* [configurations], each against the first; [0] is not used */
  e50_mean (*means)[E50_CRITERIA]; /* [configurations] */
  const e50_against *opt_against; /* borrowed; NULL: nothing to stand beside */
} e50_study;

/* The configurations are set before and freed by e50_study_close. */
bt_status e50_study_open(e50_study *study, const e50_set *set, const e50_limits *limits,
                         bt_error *opt_error) BT_MUST_USE;
void e50_study_close(e50_study *study);
e50_cell *e50_study_cell(const e50_study *study, int complex, int config);
e50_trace *e50_study_trace(const e50_study *study, int complex, int config);
/* Everything but the traces. */
bt_status e50_study_evaluate(e50_study *study, uint64_t seed, bt_error *opt_error) BT_MUST_USE;
/* All energies of all searches agree with double precision. */
bool e50_study_valid(const e50_study *study);

/* bench_e50_table.c. A dash for what is not known; one line for a mean of ratios, nothing when there are none. */
void e50_print_number(const char *format, double value, int width);
void e50_ratio_print(const char *first, const char *second, const bt_e50_comparison *of, const char *criterion,
                     const char *figure, const char *what);
void e50_contest_print(const char *first, const char *second, const e50_contest *contest);
void e50_study_print(const e50_study *study);

/* bench_e50_report.c. A member after others, to six decimals; an object without its closing brace. */
void e50_json_number(FILE *stream, const char *key, double value);
void e50_ratio_json(FILE *stream, const bt_e50_comparison *of);
void e50_contest_json(FILE *stream, const char *first, const char *second, const e50_contest *contest);
bt_status e50_study_report(const e50_study *study, const bench_output *output, bt_error *opt_error) BT_MUST_USE;

#endif
