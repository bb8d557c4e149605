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

enum { BT_SCREEN_HITS = 5, BT_SCREEN_DEVICES = 64, BT_SCREEN_RESCORE = BT_SCORING_COUNT - 1 };

typedef struct bt_screen_hit {
  int64_t ordinal;
  char name[64];
  double free_energy; /* kcal/mol; Vina, Vinardo: affinity */
} bt_screen_hit;

typedef struct bt_screen_device {
  char name[64];
  int64_t docked; /* by this session */
  double busy;    /* share of this session's time in which it was docking, 0 to 1 */
  bool failed;    /* the others do its work */
} bt_screen_device;

/* Where a screen is. Counts are of all sessions together unless said otherwise. */
typedef struct bt_screen_progress {
  int64_t total;     /* ligands of the library or shard; -1: not known before its end */
  int64_t earlier;   /* finished by earlier sessions */
  int64_t docked, rejected, failed; /* committed to the database */
  int64_t evaluations; /* of this session */
  double seconds;      /* of this session */
  double rate;         /* ligands finished per second, lately */
  double seconds_left; /* NaN: not known */
  int waiting;         /* ligands that are prepared and wait for a device */
  bool ending;         /* no new ligands are taken */
  int n_hits, n_devices;
  bt_screen_hit hits[BT_SCREEN_HITS]; /* the best so far, the best first */
  bt_screen_device devices[BT_SCREEN_DEVICES];
} bt_screen_progress;

/* Ligands that are docked again although they have a result. */
typedef enum bt_screen_retry { BT_SCREEN_RETRY_REJECTED = 1, BT_SCREEN_RETRY_FAILED = 2 } bt_screen_retry;

typedef enum bt_screen_request {
  BT_SCREEN_GO_ON,
  BT_SCREEN_FINISH, /* what is being docked is finished and kept, nothing new is begun */
  BT_SCREEN_STOP    /* at once; what is committed is kept */
} bt_screen_request;

/* Called about ten times a second from the calling thread. */
typedef bt_screen_request (*bt_screen_watch_fn)(void *user, const bt_screen_progress *progress);
/* A ligand that was not docked, from any thread, one at a time. state: "rejected" or "failed"; or "damaged", when a
 * screen goes on: its row is, and it is docked again. */
typedef void (*bt_screen_lost_fn)(void *user, const char *name, const char *state, const char *reason);
/* What a person should know, one line; from the calling thread, before the first ligand. */
typedef void (*bt_screen_warn_fn)(void *user, const char *text);
/* Dynamic shares for several processes: the next chunk's number, each number once over all of them; -1: error. */
typedef int64_t (*bt_screen_chunk_fn)(void *user);

/* Start from bt_screen_options_default(); defaults in brackets. Everything is borrowed while bt_screen_run works. */
typedef struct bt_screen_options {
  const char *database;          /* made with its folder's help; complete at any moment */
  bool resume;                   /* go on with the database if it is there */
  const char *const *ligands;    /* files, folders, "-"; in this order */
  int n_ligands;
  bt_prepare_options prepare;
  const char *opt_engine;        /* "autodock" [NULL] or "bude" */
  const void *opt_engine_settings; /* of "bude" a bt_bude_screen (berth/bude.h), in place of maps, opt_flexible and
                                    * search, of which only the seed counts, which then must not be 0 */
  const bt_maps *maps;           /* of the screen's scoring function; ligands with a type that has none are rejected */
  const bt_maps *const *rescore; /* [n_rescore], at most BT_SCREEN_RESCORE: the clusters of each ligand are minimised in
                                  * these functions, too (rescore.h; Vina and Vinardo need no maps of types) */
  int n_rescore;
  bt_rank_by rank_by;            /* with rescore, clusters by it; ligands by the last function's energy, or with
                                  * BT_RANK_BLEND by the mean of all functions' [SCORE] */
  const bt_molecule *opt_flexible;
  const char *opt_receptor_pdbqt; /* kept in the database, so that results can be exported anywhere */
  bt_dock_options search;        /* opt_device: auto or all: every GPU of the best kind and, with all, the processor;
                                  * or a list such as "cuda:0,cuda:1,cpu". seed 0: that of the database, or chosen */
  int shard, shards;             /* this process docks part shard of shards, from 1 [1, 1] */
  int poses;                     /* kept per ligand, leaders of the best clusters [1] */
  int64_t keep;                  /* so many of the best ligands keep their poses and molecules; 0: none, -1: all
                                  * [100,000] */
  int batch;                     /* ligands that a worker takes at a time [0: 512 for a GPU, 1] */
  int readers;                   /* threads that read and prepare [0: as many as the processor has] */
  const char *opt_parameters;    /* the file that the maps' parameters are from: its content is a setting */
  const char *opt_command_line, *opt_effort; /* for the record */
  bt_screen_watch_fn opt_watch;
  bt_screen_lost_fn opt_lost;
  bt_screen_warn_fn opt_warn;
  bt_screen_chunk_fn opt_chunk;  /* instead of shard and shards */
  unsigned retry;                /* with resume: bits of bt_screen_retry [0] */
  const char *opt_done;          /* a database of the same screen, whose ligands are left out */
  void *opt_user;                /* of all of these functions */
} bt_screen_options;

bt_screen_options bt_screen_options_default(void);

/* Docks a library. Every ligand ends in exactly one state: docked, rejected (it could not be read, prepared or fitted
 * into the box) or failed (its docking went wrong), together with its results in one transaction. BT_OK: the library is
 * done; BT_ERR_CANCELLED after a request to finish or stop; BT_ERR_USAGE when resume is given and the database was begun
 * with other settings, or resume is not given and there is one. After any end the database can be resumed. */
bt_status bt_screen_run(const bt_screen_options *options, bt_screen_progress *ret_progress,
                        bt_error *opt_error) BT_MUST_USE;

/* Ligands whose rows in a database are not as they were written. They are left out; bt_screen_run with resume docks
 * them again. */
typedef struct bt_screen_damage {
  int64_t ligands;
  char lines[4096]; /* one for each, as far as they fit: "out/screen.db: ligand lig7 (ordinal 7) is damaged: ..." */
} bt_screen_damage;

/* The same as options->retry and resume for a database that others take as opt_done: its ligands that ended so, and those
 * that are damaged, are undone. */
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

/* What a database holds. */
typedef struct bt_screen_summary {
  int64_t docked, rejected, failed;
  int64_t total;     /* -1: not known */
  bool complete;     /* the library or shard was read to its end and all of it is done */
  uint64_t seed;
  int shard, shards;
  int64_t with_poses; /* ligands that kept theirs */
  bt_screen_damage damage; /* of parts that are merged */
  char warning[512];       /* of parts that are merged: they were docked on other kinds of devices; else "" */
} bt_screen_summary;

bt_status bt_screen_summarize(const char *database, bt_screen_summary *ret_summary, bt_error *opt_error) BT_MUST_USE;
/* A setting such as "command_line", "spacing" or "scoring" (none: AutoDock 4's); free() it. NULL when the database has
 * no such key. */
bt_status bt_screen_setting(const char *database, const char *key, char **ret_value, bt_error *opt_error) BT_MUST_USE;

typedef enum bt_screen_format {
  BT_SCREEN_CSV,    /* one row per docked ligand, ranked */
  BT_SCREEN_REJECTS, /* one row per ligand that was not docked, as CSV */
  BT_SCREEN_SDF,    /* poses on the molecules' own bonds, ranked; those without bonds are left out and counted */
  BT_SCREEN_PDBQT,  /* poses, one MODEL each, ranked */
  BT_SCREEN_DLG     /* path is a folder: a docking log per ligand; needs maps */
} bt_screen_format;

typedef struct bt_screen_exported {
  int64_t ligands, poses;
  int64_t without_pose; /* wanted, but their poses were not kept */
  int64_t without_bonds; /* SDF only */
  bt_screen_damage damage;
} bt_screen_exported;

/* Writes the `top` best ligands (0: all) by estimated free energy, of equal ones the earlier of the library. */
bt_status bt_screen_export(const char *database, bt_screen_format format, int64_t top, const char *path,
                           const bt_maps *opt_maps, bt_screen_exported *ret_exported, bt_error *opt_error) BT_MUST_USE;
/* The receptor of the maps as PDBQT text; free() it. BT_ERR_USAGE when the screen was given maps. */
bt_status bt_screen_receptor(const char *database, char **ret_pdbqt, bt_box *ret_box, bt_error *opt_error) BT_MUST_USE;
/* Puts the databases of shards or ranks together in one, which must not be there yet. The same screen, settings and
 * library everywhere; a ligand that several hold with the same result is taken once. Shards know whether all of them are
 * there; of dynamic shares the caller says it by all_done. With damaged ligands the merged screen is not complete. */
bt_status bt_screen_merge(const char *const *databases, int count, const char *database, bool all_done,
                          bt_screen_summary *ret_summary, bt_error *opt_error) BT_MUST_USE;
/* The same with the databases of processes that shared a screen, into a database that may hold the work of earlier
 * sessions; it is replaced when the new one lies on the disk and was read again, and only then the parts are removed.
 * After a failure all of them are as they were. */
bt_status bt_screen_gather(const char *const *parts, int count, const char *database, bool all_done,
                           bt_screen_summary *ret_summary, bt_error *opt_error) BT_MUST_USE;
/* "3.40.1"; "" when this build has none. */
const char *bt_sqlite_version(void);

#ifdef __cplusplus
}
#endif

#endif
