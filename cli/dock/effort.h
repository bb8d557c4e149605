/* effort.h - --effort: a good choice of what else the search was not told. */
#ifndef BERTH_CLI_DOCK_EFFORT_H
#define BERTH_CLI_DOCK_EFFORT_H

#include <berth/berth.h>
#include "common/options.h"

enum { CLI_EFFORT_SCREEN, CLI_EFFORT_NORMAL, CLI_EFFORT_THOROUGH };

#define CLI_EFFORT_CHOICES "screen|normal|thorough"

/* What the levels are, for help; docs/screening.md has the figures. */
#define CLI_EFFORT_HELP                                                                                   \
  "Effort sets what is not given otherwise: screen is 5 runs of 80,000 evaluations; normal is 20 runs\n" \
  "whose evaluations follow from the number of torsions; thorough is 100 runs of as many evaluations\n"   \
  "each as normal has, without autostop.\n"

const char *cli_effort_name(int effort);
/* Settings that the user gave stay; an explicit --evals means no heuristics, unless --heuristics is given as well. */
void cli_effort_apply(const cli_spec *spec, int effort, bt_dock_options *search);

#endif
