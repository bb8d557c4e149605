/* pipeline.h - the path of ligands through an engine: source, queue, workers, sink.
 *
 *   source    puts items into the queue: a library (feed.c), or what a caller gives (caller.c)
 *   queue     bounded; its batches hold ligands of similar size (queue.c)
 *   workers   several per device: take a batch and let the engine dock it (pipeline.c)
 *   sink      receives results: the database (commit.c), or a caller who writes files or keeps them (caller.c)
 *   caller    watches, and makes the pipeline stop (pipeline.c)
 *
 * All workers take from one queue, so each device works at its own rate. A device that fails returns its items and
 * is not used again; the others dock them, or the engine's next device, or the pipeline stops.
 *
 * bt_pipeline_stop records a reason to stop. Results depend only on a ligand's name and the settings, not on the order
 * of processing.
 */
#ifndef BERTH_PIPELINE_PIPELINE_H
#define BERTH_PIPELINE_PIPELINE_H

#include "pipeline/engine.h"

typedef struct bt_queue {
  bt_item *items; /* [capacity] in the order of arrival */
  int count, capacity;
} bt_queue;

/* queue.c; without locks. Room beyond the capacity is only for items that come back. */
bt_status bt_queue_open(bt_queue *queue, int capacity, bt_error *opt_error) BT_MUST_USE;
void bt_queue_close(bt_queue *queue);
bool bt_queue_put(bt_queue *queue, const bt_item *item);
/* Takes up to wanted items: the one that has waited longest and those most similar to it in size. */
int bt_queue_take(bt_queue *queue, int wanted, bt_item *items);
/* The largest first: ligands docked together finish together when the longest begin first. */
void bt_items_sort(bt_item *items, int count);

/* Where items come from and go to; functions are passed `user`. */
typedef struct bt_pipeline_ends {
  void *user;
  /* The next item for the queue; false: none is left, or a reason to stop. Called by as many threads as bt_pipeline_run
   * starts. */
  bool (*feed)(void *user);
  /* Takes the outcome of an item, which is cleared afterwards. Several threads at once. */
  void (*settle)(void *user, bt_item *item, bt_status status, const bt_error *error);
  /* An item is queued again because of this device, which has failed or is too small for it. With the lock. */
  void (*opt_returned)(void *user, bt_item *item, const char *device, bool too_large, const bt_error *error);
  /* With the lock. */
  void (*opt_report)(void *user, bt_item *item, double fraction, int64_t evaluations, double best_energy);
  /* About ten times a second, and at the end; on the caller's thread. */
  void (*watch)(void *user);
} bt_pipeline_ends;

/* What threads wait for, each on its own: at thousands of ligands per second, a row more must not wake all feeders. */
typedef enum bt_pipeline_event {
  BT_EVENT_ITEMS,  /* workers: a batch of items, or that none will come */
  BT_EVENT_ROOM,   /* feeders: room in the queue */
  BT_EVENT_DOCKED, /* re-scorers: a docked ligand */
  BT_EVENT_DOCKED_ROOM,
  BT_EVENT_ROWS, /* the writer: a first row, or enough of them */
  BT_EVENT_ROWS_ROOM,
  BT_EVENTS
} bt_pipeline_event;

typedef struct bt_pipeline {
  bt_engine *engine;
  bt_pipeline_ends ends;
  bt_workload load;
  bool next_allowed;     /* the engine's next device may be tried for what is left */
  bool on_caller_thread; /* one worker and no feeders: the caller works itself */
  bool known;            /* the number of items is, and they are in the queue before the pipeline runs */
  double watched;        /* when `watch` was last called */
  pthread_mutex_t lock;  /* of all that follows */
  pthread_cond_t happened[BT_EVENTS];
  bt_queue queue;
  bt_item *left; /* [n_left] items that need another kind of device */
  int n_left;
  size_t left_capacity;
  int feeders, n_workers_left, docking; /* threads still running; items that workers hold */
  bool pulling;                         /* no feeder threads: a worker feeds */
  double taken;                         /* when a batch was last taken */
  bool finish, stop;                    /* begin nothing new; stop at once */
  bt_status status;                     /* why it has to stop */
  bt_error error;
  bt_unit **units; /* [n_units] */
  int n_units;
  size_t units_capacity;
  bt_worker **workers; /* [n_workers] */
  int n_workers;
  size_t workers_capacity;
} bt_pipeline;

/* Fills the queue where the number of items is known, and makes a plan. Close the pipeline also after a failure. */
bt_status bt_pipeline_open(bt_pipeline *pipeline, bt_engine *engine, const bt_pipeline_ends *ends,
                           const bt_workload *load, bt_error *opt_error) BT_MUST_USE;
void bt_pipeline_close(bt_pipeline *pipeline);
/* Docks everything with this many feeder threads (0: workers fetch items themselves). Returns the reason if it had to
 * stop. */
bt_status bt_pipeline_run(bt_pipeline *pipeline, int feeders, bt_error *opt_error) BT_MUST_USE;
/* Hands an item to the workers without waiting. False: the queue is full. */
bool bt_pipeline_put(bt_pipeline *pipeline, const bt_item *item);
/* Notes the first reason to stop; everything ends soon. */
void bt_pipeline_stop(bt_pipeline *pipeline, bt_status status, const bt_error *error);
/* These with the lock held. All threads wake when the pipeline stops or finishes. */
void bt_pipeline_wait(bt_pipeline *pipeline, bt_pipeline_event event);
/* For at most so many seconds. */
void bt_pipeline_wait_for(bt_pipeline *pipeline, bt_pipeline_event event, double seconds);
/* Wakes one thread that waits for the event, and all of them. */
void bt_pipeline_wake_one(bt_pipeline *pipeline, bt_pipeline_event event);
void bt_pipeline_wake(bt_pipeline *pipeline, bt_pipeline_event event);
/* Whatever they wait for. */
void bt_pipeline_wake_all(bt_pipeline *pipeline);

#endif
