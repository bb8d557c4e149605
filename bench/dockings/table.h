/* table.h - what portability and mappings share: dockings that are timed, and their rows. */
#ifndef BERTH_BENCH_DOCKINGS_TABLE_H
#define BERTH_BENCH_DOCKINGS_TABLE_H

#include "bench/common/results.h"
#include <stdio.h>

#include "bench/common/cases.h"

/* One docking that was timed. */
typedef struct bench_row {
  const bench_case *of; /* borrowed */
  char device[64], description[128];
  int team; /* asked for; 0: the automatic choice */
  int runs;
  bt_status status; /* BT_OK, or why it could not be timed */
  char reason[512];
  bt_bench_docking_result result;
} bench_row;

typedef struct bench_table {
  bench_row *rows;
  int count, capacity;
} bench_table;

/* Docks, and adds a row. A device or team that cannot do it gets a reason and no figures; only running out of memory on
 * the host and wrong options are failures. */
bt_status bench_table_add(bench_table *table, const bench_case *of, const bt_dock_options *options, int repeats,
                          bt_error *opt_error) BT_MUST_USE;
void bench_table_free(bench_table *table);
/* Was everything that could be timed right, and was there anything? */
bool bench_table_valid(const bench_table *table);

/* Evaluations per second; NaN without a valid result. */
double bench_row_rate(const bench_row *row);
/* The highest rate of that case and, unless 0, that number of runs; 0: none. */
double bench_table_best(const bench_table *table, const bench_case *of, int runs);
/* Members of a row as JSON: everything but where it was measured. */
void bench_row_json(FILE *stream, const bench_table *table, const bench_row *row);
/* The whole table as members of a JSON object. */
void bench_table_members(FILE *stream, const bench_table *table, const bt_dock_options *options, int repeats);
/* Why rows have no speed, one line each. */
void bench_table_print_reasons(const bench_table *table);
/* "7cpa: 43 atoms, 15 torsions, 737 pairs" */
void bench_case_print(const bench_table *table, const bench_case *of);

#endif
