/* job.h - a screen of a library against one receptor, as `berth screen` runs it. */
#ifndef BERTH_CLI_SCREEN_JOB_H
#define BERTH_CLI_SCREEN_JOB_H

#include <berth/screen.h>

#include "input/inputs.h"
#include "ranks/ranks.h"
#include "screen/settings.h"

typedef struct screen_job {
  screen_settings settings;
  char *command_line, *database, protonation[CLI_PROTONATION];
  cli_receptor receptor;
  char *receptor_text;
  bt_constraints *constraints; /* that the target borrows; NULL: none */
  bt_target *target;           /* NULL with BUDE */
  screen_ranks ranks;
} screen_job;

/* screen.c */
bt_status screen_open_target(screen_job *job, bt_error *opt_error) BT_MUST_USE;
/* Docks the library and writes what belongs to a complete screen; the program's exit code. */
int screen_dock(screen_job *job);
/* Not settings and command line, which the screens of an ensemble share. */
void screen_close(screen_job *job);
/* ensemble.c: the library against one receptor after the other, the results of each in a folder of its own. */
int screen_dock_all(screen_job *job);
/* export.c: --export, from the database. */
int screen_export(screen_job *job);

#endif
