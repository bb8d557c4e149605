/* state.h - the state shared by the parts of `berth dock`. */
#ifndef BERTH_CLI_DOCK_STATE_H
#define BERTH_CLI_DOCK_STATE_H

#include <berth/target.h>
#include <stdio.h>

#include "common/progress.h"
#include "dock/settings.h"
#include "input/ligands.h"
#include "input/lists.h"
#include "input/prepare.h"
#include "output/guard.h"

/* One line of the summary. */
typedef struct dock_summary {
  const char *ligand; /* borrowed from the set of ligands */
  bt_run_summary best;
  const char *ranked_by;        /* what ranks ligands, and its energy */
  double rank_energy;
  char *parent;   /* bt_ligand_parent */
  double *scores; /* of its cluster, by the re-scorers in their order, each with its values behind it */
  int runs, clusters;
  int64_t evaluations;
  double seconds;
} dock_summary;

/* A ligand in progress. */
typedef struct dock_item {
  bt_target_ligand docking; /* the first member; its error says why it cannot be docked */
  cli_ligand from;
} dock_item;

typedef struct dock_state {
  const char *program;
  dock_settings settings;
  char *command_line;
  bt_text_list paths;
  cli_extract extract;
  cli_ligands ligands;
  bt_file_set inputs; /* files that no output may replace */
  bool single; /* exactly one ligand was given: its rejection is the program's failure */
  int single_exit_code;
  cli_lists lists;
  cli_receptor receptor;
  bt_constraints *constraints; /* that the target borrows; NULL: none */
  cli_receptor *ensemble; /* [n_ensemble] further ones; the first of a pose's numbers, 1, is `receptor` */
  int n_ensemble;
  bt_target *target;
  bt_molecule *reference;
  bool *seeds_used; /* [settings.seeds.count] has the file a pose of any ligand so far? */
  bt_molecule **touched; /* the receptor of maps read from files, for contacts */
  int n_touched;
  char *fld_path;   /* NULL unless the maps were written or read */
  cli_progress progress;
  dock_item *first[2]; /* read before docking, to see whether there is more than one; NULL: none, or given */
  const char *only;    /* name of the single ligand */
  bool last;           /* no ligand is left in the files */
  bool started;        /* the header was printed */
  bt_error error;      /* why reading or writing stopped */
  dock_summary *summaries;
  int docked;
  size_t summary_capacity;
  int warned_outside;
} dock_state;

/* feed.c: from files to ligands. */

/* Reads receptor and flexible residues, finds the files of ligands, opens the target, and reads two ligands. */
bt_status dock_read_inputs(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* bt_target_stream.next: the ligands of the files, with what can be checked without the target. */
bt_target_ligand *dock_next(void *state);
void dock_item_free(dock_item *item);
/* session.c: scripts for viewers, by --session. */
/* The endings of those that are asked for; NULL after the last. */
const char *dock_session_ending(const dock_state *state, int index);
bt_status dock_write_sessions(const dock_state *state, const cli_ligand *ligand, bt_error *opt_error) BT_MUST_USE;

/* ensemble.c: several receptors. */

/* Reads those of --ensemble, every model of each file, onto the first receptor; or, for --waters toggle, the receptor
 * with the waters that it holds. */
bt_status dock_read_ensemble(dock_state *state, bt_error *opt_error) BT_MUST_USE;
void dock_free_ensemble(dock_state *state);
/* Notes of the preparation, a line each, free() them; NULL: there are none. With --waters toggle, those on the second
 * receptor begin with "receptor 2: ". */
bt_status dock_receptor_notes(const dock_state *state, char **ret_notes, bt_error *opt_error) BT_MUST_USE;
/* The receptor of a pose's number, from 1; 0: there is one. */
const cli_receptor *dock_receptor_at(const dock_state *state, int number);

/* seeds.c: poses of other programs. */

/* Gives a ligand the poses of --seed-poses that are its own. Of a single ligand that must be one at least, and the others
 * are reported. */
bt_status dock_read_seeds(dock_state *state, cli_ligand *ligand, bt_error *opt_error) BT_MUST_USE;
/* Reports the files without a pose of any of several ligands. */
void dock_report_seeds(const dock_state *state);

/* folder.c: the results. */

/* Docks all ligands; each is written as soon as it is done. */
bt_status dock_all(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* Creates the output folder with the prepared receptor. */
bt_status dock_open_folder(dock_state *state, bt_error *opt_error) BT_MUST_USE;

/* report.c: terminal output, and the files that concern all ligands. */

/* ligands: to dock; more: others are still to be read. */
void dock_print_header(const dock_state *state, int ligands, bool more);
/* Writes the prepared receptor and its report. */
bt_status dock_write_receptor(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* Prints the table or the JSON line of one ligand. */
bt_status dock_print_result(const dock_state *state, const cli_ligand *ligand, const bt_result *result,
                            bt_error *opt_error) BT_MUST_USE;
/* The best poses of several ligands as summary.csv. */
bt_status dock_write_summary(dock_state *state, bt_error *opt_error) BT_MUST_USE;

/* interactions.c: --interactions and --must-contact. */

/* Is one of them given? */
bool dock_interacts(const dock_settings *settings);
/* Opens the receptor for them; those of maps were read. */
bt_status dock_open_interactions(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* Leaves poses out of the files; BT_ERR_FILTERED if none is left. */
bt_status dock_require_contacts(dock_state *state, const cli_ligand *ligand, bt_result *result,
                                bt_error *opt_error) BT_MUST_USE;
/* Adds the written poses to the table. */
bt_status dock_add_interactions(dock_state *state, const cli_ligand *ligand, const bt_result *result,
                                bt_error *opt_error) BT_MUST_USE;

/* files.c: the files of one ligand. */

/* Writes one ligand's files into the output folder. */
bt_status dock_write_files(const dock_state *state, const cli_ligand *ligand, const bt_result *result,
                           bt_error *opt_error) BT_MUST_USE;
/* FOLDER/name.ending, allocated; NULL when memory is exhausted. */
char *dock_output_path(const dock_state *state, const char *name, const char *ending);
/* BT_ERR_USAGE if a file of a ligand of this name would overwrite an input. */
bt_status dock_check_files(dock_state *state, const cli_ligand *ligand, bt_error *opt_error) BT_MUST_USE;

/* earlier.c: BT_ERR_USAGE for files of another ligand or receptor left by an earlier run. */

/* Files of a ligand of this name. */
bt_status dock_check_earlier(const dock_state *state, const cli_ligand *ligand, bt_error *opt_error) BT_MUST_USE;
/* summary.csv of the folder, identified by its best ligand. */
bt_status dock_check_earlier_summary(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* The prepared receptor at path. */
bt_status dock_check_earlier_receptor(const dock_state *state, const char *path, const char *text,
                                      bt_error *opt_error) BT_MUST_USE;

/* The extensions of one ligand's files, index from 0; NULL after the last. */
const char *dock_ending(const dock_state *state, const cli_ligand *ligand, int index);

#endif
