/* lists.h - rejects, the ligands that could not be processed, and notes on changes to others, such as a removed
 * counter-ion. */
#ifndef BERTH_CLI_INPUT_LISTS_H
#define BERTH_CLI_INPUT_LISTS_H

#include <berth/types.h>
#include <stdio.h>

#include "base/text/text.h"
#include "output/outputs.h"

/* How many ligands a condition of a filter left out. */
typedef struct cli_condition {
  char name[16];
  long count;
} cli_condition;
enum { CLI_CONDITIONS = 12 }; /* there are no more names */

typedef struct cli_lists {
  const char *program;
  char *opt_rejects, *opt_notes; /* paths of the files, owned by the lists; NULL: only printed */
  bool quiet;                    /* print no notes, instead of the first few */
  int most_shown;                /* number of rejects printed; 0: all */
  bool grows;                    /* the files keep the rows of earlier processes for other ligands */
  bool replaces;                 /* but not this time: they belong to something else */
  bt_text_list docked, rejected; /* with grows: ligands that are done */
  bt_text note_rows;             /* with grows: rows of the notes */
  int n_rejects, n_notes;
  long n_filtered; /* left out by a filter, not among the rejects */
  cli_condition conditions[CLI_CONDITIONS];
  bt_text rejects; /* rows of the file */
  bt_file_writer *notes; /* open after the first note */
} cli_lists;

/* Records the reason and prints it as one line, "program: rejected LIGAND: file:line: ..."; what a filter left out is
 * recorded too, but counted apart and not printed. */
bt_status cli_lists_reject(cli_lists *lists, const char *ligand, const bt_error *reason,
                           bt_error *opt_error) BT_MUST_USE;
/* Counts a ligand that a filter left out; reason: its error's message. */
void cli_lists_count_filtered(cli_lists *lists, const char *reason);
/* "3 left out by the filter: 2 by heavy, 1 by pains" and a line end; nothing without any. */
void cli_lists_tell_filtered(const cli_lists *lists, FILE *stream);
/* Writes the notes of a molecule to the file immediately. */
bt_status cli_lists_note(cli_lists *lists, const char *ligand, const bt_molecule *molecule,
                         bt_error *opt_error) BT_MUST_USE;
/* With grows: the ligand is done, and what earlier processes said of it is outdated. */
bt_status cli_lists_done(cli_lists *lists, const char *ligand, bt_error *opt_error) BT_MUST_USE;
/* Completes the notes and, if requested, writes ligand,file,line,atom,status,message,remedy of the rejects; an older
 * file of an empty list is removed. With grows, call it with the folder locked (base/files/folder_lock.h). */
bt_status cli_lists_write(cli_lists *lists, bool rejects, bt_error *opt_error) BT_MUST_USE;
/* Writes neither list; older files stay. */
void cli_lists_abandon(cli_lists *lists);
void cli_lists_free(cli_lists *lists);

#endif
