/* feed.h - ligands read ahead by a thread of their own, while others are docked. */
#ifndef BERTH_BENCH_SCREEN_FEED_H
#define BERTH_BENCH_SCREEN_FEED_H

#include <berth/berth.h>
#include <pthread.h>

#include "input/inputs.h"

/* One ligand on its way; position counts from 0 in the order of the files and their models. */
typedef struct bench_item {
  int position;
  bt_molecule *molecule;
  bt_ligand *ligand;
} bench_item;

typedef struct bench_feed {
  const cli_paths *paths; /* borrowed */
  int limit;              /* ligands; 0: all */
  int ahead;              /* ligands that may wait to be taken */
  const char *program;

  pthread_t thread;
  bool started;
  pthread_mutex_t lock; /* of all that follows */
  pthread_cond_t changed;
  bench_item *waiting; /* [count] in order, from first on */
  int first, count, capacity;
  int read, rejected; /* so far; rejected ones have no position */
  double seconds;     /* spent reading and preparing */
  bool ended, stopped;
  bt_status status; /* why the reading ended early */
  bt_error error;
} bench_feed;

/* Starts reading; close it also after a failure. */
bt_status bench_feed_open(bench_feed *feed, bt_error *opt_error) BT_MUST_USE;
/* Exactly wanted ligands, fewer at the end and 0 behind it; they belong to the caller. */
int bench_feed_take(bench_feed *feed, int wanted, bench_item *items);
void bench_item_free(bench_item *item);
/* Nothing more is read or handed out. */
void bench_feed_stop(bench_feed *feed);
void bench_feed_close(bench_feed *feed);

#endif
