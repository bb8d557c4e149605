/* state.h - what the parts of `berth dock` hand to each other. */
#ifndef BERTH_CLI_DOCK_STATE_H
#define BERTH_CLI_DOCK_STATE_H

#include <berth/berth.h>
#include <pthread.h>
#include <stdatomic.h>

#include "input/ligands.h"
#include "input/notes.h"
#include "input/prepare.h"
#include "common/progress.h"
#include "input/rejects.h"
#include "dock/settings.h"
#include "grid/types.h"

/* One line of the summary. */
typedef struct dock_summary {
  const char *ligand; /* borrowed from the set of ligands */
  bt_run_summary best;
  int runs, clusters;
  int64_t evaluations;
  double seconds;
} dock_summary;

/* Enough to keep several GPUs busy; molecules of one batch are in memory together. */
enum { DOCK_BATCH = 2048 };

/* A ligand of the batch. */
typedef struct dock_item {
  cli_ligand from;
  bt_ligand *ligand; /* NULL: it cannot be docked; from.error tells why */
  bool rejected;     /* and this has been told */
} dock_item;

typedef struct dock_batch {
  dock_item items[DOCK_BATCH];
  bt_docking dockings[DOCK_BATCH]; /* of these, while they are docked */
  int count;
  bool last;        /* no ligand follows */
  bt_status status; /* what stops everything */
  bt_error error;
} dock_batch;

typedef struct dock_state {
  const char *program;
  dock_settings settings;
  char *command_line;
  cli_paths paths;
  cli_extract extract;
  cli_ligands ligands;
  bool single; /* exactly one ligand was asked for: its rejection is the program's failure */
  int single_exit_code;
  cli_rejects rejects;
  cli_notes notes;
  char *notes_path;
  cli_receptor receptor;
  bt_molecule *reference;
  bt_molecule **touched; /* the receptor of maps that were read, for contacts */
  int n_touched;
  cli_types types; /* all that were wanted so far */
  bt_maps *maps;
  int mapped_types; /* as many types were wanted when the maps were made */
  bt_engine *engine; /* with these maps; NULL: not opened yet */
  char *fld_path;   /* NULL when the maps were never written */
  cli_progress progress;
  dock_batch *batch, *next;
  pthread_t feeder; /* fills the next batch while this one is docked */
  bool feeding;
  atomic_bool stop; /* the feeder need not go on */
  int tried; /* ligands of earlier batches that were docked or failed to */
  dock_summary *summaries;
  int docked, summary_capacity;
  int warned_outside;
} dock_state;

/* feed.c: from files to batches. */

/* Reads receptor and flexible residues, and finds the files of ligands. */
bt_status dock_read_inputs(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* Fills a batch; where ligands need preparation it ends after some seconds. */
void dock_feed(dock_state *state, dock_batch *batch);
/* The same for state->next, on a thread of its own. dock_feed_wait makes it the batch at work. */
void dock_feed_start(dock_state *state);
void dock_feed_wait(dock_state *state);
void dock_batch_clear(dock_batch *batch);

/* preflight.c: everything of a batch that can be found wrong before the first evaluation. */

/* Rejects what cannot be docked; learns atom types; reads the reference before the first ligand. */
bt_status dock_accept(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* Tells what was done to the ligands. */
bt_status dock_tell_notes(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* Reads or computes the maps that are still missing; rejects ligands whose types have none, these types named first. */
bt_status dock_prepare_maps(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* Marks the ligand and tells why. BT_OK when the other ligands are to go on. */
bt_status dock_reject(dock_state *state, dock_item *item, const bt_error *error) BT_MUST_USE;
/* Ligands of the batch that are not rejected. */
int dock_left(const dock_state *state);

/* batch.c */

/* Docks the ligands of the batch that are not rejected; each is written as soon as it is done. */
bt_status dock_all(dock_state *state, bt_error *opt_error) BT_MUST_USE;

/* report.c: what the user gets to see, and the files of the whole docking. */

void dock_print_header(const dock_state *state);
/* Writes the receptor that was prepared and its report. */
bt_status dock_write_receptor(const dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* Prints the table or the JSON line of one ligand. */
bt_status dock_print_result(const dock_state *state, const cli_ligand *ligand, const bt_result *result,
                            bt_error *opt_error) BT_MUST_USE;
/* Writes rejects.csv and, for several ligands, summary.csv. */
bt_status dock_write_lists(const dock_state *state, bt_error *opt_error) BT_MUST_USE;

/* files.c: the files of one ligand. */

/* Writes one ligand's files into the output folder. */
bt_status dock_write_files(const dock_state *state, const cli_ligand *ligand, const bt_result *result,
                           bt_error *opt_error) BT_MUST_USE;
/* FOLDER/name.ending, allocated; NULL without memory. */
char *dock_output_path(const dock_state *state, const char *name, const char *ending);
/* The endings of the files of one ligand, index from 0; NULL behind the last. */
const char *dock_ending(const dock_state *state, const cli_ligand *ligand, int index);

#endif
