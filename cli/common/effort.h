/* effort.h - --effort: good values for search options that were not given. */
#ifndef BERTH_CLI_COMMON_EFFORT_H
#define BERTH_CLI_COMMON_EFFORT_H

#include <berth/search.h>
#include "common/options.h"

/* The levels, for help texts; docs/screening.md has the figures. */
#define CLI_EFFORT_HELP                                                                                      \
  "--effort sets defaults for the search: screen is 10 runs of 12,000 evaluations; normal is 20 runs with\n" \
  "evaluations by the number of torsions; thorough is 100 runs with the evaluations of normal each, and\n"   \
  "without autostop. Options given on the command line take precedence.\n"

/* Entries for a program's table of options: --effort to --autostop, in the order of help. search is a pointer to
 * bt_dock_options; by is the default that help shows for options set by --effort; NULL: that of normal effort. */
/* clang-format off */
#define CLI_SEARCH_OPTIONS(effort_place, search, what, by, by_evals)                                                   \
  {.group = "Search", OPT_CHOICE("effort", 0, effort_place, bt_effort_choices(),                                       \
   "set defaults for the following options")},                                                                   \
  {OPT_INT("runs", 'n', &(search)->runs, "N", 1, 1000000, "independent searches"), .opt_default = by},                 \
  {OPT_SEED("seed", 's', &(search)->seed, "random seed, to repeat a " what "; chosen and printed if absent or 0")},    \
  {OPT_INT64("evals", 'e', &(search)->evaluations, "N", 1, 9e15, "maximum number of energy evaluations per run"),      \
   .opt_default = by_evals},                                                                                           \
  {OPT_INT64("generations", 'g', &(search)->generations, "N", 1, 9e15, "maximum number of generations")},              \
  {OPT_SWITCH("heuristics", 0, &(search)->heuristics,                                                                  \
   "set evaluations by the number of torsions"), .opt_default = by},                                                   \
  {OPT_INT64("heuristics-max", 0, &(search)->heuristics_max, "N", 1, 9e15, "upper limit for the heuristics")},         \
  {OPT_SWITCH("autostop", 0, &(search)->autostop, "stop when the best energies no longer change"), .opt_default = by}
/* clang-format on */

/* bt_effort_apply; options given by the user count as chosen. */
void cli_effort_apply(const cli_spec *spec, int effort, unsigned chosen, bt_dock_options *search);

/* Vina's measures of a search, as its drop-in replacements take them. */
typedef struct cli_vina_effort {
  int modes, threads;
  int64_t evaluations; /* per run; 0: by the number of torsions */
  double min_rmsd;
  int64_t *seed; /* 0: chosen */
} cli_vina_effort;
/* Of a run; the number of runs is the exhaustiveness unless an effort level sets it. */
void cli_vina_effort_apply(const cli_vina_effort *effort, bt_dock_options *search);

#endif
