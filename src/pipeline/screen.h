/* screen.h - a screen with parts of it replaced, for tests. */
#ifndef BERTH_PIPELINE_SCREEN_H
#define BERTH_PIPELINE_SCREEN_H

#include <stdio.h>

#include "pipeline/pipeline.h"
#include "engine/ad4/options.h"

/* bt_screen_run with another function that docks, and so many seconds between two transactions. */
bt_status bt_screen_run_with(const bt_screen_options *options, bt_screen_dock_fn dock, double commit_seconds,
                             bt_screen_progress *ret_progress, bt_error *opt_error) BT_MUST_USE;

#endif
