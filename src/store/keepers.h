/* keepers.h - which ligands are among the best n so far: a heap whose top is the worst of them. */
#ifndef BERTH_STORE_KEEPERS_H
#define BERTH_STORE_KEEPERS_H

#include "base/status.h"

typedef struct bt_keeper {
  double energy;
  int64_t ordinal;
} bt_keeper;

typedef struct bt_keepers {
  bt_keeper *heap;
  size_t count, capacity;
  int64_t most; /* -1: no limit, and nothing is remembered */
} bt_keepers;

/* Lower energies are better, of equal ones the lower ordinals, so that the order of arrival does not matter. */
bool bt_keepers_want(const bt_keepers *keepers, double energy, int64_t ordinal);
/* Adds one that is wanted; *ret_out is the ordinal that has to leave, -1: none. */
bt_status bt_keepers_add(bt_keepers *keepers, double energy, int64_t ordinal, int64_t *ret_out,
                         bt_error *opt_error) BT_MUST_USE;
/* Energies above this are not wanted; INFINITY while there is room. */
double bt_keepers_limit(const bt_keepers *keepers);
void bt_keepers_free(bt_keepers *keepers);

#endif
