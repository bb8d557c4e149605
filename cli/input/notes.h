/* notes.h - what was done to ligands on the way, such as a salt whose ion was left out. */
#ifndef BERTH_CLI_INPUT_NOTES_H
#define BERTH_CLI_INPUT_NOTES_H

#include <berth/berth.h>

#include "common/outputs.h"

/* Notes go to FOLDER/notes.csv as they come, and the first few to standard error. */
typedef struct cli_notes {
  const char *program;
  bool quiet;
  const char *opt_path; /* NULL: they are only printed */
  cli_file file;        /* open after the first note */
  int count;
} cli_notes;

bt_status cli_notes_add(cli_notes *notes, const char *ligand, const bt_molecule *molecule,
                        bt_error *opt_error) BT_MUST_USE;
/* Completes the list; without notes an older one is removed. */
bt_status cli_notes_end(cli_notes *notes, bt_error *opt_error) BT_MUST_USE;

#endif
