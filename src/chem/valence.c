/* valence.c - bond orders and charges from neighbors and hydrogens.
 *
 *   1. groups whose spelling differs between writers: acids of S, P and halogens, N-oxides and nitro groups, azides
 *   2. trigonal carbons without a double bond: bonds to possible partners become open
 *   3. open bonds (valence_match.c)
 *   4. charges and missing hydrogens from the sums
 */
#include "chem/valence.h"

#include "chem/element.h"
#include "chem/valence_internal.h"

typedef bt_valence_graph graph;

static bool is_chalcogen(int element) { return element == 8 || element == 16 || element == 34; }

static int order_between(const graph *g, int k) { return g->bonds[g->via[k]].order; }

/* An oxygen or sulfur with no other neighbor, nor a hydrogen that is missing in the file. */
static bool is_terminal(const graph *g, int atom, int k) {
  const bt_valence_atom *a = &g->atoms[atom];
  if (!is_chalcogen(a->element) || bt_valence_degree(g, atom) != 1) return false;
  return !a->bare || a->anion || a->keto || order_between(g, k) != 1;
}

/* The terminal atoms of a center; ret_rest: the sum of its other bonds, open ones as 1. */
static int count_terminal(const graph *g, int center, int *ret_rest) {
  int count = 0;
  *ret_rest = 0;
  for (int k = g->first[center]; k < g->first[center + 1]; k++) {
    if (is_terminal(g, bt_valence_other(g, center, k), k))
      count++;
    else
      *ret_rest += order_between(g, k) == BT_ORDER_OPEN ? 1 : order_between(g, k);
  }
  return count;
}

/* How well this terminal atom suits a double bond. */
static int rank_for_double(const graph *g, int atom, int k) {
  const bt_valence_atom *a = &g->atoms[atom];
  return 8 * (order_between(g, k) == 2) + 4 * (int)a->keto + 2 * (a->element == 8) + !a->anion;
}

/* Assigns this many double bonds from a center to terminal atoms, and single bonds to the others. */
static void set_doubles(graph *g, int center, int doubles) {
  for (int k = g->first[center]; k < g->first[center + 1]; k++) {
    int atom = bt_valence_other(g, center, k), better = 0;
    if (!is_terminal(g, atom, k)) continue;
    int rank = rank_for_double(g, atom, k);
    for (int m = g->first[center]; m < g->first[center + 1]; m++) {
      int other = bt_valence_other(g, center, m);
      if (m == k || !is_terminal(g, other, m)) continue;
      int its = rank_for_double(g, other, m);
      better += its > rank || (its == rank && m < k);
    }
    g->atoms[atom].charge = better < doubles ? 2 : 1; /* the order, until all are ranked */
  }
  for (int k = g->first[center]; k < g->first[center + 1]; k++) {
    bt_valence_atom *atom = &g->atoms[bt_valence_other(g, center, k)];
    if (!is_terminal(g, bt_valence_other(g, center, k), k)) continue;
    int order = atom->charge;
    atom->charge = 0;
    atom->anion = order == 1; /* also where hydrogens are missing */
    atom->keto = order == 2;
    g->bonds[g->via[k]].order = order;
  }
}

static int clamp(int value, int low, int high) { return value < low ? low : value > high ? high : value; }

/* Oxyacids and oxides: the valence that a center reaches by double bonds to terminal atoms; 0: no such center. */
static int acid_valence(const graph *g, int center, int terminal, int rest) {
  int neighbors = bt_valence_degree(g, center);
  switch (g->atoms[center].element) {
    case 6: return neighbors == 3 && terminal >= 2 && bt_valence_sum(g, center) > 4 ? 4 : 0; /* C(=O)=O */
    case 15:
    case 33: return neighbors == 3 && terminal == 1 && rest == 2 ? 0 : 5;
    case 16:
    case 34:
      if (neighbors == 4) return 6;
      if (neighbors == 3) return terminal + rest > 4 || (terminal > 1 && rest > 1) || terminal == 3 ? 6 : 4;
      return terminal + rest > 2 || terminal == 2 ? 4 : 2;
    case 17:
    case 35:
    case 53: return 2 * neighbors - 1;
    default: return 0;
  }
}

static void set_acid(graph *g, int center) {
  int rest, terminal = count_terminal(g, center, &rest);
  int valence = terminal > 0 ? acid_valence(g, center, terminal, rest) : 0;
  if (valence > 0) set_doubles(g, center, clamp(valence - rest - terminal, 0, terminal));
}

/* Nitro and nitroso groups, N-oxides, nitrones, nitrates: one double bond where the nitrogen has none otherwise. */
static void set_n_oxide(graph *g, int center) {
  int rest, terminal = count_terminal(g, center, &rest), neighbors = bt_valence_degree(g, center);
  if (g->atoms[center].element != 7 || terminal == 0) return;
  if (terminal >= 2 && neighbors <= 3)
    set_doubles(g, center, clamp(4 - rest - terminal, 0, 1));
  else if (neighbors == 4 || rest >= 3 || (neighbors == 3 && bt_valence_open(g, center) > 1))
    set_doubles(g, center, 0);
  else if (neighbors == 2 && rest == 1)
    set_doubles(g, center, 1);
}

/* N=[N+]=[N-] and C=[N+]=[N-], also where one of the bonds is written as triple; R-N#C as an isonitrile. */
static void set_linear(graph *g, int center) {
  if (g->atoms[center].element != 7 || bt_valence_degree(g, center) != 2) return;
  int k = g->first[center], end = k, inner = k + 1;
  int first = bt_valence_other(g, center, end);
  bool both = bt_valence_degree(g, bt_valence_other(g, center, inner)) == 1;
  if (bt_valence_degree(g, first) != 1 || (both && g->atoms[first].element != 7)) end = k + 1, inner = k;
  int last = bt_valence_other(g, center, end), next = bt_valence_other(g, center, inner);
  if (bt_valence_degree(g, last) != 1) return;
  bt_valence_bond *outer = &g->bonds[g->via[end]], *other = &g->bonds[g->via[inner]];
  if (g->atoms[last].element == 6 && !g->atoms[last].bare && outer->order == 2 && other->order == 1) outer->order = 3;
  if (g->atoms[last].element != 7) return;
  int sum = bt_valence_sum(g, next);
  bool lacks = g->atoms[next].element == 7 ? sum < 3 : g->atoms[next].element == 6 && sum == 3;
  if (other->order == 2 || (outer->order == 3 && other->order == 1 && lacks && bt_valence_open(g, next) == 0) ||
      (outer->order == BT_ORDER_OPEN && other->order == BT_ORDER_OPEN))
    outer->order = other->order = 2;
  g->atoms[last].anion = outer->order == 2 && other->order == 2;
}

/* ----------------------------------------------------------------------------------------------- trigonal carbons --
 */

static bool is_unsaturated(const graph *g, int atom) {
  const bt_valence_atom *a = &g->atoms[atom];
  return a->element == 6 && (!a->bare || a->cation) && bt_valence_degree(g, atom) == 3 &&
         bt_valence_sum(g, atom) == 3 && bt_valence_open(g, atom) == 0;
}

/* May it share a double bond with a carbon that lacks one? */
static bool may_be_partner(const graph *g, int atom, int k) {
  const bt_valence_atom *a = &g->atoms[atom];
  if (is_chalcogen(a->element)) return is_terminal(g, atom, k);
  if (a->element == 7) return bt_valence_degree(g, atom) <= 3 && bt_valence_sum(g, atom) == bt_valence_degree(g, atom);
  return is_unsaturated(g, atom);
}

/* wanted[n_bonds]: all are found before any changes. */
static void open_bonds(graph *g, bool *wanted) {
  for (int i = 0; i < g->n_atoms; i++) {
    if (!is_unsaturated(g, i)) continue;
    for (int k = g->first[i]; k < g->first[i + 1]; k++)
      if (may_be_partner(g, bt_valence_other(g, i, k), k)) wanted[g->via[k]] = true;
  }
  for (int i = 0; i < g->n_bonds; i++)
    if (wanted[i]) g->bonds[i].order = BT_ORDER_OPEN;
}

/* ------------------------------------------------------------------------------------------- charges, hydrogens -- */

/* Charge of a single atom without bonds. */
static int ion_charge(int element) {
  switch (element) {
    case 9:
    case 17:
    case 35:
    case 53: return -1;
    case 3:
    case 11:
    case 19:
    case 37:
    case 55: return 1;
    case 12:
    case 20:
    case 30:
    case 38:
    case 56: return 2;
    default: return 0;
  }
}

/* Fills up to valence with hydrogens, or a charge where hydrogens are in the file. */
static bool fill(bt_valence_atom *a, int sum, int valence, bool hydrogens) {
  if (hydrogens)
    a->hydrogens = valence - sum;
  else
    a->charge = sum - valence;
  return a->charge >= -1;
}

static bool settle_carbon(const graph *g, int atom, int sum) {
  bt_valence_atom *a = &g->atoms[atom];
  if (a->charge != 0) return sum == 3; /* a cation or anion of a ring */
  int k = g->first[atom];
  if (sum == 3 && bt_valence_degree(g, atom) == 1 && order_between(g, k) == 3) { /* an isonitrile, carbon monoxide */
    int next = bt_valence_other(g, atom, k);
    bool dative = g->atoms[next].element == 7 ? bt_valence_degree(g, next) == 2 : g->atoms[next].element == 8;
    if (dative) a->charge = -1;
    if (dative) return true;
  }
  if (sum > 4 || (sum == 3 && !a->bare && bt_valence_degree(g, atom) == 3)) return false; /* a cation or a radical */
  return fill(a, sum, 4, true);
}

static bool settle_nitrogen(bt_valence_atom *a, int sum) {
  if (sum > 4) return false;
  if (sum == 4) a->charge = 1;
  if (sum >= 4) return true;
  if (a->cation && a->bare) {
    a->charge = 1;
    a->hydrogens = 4 - sum;
    return true;
  }
  return fill(a, sum, 3, a->bare && !a->anion);
}

/* False: no valence of its element. */
static bool settle(const graph *g, int atom) {
  bt_valence_atom *a = &g->atoms[atom];
  int sum = bt_valence_sum(g, atom);
  if (sum == 0 && (a->charge = ion_charge(a->element)) != 0) return true;
  switch (a->element) {
    case 1: return sum == 1;
    case 5: a->charge = sum == 4 ? -1 : 0; return sum <= 4 && (sum >= 3 || fill(a, sum, 3, true));
    case 6: return settle_carbon(g, atom, sum);
    case 7: return settle_nitrogen(a, sum);
    case 8:
      if (sum > 3) return false;
      if (sum == 3) a->charge = 1;
      return sum == 3 || fill(a, sum, 2, a->bare && !a->anion);
    case 14: return sum > 4 || fill(a, sum, 4, true);
    case 15:
      if (sum == 4 && bt_valence_degree(g, atom) == 3) return fill(a, sum, 5, true);
      if (sum == 4) a->charge = 1;
      if (sum == 6) a->charge = -1;
      return sum <= 6 && (sum >= 3 || fill(a, sum, 3, a->bare));
    case 16:
    case 34:
      if (sum == 3 || sum == 5) a->charge = 1;
      return sum <= 6 && (sum >= 2 || fill(a, sum, 2, a->bare && !a->anion));
    case 9: return sum <= 1;
    case 17:
    case 35:
    case 53:
      if (sum == 2 || sum == 4) a->charge = 1;
      return sum <= 7;
    default: return true;
  }
}

/* ------------------------------------------------------------------------------------------- missing hydrogens -- */

/* A nitrogen of an aromatic ring with no hydrogen in the file. */
static bool may_have_hydrogen(const graph *g, int atom) {
  const bt_valence_atom *a = &g->atoms[atom];
  return a->element == 7 && a->bare && !a->cation && bt_valence_degree(g, atom) == 2;
}

/* Beside a ring's C=O it has a hydrogen as often as not. */
static bool is_beside_carbonyl(const graph *g, int atom, const bool *was_open) {
  for (int k = g->first[atom]; k < g->first[atom + 1]; k++) {
    int next = bt_valence_other(g, atom, k);
    if (!was_open[g->via[k]] || g->atoms[next].element != 6) continue;
    for (int m = g->first[next]; m < g->first[next + 1]; m++)
      if (!was_open[g->via[m]] && order_between(g, m) == 2) return true;
  }
  return false;
}

/* Is there another nitrogen in the aromatic system that might as well have the hydrogen, or a charge in its place?
 * reached, stack: [n_atoms] */
static bool has_rival(const graph *g, int atom, const bool *was_open, bool *reached, int *stack) {
  int count = 0;
  for (int i = 0; i < g->n_atoms; i++) reached[i] = false;
  stack[count++] = atom;
  reached[atom] = true;
  while (count > 0) {
    int i = stack[--count];
    if (i != atom && g->atoms[i].element == 7 && g->atoms[i].bare) return true;
    for (int k = g->first[i]; k < g->first[i + 1]; k++) {
      int next = bt_valence_other(g, i, k);
      if (!was_open[g->via[k]] || reached[next]) continue;
      reached[next] = true;
      stack[count++] = next;
    }
  }
  return false;
}

static bt_status find_unclear(const graph *g, const bool *was_open, int *ret_unclear, bt_error *opt_error) {
  BT_SCOPED bool *reached = bt_allocate((size_t)g->n_atoms, sizeof *reached);
  BT_SCOPED int *stack = bt_allocate((size_t)g->n_atoms, sizeof *stack);
  if (reached == NULL || stack == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < g->n_atoms && *ret_unclear < 0; i++) {
    const bt_valence_atom *a = &g->atoms[i];
    if (!may_have_hydrogen(g, i) || !was_open[g->via[g->first[i]]] || !was_open[g->via[g->first[i] + 1]]) continue;
    bool unclear = a->hydrogens > 0 ? !a->pyrrole && has_rival(g, i, was_open, reached, stack)
                                    : is_beside_carbonyl(g, i, was_open);
    if (unclear) *ret_unclear = i;
  }
  return BT_OK;
}

static bt_status link_bonds(graph *g, bt_arena *arena, bt_error *opt_error) {
  BT_NEW(arena, g->first, g->n_atoms + 2);
  BT_NEW(arena, g->via, 2 * (size_t)g->n_bonds);
  BT_TRY(bt_arena_status(arena, opt_error));
  for (int i = 0; i < g->n_bonds; i++) {
    g->first[g->bonds[i].a + 2]++;
    g->first[g->bonds[i].b + 2]++;
  }
  for (int i = 0; i < g->n_atoms; i++) g->first[i + 2] += g->first[i + 1];
  for (int i = 0; i < g->n_bonds; i++) {
    g->via[g->first[g->bonds[i].a + 1]++] = i;
    g->via[g->first[g->bonds[i].b + 1]++] = i;
  }
  return BT_OK;
}

bt_status bt_valence_find(bt_valence_atom *atoms, int n_atoms, bt_valence_bond *bonds, int n_bonds, int *ret_wrong,
                          int *ret_unclear, bt_error *opt_error) {
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  graph g = {.atoms = atoms, .bonds = bonds, .n_atoms = n_atoms, .n_bonds = n_bonds};
  bool *wanted;
  *ret_wrong = *ret_unclear = -1;
  BT_NEW(&arena, wanted, n_bonds);
  BT_TRY(link_bonds(&g, &arena, opt_error));
  for (int i = 0; i < n_atoms; i++) atoms[i].charge = atoms[i].hydrogens = 0;
  for (int i = 0; i < n_atoms; i++) {
    set_acid(&g, i);
    set_n_oxide(&g, i);
    set_linear(&g, i);
  }
  open_bonds(&g, wanted);
  for (int i = 0; i < n_bonds; i++) wanted[i] = bonds[i].order == BT_ORDER_OPEN;
  BT_TRY(bt_valence_match(&g, opt_error));
  for (int i = 0; i < n_atoms && *ret_wrong < 0; i++)
    if (!settle(&g, i)) *ret_wrong = i;
  return find_unclear(&g, wanted, ret_unclear, opt_error);
}
