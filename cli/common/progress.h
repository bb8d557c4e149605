/* progress.h - a bar on a terminal, plain lines in a log; both on standard error. */
#ifndef BERTH_CLI_COMMON_PROGRESS_H
#define BERTH_CLI_COMMON_PROGRESS_H

#include <berth/berth.h>

#include "base/clock.h"

typedef struct cli_progress {
  bool terminal, quiet;
  int width;           /* columns of the terminal */
  const char *program; /* "berth dock" */
  const char *name;    /* of the current ligand */
  int index, total;    /* 1-based, ligands */
  bool more;           /* the total does not include all ligands yet */
  bool partial;        /* nor does the fraction: no time is estimated from it */
  double before;       /* fraction that was done when these ligands were started */
  double started;      /* seconds, of this ligand or these ligands */
  double last_line;    /* seconds, time of the last line in a log */
  bool drawn;          /* a bar is on the screen */
} cli_progress;

cli_progress cli_progress_start(const char *program, bool quiet);
void cli_progress_next(cli_progress *progress, const char *name, int index, int total);
/* bt_progress_fn with user = cli_progress *; returns false after Ctrl-C. */
bool cli_progress_show(void *user, double fraction, int64_t evaluations, double best_energy);
/* Removes the bar from the screen, so that other text can follow. */
void cli_progress_clear(cli_progress *progress);

#endif
