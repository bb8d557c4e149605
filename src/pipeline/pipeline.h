/* pipeline.h - what the parts of a screen share: ligands on their way from the library to the database.
 *
 *   feeders   cut records out of the library and prepare them        feed.c
 *   queue     holds so many prepared ligands and no more             queue.c
 *   workers   several per device: take a batch, dock it              workers.c
 *   writer    commits what was docked, about once a second           commit.c
 *   caller    looks on and tells of the progress                     screen.c
 *
 * What differs between the engines stands in a bt_screen_engine: autodock.c, bude.c. All else is shared.
 *
 * Any part that finds a reason to stop notes it with bt_pipeline_stop. What a ligand gets depends on its name and the
 * settings alone, so the order in which all this happens does not matter.
 */
#ifndef BERTH_PIPELINE_PIPELINE_H
#define BERTH_PIPELINE_PIPELINE_H

#include <berth/bude.h>
#include <berth/screen.h>
#include <pthread.h>

#include "library/library.h"
#include "store/store.h"
#include "engine/ad4/devices.h"

/* Ligands are shared out between shards and processes in chunks of so many neighbours. */
enum { BT_SCREEN_CHUNK = 32 };

/* A ligand that waits to be docked. */
typedef struct bt_screen_item {
  int64_t ordinal;
  char *name, *source;
  bt_molecule *molecule; /* and ligand: of AutoDock's scoring */
  bt_ligand *ligand;
  bt_bude_compound *compound; /* of the BUDE engine */
  int torsions, atoms;
  int failures; /* devices that failed under it */
} bt_screen_item;

void bt_screen_item_clear(bt_screen_item *item);

typedef struct bt_screen_queue {
  bt_screen_item *items; /* [capacity] in the order of arrival */
  int count, capacity;
} bt_screen_queue;

/* queue.c; without locks. Room beyond the capacity is only for ligands that come back. */
bt_status bt_screen_queue_open(bt_screen_queue *queue, int capacity, bt_error *opt_error) BT_MUST_USE;
void bt_screen_queue_close(bt_screen_queue *queue);
bool bt_screen_queue_put(bt_screen_queue *queue, const bt_screen_item *item);
/* Takes up to wanted items: the one that has waited longest and those most like it in size. */
int bt_screen_queue_take(bt_screen_queue *queue, int wanted, bt_screen_item *items);

typedef bt_status (*bt_screen_dock_fn)(const bt_device_list *devices, const bt_ligand *const *ligands, int count,
                                       const bt_maps *maps, const bt_molecule *const *opt_references,
                                       const bt_dock_options *options, bt_result **results, bt_error *errors,
                                       bt_error *opt_error);

struct bt_pipeline;
struct bt_screen_worker;
struct bt_screen_note;

/* What differs between engines. */
typedef struct bt_screen_engine {
  /* Chooses devices and makes their workers, by bt_worker_open. */
  bt_status (*open)(struct bt_pipeline *pipeline, bt_error *opt_error);
  void (*close)(struct bt_pipeline *pipeline);
  /* Fills what an item is docked by, its torsions and atoms. What is wrong with the record is in *reason, whose status
   * is BT_OK otherwise. Fails only when memory is exhausted. Any thread, several at once. */
  bt_status (*prepare)(struct bt_pipeline *pipeline, bt_library_item *from, bt_screen_item *item, bt_error *reason,
                       bt_error *error);
  /* Docks the worker's items and settles each by bt_worker_settle; what is not settled was not docked. */
  bt_status (*dock)(struct bt_screen_worker *worker, int count, bt_error *error);
  /* Notes all settings that the results depend on, but those of the library and its shares. */
  void (*fix)(const struct bt_pipeline *pipeline, struct bt_screen_note *note);
} bt_screen_engine;

extern const bt_screen_engine bt_screen_autodock, bt_screen_bude;

typedef struct bt_screen_worker {
  struct bt_pipeline *pipeline;
  int device;  /* index into the pipeline's devices */
  int batch;   /* ligands at a time */
  int threads; /* of the host */
  pthread_t thread;
  bool started, ended;
  bt_screen_item *items; /* [batch] at work; cleared when settled */
  const bt_ligand **ligands;
  bt_result **results;
  bt_error *errors;
  bool *settled;
} bt_screen_worker;

/* A device and what it did; several workers may share one. */
typedef struct bt_screen_unit {
  char name[64];
  bt_device_list list; /* that device alone; its workers take turns on it */
  bool accelerator, failed;
  int workers, working;
  int64_t docked;
  double busy, since; /* seconds in which it was docking; since when it is */
} bt_screen_unit;

typedef struct bt_pipeline {
  const bt_screen_options *options;
  const bt_screen_engine *engine;
  struct bt_screen_bude_state *bude; /* of that engine */
  bt_dock_options search;            /* with the seed */
  bt_screen_dock_fn dock;            /* bt_dock_batch_on; tests put something else here */
  double commit_seconds;             /* between two transactions, at least */

  pthread_mutex_t library_lock; /* of the library and the cursor */
  bt_library *library;
  int64_t position;         /* of the record that the library gives next */
  int64_t chunk, chunk_end; /* ordinals of the chunk at work: [chunk, chunk_end) */
  int64_t next_chunk;       /* its successor's number, where this process counts */
  int64_t count;            /* ligands of the library, -1: not known */
  bool library_ended;
  int64_t done[4096]; /* finished earlier, a window */
  int n_done, done_at;
  bool done_all; /* the window is the last one */

  pthread_mutex_t store_lock;
  bt_store *store;

  pthread_mutex_t lock; /* of all that follows */
  pthread_cond_t changed;
  bt_screen_queue queue;
  int feeders, n_workers_left, docking; /* threads that go on; ligands in the hands of workers */
  bool finish, stop;                    /* wishes */
  bt_status status;                     /* why it has to stop */
  bt_error error;
  bt_store_row *rows, **rows_end; /* for the writer */
  int n_rows;
  bool writer_ended;
  int64_t total;          /* of this shard, -1: not known */
  int64_t evaluations;    /* of this session */
  bt_store_counts counts; /* committed */
  bt_screen_hit hits[BT_SCREEN_HITS];
  int n_hits;
  bt_screen_unit units[BT_SCREEN_DEVICES];
  int n_units;
  bt_screen_worker *workers;
  int n_workers;
} bt_pipeline;

/* Notes the first reason to stop; everything ends soon. */
void bt_pipeline_stop(bt_pipeline *pipeline, bt_status status, const bt_error *error);
double bt_pipeline_seconds(void); /* monotonic */

/* feed.c */

/* Opens the library, and learns how many ligands this process has before it, where that is known. */
bt_status bt_feed_open(bt_pipeline *pipeline, bt_error *opt_error) BT_MUST_USE;
void *bt_feed_thread(void *pipeline);
/* Counts a library that has to be read for it. */
void *bt_feed_count_thread(void *pipeline);
/* Of n ligands, how many are the shard's; contiguous where the library knows how many there are. */
int64_t bt_feed_share(int64_t n, bool known, int shard, int shards);

/* workers.c */

/* AutoDock's scoring: chooses devices and makes their workers. */
bt_status bt_workers_open(bt_pipeline *pipeline, bt_error *opt_error) BT_MUST_USE;
/* The next worker, of the unit `device`; pipeline->workers has room for it. */
bt_status bt_worker_open(bt_pipeline *pipeline, int device, int batch, int threads, bt_error *opt_error) BT_MUST_USE;
void bt_workers_close(bt_pipeline *pipeline);
void *bt_worker_thread(void *worker);
/* Item `index` of the worker has come to its end: row says how. False: the worker is to stop. */
bool bt_worker_settle(bt_screen_worker *worker, int index, bt_store_row *row);
/* False: the worker is to stop. */
bool bt_worker_goes_on(bt_screen_worker *worker);
/* "rejected" when it is the ligand, so that it has no place in this screen; "failed": its docking went wrong. */
const char *bt_worker_state_of(bt_status status);

/* commit.c */

/* The row of a result; poses and molecule only where they may be kept. */
bt_store_row *bt_row_of_result(const bt_pipeline *pipeline, const bt_screen_item *item, const bt_result *result);
bt_store_row *bt_row_of_error(int64_t ordinal, const char *name, const char *source, const char *state,
                              const bt_error *error);
/* Hands a row to the writer, waiting while it has too many; NULL stands for exhausted memory. Tells of rejects. */
void bt_pipeline_write(bt_pipeline *pipeline, bt_store_row *row);
void *bt_write_thread(void *pipeline);

/* settings.c: what a screen is; compared when it is resumed. */
typedef struct bt_screen_note {
  bt_store *store;
  bool resumed;
  bt_status status;
  bt_error *opt_error;
} bt_screen_note;

/* Writes a setting, or compares it with the database's. */
void bt_note_fix(bt_screen_note *note, const char *key, const char *value);
void bt_note_real(bt_screen_note *note, const char *key, double value);
void bt_note_count(bt_screen_note *note, const char *key, int64_t value);
void bt_note_value(bt_screen_note *note, const char *key, uint64_t value);
/* FNV-1a, 64 bits; the first hash is BT_NOTE_HASH. */
#define BT_NOTE_HASH 14695981039346656037u
uint64_t bt_note_hash(uint64_t hash, const void *data, size_t size);
bt_status bt_screen_record(bt_pipeline *pipeline, bool resumed, bt_error *opt_error) BT_MUST_USE;
/* The same of options->opt_done, whose ligands are done from now on. */
bt_status bt_screen_record_done(bt_pipeline *pipeline, bt_error *opt_error) BT_MUST_USE;

#endif
