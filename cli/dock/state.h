/* state.h - the state shared by the parts of `berth dock`. */
#ifndef BERTH_CLI_DOCK_STATE_H
#define BERTH_CLI_DOCK_STATE_H

#include <berth/berth.h>
#include <berth/grid.h>
#include <berth/rescore.h>
#include <stdatomic.h>
#include <stdio.h>

#include "common/progress.h"
#include "dock/settings.h"
#include "grid/types.h"
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
  double *rescored;             /* scores of its cluster by --rescore */
  int runs, clusters;
  int64_t evaluations;
  double seconds;
} dock_summary;

/* Maximum number of ligands read ahead. */
enum { DOCK_AHEAD = 2048 };

/* A ligand in progress. */
typedef struct dock_item {
  bt_docking docking; /* the first member; its error says why it cannot be docked */
  cli_ligand from;
  bt_ligand *ligand; /* NULL: from.error says why */
  bool noted;        /* its notes were printed */
} dock_item;

/* Several boxes: given, or pockets that were found. */
typedef struct dock_sites {
  int count;         /* 0: one box, that of the settings */
  bt_pocket *pockets; /* [count] of --blind; NULL: the boxes were given */
  int n_found;       /* pockets of the whole receptor */
  bt_box *boxes;     /* [count] */
  bt_maps **maps;    /* [count]; the first belongs to the state */
  double longest;    /* longest ligand so far, Angstrom */
  double fitted;     /* the length that the boxes were made for */
} dock_sites;

typedef struct dock_state {
  const char *program;
  dock_settings settings;
  char *command_line;
  cli_paths paths;
  cli_extract extract;
  cli_ligands ligands;
  bt_file_set inputs; /* files that no output may replace */
  bool single; /* exactly one ligand was given: its rejection is the program's failure */
  int single_exit_code;
  cli_lists lists;
  cli_receptor receptor;
  bt_molecule *reference;
  bt_molecule **touched; /* the receptor of maps read from files, for contacts */
  int n_touched;
  cli_types types; /* all types needed so far */
  dock_sites sites;
  bt_maps *maps;
  bt_box_load load; /* of the box; without types: maps read from files */
  int mapped_types; /* number of types when the maps were made */
  bool warned;      /* the warning on stand-in parameters was printed */
  char *fld_path;   /* NULL unless the maps were written */
  bt_rescoring *rescoring; /* NULL: not needed yet */
  cli_progress progress;
  dock_item **ahead; /* [n_ahead] read ahead; the first `taken` have been passed to the engine */
  int n_ahead, taken;
  atomic_bool last; /* no ligand is left in the files */
  bt_error error;   /* why reading stopped */
  atomic_int given; /* ligands passed to the engine */
  int done, tried;  /* those it has finished; those passed with earlier maps */
  bt_error failure; /* of writing a result */
  dock_summary *summaries;
  int docked;
  size_t summary_capacity;
  int warned_outside;
} dock_state;

/* feed.c: from files to ligands. */

/* Reads receptor and flexible residues, and finds the files of ligands. */
bt_status dock_read_inputs(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* Reads ligands ahead; stops after some seconds if they need preparation. */
bt_status dock_read_ahead(dock_state *state, bt_error *error) BT_MUST_USE;
/* The source: first those read ahead, then the rest of the files. It ends before a ligand with a type without a map. */
bt_docking *dock_next(void *state);
void dock_item_free(dock_item *item);

/* preflight.c: all checks before the first evaluation. */

/* Checks whether the ligand can be docked, and collects its atom types; reads the reference before the first one. */
bt_status dock_check(dock_state *state, dock_item *item, bt_error *opt_error) BT_MUST_USE;
/* The same for all ligands read ahead; rejects those that cannot be docked. */
bt_status dock_accept(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* Prints the notes on the ligand's preparation, once. */
bt_status dock_tell_notes(dock_state *state, dock_item *item, bt_error *opt_error) BT_MUST_USE;
/* Reads or computes missing maps; lists the types without maps, and rejects their ligands. */
bt_status dock_prepare_maps(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* Reports why a ligand is not docked. */
bt_status dock_reject(dock_state *state, const dock_item *item, bt_error *opt_error) BT_MUST_USE;

/* folder.c */

/* Docks with these maps; each ligand is written as soon as it is done. */
bt_status dock_all(dock_state *state, bt_error *opt_error) BT_MUST_USE;

/* The sink: handles a ligand that was docked or failed, and frees its item. False stops the docking. */
bool dock_done(void *state, bt_docking *docking);

/* sites.c: several boxes. */

/* Computes the maps of every box, initially and again for new types or longer ligands. */
bt_status dock_sites_map(dock_state *state, const char **types, int count, bt_error *opt_error) BT_MUST_USE;
/* Docks all ligands read ahead into every box. */
bt_status dock_sites_dock(dock_state *state, bt_error *opt_error) BT_MUST_USE;
void dock_sites_print(const dock_state *state, FILE *stream);
void dock_sites_free(dock_state *state);

/* rescore.c: scores the clusters by --rescore, and re-ranks them. */
bt_status dock_rescore(dock_state *state, bt_result *result, bt_error *opt_error) BT_MUST_USE;

/* report.c: terminal output, and the files that concern all ligands. */

void dock_print_header(const dock_state *state);
/* Writes the prepared receptor and its report. */
bt_status dock_write_receptor(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* Prints the table or the JSON line of one ligand. */
bt_status dock_print_result(const dock_state *state, const cli_ligand *ligand, const bt_result *result,
                            bt_error *opt_error) BT_MUST_USE;
/* The best poses of several ligands as summary.csv. */
bt_status dock_write_summary(dock_state *state, bt_error *opt_error) BT_MUST_USE;

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
