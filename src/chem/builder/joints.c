/* joints.c - cut bonds, their lengths and torsions. */
#include "chem/builder/joints.h"

#include <math.h>

/* The better reference of a torsion: a heavy neighbor over a single bond, as in the backbone of a peptide, whose trans
 * form is then 180 degrees; then one over a double bond, then a hydrogen. */
static int worth(const bt_fragmentation *c, int atom, int neighbor) {
  if (c->structure->atoms[neighbor].element == 1) return 1;
  for (int k = c->adjacency.first[atom]; k < c->adjacency.first[atom + 1]; k++)
    if (c->adjacency.neighbor[k] == neighbor) return c->structure->bonds[c->adjacency.bond[k]].order == 2 ? 2 : 3;
  return 0;
}

static void consider(const bt_fragmentation *c, const bt_fragment_use *use, bt_joint *joint, int row, int *best) {
  if (row == joint->cap) return;
  int value = worth(c, joint->inside, use->source[row]);
  if (value <= *best) return;
  *best = value;
  joint->reference = row;
}

static void find_reference(const bt_fragmentation *c, const bt_fragment_use *use, bt_joint *joint) {
  const bt_fragment_graph *g = &use->graph;
  int best = 0, slot = g->n_vertices;
  joint->reference = -1;
  for (int k = 0; k < g->n_bonds; k++) {
    if (g->bonds[k].a == joint->row) consider(c, use, joint, g->bonds[k].b, &best);
    if (g->bonds[k].b == joint->row) consider(c, use, joint, g->bonds[k].a, &best);
  }
  for (int v = 0; v < joint->row; v++) slot += g->atoms[v].slots;
  for (int k = 0; k < g->atoms[joint->row].slots; k++) consider(c, use, joint, slot + k, &best);
}

static int bond_between(const bt_fragmentation *c, int a, int b) {
  for (int k = c->adjacency.first[a]; k < c->adjacency.first[a + 1]; k++)
    if (c->adjacency.neighbor[k] == b) return c->adjacency.bond[k];
  return -1;
}

static bt_joint joint_of(const bt_fragmentation *c, const bt_fragment_use *use, int row, int cap) {
  bt_joint joint = {.inside = use->source[row], .outside = use->source[cap], .row = row, .cap = cap};
  const bt_build_atom *inside = &c->structure->atoms[joint.inside];
  joint.bond = bond_between(c, joint.inside, joint.outside);
  joint.exact = cap < use->graph.n_vertices && !(inside->ring && inside->element == 6);
  find_reference(c, use, &joint);
  return joint;
}

bool bt_joints_find(const bt_fragmentation *c, int fragment, bt_arena *arena, bt_joint **ret_joints, int *ret_count) {
  const bt_fragment_use *use = &c->uses[fragment];
  const bt_fragment_graph *g = &use->graph;
  BT_NEW(arena, *ret_joints, g->n_vertices + g->n_slots);
  *ret_count = 0;
  if (arena->failed) return false;
  for (int k = 0; k < g->n_bonds; k++) {
    int a = g->bonds[k].a, b = g->bonds[k].b;
    if (use->outside[a] != use->outside[b])
      (*ret_joints)[(*ret_count)++] = joint_of(c, use, use->outside[a] ? b : a, use->outside[a] ? a : b);
  }
  for (int v = 0, slot = g->n_vertices; v < g->n_vertices; v++)
    for (int k = 0; k < g->atoms[v].slots; k++, slot++)
      if (use->outside[slot]) (*ret_joints)[(*ret_count)++] = joint_of(c, use, v, slot);
  return true;
}

static bool is_after(const bt_fragment_atom *a, const bt_fragment_atom *b) {
  if (a->element != b->element) return a->element > b->element;
  return a->charge != b->charge ? a->charge > b->charge : a->cap > b->cap;
}

bool bt_joint_bond(const bt_fragmentation *c, int bond, bt_fragment_atom ret_atoms[2], bt_fragment_bond *ret_bond) {
  ret_atoms[0] = bt_fragment_cap(c, c->structure->bonds[bond].a);
  ret_atoms[1] = bt_fragment_cap(c, c->structure->bonds[bond].b);
  *ret_bond = (bt_fragment_bond){.a = 0, .b = 1, .order = 1};
  if (is_after(&ret_atoms[0], &ret_atoms[1])) {
    bt_fragment_atom other = ret_atoms[0];
    ret_atoms[0] = ret_atoms[1];
    ret_atoms[1] = other;
  }
  return ret_atoms[0].cap != BT_CAP_NONE && ret_atoms[1].cap != BT_CAP_NONE;
}

/* The bond of an amide, ester, amidine or guanidine, outside of rings, which is flat. */
static bool is_flat(const bt_fragmentation *c, int carbon, int other) {
  const bt_build_atom *a = &c->structure->atoms[carbon], *b = &c->structure->atoms[other];
  if (a->element != 6 || a->aromatic || a->hybridization != 2 || (b->element != 7 && b->element != 8)) return false;
  bt_fragment_atom cap = bt_fragment_cap(c, carbon);
  return (cap.cap == BT_CAP_CARBONYL || cap.cap == BT_CAP_AMIDINE) && (b->element == 8 || b->hybridization == 2);
}

int bt_joint_torsions(const bt_fragmentation *c, int a, int b, double ret_torsions[BT_JOINT_TORSIONS]) {
  static const double flat[] = {180, 0, 165, -165, 15, -15};
  static const double conjugated[] = {180, 0, 150, -150, 30, -30, 135, -135, 45, -45, 90, -90};
  static const double staggered[] = {180, 60, -60, 165, -165, 75, -75, 45, -45, 120, -120, 0};
  static const double mixed[] = {90, -90, 120, -120, 60, -60, 150, -150, 30, -30, 180, 0};
  const double *torsions = staggered;
  int count = BT_JOINT_TORSIONS;
  bool flat_a = c->structure->atoms[a].hybridization == 2, flat_b = c->structure->atoms[b].hybridization == 2;
  if (is_flat(c, a, b) || is_flat(c, b, a)) {
    torsions = flat;
    count = (int)(sizeof flat / sizeof *flat);
  } else if (flat_a && flat_b) {
    torsions = conjugated;
  } else if (flat_a || flat_b) {
    torsions = mixed;
  }
  for (int k = 0; k < count; k++) ret_torsions[k] = torsions[k] * acos(-1.0) / 180;
  return count;
}
