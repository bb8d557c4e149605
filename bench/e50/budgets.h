/* budgets.h - programs compared by one estimator: the least seconds to a success, over budgets, from hits alone
 * (docs/benchmarks/e50.md). */
#ifndef BERTH_BENCH_E50_BUDGETS_H
#define BERTH_BENCH_E50_BUDGETS_H

#include "base/text/text.h"
#include "bench/e50/e50.h"

/* One program, with one build on one card; a program with two of them has two names. */
typedef struct bt_e50_program {
  char *name, *commit, *card, *block;
} bt_e50_program;

/* Its runs of one complex with one budget. */
typedef struct bt_e50_budget {
  int program; /* index */
  char *complex;
  double reference;    /* kcal/mol, from which hits are judged; the same for all programs */
  int64_t evaluations; /* per run */
  int hits, runs;
  double seconds; /* docking time of all runs */
} bt_e50_budget;

typedef struct bt_e50_budgets {
  bt_e50_program *programs;
  bt_e50_budget *rows;
  int n_programs, n_rows;
  size_t program_capacity, row_capacity;
} bt_e50_budgets;

/* Whether the first line that is no comment has a column `program`: a table of budgets, otherwise one of
 * bt_e50_reference_parse. */
bool bt_e50_is_budgets(const char *text, size_t size);
/* Reads a table with the columns program, commit, card, block, estimator, complex, reference, evaluations, runs, hits
 * and seconds, in any order. BT_ERR_INPUT also if estimators are mixed, if a program's rows are of two builds, cards or
 * block sizes, if programs ran on different cards, or if a complex is judged from two energies. Free it also after a
 * failure. */
bt_status bt_e50_budgets_parse(const char *path, const char *text, size_t size, bt_e50_budgets *ret_table,
                               bt_error *opt_error) BT_MUST_USE;
void bt_e50_budgets_free(bt_e50_budgets *table);

/* The best of a program's budgets for a complex. */
typedef struct bt_e50_least {
  double seconds; /* to a success with a probability of 99 %; NaN: the program has no such rows */
  const bt_e50_budget *row;
  int budgets;
  bool bound;   /* no run hit with any budget: half a hit of the longest is counted, and seconds is a lower bound */
  bool at_edge; /* the shortest or the longest of the budgets: a better one may lie outside */
} bt_e50_least;

/* One complex in both programs. */
typedef struct bt_e50_budget_pair {
  const char *complex;
  bt_e50_least sides[2]; /* the reference; the program compared with it */
  double ratio;          /* of seconds, second over first; NaN: neither has a hit */
} bt_e50_budget_pair;

typedef struct bt_e50_budget_contest {
  int first, second; /* programs */
  bt_e50_budget_pair *pairs;
  int n_pairs, alone;     /* complexes in both; in one of them alone, which are left out */
  double least, largest;  /* of the ratios */
  bt_e50_comparison mean; /* geometric; the interval is from bootstrap samples of complexes and of runs */
} bt_e50_budget_contest;

/* Seconds to a success with probability 99 % of runs that take seconds / runs each and of which a share of hits / runs
 * succeeds: at least half a hit, and at most all but half a run of `fewest` runs. */
double bt_e50_seconds_of_hits(int hits, int runs, int fewest, double seconds);
/* BT_ERR_INPUT if they have no complex in common, or if one has a single budget for a complex. pairs[n_rows] must live
 * as long as the result. */
bt_status bt_e50_budgets_compare(const bt_e50_budgets *table, const char *path, int first, int second, uint64_t seed,
                                 bt_e50_budget_pair *pairs, bt_e50_budget_contest *ret_contest,
                                 bt_error *opt_error) BT_MUST_USE;

/* reference.c, for all tables. Takes the next field between tabs; false after the last one. */
bool bt_e50_next_field(bt_span *rest, bt_span *ret_field);
/* Parses a count from 1 to most; commas as in 1,000,000 are allowed. */
bool bt_e50_parse_count(bt_span word, int64_t most, int64_t *ret_count);

#endif
