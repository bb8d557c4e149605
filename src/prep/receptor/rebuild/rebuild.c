/* rebuild.c - builds side-chain atoms missing from the file, with chi angles from search.c.
 *
 * Contents: 1. obstacles; 2. one residue; 3. all.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "prep/receptor/rebuild/rebuild.h"

static const double PI = 3.14159265358979323846;
static const double IMPOSSIBLE = 2.2;  /* Angstrom: non-bonded atoms are never closer */
static const double NARROW = 2.7;      /* Angstrom: below that, angles off the staggered ones are tried */
static const double EXTENT = 11.0;     /* Angstrom: length of an arginine from its alpha carbon, plus REACH */
static const double BROKEN = 0.3;      /* Angstrom: above that deviation the atoms of the file do not fit */

/* ---- 1. obstacles ---- */

static bt_status open_scene(bt_rebuild_scene *s) {
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
      s->is[s->count++] = (bt_rebuild_obstacle){i, a, r->atoms[a].element};
    }
    for (int a = source->first_atom; r->fate == BT_FATE_LIGAND && a < source->end_atom; a++) {
      if (structure->atoms[a].element == 1) continue;
      bt_v3_copy(s->x[s->count], structure->atoms[a].x);
      s->is[s->count++] = (bt_rebuild_obstacle){i, -1, structure->atoms[a].element};
    }
  }
  return bt_cells_create((const double(*)[3])s->x, s->count, BT_REBUILD_REACH, &s->cells, prep->opt_error);
}

static void close_scene(bt_rebuild_scene *s) {
  bt_cells_destroy(s->cells);
  free(s->x);
  free(s->is);
  free(s->built);
  free(s->built_is);
  free(s->near);
  bt_text_destroy(&s->changed);
}

/* ---- 2. one residue ---- */

bt_rebuild_place *bt_rebuild_place_named(bt_rebuild_chain *c, const char *name) {
  for (int k = 0; k < c->n_places; k++)
    if (strcmp(c->places[k].row->name, name) == 0) return &c->places[k];
  return NULL;
}

/* Coordinates of an atom of the residue, of the main chain or of the side chain; NULL: missing. */
const double *bt_rebuild_find(bt_rebuild_chain *c, const char *name) {
  const bt_rebuild_place *place = bt_rebuild_place_named(c, name);
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

static void add_place(bt_rebuild_chain *c, const bt_chain_atom *row) {
  const bt_receptor_work *prep = c->scene->prep;
  const bt_receptor_residue *r = &prep->residues[c->residue];
  bt_rebuild_place *place = &c->places[c->n_places++];
  int atom = bt_receptor_find(r, row->name);
  *place = (bt_rebuild_place){
      .row = row, .in_template = bt_templates_atom(prep->templates, c->t, row->name), .there = atom >= 0};
  if (place->there) bt_v3_copy(place->x, r->atoms[atom].x);
  c->n_missing += !place->there && place->in_template >= 0;
}

static void list_open(bt_rebuild_chain *c) {
  for (int chi = 1; chi <= BT_CHAIN_ANGLES; chi++) {
    bool needed = false;
    for (int k = 0; k < c->n_places; k++) needed = needed || (!c->places[k].there && c->places[k].row->chi == chi);
    if (needed && !c->known[chi]) c->open[c->n_open++] = chi;
  }
}

/* False if the side chain is unknown or complete, or the backbone is missing. */
static bool open_chain(bt_rebuild_scene *s, int residue, bt_rebuild_chain *c) {
  const bt_receptor_residue *r = &s->prep->residues[residue];
  *c = (bt_rebuild_chain){.scene = s, .residue = residue, .t = r->template};
  c->hand = bt_chain_is_mirrored(bt_receptor_source(s->prep, residue)->name) ? -1 : 1;
  int count;
  const bt_chain_atom *rows =
      r->template != NULL && r->template->kind == BT_CLASS_AMINO ? bt_chain_atoms(r->template->family, &count) : NULL;
  if (rows == NULL) return false;
  if (bt_rebuild_find(c, "N") == NULL || bt_rebuild_find(c, "CA") == NULL || bt_rebuild_find(c, "C") == NULL)
    return false;
  add_place(c, bt_chain_beta(r->template->family));
  for (int k = 0; k < count; k++) add_place(c, &rows[k]);
  for (int k = 0; k < c->n_places; k++) {
    const bt_rebuild_place *place = &c->places[k];
    int chi = place->row->chi;
    if (!place->there || chi == 0 || c->known[chi]) continue;
    const char *const *from = place->row->from;
    const bt_rebuild_place *bases[3] = {bt_rebuild_place_named(c, from[0]), bt_rebuild_place_named(c, from[1]),
                                        bt_rebuild_place_named(c, from[2])};
    bool whole = true; /* its reference atoms are in the file as well */
    for (int b = 0; b < 3; b++) whole = whole && (bases[b] == NULL || bases[b]->there);
    if (!whole) continue;
    c->known[chi] = true;
    c->chi[chi] = torsion_of(bt_rebuild_find(c, from[2]), bt_rebuild_find(c, from[1]), bt_rebuild_find(c, from[0]),
                             place->x) -
                  c->hand * place->row->offset;
  }
  list_open(c);
  return c->n_missing > 0;
}

/* Lists atoms built earlier that may clash. */
static bt_status list_near(bt_rebuild_chain *c) {
  bt_rebuild_scene *s = c->scene;
  const double *alpha = bt_rebuild_find(c, "CA");
  s->n_near = 0;
  for (int b = 0; b < s->n_built; b++) {
    if (bt_v3_distance2(alpha, s->built[b]) > EXTENT * EXTENT) continue;
    if (!BT_GROW(s->near, &s->near_room, s->n_near + 1)) return bt_fail_memory(s->prep->opt_error);
    s->near[s->n_near++] = b;
  }
  return BT_OK;
}

/* " (chi 1 -65, chi 2 180)": the angles that were chosen. */
static void name_angles(const bt_rebuild_chain *c, char *text, size_t size) {
  size_t used = 0;
  *text = '\0';
  for (int k = 0; k < c->n_open && used < size; k++) {
    int angle = (int)lround(remainder(c->chi[c->open[k]], 360));
    used += (size_t)snprintf(text + used, size - used, "%schi %d %d%s", k == 0 ? " (" : ", ", c->open[k],
                             angle == -180 ? 180 : angle, k + 1 == c->n_open ? ")" : "");
  }
}

static bt_status keep(bt_rebuild_chain *c) {
  bt_rebuild_scene *s = c->scene;
  bt_receptor_residue *r = &s->prep->residues[c->residue];
  double b_factor = r->atoms[bt_receptor_find(r, "CA")].b_factor;
  char names[120] = "";
  for (int k = 0; k < c->n_places; k++) {
    const bt_rebuild_place *place = &c->places[k];
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
    s->built_is[s->n_built++] = (bt_rebuild_obstacle){c->residue, r->n_atoms - 1, known->element};
    size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, " %s", known->name);
  }
  char angles[80];
  name_angles(c, angles, sizeof angles);
  bt_receptor_note(r, "rebuilt:%s%s", names, angles);
  return BT_OK;
}

static bt_status leave(bt_rebuild_chain *c) {
  bt_rebuild_scene *s = c->scene;
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

static bt_status rebuild(bt_rebuild_scene *s, int i) {
  enum { MOST_NAMES = 10 };
  char name[40];
  bt_rebuild_chain c;
  if (!open_chain(s, i, &c)) return BT_OK;
  if (s->cells == NULL) BT_TRY(open_scene(s)); /* most structures need none */
  BT_TRY(list_near(&c));
  bt_rebuild_search(&c, false);
  if (c.nearest < NARROW || c.strain > BT_REBUILD_LOOSE) {
    bt_rebuild_search(&c, true);
    bt_rebuild_refine(&c);
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
  BT_ENDED_BY(close_scene) bt_rebuild_scene s = {.prep = prep};
  for (int i = 0; i < prep->n_residues; i++)
    if (prep->residues[i].fate == BT_FATE_KEPT) BT_TRY(rebuild(&s, i));
  if (s.names == 0) return BT_OK;
  BT_TRY(bt_text_status(&s.changed, prep->opt_error));
  bt_text_printf(&prep->notes, "%d incomplete side chain%s rebuilt: %s; --no-rebuild leaves %s as %s\n", s.names,
                 s.names > 1 ? "s" : "", s.changed.data, s.names > 1 ? "them" : "it",
                 s.names > 1 ? "they are" : "it is");
  return BT_OK;
}
