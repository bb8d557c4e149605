/* search.c - chi angles of an incomplete side chain: tries every combination and refines the one with the
 * fewest clashes. */
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "prep/receptor/rebuild/rebuild.h"

static const double PI = 3.14159265358979323846;
static const double ROOM_TO_TURN = 20; /* degrees that refinement may move from a value tried */
static const double PREFERENCE = 0.02; /* bonus for common values of an angle, in units of the penalty */

/* Bondi's radii, Angstrom; of metals, that of a small ion. */
static double radius(int element) {
  switch (element) {
    case 6: return 1.7;
    case 7: return 1.55;
    case 8: return 1.52;
    case 9: return 1.47;
    case 15:
    case 16: return 1.8;
    case 17: return 1.75;
    case 34: return 1.9;
    case 35: return 1.85;
    case 53: return 1.98;
    default: return 1.4;
  }
}

/* Whether an atom can come closer to another one of its kind than their radii allow: N, O and ions. */
static bool polar(int element) { return element == 7 || element == 8 || radius(element) == 1.4; }

/* The distance below which two atoms clash, Angstrom; polar ones may form a hydrogen bond. */
static double contact(int a, int b) { return polar(a) && polar(b) ? 2.6 : 0.95 * (radius(a) + radius(b)); }

/* True if two atoms of a template are at most this many bonds apart. */
static bool within_bonds(const bt_template *t, int i, int j, int bonds) {
  if (i == j) return true;
  for (int b = 0; bonds > 0 && b < t->atoms[i].n_bonds; b++)
    if (within_bonds(t, t->atoms[i].bonds[b], j, bonds - 1)) return true;
  return false;
}

/* Scores the contact of the atom being tested with another one. */
static void touch(bt_rebuild_chain *c, int element, double distance) {
  double lack = contact(c->element, element) - distance;
  if (lack > 0) c->penalty += lack * lack;
  c->nearest = fmin(c->nearest, distance);
}

static void look_at(bt_rebuild_chain *c, const bt_rebuild_obstacle *is, double distance2) {
  const bt_receptor_residue *r = &c->scene->prep->residues[c->residue];
  if (is->residue == c->residue && is->atom >= 0 &&
      (r->atoms[is->atom].in_template < 0 ||
       within_bonds(c->t, c->places[c->at].in_template, r->atoms[is->atom].in_template, 3)))
    return;
  touch(c, is->element, sqrt(distance2));
}

static void visit(void *context, int point, double distance2) {
  bt_rebuild_chain *c = context;
  look_at(c, &c->scene->is[point], distance2);
}

/* The length of a bond that was not used to place either atom is estimated, between aromatic and single. */
static double length_of(bt_rebuild_chain *c, const bt_rebuild_place *place, const char *name) {
  const bt_rebuild_place *other = bt_rebuild_place_named(c, name);
  return other != NULL && strcmp(other->row->from[0], place->row->name) == 0 ? other->row->length : 1.45;
}

/* Penalizes angles that do not close rings or do not meet the atoms of the file beyond a gap. */
static void look_at_bonds(bt_rebuild_chain *c) {
  static const double weight = 10;
  c->strain = 0;
  for (int k = 0; k < c->n_places; k++) {
    const bt_rebuild_place *place = &c->places[k];
    if (place->there || place->in_template < 0) continue;
    const bt_template_atom *known = &c->t->atoms[place->in_template];
    for (int b = 0; b < known->n_bonds; b++) {
      const char *name = c->t->atoms[known->bonds[b]].name;
      const double *x = c->t->atoms[known->bonds[b]].element == 1 ? NULL : bt_rebuild_find(c, name);
      if (x == NULL || strcmp(name, place->row->from[0]) == 0) continue;
      double off = fabs(bt_v3_distance(place->x, x) - length_of(c, place, name));
      if (off > BT_REBUILD_LOOSE) c->penalty += weight * off * off;
      c->strain = fmax(c->strain, off);
    }
  }
}

/* Places all missing atoms with these angles and scores their clashes. */
static void try_angles(bt_rebuild_chain *c) {
  c->penalty = 0;
  c->nearest = BT_REBUILD_REACH;
  for (int k = 0; k < c->n_places; k++) {
    bt_rebuild_place *place = &c->places[k];
    const bt_chain_atom *row = place->row;
    if (place->there || place->in_template < 0) continue;
    double torsion = (row->chi > 0 ? c->chi[row->chi] : 0) + c->hand * row->offset;
    bt_v3_by_torsion(place->x, bt_rebuild_find(c, row->from[0]), bt_rebuild_find(c, row->from[1]),
                     bt_rebuild_find(c, row->from[2]), row->length, row->angle * PI / 180, torsion * PI / 180);
    c->at = k;
    c->element = c->t->atoms[place->in_template].element;
    bt_cells_near(c->scene->cells, place->x, BT_REBUILD_REACH, visit, c);
    for (int n = 0; n < c->scene->n_near; n++) {
      int b = c->scene->near[n];
      double distance2 = bt_v3_distance2(place->x, c->scene->built[b]);
      if (distance2 < BT_REBUILD_REACH * BT_REBUILD_REACH) look_at(c, &c->scene->built_is[b], distance2);
    }
    for (int other = 0; other < k; other++) {
      const bt_rebuild_place *near = &c->places[other];
      if (near->there || near->in_template < 0 || within_bonds(c->t, place->in_template, near->in_template, 3))
        continue;
      touch(c, c->t->atoms[near->in_template].element, bt_v3_distance(place->x, near->x));
    }
  }
  look_at_bonds(c);
}

/* Tries all combinations of values of the undetermined angles and keeps the best. */
void bt_rebuild_search(bt_rebuild_chain *c, bool strained) {
  int n_values[BT_CHAIN_ANGLES], at[BT_CHAIN_ANGLES] = {0};
  double values[BT_CHAIN_ANGLES][BT_CHAIN_VALUES], best[BT_CHAIN_ANGLES + 1], least = INFINITY;
  for (int k = 0; k < c->n_open; k++)
    n_values[k] = bt_chain_values(c->places[c->n_places - 1].row->residue, c->open[k], strained, values[k]);
  for (;;) {
    double unusual = 0;
    for (int k = 0; k < c->n_open; k++) {
      c->chi[c->open[k]] = c->hand * values[k][at[k]];
      unusual += PREFERENCE * at[k] / n_values[k];
    }
    try_angles(c);
    if (c->penalty + unusual < least) {
      least = c->penalty + unusual;
      memcpy(best, c->chi, sizeof best);
    }
    int k = 0;
    while (k < c->n_open && ++at[k] == n_values[k]) at[k++] = 0;
    if (k == c->n_open) break;
  }
  memcpy(c->chi, best, sizeof best);
  try_angles(c);
}

/* Refines the undetermined angles in small steps while the penalty falls. */
void bt_rebuild_refine(bt_rebuild_chain *c) {
  double start[BT_CHAIN_ANGLES + 1];
  memcpy(start, c->chi, sizeof start);
  for (double step = 10; step > 1; step /= 2)
    for (bool better = true; better;) {
      better = false;
      for (int k = 0; k < 2 * c->n_open; k++) {
        int chi = c->open[k / 2];
        double before = c->chi[chi], least = c->penalty;
        c->chi[chi] += k % 2 == 0 ? step : -step;
        if (fabs(c->chi[chi] - start[chi]) <= ROOM_TO_TURN) try_angles(c);
        if (c->penalty < least - 1e-6)
          better = true;
        else
          c->chi[chi] = before, c->penalty = least;
      }
    }
  try_angles(c);
}
