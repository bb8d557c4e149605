/* rebuild.c - builds side-chain atoms missing from the file: tries every combination of the undetermined chi angles and
 * keeps the one with the fewest clashes.
 *
 * Contents: 1. obstacles; 2. one residue; 3. all.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cells.h"
#include "base/memory.h"
#include "base/vector.h"
#include "prep/receptor/receptor.h"
#include "prep/receptor/side_chains.h"

static const double PI = 3.14159265358979323846;
static const double REACH = 4.0;       /* Angstrom: beyond that, no two atoms clash */
static const double IMPOSSIBLE = 2.2;  /* Angstrom: non-bonded atoms are never closer */
static const double NARROW = 2.7;      /* Angstrom: below that, angles off the staggered ones are tried */
static const double EXTENT = 11.0;     /* Angstrom: length of an arginine from its alpha carbon, plus REACH */
static const double LOOSE = 0.15;      /* Angstrom: tolerance for the length of a bond to an atom of the file */
static const double BROKEN = 0.3;      /* Angstrom: above that deviation the atoms of the file do not fit */
static const double ROOM_TO_TURN = 20; /* degrees that refinement may move from a value tried */
static const double PREFERENCE = 0.02; /* bonus for common values of an angle, in units of the penalty */

/* ---- 1. obstacles ---- */

typedef struct obstacle {
  int residue, atom; /* atom -1: of the removed ligand */
  int element;
} obstacle;

typedef struct scene {
  bt_receptor_work *prep;
  bt_cells *cells; /* of the atoms present from the start */
  int count;
  double (*x)[3];
  obstacle *is;
  int n_built; /* atoms built since, in order of residues */
  size_t built_room, is_room;
  double (*built)[3];
  obstacle *built_is;
  int n_near; /* of those, near the current residue */
  size_t near_room;
  int *near;
  int names;       /* residues in the note */
  bt_text changed; /* their names */
} scene;

static double radius(int element) {
  return element == 6                                    ? 1.7
       : element == 7                                    ? 1.55
       : element == 8                                    ? 1.52
       : element == 15 || element == 16 || element == 34 ? 1.8
                                                         : 1.4;
}

/* The distance below which two atoms clash, Angstrom; polar ones may form a hydrogen bond. */
static double contact(int a, int b) {
  bool carbon = a == 6 || b == 6 || a == 16 || b == 16;
  return carbon ? 0.95 * (radius(a) + radius(b)) : 2.6;
}

/* True if two atoms of a template are at most this many bonds apart. */
static bool within_bonds(const bt_template *t, int i, int j, int bonds) {
  if (i == j) return true;
  for (int b = 0; bonds > 0 && b < t->atoms[i].n_bonds; b++)
    if (within_bonds(t, t->atoms[i].bonds[b], j, bonds - 1)) return true;
  return false;
}

static bt_status open_scene(scene *s) {
  const bt_receptor_work *prep = s->prep;
  const bt_structure *structure = prep->structure;
  size_t most = 0;
  for (int i = 0; i < prep->n_residues; i++) {
    const bt_structure_residue *source = bt_receptor_source(prep, i);
    most += (size_t)prep->residues[i].n_atoms + (size_t)(source->end_atom - source->first_atom);
  }
  s->x = bt_allocate(most, sizeof *s->x);
  s->is = bt_allocate(most, sizeof *s->is);
  if (s->x == NULL || s->is == NULL) return bt_fail_memory(prep->opt_error);
  for (int i = 0; i < prep->n_residues; i++) {
    const bt_receptor_residue *r = &prep->residues[i];
    const bt_structure_residue *source = bt_receptor_source(prep, i);
    for (int a = 0; r->fate == BT_FATE_KEPT && a < r->n_atoms; a++) {
      bt_v3_copy(s->x[s->count], r->atoms[a].x);
      s->is[s->count++] = (obstacle){i, a, r->atoms[a].element};
    }
    for (int a = source->first_atom; r->fate == BT_FATE_LIGAND && a < source->end_atom; a++) {
      if (structure->atoms[a].element == 1) continue;
      bt_v3_copy(s->x[s->count], structure->atoms[a].x);
      s->is[s->count++] = (obstacle){i, -1, structure->atoms[a].element};
    }
  }
  return bt_cells_create((const double(*)[3])s->x, s->count, REACH, &s->cells, prep->opt_error);
}

static void close_scene(scene *s) {
  bt_cells_destroy(s->cells);
  free(s->x);
  free(s->is);
  free(s->built);
  free(s->built_is);
  free(s->near);
  bt_text_destroy(&s->changed);
}

/* ---- 2. one residue ---- */

typedef struct chain_place {
  const bt_chain_atom *row;
  int in_template;
  bool there; /* in the file */
  double x[3];
} chain_place;

typedef struct chain {
  scene *scene;
  int residue;
  const bt_template *t;
  chain_place places[BT_CHAIN_ATOMS + 1];
  int n_places, n_missing;
  double chi[BT_CHAIN_ANGLES + 1]; /* degrees */
  bool known[BT_CHAIN_ANGLES + 1];
  double hand; /* -1: a D-amino acid */
  /* the search */
  int n_open, open[BT_CHAIN_ANGLES]; /* angles that no atom of the file determines */
  double penalty, nearest, strain;   /* strain: worst deviation of a bond to an atom of the file */
  int element, at;                   /* element and place of the atom being tested */
} chain;

static chain_place *place_named(chain *c, const char *name) {
  for (int k = 0; k < c->n_places; k++)
    if (strcmp(c->places[k].row->name, name) == 0) return &c->places[k];
  return NULL;
}

/* Coordinates of an atom of the residue, of the main chain or of the side chain; NULL: missing. */
static const double *find(chain *c, const char *name) {
  const chain_place *place = place_named(c, name);
  if (place != NULL) return place->x;
  const bt_receptor_residue *r = &c->scene->prep->residues[c->residue];
  int atom = bt_receptor_find(r, name);
  return atom >= 0 ? r->atoms[atom].x : NULL;
}

static double torsion_of(const double a[3], const double b[3], const double c[3], const double d[3]) {
  double u[3], v[3], w[3], m[3], n[3], across[3];
  bt_v3_subtract(u, b, a);
  bt_v3_subtract(v, c, b);
  bt_v3_subtract(w, d, c);
  bt_v3_cross(m, u, v);
  bt_v3_cross(n, v, w);
  bt_v3_cross(across, m, n);
  return atan2(bt_v3_dot(across, v) / sqrt(bt_v3_dot(v, v)), bt_v3_dot(m, n)) * 180 / PI;
}

static void add_place(chain *c, const bt_chain_atom *row) {
  const bt_receptor_work *prep = c->scene->prep;
  const bt_receptor_residue *r = &prep->residues[c->residue];
  chain_place *place = &c->places[c->n_places++];
  int atom = bt_receptor_find(r, row->name);
  *place = (chain_place){
      .row = row, .in_template = bt_residue_library_atom(prep->residue_library, c->t, row->name), .there = atom >= 0};
  if (place->there) bt_v3_copy(place->x, r->atoms[atom].x);
  c->n_missing += !place->there && place->in_template >= 0;
}

static void list_open(chain *c) {
  for (int chi = 1; chi <= BT_CHAIN_ANGLES; chi++) {
    bool needed = false;
    for (int k = 0; k < c->n_places; k++) needed = needed || (!c->places[k].there && c->places[k].row->chi == chi);
    if (needed && !c->known[chi]) c->open[c->n_open++] = chi;
  }
}

/* False if the side chain is unknown or complete, or the backbone is missing. */
static bool open_chain(scene *s, int residue, chain *c) {
  const bt_receptor_residue *r = &s->prep->residues[residue];
  *c = (chain){.scene = s, .residue = residue, .t = r->template};
  c->hand = bt_chain_is_mirrored(bt_receptor_source(s->prep, residue)->name) ? -1 : 1;
  int count;
  const bt_chain_atom *rows =
      r->template != NULL && r->template->kind == BT_CLASS_AMINO ? bt_chain_atoms(r->template->family, &count) : NULL;
  if (rows == NULL) return false;
  if (find(c, "N") == NULL || find(c, "CA") == NULL || find(c, "C") == NULL) return false;
  add_place(c, bt_chain_beta(r->template->family));
  for (int k = 0; k < count; k++) add_place(c, &rows[k]);
  for (int k = 0; k < c->n_places; k++) {
    const chain_place *place = &c->places[k];
    int chi = place->row->chi;
    if (!place->there || chi == 0 || c->known[chi]) continue;
    const chain_place *bases[3] = {place_named(c, place->row->from[0]), place_named(c, place->row->from[1]),
                                   place_named(c, place->row->from[2])};
    bool whole = true; /* its reference atoms are in the file as well */
    for (int b = 0; b < 3; b++) whole = whole && (bases[b] == NULL || bases[b]->there);
    if (!whole) continue;
    c->known[chi] = true;
    c->chi[chi] =
        torsion_of(find(c, place->row->from[2]), find(c, place->row->from[1]), find(c, place->row->from[0]), place->x) -
        c->hand * place->row->offset;
  }
  list_open(c);
  return c->n_missing > 0;
}

/* Scores the contact of the atom being tested with another one. */
static void touch(chain *c, int element, double distance) {
  double lack = contact(c->element, element) - distance;
  if (lack > 0) c->penalty += lack * lack;
  c->nearest = fmin(c->nearest, distance);
}

static void look_at(chain *c, const obstacle *is, double distance2) {
  const bt_receptor_residue *r = &c->scene->prep->residues[c->residue];
  if (is->residue == c->residue && is->atom >= 0 &&
      (r->atoms[is->atom].in_template < 0 ||
       within_bonds(c->t, c->places[c->at].in_template, r->atoms[is->atom].in_template, 3)))
    return;
  touch(c, is->element, sqrt(distance2));
}

static void visit(void *context, int point, double distance2) {
  chain *c = context;
  look_at(c, &c->scene->is[point], distance2);
}

/* The length of a bond that was not used to place either atom is estimated, between aromatic and single. */
static double length_of(chain *c, const chain_place *place, const char *name) {
  const chain_place *other = place_named(c, name);
  return other != NULL && strcmp(other->row->from[0], place->row->name) == 0 ? other->row->length : 1.45;
}

/* Penalises angles that do not close rings or do not meet the atoms of the file beyond a gap. */
static void look_at_bonds(chain *c) {
  static const double weight = 10;
  c->strain = 0;
  for (int k = 0; k < c->n_places; k++) {
    const chain_place *place = &c->places[k];
    if (place->there || place->in_template < 0) continue;
    const bt_template_atom *known = &c->t->atoms[place->in_template];
    for (int b = 0; b < known->n_bonds; b++) {
      const char *name = c->t->atoms[known->bonds[b]].name;
      const double *x = c->t->atoms[known->bonds[b]].element == 1 ? NULL : find(c, name);
      if (x == NULL || strcmp(name, place->row->from[0]) == 0) continue;
      double off = fabs(bt_v3_distance(place->x, x) - length_of(c, place, name));
      if (off > LOOSE) c->penalty += weight * off * off;
      c->strain = fmax(c->strain, off);
    }
  }
}

/* Places all missing atoms with these angles and scores their clashes. */
static void try_angles(chain *c) {
  c->penalty = 0;
  c->nearest = REACH;
  for (int k = 0; k < c->n_places; k++) {
    chain_place *place = &c->places[k];
    const bt_chain_atom *row = place->row;
    if (place->there || place->in_template < 0) continue;
    double torsion = (row->chi > 0 ? c->chi[row->chi] : 0) + c->hand * row->offset;
    bt_v3_by_torsion(place->x, find(c, row->from[0]), find(c, row->from[1]), find(c, row->from[2]), row->length,
                     row->angle * PI / 180, torsion * PI / 180);
    c->at = k;
    c->element = c->t->atoms[place->in_template].element;
    bt_cells_near(c->scene->cells, place->x, REACH, visit, c);
    for (int n = 0; n < c->scene->n_near; n++) {
      int b = c->scene->near[n];
      double distance2 = bt_v3_distance2(place->x, c->scene->built[b]);
      if (distance2 < REACH * REACH) look_at(c, &c->scene->built_is[b], distance2);
    }
    for (int other = 0; other < k; other++) {
      const chain_place *near = &c->places[other];
      if (near->there || near->in_template < 0 || within_bonds(c->t, place->in_template, near->in_template, 3))
        continue;
      touch(c, c->t->atoms[near->in_template].element, bt_v3_distance(place->x, near->x));
    }
  }
  look_at_bonds(c);
}

/* Tries all combinations of values of the undetermined angles and keeps the best. */
static void search(chain *c, bool strained) {
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
static void refine(chain *c) {
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

/* Lists atoms built earlier that may clash. */
static bt_status list_near(chain *c) {
  scene *s = c->scene;
  const double *alpha = find(c, "CA");
  s->n_near = 0;
  for (int b = 0; b < s->n_built; b++) {
    if (bt_v3_distance2(alpha, s->built[b]) > EXTENT * EXTENT) continue;
    if (!BT_GROW(s->near, &s->near_room, s->n_near + 1)) return bt_fail_memory(s->prep->opt_error);
    s->near[s->n_near++] = b;
  }
  return BT_OK;
}

/* " (chi 1 -65, chi 2 180)": the angles that were chosen. */
static void name_angles(const chain *c, char *text, size_t size) {
  size_t used = 0;
  *text = '\0';
  for (int k = 0; k < c->n_open && used < size; k++) {
    int angle = (int)lround(remainder(c->chi[c->open[k]], 360));
    used += (size_t)snprintf(text + used, size - used, "%schi %d %d%s", k == 0 ? " (" : ", ", c->open[k],
                             angle == -180 ? 180 : angle, k + 1 == c->n_open ? ")" : "");
  }
}

static bt_status keep(chain *c) {
  scene *s = c->scene;
  bt_receptor_residue *r = &s->prep->residues[c->residue];
  double b_factor = r->atoms[bt_receptor_find(r, "CA")].b_factor;
  char names[120] = "";
  for (int k = 0; k < c->n_places; k++) {
    const chain_place *place = &c->places[k];
    if (place->there || place->in_template < 0) continue;
    const bt_template_atom *known = &c->t->atoms[place->in_template];
    bt_receptor_atom *atom = bt_receptor_add_atom(r, s->prep->opt_error);
    if (atom == NULL || !BT_GROW(s->built, &s->built_room, s->n_built + 1) ||
        !BT_GROW(s->built_is, &s->is_room, s->n_built + 1))
      return bt_fail_memory(s->prep->opt_error);
    bt_v3_copy(atom->x, place->x);
    atom->in_template = place->in_template;
    atom->element = known->element;
    atom->charge = known->charge;
    atom->occupancy = 0; /* marks an atom that was not in the file */
    atom->b_factor = b_factor;
    memcpy(atom->name, known->name, sizeof atom->name);
    memcpy(atom->type, known->type, sizeof atom->type);
    bt_v3_copy(s->built[s->n_built], place->x);
    s->built_is[s->n_built++] = (obstacle){c->residue, r->n_atoms - 1, known->element};
    size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, " %s", known->name);
  }
  char angles[80];
  name_angles(c, angles, sizeof angles);
  bt_receptor_note(r, "rebuilt:%s%s", names, angles);
  return BT_OK;
}

static bt_status leave(chain *c) {
  scene *s = c->scene;
  BT_ENDED_BY(bt_text_destroy) bt_text missing = {0};
  for (int k = 0; k < c->n_places; k++)
    if (!c->places[k].there && c->places[k].in_template >= 0) bt_text_printf(&missing, " %s", c->places[k].row->name);
  BT_TRY(bt_text_status(&missing, s->prep->opt_error));
  bool one = c->n_missing == 1;
  bt_receptor_warn(s->prep, c->residue, "atom%s missing:%s (not rebuilt: %s)", one ? "" : "s", missing.data,
                   c->strain > BROKEN ? "the atoms beyond do not fit"
                   : one              ? "there is no room for it"
                                      : "there is no room for them");
  return BT_OK;
}

static bt_status rebuild(scene *s, int i) {
  enum { MOST_NAMES = 10 };
  char name[40];
  chain c;
  if (!open_chain(s, i, &c)) return BT_OK;
  if (s->cells == NULL) BT_TRY(open_scene(s)); /* most structures need none */
  BT_TRY(list_near(&c));
  search(&c, false);
  if (c.nearest < NARROW || c.strain > LOOSE) {
    search(&c, true);
    refine(&c);
  }
  if (c.nearest < IMPOSSIBLE || c.strain > BROKEN) return leave(&c);
  BT_TRY(keep(&c));
  if (s->names++ < MOST_NAMES)
    bt_text_printf(&s->changed, "%s%s", s->names > 1 ? ", " : "", bt_receptor_name(s->prep, i, name));
  else if (s->names == MOST_NAMES + 1)
    bt_text_add_string(&s->changed, ", ...");
  return BT_OK;
}

/* ---- 3. all ---- */

bool bt_receptor_rebuilds(const bt_receptor_work *prep, int residue, const bt_template *t, const char *atom) {
  int count;
  const bt_chain_atom *rows = t->kind == BT_CLASS_AMINO ? bt_chain_atoms(t->family, &count) : NULL;
  const bt_receptor_residue *r = &prep->residues[residue];
  if (prep->options->keep_incomplete || rows == NULL) return false;
  if (bt_receptor_find(r, "N") < 0 || bt_receptor_find(r, "CA") < 0 || bt_receptor_find(r, "C") < 0) return false;
  bool known = strcmp(atom, "CB") == 0;
  for (int k = 0; k < count; k++) known = known || strcmp(rows[k].name, atom) == 0;
  return known;
}

bt_status bt_receptor_rebuild(bt_receptor_work *prep) {
  if (prep->options->keep_incomplete) return BT_OK;
  BT_ENDED_BY(close_scene) scene s = {.prep = prep};
  for (int i = 0; i < prep->n_residues; i++)
    if (prep->residues[i].fate == BT_FATE_KEPT) BT_TRY(rebuild(&s, i));
  if (s.names == 0) return BT_OK;
  BT_TRY(bt_text_status(&s.changed, prep->opt_error));
  bt_text_printf(&prep->notes, "%d incomplete side chain%s rebuilt: %s; --no-rebuild leaves %s as %s\n", s.names,
                 s.names > 1 ? "s" : "", s.changed.data, s.names > 1 ? "them" : "it",
                 s.names > 1 ? "they are" : "it is");
  return BT_OK;
}
