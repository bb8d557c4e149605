/* valence_match.c - decides which open bonds are single and which double.
 *
 * Atoms that need a double bond are paired along open bonds: a maximum matching (Edmonds 1965, "Paths, trees, and
 * flowers"). From an atom left unpaired, the same search reaches every atom that could be left unpaired instead, and
 * every atom that could be its partner if it took a charge; the cheapest of these changes is made.
 */
#include "chem/valence_internal.h"

enum { NONE = -1, NEVER = 1000000, MOST_WORK = 300000000 /* about a second; fullerenes need some ten thousand */ };

typedef struct search {
  bt_valence_graph *g;
  bool *pairs;                /* the atom takes part */
  int *partner;               /* NONE: alone */
  int *parent, *base, *queue; /* of the tree of alternating paths */
  bool *outer, *blossom, *seen;
  int n_queue;
  int *mark, marks; /* for the common base of two paths */
  long work;
} search;

/* -------------------------------------------------------------------------------------------------- roles -- */

static bool needs_partner(const bt_valence_graph *g, int atom) {
  const bt_valence_atom *a = &g->atoms[atom];
  int sum = bt_valence_sum(g, atom);
  if (bt_valence_open(g, atom) == 0) return false;
  switch (a->element) {
    case 6:
    case 14: return sum < 4;
    case 7: return sum < 3 || (sum == 3 && a->cation);
    case 8: return sum < 2;
    case 16:
    case 34: return sum < 2;
    case 5:
    case 15: return sum < 3;
    default: return false;
  }
}

/* The cost of leaving an atom unpaired that needs a partner. */
static int cost_of_solitude(const bt_valence_graph *g, int atom) {
  const bt_valence_atom *a = &g->atoms[atom];
  switch (a->element) {
    case 8:
    case 16:
    case 34: return a->keto ? 8 : a->element == 8 ? 2 : 1; /* an anion, or a hydroxyl where hydrogens are missing */
    case 7:
      if (a->cation) return NEVER;
      if (a->bare) return a->pyrrole ? 1 : 3;
      return 10 + bt_valence_neighbors(g, atom, 6); /* of a tetrazolate's nitrogens not the one beside carbon */
    case 6: return 40;
    default: return 30;
  }
}

/* The cost of pairing an atom that needs no partner. */
static int cost_of_partner(const bt_valence_graph *g, int atom) {
  const bt_valence_atom *a = &g->atoms[atom];
  int sum = bt_valence_sum(g, atom), hydrogens = bt_valence_neighbors(g, atom, 1);
  switch (a->element) {
    case 7: /* in a ring the one without hydrogens, in an amidinium or guanidinium the one with most */
      if (sum != 3) return NEVER;
      for (int k = g->first[atom]; k < g->first[atom + 1]; k++) { /* an N-oxide */
        const bt_valence_atom *end = &g->atoms[bt_valence_other(g, atom, k)];
        if (end->element == 8 && end->anion) return 1;
      }
      return bt_valence_open(g, atom) > 1 ? 4 + hydrogens : 7 - hydrogens;
    case 16:
    case 34: return sum == 2 ? 20 : NEVER;
    case 8: return sum == 2 ? 22 : NEVER;
    case 15: return sum == 3 ? 24 : sum == 4 ? 0 : NEVER;
    default: return NEVER;
  }
}

/* ------------------------------------------------------------------------------------------------- search -- */

static int common_base(search *s, int a, int b) {
  s->marks++;
  for (;;) {
    a = s->base[a];
    s->mark[a] = s->marks;
    if (s->partner[a] == NONE) break;
    a = s->parent[s->partner[a]];
  }
  for (;;) {
    b = s->base[b];
    if (s->mark[b] == s->marks) return b;
    b = s->parent[s->partner[b]];
  }
}

static void mark_path(search *s, int atom, int base, int child) {
  while (s->base[atom] != base) {
    s->blossom[s->base[atom]] = s->blossom[s->base[s->partner[atom]]] = true;
    s->parent[atom] = child;
    child = s->partner[atom];
    atom = s->parent[s->partner[atom]];
  }
}

static void contract(search *s, int a, int b) {
  int base = common_base(s, a, b);
  for (int i = 0; i < s->g->n_atoms; i++) s->blossom[i] = false;
  mark_path(s, a, base, b);
  mark_path(s, b, base, a);
  s->work += 2L * s->g->n_atoms;
  for (int i = 0; i < s->g->n_atoms; i++) {
    if (!s->blossom[s->base[i]]) continue;
    s->base[i] = base;
    if (!s->outer[i]) s->outer[i] = true, s->queue[s->n_queue++] = i;
  }
}

/* Pairs anew along the path that ends in atom, which gains a partner. */
static void pair_up(search *s, int atom) {
  while (atom != NONE) {
    int before = s->parent[atom], next = s->partner[before];
    s->partner[atom] = before;
    s->partner[before] = atom;
    atom = next;
  }
}

static void start(search *s, int root) {
  for (int i = 0; i < s->g->n_atoms; i++) {
    s->parent[i] = NONE;
    s->base[i] = i;
    s->outer[i] = s->seen[i] = false;
  }
  s->n_queue = 0;
  s->work += s->g->n_atoms;
  s->outer[root] = true;
  s->queue[s->n_queue++] = root;
}

/* Grows the tree from root. Returns another unpaired atom, or NONE; then parent is set for the atoms that could be
 * added. */
static int grow(search *s, int root) {
  const bt_valence_graph *g = s->g;
  start(s, root);
  for (int at = 0; at < s->n_queue; at++) {
    int a = s->queue[at];
    for (int k = g->first[a]; k < g->first[a + 1]; k++) {
      int b = bt_valence_other(g, a, k);
      if (g->bonds[g->via[k]].order != BT_ORDER_OPEN) continue;
      if (!s->pairs[b]) {
        if (!s->seen[b]) s->seen[b] = true, s->parent[b] = a;
        continue;
      }
      if (s->base[a] == s->base[b] || s->partner[a] == b) continue;
      if (b == root || (s->partner[b] != NONE && s->parent[s->partner[b]] != NONE)) {
        contract(s, a, b);
      } else if (s->parent[b] == NONE) {
        s->parent[b] = a;
        if (s->partner[b] == NONE) return b;
        s->outer[s->partner[b]] = true;
        s->queue[s->n_queue++] = s->partner[b];
      }
    }
  }
  return NONE;
}

/* Charge of a carbon that has neither a partner nor a fourth bond: of a ring of seven it is positive. */
static void leave_alone(search *s, int atom) {
  bt_valence_atom *a = &s->g->atoms[atom];
  s->pairs[atom] = false;
  if (a->element != 6) return;
  int reached = 0;
  for (int i = 0; i < s->g->n_atoms; i++) reached += s->outer[i];
  a->charge = reached == 7 ? 1 : -1;
}

/* The cheapest change after which root is not left unpaired needlessly. */
static void give_in(search *s, int root) {
  const bt_valence_graph *g = s->g;
  int best = NEVER, chosen = root;
  bool added = false;
  for (int i = 0; i < g->n_atoms; i++) {
    if (s->outer[i]) {
      int cost = cost_of_solitude(g, i);
      if (cost < best) best = cost, chosen = i, added = false;
    } else if (s->seen[i]) {
      int cost = cost_of_partner(g, i);
      if (cost < best) best = cost, chosen = i, added = true;
    }
  }
  if (added) {
    s->pairs[chosen] = true;
    pair_up(s, chosen);
    return;
  }
  int last = s->partner[chosen];
  s->partner[chosen] = NONE;
  if (last != NONE && chosen != root) pair_up(s, last);
  leave_alone(s, chosen);
}

static bt_status make(bt_valence_graph *g, search *s, bt_arena *arena, bt_error *opt_error) {
  size_t n = (size_t)g->n_atoms;
  s->g = g;
  BT_NEW(arena, s->pairs, n);
  BT_NEW(arena, s->partner, n);
  BT_NEW(arena, s->parent, n);
  BT_NEW(arena, s->base, n);
  BT_NEW(arena, s->queue, n);
  BT_NEW(arena, s->outer, n);
  BT_NEW(arena, s->blossom, n);
  BT_NEW(arena, s->seen, n);
  BT_NEW(arena, s->mark, n);
  return bt_arena_status(arena, opt_error);
}

/* Most atoms find a partner at once. */
static void pair_greedily(search *s) {
  const bt_valence_graph *g = s->g;
  for (int i = 0; i < g->n_atoms; i++)
    for (int k = g->first[i]; s->pairs[i] && s->partner[i] == NONE && k < g->first[i + 1]; k++) {
      int j = bt_valence_other(g, i, k);
      if (g->bonds[g->via[k]].order != BT_ORDER_OPEN || !s->pairs[j] || s->partner[j] != NONE) continue;
      s->partner[i] = j;
      s->partner[j] = i;
    }
}

bt_status bt_valence_match(bt_valence_graph *g, bt_error *opt_error) {
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  search s = {0};
  BT_TRY(make(g, &s, &arena, opt_error));
  for (int i = 0; i < g->n_atoms; i++) {
    s.partner[i] = NONE;
    s.pairs[i] = needs_partner(g, i);
  }
  pair_greedily(&s);
  for (int i = 0; i < g->n_atoms; i++) {
    if (!s.pairs[i] || s.partner[i] != NONE) continue;
    if (s.work > MOST_WORK)
      return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "write its double bonds as such, or leave out this record",
                     "its aromatic bonds are too many to find their orders");
    int end = grow(&s, i);
    if (end != NONE)
      pair_up(&s, end);
    else
      give_in(&s, i);
  }
  for (int i = 0; i < g->n_bonds; i++) {
    bt_valence_bond *bond = &g->bonds[i];
    if (bond->order == BT_ORDER_OPEN) bond->order = s.partner[bond->a] == bond->b ? 2 : 1;
  }
  return BT_OK;
}
