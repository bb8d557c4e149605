/* batch.h - what the parts of bt_dock_batch share: the queue of ligands and the state of all of them, behind one lock.
 *
 * A crew is the devices that work on one group of ligands; each crew has a host thread, which takes ligands from the
 * queue, docks them, and puts those back that a failed device left undone.
 */
#ifndef BERTH_ENGINE_AD4_BATCH_H
#define BERTH_ENGINE_AD4_BATCH_H

#include <pthread.h>

#include "engine/ad4/devices.h"
#include "engine/ad4/lga.h"

/* What became of a ligand before it was done, for its warning. */
typedef struct bt_batch_note {
  char text[400];
} bt_batch_note;

typedef struct bt_batch {
  const bt_ligand *const *ligands;
  int count;
  const bt_maps *maps;
  const bt_molecule *const *opt_references;
  const bt_dock_options *options;
  bt_result **results; /* [count] */
  bt_error *errors;    /* [count] */
  bt_device_list devices;

  pthread_mutex_t lock; /* of all that follows, and of the caller's functions */
  pthread_cond_t changed;
  pthread_t caller;
  int *queue;           /* [count] ring of the ligands that wait */
  int queue_first, queued;
  int *left;            /* [count] ligands that need another kind of device */
  int n_left;
  int groups;           /* at work */
  int crews;            /* that still take ligands */
  bool cancelled;
  bool next_allowed;    /* another device may be tried for what is left */
  bt_batch_note *notes; /* [count] */
  double *fractions;    /* [count] */
  int64_t *evaluations; /* [count] */
  double best_energy, last_report;
} bt_batch;

typedef struct bt_crew {
  bt_batch *batch;
  const bt_backend **devices;
  int n_devices;
  int most;         /* ligands of one group that its memory has held; 0: not known to be limited */
  char failed[64];  /* the device that failed last */
  bt_error error;   /* and why */
  pthread_t thread;
  bool started;
} bt_crew;

/* batch.c: bt_dock_batch on these devices, which are borrowed. */
bt_status bt_dock_batch_on(const bt_device_list *devices, const bt_ligand *const *ligands, int count,
                           const bt_maps *maps, const bt_molecule *const *opt_references,
                           const bt_dock_options *options, bt_result **results, bt_error *errors,
                           bt_error *opt_error) BT_MUST_USE;

/* crew.c: ligands that keep these devices busy; at least 1. */
int bt_batch_wanted(const bt_batch *batch, const bt_backend *const *devices, int n_devices);

/* queue.c */

bt_status bt_batch_open(bt_batch *batch, bt_error *opt_error) BT_MUST_USE;
void bt_batch_close(bt_batch *batch);
/* Up to wanted ligands for a crew, a fair share when others wait as well; 0: nothing is left to do. Waits while other
 * crews are at work, for they may give ligands back. */
int bt_batch_take(bt_batch *batch, int wanted, int *indices);
/* The crew's group is over. */
void bt_batch_group_ended(bt_batch *batch);
/* A ligand is done, for good or bad; result is handed over. */
void bt_batch_settle(bt_batch *batch, int index, bt_result *opt_result, bt_status status, const bt_error *error);
/* A ligand was not docked because of the device: it waits again, or (other_device) for another one. */
void bt_batch_return(bt_batch *batch, int index, const bt_error *error, const char *device, bool other_device);
/* Notes how far a group is, and tells the caller from time to time; false: stop. */
bool bt_batch_report(bt_batch *batch, const bt_dock_group *opt_group);

/* crew.c */

/* Docks until the queue is empty or all of the crew's devices have failed. */
void bt_crew_work(bt_crew *crew);

#endif
