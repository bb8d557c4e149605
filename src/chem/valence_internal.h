/* valence_internal.h - the graph on which valence.c and valence_match.c work. */
#ifndef BERTH_CHEM_VALENCE_INTERNAL_H
#define BERTH_CHEM_VALENCE_INTERNAL_H

#include "base/memory.h"
#include "chem/valence.h"

typedef struct bt_valence_graph {
  bt_valence_atom *atoms;
  bt_valence_bond *bonds;
  int n_atoms, n_bonds;
  int *first, *via; /* bonds of atom i: via[first[i]] ... via[first[i + 1] - 1] */
} bt_valence_graph;

static inline int bt_valence_other(const bt_valence_graph *g, int atom, int k) {
  const bt_valence_bond *bond = &g->bonds[g->via[k]];
  return bond->a == atom ? bond->b : bond->a;
}

static inline int bt_valence_degree(const bt_valence_graph *g, int atom) { return g->first[atom + 1] - g->first[atom]; }

/* Sum of the orders, open ones as single bonds. */
static inline int bt_valence_sum(const bt_valence_graph *g, int atom) {
  int sum = 0;
  for (int k = g->first[atom]; k < g->first[atom + 1]; k++) {
    int order = g->bonds[g->via[k]].order;
    sum += order == BT_ORDER_OPEN ? 1 : order;
  }
  return sum;
}

static inline int bt_valence_open(const bt_valence_graph *g, int atom) {
  int count = 0;
  for (int k = g->first[atom]; k < g->first[atom + 1]; k++) count += g->bonds[g->via[k]].order == BT_ORDER_OPEN;
  return count;
}

static inline int bt_valence_neighbors(const bt_valence_graph *g, int atom, int element) {
  int count = 0;
  for (int k = g->first[atom]; k < g->first[atom + 1]; k++)
    count += g->atoms[bt_valence_other(g, atom, k)].element == element;
  return count;
}

/* valence_match.c: makes the open bonds single and double ones; an atom that is left without its double bond, or takes
 * one more, is charged where the sums of its orders say so later, but for carbon, whose charge is set here. */
bt_status bt_valence_match(bt_valence_graph *g, bt_error *opt_error) BT_MUST_USE;

#endif
