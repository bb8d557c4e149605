/* state.h - what the parts of `berth dock` hand to each other. */
#ifndef BERTH_CLI_DOCK_STATE_H
#define BERTH_CLI_DOCK_STATE_H

#include <berth/berth.h>
#include <berth/grid.h>
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
  double rescored[CLI_RESCORE]; /* free energies of its cluster in the functions of --rescore */
  int runs, clusters;
  int64_t evaluations;
  double seconds;
} dock_summary;

/* Of the first ligands, in memory together. */
enum { DOCK_AHEAD = 2048 };

/* A ligand on its way. */
typedef struct dock_item {
  bt_docking docking; /* the first member; its error tells why it cannot be docked */
  cli_ligand from;
  bt_ligand *ligand; /* NULL: from.error tells why */
  bool noted;        /* its notes were printed */
} dock_item;

/* Several boxes: chosen, or pockets that were found. */
typedef struct dock_sites {
  int count;         /* 0: one box, that of the settings */
  bt_pocket *pockets; /* [count] of --blind; NULL: the boxes were given */
  int n_found;       /* pockets of the whole receptor */
  bt_box *boxes;     /* [count] */
  bt_maps **maps;    /* [count], the first being the state's own */
  double longest;    /* ligand so far, Angstrom */
  double fitted;     /* for which the boxes were made */
} dock_sites;

/* Of a function of --rescore. */
typedef struct dock_rescore_maps {
  cli_types types; /* that have maps */
  bt_maps *maps;   /* NULL: not needed yet */
} dock_rescore_maps;

typedef struct dock_state {
  const char *program;
  dock_settings settings;
  char *command_line;
  cli_paths paths;
  cli_extract extract;
  cli_ligands ligands;
  bt_file_set inputs; /* which no output replaces */
  bool single; /* exactly one ligand was asked for: its rejection is the program's failure */
  int single_exit_code;
  cli_lists lists;
  cli_receptor receptor;
  bt_molecule *reference;
  bt_molecule **touched; /* the receptor of maps that were read, for contacts */
  int n_touched;
  cli_types types; /* all that were wanted so far */
  dock_sites sites;
  bt_maps *maps;
  bt_box_load load; /* of the box; no types: maps that were read */
  int mapped_types; /* as many types were wanted when the maps were made */
  bool warned;      /* of stand-ins for the types of the receptor */
  char *fld_path;   /* NULL when the maps were never written */
  dock_rescore_maps rescore_maps[CLI_RESCORE];
  cli_progress progress;
  dock_item **ahead; /* [n_ahead] that were read and are not given to the engine yet, but for the first `taken` */
  int n_ahead, taken;
  atomic_bool last; /* no ligand is left in the files */
  bt_error error;   /* why no more are read */
  atomic_int given; /* ligands that the engine got */
  int done, tried;  /* and those it is done with; got with earlier maps */
  bt_error failure; /* of writing a result */
  dock_summary *summaries;
  int docked;
  size_t summary_capacity;
  int warned_outside;
} dock_state;

/* feed.c: from files to ligands. */

/* Reads receptor and flexible residues, and finds the files of ligands. */
bt_status dock_read_inputs(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* Reads ligands; where they need preparation it ends after some seconds. */
bt_status dock_read_ahead(dock_state *state, bt_error *error) BT_MUST_USE;
/* The source: those first, then the files' next ones. It ends before a ligand with a type that is not mapped. */
bt_docking *dock_next(void *state);
void dock_item_free(dock_item *item);

/* preflight.c: everything that can be found wrong before the first evaluation. */

/* Learns whether the ligand can be docked, and its atom types; reads the reference before the first one. */
bt_status dock_check(dock_state *state, dock_item *item, bt_error *opt_error) BT_MUST_USE;
/* The same for all that were read ahead; rejects those that cannot be docked. */
bt_status dock_accept(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* Tells, once, what was done to the ligand. */
bt_status dock_tell_notes(dock_state *state, dock_item *item, bt_error *opt_error) BT_MUST_USE;
/* Reads or computes the maps that are still missing; rejects ligands whose types have none, these types named first. */
bt_status dock_prepare_maps(dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* Tells why a ligand is not docked. */
bt_status dock_reject(dock_state *state, const dock_item *item, bt_error *opt_error) BT_MUST_USE;

/* folder.c */

/* Docks with these maps; each ligand is written as soon as it is done. */
bt_status dock_all(dock_state *state, bt_error *opt_error) BT_MUST_USE;

/* What becomes of a ligand that was docked, or not; its item is freed. False stops the docking. */
bool dock_done(void *state, bt_docking *docking);

/* sites.c: several boxes. */

/* Computes the maps of every box, for the first time or for more types or longer ligands. */
bt_status dock_sites_map(dock_state *state, const char **types, int count, bt_error *opt_error) BT_MUST_USE;
/* Docks all that were read ahead into every box. */
bt_status dock_sites_dock(dock_state *state, bt_error *opt_error) BT_MUST_USE;
void dock_sites_print(const dock_state *state, FILE *stream);
void dock_sites_free(dock_state *state);

/* rescore.c */

/* Scores the clusters in all functions of --rescore, and orders them. */
bt_status dock_rescore(dock_state *state, const cli_ligand *from, bt_result *result, bt_error *opt_error) BT_MUST_USE;
void dock_rescore_free(dock_state *state);

/* report.c: what the user gets to see, and the files of the whole docking. */

void dock_print_header(const dock_state *state);
/* Writes the receptor that was prepared and its report. */
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
/* FOLDER/name.ending, allocated; NULL without memory. */
char *dock_output_path(const dock_state *state, const char *name, const char *ending);
/* BT_ERR_USAGE when a file of a ligand of this name would take the place of an input. */
bt_status dock_check_files(dock_state *state, const cli_ligand *ligand, bt_error *opt_error) BT_MUST_USE;

/* earlier.c: BT_ERR_USAGE for files that another run left. */

/* Of a ligand of this name. */
bt_status dock_check_earlier(const dock_state *state, const cli_ligand *ligand, bt_error *opt_error) BT_MUST_USE;
/* summary.csv of the folder, by its best ligand. */
bt_status dock_check_earlier_summary(const dock_state *state, bt_error *opt_error) BT_MUST_USE;
/* The receptor that was prepared, at path. */
bt_status dock_check_earlier_receptor(const dock_state *state, const char *path, const char *text,
                                      bt_error *opt_error) BT_MUST_USE;

/* The endings of the files of one ligand, index from 0; NULL behind the last. */
const char *dock_ending(const dock_state *state, const cli_ligand *ligand, int index);

#endif
