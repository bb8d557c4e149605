/* bench_e50_study.h - what all traces of a study say together. */
#ifndef BERTH_CLI_BENCH_E50_STUDY_H
#define BERTH_CLI_BENCH_E50_STUDY_H

#include "bench_e50.h"
#include "bench_output.h"

typedef enum e50_criterion { E50_SCORE, E50_RMSD, E50_CRITERIA } e50_criterion;

/* One configuration on one complex. */
typedef struct e50_cell {
  e50_trace trace;
  bt_e50_run *runs[E50_CRITERIA]; /* [trace.runs], their changes are in pool */
  int64_t *pool;
  bt_e50 e50[E50_CRITERIA];
  double best, best_rmsd; /* lowest energy of all runs, kcal/mol, and the RMSD of that pose, Angstrom */
} e50_cell;

typedef struct e50_row {
  double minimum;   /* the lowest known or found, kcal/mol: what success by score is measured from */
  double best;      /* the lowest found */
  double best_rmsd; /* of that pose to the crystal pose, Angstrom */
  double minimum_rmsd; /* of the minimum: best_rmsd, or what the set says when no run came near the minimum; NaN: unknown */
  bool by_rmsd;     /* it is within the radius, so that success by RMSD means something */
  double ratio[E50_CRITERIA]; /* E50 of the second configuration over that of the first; NaN: unknown */
} e50_row;

typedef struct e50_study {
  const e50_set *set;       /* borrowed */
  const e50_limits *limits; /* borrowed */
  e50_config *configs;
  int n_configs;
  e50_cell *cells; /* [complexes][configurations] */
  e50_row *rows;   /* [complexes] */
  bt_e50_comparison comparison[E50_CRITERIA]; /* of the first two configurations */
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

/* bench_e50_report.c. comparison[E50_CRITERIA]. */
void e50_comparison_json(FILE *stream, const char *first, const char *second, const bt_e50_comparison *comparison);
void e50_comparison_print(const char *first, const char *second, const bt_e50_comparison *comparison);
bt_status e50_study_report(const e50_study *study, const bench_output *output, bt_error *opt_error) BT_MUST_USE;

#endif
