/* effort.c - see effort.h. */
#include <berth/berth.h>

#include "common/effort.h"
#include "common/seed.h"

void cli_effort_apply(const cli_spec *spec, int effort, unsigned chosen, bt_dock_options *search) {
  if (cli_given(spec, "runs")) chosen |= BT_CHOSEN_RUNS;
  if (cli_given(spec, "evals")) chosen |= BT_CHOSEN_EVALUATIONS;
  if (cli_given(spec, "heuristics")) chosen |= BT_CHOSEN_HEURISTICS;
  if (cli_given(spec, "autostop")) chosen |= BT_CHOSEN_AUTOSTOP;
  bt_effort_apply((bt_effort)effort, chosen, search);
}

void cli_vina_effort_apply(const cli_vina_effort *effort, bt_dock_options *search) {
  search->poses = effort->modes < 1000 ? effort->modes : 1000;
  search->rmsd_tolerance = effort->min_rmsd;
  if (effort->evaluations > 0) {
    search->heuristics = false;
    search->evaluations = effort->evaluations;
  }
  search->threads = effort->threads;
  search->seed = *effort->seed != 0 ? (uint64_t)*effort->seed : cli_choose_seed();
  *effort->seed = (int64_t)search->seed;
}
