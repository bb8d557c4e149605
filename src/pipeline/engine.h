/* engine.h - what an engine and the pipeline ask of each other.
 *
 * An engine is opened once with a receptor, settings and devices, and docks many ligands. The pipeline
 * (pipeline/pipeline.h) brings it items, batch after batch, and takes what becomes of them. A new engine is a folder
 * in src/engine with a table of the functions below, and a line in its registry.c.
 */
#ifndef BERTH_PIPELINE_ENGINE_H
#define BERTH_PIPELINE_ENGINE_H

#include <berth/berth.h>
#include <berth/screen.h>
#include <pthread.h>

#include "backend/backend.h"
#include "base/busy.h"
#include "library/library.h"
#include "store/store.h"

struct bt_pipeline;
struct bt_screen_note;

/* A ligand in the pipeline. What it is docked by, and what comes of it, are its engine's. */
typedef struct bt_item {
  int64_t ordinal;        /* in the library, or of those that the caller gave */
  char *name, *source;    /* of a library; NULL: the ligand is the caller's */
  char *properties;       /* of a library (formats/properties.h); NULL: none */
  bt_docking *docking;    /* the caller's; NULL: of a library */
  const struct bt_engine_type *engine; /* whose input and output these are */
  void *input;            /* made by its prepare; or borrowed, the caller's bt_ligand */
  void *output;           /* made by its dock; a bt_result where the caller gave the ligand; NULL: not docked */
  bool checked;           /* the output tells how exact the search was (bt_run_summary.search_reference) */
  int torsions, atoms;    /* items of a batch are alike in these */
  double work;            /* expected, relative to other items */
  double fraction;        /* of it that is done */
  int64_t evaluations;
  char *note;             /* why it was not docked before; to free */
  struct bt_item_states *opt_states; /* of its record, if there are several */
  int state;                         /* which of them it is, from 1: the usual one */
} bt_item;

void bt_item_clear(bt_item *item);

/* The states of a record (bt_prepare_options.protomers), an item each: all are docked, and the best gives the record's
 * row. */
typedef struct bt_item_states {
  int references; /* items that point here; atomic */
  int count, left; /* of the record, and those that are not settled; with the pipeline's lock, as what follows */
  bt_store_row *opt_best; /* of those that are settled */
  int64_t evaluations;
  double seconds;
} bt_item_states;

/* A device and what it did, or several that share the runs of each ligand. */
typedef struct bt_unit {
  char name[64];               /* for messages: of the one that failed last, else of the first */
  const bt_backend **backends; /* [n_backends] that have not failed; of engines that use back ends */
  int n_backends;
  pthread_rwlock_t lock;       /* jobs share it while they search, and hold it alone to measure the device */
  bool accelerator;            /* not the host's processor */
  bool failed;                 /* all of it */
  int working;                 /* workers at this moment */
  int64_t docked;
  double busy, since;          /* seconds in which it was docking; since when it is */
  bt_busy kernels;             /* when its kernels ran; empty: it does not tell */
} bt_unit;

/* A thread that takes items from the queue and has them docked by a unit. */
typedef struct bt_worker {
  struct bt_pipeline *pipeline;
  bt_unit *unit;
  int batch;   /* items at a time */
  int threads; /* of the host; 0: all */
  pthread_t thread;
  bool started, ended;
  bt_item *items; /* at work */
  bool *settled;  /* those that are neither settled nor returned wait again after the batch */
  int failed;     /* index of the unit's back end that failed, after BT_ERR_DEVICE */
  void *opt_kept; /* the engine's, from batch to batch */
} bt_worker;

/* The workload that an engine plans for. */
typedef struct bt_workload {
  int64_t count; /* items, all available before the plan is made; -1: they arrive one by one */
  int batch;     /* items that a worker is to take at a time; 0: chosen */
  int workers;   /* of each device, for items that come one after the other; 0: chosen */
} bt_workload;

typedef struct bt_engine bt_engine;

typedef struct bt_engine_type {
  const char *name;                  /* of screens, and in their databases */
  bool unnamed;                      /* databases that name no engine are its */
  const char *terms[BT_STORE_TERMS]; /* of its energies, likewise */
  bool mol2_alone;                   /* MOL2 needs no RDKit */
  bt_status (*open_screen)(const bt_screen_options *options, bt_engine **ret_engine, bt_error *opt_error);
  void (*close)(bt_engine *engine);
  /* Chooses devices and how many work on each, by bt_pipeline_add_unit and bt_pipeline_add_worker. */
  bt_status (*plan)(bt_engine *engine, struct bt_pipeline *pipeline, const bt_workload *load, bt_error *opt_error);
  /* The same for a device that takes over from those that have failed; adds nothing when there is none. May be NULL. */
  bt_status (*opt_plan_next)(bt_engine *engine, struct bt_pipeline *pipeline, const bt_workload *load,
                             bt_error *opt_error);
  /* The expected work of an item of bt_engine_dock_stream, relative to other items; NULL: all are alike. */
  double (*opt_work)(const bt_engine *engine, const bt_item *item);
  /* Makes the output of the worker's items and settles each by bt_worker_settle; BT_ERR_DEVICE and what else is no ligand's fault
   * ends the batch, and what is not settled was not docked. */
  bt_status (*dock)(bt_engine *engine, bt_worker *worker, int count, bt_error *error);
  /* Frees worker->opt_kept, on its thread; may be NULL. */
  void (*opt_leave)(bt_engine *engine, bt_worker *worker);
  /* Fills an item's input, its torsions and atoms. What is wrong with the record is in *reason, whose status
   * is BT_OK otherwise. Fails only when memory is exhausted or with BT_ERR_CANCELLED, and may then be called once more.
   * Any thread, several at once. */
  bt_status (*prepare)(bt_engine *engine, bt_library *library, bt_library_item *from, bt_item *item, bt_error *reason,
                       bt_error *error);
  /* Free what prepare and dock have made. */
  void (*destroy_input)(void *input);
  void (*destroy_output)(void *output);
  bool results; /* the output is a bt_result, whose clusters re-scorers can score */
  /* Fills the row of a docked item: energies and everything else but poses. */
  void (*describe)(const bt_engine *engine, const bt_item *item, bt_store_row *row);
  /* The best poses and their molecule: PDBQT if the engine is `unnamed`, otherwise the poses themselves as
   * SDF records. False when memory is exhausted. */
  bool (*keep)(const bt_engine *engine, const bt_item *item, int most, bt_store_row *row);
  /* Records all settings that results depend on, except the seed. */
  void (*note)(const bt_engine *engine, struct bt_screen_note *note);
} bt_engine_type;

/* NULL: not docked, or by an engine of other results. */
static inline bt_result *bt_item_result(const bt_item *item) {
  return item->engine != NULL && item->engine->results ? item->output : NULL;
}

/* The first member of every engine. */
struct bt_engine {
  const bt_engine_type *type;
  uint64_t *seed;              /* of its settings */
  bool next_allowed;           /* another device may take over from those that have failed */
  bt_progress_fn opt_progress; /* of bt_engine_dock and bt_engine_dock_stream */
  void *opt_progress_user;
};

/* --- what the pipeline offers to engines (pipeline/pipeline.c) --------------------------------------------- */

/* backends are copied. */
bt_status bt_pipeline_add_unit(struct bt_pipeline *pipeline, const char *name, const bt_backend *const *backends,
                               int n_backends, bt_unit **ret_unit, bt_error *opt_error) BT_MUST_USE;
bt_status bt_pipeline_add_worker(struct bt_pipeline *pipeline, bt_unit *unit, int batch, int threads,
                                 bt_error *opt_error) BT_MUST_USE;
/* The item is finished: docked, or status and error say why not. */
void bt_worker_settle(bt_worker *worker, int index, bt_status status, const bt_error *error);
/* The item is too large for this unit. Another device may be able to dock it; otherwise it is finished. */
void bt_worker_return(bt_worker *worker, int index, bt_status status, const bt_error *error);
/* That many items at a time were too many. */
void bt_worker_limit(bt_worker *worker, int batch);
/* Progress of an item. */
void bt_worker_report(bt_worker *worker, int index, double fraction, int64_t evaluations, double best_energy);
/* False: the worker must stop. */
bool bt_worker_goes_on(bt_worker *worker);

/* --- settings of a screen (pipeline/settings.c) ------------------------------------------------------------ */

/* Writes a setting, or compares it with the database's. */
void bt_note_fix(struct bt_screen_note *note, const char *key, const char *value);
/* One that databases of early versions and of plain screens lack; NULL: this screen, too. */
void bt_note_optional(struct bt_screen_note *note, const char *key, const char *opt_value);
/* Records what follows from the other settings, in a new database only. */
void bt_note_new(struct bt_screen_note *note, const char *key, const char *value);
void bt_note_scoring(struct bt_screen_note *note, bt_scoring scoring);
/* The re-scorers of the screen, and what ranks ligands; score: the engine's own. */
void bt_note_rank(struct bt_screen_note *note, const char *score);
void bt_note_real(struct bt_screen_note *note, const char *key, double value);
void bt_note_count(struct bt_screen_note *note, const char *key, int64_t value);
void bt_note_value(struct bt_screen_note *note, const char *key, uint64_t value);
/* Keeps a molecule as PDBQT in a new database. */
void bt_note_keep(struct bt_screen_note *note, const char *key, const bt_molecule *molecule);
/* The hash of a file, 0 without one. */
void bt_note_file(struct bt_screen_note *note, const char *key, const char *opt_path);
/* The hash of a molecule as PDBQT, 0 without one. */
void bt_note_molecule(struct bt_screen_note *note, const char *key, const bt_molecule *opt_molecule);
/* FNV-1a, 64 bits; the first hash is BT_NOTE_HASH. */
#define BT_NOTE_HASH 14695981039346656037u
uint64_t bt_note_hash(uint64_t hash, const void *data, size_t size);

#endif
