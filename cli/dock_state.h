/* dock_state.h - what the parts of `berth dock` hand to each other. */
#ifndef BERTH_CLI_DOCK_STATE_H
#define BERTH_CLI_DOCK_STATE_H

#include <berth/berth.h>

#include "ligands.h"
#include "progress.h"
#include "rejects.h"
#include "settings.h"

/* One line of the summary. */
typedef struct dock_summary {
  const char *ligand; /* borrowed from the set of ligands */
  bt_run_summary best;
  int runs, clusters;
  int64_t evaluations;
  double seconds;
} dock_summary;

typedef struct dock_state {
  const char *program;
  dock_settings settings;
  char *command_line;
  cli_paths paths;
  cli_ligands ligands;
  bool single; /* exactly one ligand was asked for: its rejection is the program's failure */
  int single_exit_code;
  cli_rejects rejects;
  bt_molecule **flexible, **reference, **receptor;
  int n_flexible, n_reference, n_receptor;
  bt_maps *maps;
  char *fld_path; /* NULL when the maps were never written */
  cli_progress progress;
  dock_summary *summaries;
  int docked;
  int warned_outside;
} dock_state;

/* dock_preflight.c: everything that can be found wrong before the first evaluation. */

/* Reads flexible residues, the reference and every ligand once; rejects what cannot be docked. */
bt_status dock_read_inputs(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* Reads or computes the maps; rejects ligands whose types have none, all missing types named first. */
bt_status dock_prepare_maps(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* Marks the ligand and tells why. BT_OK when the other ligands are to go on. */
bt_status dock_reject(dock_state *state, cli_ligand *ligand, const bt_error *error) BT_MUST_USE;

/* dock_batch.c */

/* Docks all ligands that are not rejected; each is written as soon as it is done. */
bt_status dock_all(dock_state *state, bt_error *opt_error) BT_MUST_USE;

/* dock_report.c: what the user gets to see, and the files of the whole docking. */

void dock_print_header(const dock_state *state);
/* Writes one ligand's files into the output folder. */
bt_status dock_write_files(const dock_state *state, const cli_ligand *ligand, const bt_result *result,
                           bt_error *opt_error) BT_MUST_USE;
/* Prints the table or the JSON line of one ligand. */
bt_status dock_print_result(const dock_state *state, const cli_ligand *ligand, const bt_result *result,
                            bt_error *opt_error) BT_MUST_USE;
/* Writes rejects.csv and, for several ligands, summary.csv. */
bt_status dock_write_lists(const dock_state *state, bt_error *opt_error) BT_MUST_USE;

#endif
