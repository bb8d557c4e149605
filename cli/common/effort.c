/* effort.c - see effort.h. */
#include "common/effort.h"

const char *cli_effort_name(int effort) {
  static const char *const names[] = {"screen", "normal", "thorough"};
  return names[effort];
}

void cli_effort_apply(const cli_spec *spec, int effort, bt_dock_options *search) {
  bool evaluations = cli_given(spec, "evals"), heuristics = cli_given(spec, "heuristics");
  if (!heuristics && (evaluations || effort == CLI_EFFORT_SCREEN)) search->heuristics = false;
  if (effort == CLI_EFFORT_SCREEN) {
    if (!cli_given(spec, "runs")) search->runs = 10;
    if (!evaluations && !search->heuristics) search->evaluations = 12000;
  } else if (effort == CLI_EFFORT_THOROUGH) {
    if (!cli_given(spec, "runs")) search->runs = 100;
    if (!cli_given(spec, "autostop")) search->autostop = false;
    if (search->heuristics && !evaluations)
      search->heuristics_runs = bt_dock_options_default().runs; /* as many evaluations per run as normal has */
  }
}
