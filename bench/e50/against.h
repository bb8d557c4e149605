/* against.h - a study beside what a program is known to achieve on the same complexes. */
#ifndef BERTH_BENCH_E50_AGAINST_H
#define BERTH_BENCH_E50_AGAINST_H

#include "bench/e50/study.h"

struct e50_against {
  const char *opt_path, *opt_program; /* the table, and whose columns; NULL: there is none, the first */
  int margin;                         /* this many hits fewer, of the table's runs, are not worse */
  bt_e50_reference *reference;
  int *complexes; /* [count] of the set, which the table has */
  int count;
  bt_e50_match_result *results;    /* [configurations][count] */
  bt_e50_match_summary *summaries; /* [configurations] */
};

/* Reads the table of opt_path, before anything is searched. Closed also after a failure. */
bt_status e50_against_open(e50_against *against, const e50_set *set, bt_error *opt_error) BT_MUST_USE;
/* Of a study that has been evaluated. */
bt_status e50_against_evaluate(e50_against *against, const e50_study *study, uint64_t seed,
                               bt_error *opt_error) BT_MUST_USE;
void e50_against_close(e50_against *against);

const bt_e50_match_result *e50_against_result(const e50_against *against, int config, int k);
const bt_e50_reference_row *e50_against_row(const e50_against *against, const e50_study *study, int k);
bool e50_against_is_worse(const e50_against *against, const bt_e50_match_result *result);
/* Evaluations per second of all runs together; NaN: unknown. */
double e50_against_rate(const bt_e50_reference_row *row);

/* bench_e50_against_report.c. The member "against" of the study's JSON, opened by a comma; tables. */
void e50_against_json(FILE *stream, const e50_against *against, const e50_study *study);
void e50_against_print(const e50_against *against, const e50_study *study);

#endif
