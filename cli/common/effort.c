/* effort.c - see effort.h. */
#include <berth/berth.h>

#include "common/effort.h"

void cli_effort_apply(const cli_spec *spec, int effort, unsigned chosen, bt_dock_options *search) {
  if (cli_given(spec, "runs")) chosen |= BT_CHOSEN_RUNS;
  if (cli_given(spec, "evals")) chosen |= BT_CHOSEN_EVALUATIONS;
  if (cli_given(spec, "heuristics")) chosen |= BT_CHOSEN_HEURISTICS;
  if (cli_given(spec, "autostop")) chosen |= BT_CHOSEN_AUTOSTOP;
  bt_effort_apply((bt_effort)effort, chosen, search);
}
