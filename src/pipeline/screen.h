/* screen.h - a screen: a pipeline from a library into a database, both of which can be read meanwhile. */
#ifndef BERTH_PIPELINE_SCREEN_H
#define BERTH_PIPELINE_SCREEN_H

#include "pipeline/pipeline.h"

/* Ligands are distributed over shards and processes in chunks of this many neighbors. */
enum { BT_SCREEN_CHUNK = 32 };

typedef struct bt_screen {
  const bt_screen_options *options;
  bt_engine *engine;
  double commit_seconds; /* minimum time between two transactions */

  pthread_mutex_t library_lock; /* of the library and the cursor */
  bt_library *library;
  int64_t position;         /* of the record that the library gives next */
  int64_t chunk, chunk_end; /* ordinals of the current chunk: [chunk, chunk_end) */
  int64_t next_chunk;       /* the next one's number, where this process counts */
  int64_t count;            /* ligands of the library, -1: not known */
  bool library_ended;
  int64_t done[4096]; /* finished earlier, a window */
  int n_done, done_at;
  bool done_all; /* the window is the last one */

  pthread_mutex_t store_lock;
  bt_store *store;
  bt_screen_damage damage; /* of earlier sessions; these ligands are docked again */

  bt_pipeline pipeline; /* whose lock is that of all that follows */
  bt_item *docked; /* [n_docked] for the re-scorers, at most BT_SCREEN_DOCKED; NULL: there are none */
  int n_docked;
  bool docked_all; /* nothing will be added to them */
  bt_store_row *rows, **rows_end; /* for the writer */
  int n_rows;
  bool ended;             /* nothing will be added to the rows */
  int64_t total;          /* of this shard, -1: not known */
  int64_t evaluations;    /* of this session */
  int64_t open_stereo;    /* ligands of this session with undefined stereochemistry */
  bt_store_counts counts; /* committed */
  bt_screen_hit hits[BT_SCREEN_HITS];
  int n_hits;
  double began; /* and measurements of the rate since then */
  double times[64];
  int64_t at[64], earlier;
  int n_measured;
} bt_screen;

/* bt_screen_run with an engine, which is closed, and a given time in seconds between two transactions. */
bt_status bt_screen_run_with(const bt_screen_options *options, bt_engine *engine, double commit_seconds,
                             bt_screen_progress *ret_progress, bt_error *opt_error) BT_MUST_USE;

/* feed.c */

/* Opens the library, and learns how many ligands this process has before it, where that is known. */
bt_status bt_feed_open(bt_screen *screen, bt_error *opt_error) BT_MUST_USE;
/* Cuts a record out under a lock and prepares it. False: there is none, or a reason to stop. */
bool bt_feed_one(void *screen);
/* Counts a library that has to be read for it; a thread. */
void *bt_feed_count_thread(void *screen);
/* Of n ligands, how many are the shard's; contiguous where the library knows how many there are. */
int64_t bt_feed_share(int64_t n, bool known, int shard, int shards);

/* rescore.c: a stage between the workers and the writer, for screens with re-scorers. */

/* Ligands that may wait for it. */
enum { BT_SCREEN_DOCKED = 512 };
/* The end of the pipeline: docked ligands wait to be scored together; others are settled at once. */
void bt_rescore_settle(void *screen, bt_item *item, bt_status status, const bt_error *error);
/* Scores and settles what waits, until nothing can follow; a thread. */
void *bt_rescore_thread(void *screen);

/* commit.c */

/* The end of the pipeline: makes a row of an item. */
void bt_commit_settle(void *screen, bt_item *item, bt_status status, const bt_error *error);
/* The row of a record that cannot be docked. */
void bt_commit_reject(bt_screen *screen, const bt_library_item *from, const bt_error *error);
/* Writes rows, about once a second, until the screen has ended; a thread. */
void *bt_commit_thread(void *screen);

/* settings.c: the settings that define a screen; compared when it is resumed. */
typedef struct bt_screen_note {
  bt_store *store;
  const bt_screen_options *options;
  bool resumed;
  bt_status status;
  bt_error *opt_error;
} bt_screen_note;

bt_status bt_screen_record(bt_screen *screen, bool resumed, bt_error *opt_error) BT_MUST_USE;
/* Records the devices of the screen; warns if it was begun on different ones. The pipeline is open. */
bt_status bt_screen_record_devices(bt_screen *screen, bt_error *opt_error) BT_MUST_USE;
/* The same as bt_screen_record of options->opt_done, whose ligands are done from now on. */
bt_status bt_screen_record_done(bt_screen *screen, bt_error *opt_error) BT_MUST_USE;

#endif
