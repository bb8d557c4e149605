/* share.h - the conformers of a compound on the devices of a bt_bude: each takes as many as it can finish by the end.
 */
#ifndef BERTH_ENGINE_BUDE_SHARE_H
#define BERTH_ENGINE_BUDE_SHARE_H

#include <berth/bude.h>

#include "engine/bude/search.h"

/* One of them. */
typedef struct bt_bude_unit {
  bt_bude_engine *engine;
  int batch;          /* conformers at once that fit, as far as is known */
  int turns;          /* how often it has taken some */
  double rate;        /* conformers per second, of its last turn */
  double doing;       /* conformers of its present turn that are done, in parts */
  bool working;       /* takes more of the present compound */
  int64_t conformers; /* of all compounds */
  double parts[2];    /* seconds of energies, of the search's other kernels; with options.timed */
} bt_bude_unit;

/* Searches of one compound. */
typedef struct bt_bude_work {
  bt_bude_search_options search;
  bt_bude_atom *atoms; /* of all conformers */
  size_t *first;       /* [total + 1] */
  uint32_t *ids;
  bt_bude_found *found; /* [total][parents] */
  int *counts;
  int total; /* conformers */
} bt_bude_work;

/* Those that options.opt_device names, with commas between. */
bt_status bt_bude_units_open(bt_bude *bude, bt_error *opt_error) BT_MUST_USE;
void bt_bude_units_close(bt_bude *bude);
/* All conformers; results do not depend on which device takes which, except for rounding. */
bt_status bt_bude_units_search(bt_bude *bude, const bt_bude_work *work, bt_error *opt_error) BT_MUST_USE;

#endif
