/* effort.c - levels of effort: good values for the search options that were not given. */
#include <berth/berth.h>
#include <berth/search.h>

#include "base/text/text.h"

static const char *const names[] = {"screen", "normal", "thorough"};

const char *bt_effort_name(bt_effort effort) { return names[effort]; }
const char *bt_effort_choices(void) { return "screen|normal|thorough"; }

bool bt_effort_find(const char *name, bt_effort *ret_effort) {
  int k = bt_span_index(bt_span_from(name), names, (int)(sizeof names / sizeof *names));
  if (k >= 0) *ret_effort = (bt_effort)k;
  return k >= 0;
}

void bt_effort_apply(bt_effort effort, unsigned chosen, bt_dock_options *options) {
  bool evaluations = (chosen & BT_CHOSEN_EVALUATIONS) != 0, runs = (chosen & BT_CHOSEN_RUNS) != 0;
  if ((chosen & BT_CHOSEN_HEURISTICS) == 0 && (evaluations || effort == BT_EFFORT_SCREEN)) options->heuristics = false;
  if (effort == BT_EFFORT_SCREEN) {
    if ((chosen & BT_CHOSEN_POSES) == 0) options->poses = 1;
    if (!runs) options->runs = 10;
    if (!evaluations && !options->heuristics) options->evaluations = 12000;
  } else if (effort == BT_EFFORT_THOROUGH) {
    if (!runs) options->runs = 100;
    if ((chosen & BT_CHOSEN_AUTOSTOP) == 0) options->autostop = false;
    if (options->heuristics && !evaluations) /* as many evaluations per run as normal has */
      options->heuristics_runs = bt_dock_options_default().runs;
  }
  if (options->heuristics && (chosen & (BT_CHOSEN_EVALUATIONS | BT_CHOSEN_LIMIT)) == 0)
    options->evaluations = options->heuristics_max;
}
