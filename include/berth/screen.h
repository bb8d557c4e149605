/* screen.h - a library of any size -> one database, resumable (docs/screening.md); needs a build with SQLite.
 *
 * Contents
 *   1. Screening
 *   2. What a database holds
 *
 * Conventions and the examples' error and maps are those of berth.h.
 */
#ifndef BERTH_SCREEN_H
#define BERTH_SCREEN_H

#include <berth/berth.h>
#include <berth/prepare.h>
#include <berth/rescore.h>
#include <berth/score.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------
 * 1. Screening
 *
 *     bt_screen_options screen = bt_screen_options_default();
 *     bt_screen_progress progress;
 *     screen.database = "screen.db";
 *     screen.ligands = (const char *[]){"library.btl"};
 *     screen.n_ligands = 1;
 *     screen.maps = maps;
 *     if (bt_screen_run(&screen, &progress, &error) != BT_OK)
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

enum { BT_SCREEN_HITS = 5, BT_SCREEN_DEVICES = 64 };

typedef struct bt_screen_hit {
  int64_t ordinal;
  char name[64];
  double free_energy; /* of its best pose in the docking's function, kcal/mol; Vina, Vinardo: affinity */
  double rank_energy; /* what ranks it (rescore.h); without further functions the same */
} bt_screen_hit;

typedef struct bt_screen_device {
  char name[64];
  int64_t docked; /* by this session */
  double busy;    /* fraction of this session's time spent docking, 0 to 1 */
  bool failed;    /* the other devices take over its work */
} bt_screen_device;

/* Progress of a screen. Counts cover all sessions unless stated otherwise. */
typedef struct bt_screen_progress {
  int64_t total;     /* ligands in the library or shard; -1: not known until its end is read */
  int64_t earlier;   /* finished by earlier sessions */
  int64_t docked, rejected, failed; /* committed to the database */
  int64_t filtered;                 /* likewise: left out by prepare.opt_filter, not among the rejected */
  int64_t evaluations; /* of this session */
  int64_t open_stereo; /* ligands prepared by this session whose stereochemistry is undefined: one isomer is docked */
  double seconds;      /* of this session */
  double rate;         /* ligands finished per second, recent average */
  double seconds_left; /* NaN: unknown */
  int waiting;         /* prepared ligands waiting for a device */
  bool ending;         /* no new ligands are started */
  int n_hits, n_devices;
  bt_screen_hit hits[BT_SCREEN_HITS]; /* the best so far, best first */
  bt_screen_device devices[BT_SCREEN_DEVICES];
} bt_screen_progress;

/* Ligands to dock again although they have a result. */
typedef enum bt_screen_retry { BT_SCREEN_RETRY_REJECTED = 1, BT_SCREEN_RETRY_FAILED = 2 } bt_screen_retry;

typedef enum bt_screen_request {
  BT_SCREEN_GO_ON,
  BT_SCREEN_FINISH, /* ligands being docked are finished and stored, no new ones are started */
  BT_SCREEN_STOP    /* at once; committed results are kept */
} bt_screen_request;

/* Called about ten times a second from the calling thread. */
typedef bt_screen_request (*bt_screen_watch_fn)(void *user, const bt_screen_progress *progress);
/* Reports a ligand that was not docked; from any thread, one call at a time. state: "rejected" or "failed"; or, in a
 * resumed screen, "damaged": its row is, and it is docked again. */
typedef void (*bt_screen_lost_fn)(void *user, const char *name, const char *state, const char *reason);
/* A warning for the user, one line; from the calling thread, before the first ligand. */
typedef void (*bt_screen_warn_fn)(void *user, const char *text);
/* Dynamic load balancing over several processes: the number of the next chunk, each number handed out once among all
 * processes; -1: error. */
typedef int64_t (*bt_screen_chunk_fn)(void *user);

/* Start from bt_screen_options_default(); defaults in brackets. Everything is borrowed while bt_screen_run runs. */
typedef struct bt_screen_options {
  const char *database;          /* created if it does not exist; consistent at any moment */
  bool resume;                   /* continue with the database if it exists */
  const char *const *ligands;    /* files, folders, "-"; read in this order */
  int n_ligands;
  bt_prepare_options prepare;
  const char *opt_engine;        /* "autodock" [NULL] or "bude" */
  const void *opt_engine_settings; /* for "bude" a bt_bude_screen (berth/bude.h), instead of maps, opt_flexible and
                                    * search; of search only the seed has an effect, and must not be 0 */
  const bt_maps *maps;           /* of the screen's scoring function; ligands with a type that has no map are
                                  * rejected */
  bt_rescoring *opt_rescoring;   /* scores the clusters of every ligand (rescore.h), many ligands at a time */
  bt_rank_by rank_by;            /* with re-scorers: criterion for clusters; ligands are ranked by the last one's score,
                                  * with BT_RANK_BLEND by the mean over all, with BT_RANK_SUM by the sum, with
                                  * BT_RANK_RANKS by the docking's own
                                  * [SCORE] */
  const bt_molecule *opt_flexible;
  const bt_constraints *opt_constraints; /* of every ligand (constrain.h); one that cannot meet them is rejected */
  const char *opt_receptor_pdbqt; /* stored in the database, so that results can be exported anywhere */
  bt_dock_options search;        /* opt_device: auto or all: every GPU of the best kind and, with all, the CPU;
                                  * or a list such as "cuda:0,cuda:1,cpu". seed 0: taken from the database, or drawn */
  int shard, shards;             /* this process docks part shard of shards, from 1 [1, 1] */
  int poses;                     /* poses kept per ligand, the best of each of the best clusters [1] */
  int64_t keep;                  /* number of best ligands whose poses and molecules are kept; 0: none, -1: all
                                  * [100,000] */
  int batch;                     /* ligands that a worker takes at a time [0: 512 for a GPU, otherwise 1] */
  int readers;                   /* threads that read and prepare ligands [0: all cores] */
  const char *opt_parameters;    /* the file of the maps' parameters, whose contents count as a setting */
  /* Stored in the database for reference; opt_protonation: how ligands and receptor were protonated, in words. */
  const char *opt_command_line, *opt_effort, *opt_protonation;
  bt_screen_watch_fn opt_watch;
  bt_screen_lost_fn opt_lost;
  bt_screen_warn_fn opt_warn;
  bt_screen_chunk_fn opt_chunk;  /* replaces shard and shards */
  unsigned retry;                /* with resume: bits of bt_screen_retry [0] */
  const char *opt_done;          /* a database of the same screen, whose ligands are skipped */
  void *opt_user;                /* passed to all of these functions */
} bt_screen_options;

bt_screen_options bt_screen_options_default(void);

/* Docks a library. Every ligand ends in exactly one state: docked, rejected (it could not be read, prepared or fitted
 * into the box, or prepare.opt_filter left it out) or failed (its docking went wrong); state and results are stored in
 * one transaction. BT_OK: the library is done; BT_ERR_CANCELLED: stopped by a request to finish or stop; BT_ERR_USAGE:
 * the database to resume was begun with other settings, or a database exists and resume is not set. However the screen
 * ended, it can be resumed. */
bt_status bt_screen_run(const bt_screen_options *options, bt_screen_progress *ret_progress,
                        bt_error *opt_error) BT_MUST_USE;

/* What options->retry with resume does, for a database that others use as opt_done: removes the results of ligands that
 * ended in these states or are damaged. */
bt_status bt_screen_forget(const char *database, unsigned retry, bt_screen_damage *ret_damage,
                           bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 2. What a database holds
 *
 *     bt_screen_exported exported;
 *     if (bt_screen_export("screen.db", BT_SCREEN_CSV, 100, "best.csv", NULL, &exported, &error) != BT_OK)
 *       goto failed;
 *     printf("the best %lld ligands are in best.csv\n", (long long)exported.ligands);
 * --------------------------------------------------------------------------------------------------------- */

/* Summary of a database. */
typedef struct bt_screen_summary {
  int64_t docked, rejected, failed;
  int64_t filtered;  /* left out by a filter, not among the rejected */
  int64_t total;     /* -1: not known */
  bool complete;     /* the library or shard was read to its end and all its ligands are done */
  uint64_t seed;
  int shard, shards;
  int64_t with_poses; /* ligands whose poses were kept */
  bt_screen_damage damage; /* of merged parts */
  char warning[512];       /* about merged parts: they were docked on different kinds of devices; else "" */
} bt_screen_summary;

bt_status bt_screen_summarize(const char *database, bt_screen_summary *ret_summary, bt_error *opt_error) BT_MUST_USE;
/* How many ligands each condition of the filter left out: "12 by weight, 3 by pains"; "" if none. free() it. */
bt_status bt_screen_filtered(const char *database, char **ret_text, bt_error *opt_error) BT_MUST_USE;
/* A setting such as "command_line", "spacing" or "scoring" (absent: AutoDock 4); free() it. NULL if the database has no
 * such key. */
bt_status bt_screen_setting(const char *database, const char *key, char **ret_value, bt_error *opt_error) BT_MUST_USE;

typedef enum bt_screen_format {
  BT_SCREEN_CSV,    /* one row per docked ligand, ranked */
  BT_SCREEN_REJECTS, /* one row per ligand that was not docked, as CSV */
  BT_SCREEN_SDF,    /* poses with the molecules' own bonds, ranked; those without bonds are omitted and counted */
  BT_SCREEN_PDBQT,  /* poses, one MODEL each, ranked */
  BT_SCREEN_DLG,    /* path is a folder: a docking log per ligand; needs maps */
  BT_SCREEN_PARQUET /* the columns of CSV, numbers with all digits, as Apache Parquet */
} bt_screen_format;

typedef struct bt_screen_exported {
  int64_t ligands, poses;
  int64_t without_pose; /* ligands asked for whose poses were not kept */
  int64_t without_bonds; /* SDF only */
  bt_screen_damage damage;
} bt_screen_exported;

/* Writes the `top` best ligands (0: all) by estimated free energy; ties in the order of the library. */
bt_status bt_screen_export(const char *database, bt_screen_format format, int64_t top, const char *path,
                           const bt_maps *opt_maps, bt_screen_exported *ret_exported, bt_error *opt_error) BT_MUST_USE;
/* What is exported of a ranking. Start from {0}. */
typedef struct bt_screen_selection {
  const char *opt_must_contact; /* only poses in contact with these residues, and ligands that have such poses: words of
                                 * bt_contact_filter (interactions.h) [NULL] */
  double diverse; /* only ligands whose similarity to each that was taken before is below this: Tanimoto coefficient of
                   * Morgan fingerprints, radius 2 [0: all] */
  const char *opt_interactions; /* CSV file for the interactions of the exported poses (interactions.h) [NULL] */
} bt_screen_selection;

/* As bt_screen_export, of the ligands that the selection takes; `top` counts these, and they keep the rank that they have
 * among all. Ligands without poses in the database are omitted and counted; so are, with `diverse`, those without bonds.
 * BT_ERR_USAGE for poses of other engines than AutoDock's, and for contacts where the database has no receptor. */
bt_status bt_screen_export_selected(const char *database, bt_screen_format format, int64_t top, const char *path,
                                    const bt_maps *opt_maps, const bt_screen_selection *selection,
                                    bt_screen_exported *ret_exported, bt_error *opt_error) BT_MUST_USE;
/* How a ligand that was docked into several receptors is ranked: by its lowest energy, or by the mean over those
 * receptors in which it was docked. */
typedef enum bt_receptor_rank { BT_RECEPTOR_RANK_BEST, BT_RECEPTOR_RANK_MEAN } bt_receptor_rank;
/* Ranks the ligands of `count` screens of one library, each against another receptor, and writes the `top` best (0: all) as
 * CSV: rank, ordinal, name, energy, receptor (1-based, the one with the lowest energy), receptors (in which it was docked),
 * energy_1 .. energy_count (kcal/mol, as each screen ranks it; empty where it was not docked), source. BT_ERR_USAGE: library or
 * functions differ. */
bt_status bt_screen_rank_receptors(const char *const *databases, int count, bt_receptor_rank by, int64_t top,
                                   const char *path, int64_t *ret_ligands, bt_error *opt_error) BT_MUST_USE;
/* The receptor of the maps as PDBQT text; free() it. BT_ERR_USAGE if the screen was run on given maps. */
bt_status bt_screen_receptor(const char *database, char **ret_pdbqt, bt_box *ret_box, bt_error *opt_error) BT_MUST_USE;
/* Merges the databases of shards or ranks into a new one, which must not exist. All must have the same settings and
 * library; a ligand with the same result in several parts is taken once. Whether all shards are present is known from
 * the databases; for dynamic chunks the caller says so by all_done. With damaged ligands the merged screen is not
 * complete. */
bt_status bt_screen_merge(const char *const *databases, int count, const char *database, bool all_done,
                          bt_screen_summary *ret_summary, bt_error *opt_error) BT_MUST_USE;
/* The same for the databases of processes that shared a screen, into a database that may hold results of earlier
 * sessions. It is replaced only after the new one has been written to disk and read back; then the parts are removed.
 * After a failure all files are as before. */
bt_status bt_screen_gather(const char *const *parts, int count, const char *database, bool all_done,
                           bt_screen_summary *ret_summary, bt_error *opt_error) BT_MUST_USE;
/* "3.40.1"; "" if built without SQLite. */
const char *bt_sqlite_version(void);

#ifdef __cplusplus
}
#endif

#endif
