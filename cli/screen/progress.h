/* progress.h - progress of a screen, for people and for programs. */
#ifndef BERTH_CLI_SCREEN_PROGRESS_H
#define BERTH_CLI_SCREEN_PROGRESS_H

#include <berth/screen.h>

#include "base/joules.h"
#include "common/progress.h"

typedef struct screen_progress {
  const char *program;
  bool quiet, json;
  cli_progress look; /* terminal or log */
  double last_json;
  int told;   /* rejects that were printed */
  bool asked; /* the interrupt was acknowledged */
  bt_joule_meter *opt_meter; /* NULL: no counter, or nobody is told */
  bt_joules joules;          /* of this session, as read last */
  double last_joules;
} screen_progress;

screen_progress screen_progress_start(const char *program, bool quiet, bool json);
/* As bt_screen_watch_fn and bt_screen_lost_fn, with a screen_progress. */
bt_screen_request screen_progress_watch(void *user, const bt_screen_progress *progress);
void screen_progress_warn(void *user, const char *text);
void screen_progress_lost(void *user, const char *name, const char *state, const char *reason);
/* NaN without a counter or a ligand. */
double screen_progress_joules_per_ligand(const screen_progress *self, const bt_screen_progress *progress);
/* Removes the bar; for programs, prints the last object: event is "complete", "stopped" or "failed". */
void screen_progress_end(screen_progress *self, const bt_screen_progress *progress, const char *event);

#endif
