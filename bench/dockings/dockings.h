/* dockings.h - shared by portability and mappings: whole dockings are timed, one row each. */
#ifndef BERTH_BENCH_DOCKINGS_DOCKINGS_H
#define BERTH_BENCH_DOCKINGS_DOCKINGS_H

#include <berth/berth.h>
#include <berth/search.h>

#include "bench/common/job.h"
#include "bench/common/output.h"

/* One timed docking. */
typedef struct docking_row {
  const bench_case *of; /* borrowed */
  bench_subject subject;
  int team; /* requested; 0: the automatic choice */
  int runs;
  bt_status status; /* BT_OK, or why it could not be timed */
  char reason[512];
  bool valid;              /* energies and gradients agree with double precision */
  bench_deviation worst;   /* of random poses, of the last populations, and of their energies in the search */
  double energy_deviation; /* largest deviation of an energy below 100 kcal/mol, kcal/mol */
  double best_energy;      /* lowest inter + intra that was found, double precision, kcal/mol */
  int64_t evaluations;     /* of all runs of one docking */
  bench_times seconds;     /* of one docking */
  double setup_seconds;    /* before it: the ligand and its maps are copied to the device */
  int team_first, team_last; /* lanes per pose while all poses are searched, and when one is left */
} docking_row;

typedef struct dockings {
  const char *program;
  cli_list words; /* cases */
  int repeats;
  double most_seconds; /* of the repeats of a row together; 0: any */
  bench_output output;
  bool quiet;
  bt_dock_options search;
  bench_cases cases;
  docking_row *rows;
  int count;
} dockings;

/* Entries for a table of options; state is an lvalue of type dockings. */
/* clang-format off */
#define DOCKINGS_CASE_OPTION(state)                                                                                    \
  {.group = "Input", OPT_LIST("case", 0, &(state).words, "NAME=MAPS:LIGAND",                                           \
   "complexes: a .maps.fld or the receptor's .pdbqt, and a ligand's .pdbqt"), .opt_default = "three synthetic ones"}
#define DOCKINGS_LIMIT_OPTIONS(state)                                                                                  \
  {OPT_CHOICE("local-search", 0, &(state).search.local_search, bt_local_search_choices(),                              \
   "local search of the dockings; none: only selection, crossover, mutation and energies")},                           \
  {OPT_INT64("evaluations", 0, &(state).search.evaluations, "N", 1, 1e12, "evaluations per run")},                     \
  {OPT_INT("population", 'p', &(state).search.population, "N", 2, 1000000, "individuals per run")}
#define DOCKINGS_REPEAT_OPTIONS(state)                                                                                 \
  {OPT_INT("repeats", 0, &(state).repeats, "N", 1, 1000, "timed dockings, of which the median is reported")},          \
  {OPT_REAL("most-seconds", 0, &(state).most_seconds, "S", 0, 1e9,                                                     \
   "leave out what would take longer than this, and repeats that would"), .opt_default = "no limit"},                  \
  {OPT_SEED("seed", 0, &(state).search.seed, "random seed")}
/* clang-format on */

/* Defaults to AutoDock-GPU's search, as the earliest figures did. */
dockings dockings_start(const char *program);
void dockings_free(dockings *d);
/* Docks with d->search and adds a row; d->rows has room for it. If the device or team size is not possible, the row has
 * a reason and no figures; only running out of host memory and invalid options are failures. */
bt_status dockings_measure(dockings *d, const bench_case *of, bt_error *error) BT_MUST_USE;
/* Writes the JSON of all rows, or the table. */
bt_status dockings_write(dockings *d, const char *name, bench_print_fn table, const void *user,
                         bt_error *opt_error) BT_MUST_USE;

/* Name of the local search: "ADADELTA", ... */
const char *dockings_method(const dockings *d);
/* Evaluations per second; NaN if the result is not valid. */
double docking_rate(const docking_row *row);
/* Ratio to the highest rate for the same case and number of runs. */
double docking_ratio(const dockings *d, const docking_row *row);
/* Prints why rows have no speed, one line each. */
void dockings_print_reasons(const dockings *d);

#endif
