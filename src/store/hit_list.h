/* hit_list.h - the best n ligands so far: a heap with the worst of them on top. */
#ifndef BERTH_STORE_HIT_LIST_H
#define BERTH_STORE_HIT_LIST_H

#include "base/status.h"

typedef struct bt_hit {
  double energy;
  int64_t ordinal;
} bt_hit;

typedef struct bt_hit_list {
  bt_hit *heap;
  size_t count, capacity;
  int64_t most; /* -1: no limit, and nothing is remembered */
} bt_hit_list;

/* Lower energies are better, of equal ones the lower ordinals, so that the order of arrival does not matter. */
bool bt_hit_list_takes(const bt_hit_list *hits, double energy, int64_t ordinal);
/* Adds a ligand that qualifies; *ret_out is the ordinal of the one it displaces, -1: none. */
bt_status bt_hit_list_add(bt_hit_list *hits, double energy, int64_t ordinal, int64_t *ret_out,
                          bt_error *opt_error) BT_MUST_USE;
/* Energies above this do not qualify; INFINITY while there is room. */
double bt_hit_list_limit(const bt_hit_list *hits);
void bt_hit_list_free(bt_hit_list *hits);

#endif
