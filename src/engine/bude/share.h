/* share.h - the conformers of compounds on the devices of a bt_bude: who takes which says schedule.h.
 *
 * Compounds wait in a line. A thread per device takes conformers of the first one that has some left, so that a device
 * which finds nothing more to do in a compound goes on with the next. One device alone that is a CPU is served by
 * the thread that waits for the compound.
 */
#ifndef BERTH_ENGINE_BUDE_SHARE_H
#define BERTH_ENGINE_BUDE_SHARE_H

#include <berth/bude.h>
#include <pthread.h>

#include "base/memory.h"
#include "engine/bude/schedule.h"
#include "engine/bude/search.h"

/* A device. */
typedef struct bt_bude_unit {
  bt_bude *bude;
  const bt_backend *backend;
  bt_bude_engine *engine;
  pthread_t thread;
  bt_bude_pace *pace; /* one of the sharing's */
  int batch;          /* conformers at once that fit, as far as is known */
  int n_near;         /* atoms of the receptor that it has */
  int64_t conformers; /* of all compounds */
  double parts[2];    /* seconds of energies, of the search's other kernels; with options.timed */
} bt_bude_unit;

/* Searches of one compound. */
typedef struct bt_bude_work {
  const bt_bude_compound *of;
  bt_bude_search_options search;
  bt_bude_atom *atoms; /* of all conformers */
  size_t *first;       /* [total + 1] */
  uint32_t *ids;
  bt_bude_found *found; /* [total][parents] */
  int *counts;
  int total;       /* conformers */
  int n_near;      /* atoms of the receptor */
  bt_arena arena;  /* of all arrays */
  int taken, done; /* conformers; these and all below are changed under the lock */
  int busy;        /* devices at work on it */
  bool awaited;
  double doing;     /* conformers that are being searched, in parts */
  bt_status status; /* of the first device that failed */
  bt_error error;
  struct bt_bude_work *next; /* in line */
} bt_bude_work;

typedef struct bt_bude_sharing {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bt_bude_work *first; /* of the line */
  bt_bude_pace *paces; /* [devices] */
  bool started, cancelled, closing;
  int threads;           /* devices that have theirs: the first ones */
  int busy;              /* devices at work */
  double since, seconds; /* when the first of them began; time before that with any at work */
} bt_bude_sharing;

/* Those that options.opt_device names, with commas between. */
bt_status bt_bude_units_open(bt_bude *bude, bt_error *opt_error) BT_MUST_USE;
/* Stops and forgets all work. */
void bt_bude_units_close(bt_bude *bude);
/* Is there a device that can go on while the caller does something else? */
bool bt_bude_units_go_on(const bt_bude *bude);

/* Several threads may call these, each with its own work. Puts the work, allocated by bt_allocate, at the end of the
 * line and takes it over; radius: of its largest conformer, Angstrom. */
void bt_bude_units_begin(bt_bude *bude, double radius, bt_bude_work *work);
/* The work in line that is of this compound; NULL: none. */
bt_bude_work *bt_bude_units_find(const bt_bude *bude, const bt_bude_compound *compound);
/* Waits for all conformers of a work in line and takes it out; results do not depend on which device takes which,
 * except for rounding. After BT_ERR_CANCELLED no work is left for which nobody waits. The work is the caller's, also
 * after a failure. */
bt_status bt_bude_units_finish(bt_bude *bude, bt_bude_work *work, bt_error *opt_error) BT_MUST_USE;
void bt_bude_work_destroy(bt_bude_work *opt_work);

#endif
