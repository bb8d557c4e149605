/* movers.c - groups with alternative states: hydroxyls, thiols, ammonium, acids with a proton, amides, histidines,
 * waters. */
#include "prep/receptor/hydrogens/movers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"

static const double PI = 3.14159265358979323846;
enum { FINE_STEPS = 36, WATER_DIRECTIONS = 18 };

/* ------------------------------------------------------------------------------------------------------- Probes -- */

bt_probe bt_probe_of(const bt_receptor_work *prep, int residue, int atom) {
  static const char *const acceptors[] = {"OA", "NA", "SA"}, *const main_chain[] = {"N", "CA", "C", "O", "OXT", "H"};
  const bt_receptor_residue *r = &prep->residues[residue];
  const bt_receptor_atom *a = &r->atoms[atom];
  bt_probe probe = {.charge = a->charge, .residue = residue};
  bt_v3_copy(probe.x, a->x);
  for (int k = 0; k < 3; k++)
    if (strcmp(a->type, acceptors[k]) == 0) probe.role = BT_PROBE_ACCEPTOR;
  if (a->element == 1 && a->parent >= 0) {
    probe.role = BT_PROBE_HYDROGEN;
    bt_v3_copy(probe.donor, r->atoms[a->parent].x);
  }
  const char *name = a->parent >= 0 ? r->atoms[a->parent].name : a->name;
  for (int k = 0; k < 6; k++) probe.backbone = probe.backbone || strcmp(name, main_chain[k]) == 0;
  return probe;
}

/* Names of the side-chain atoms of a group; their hydrogens belong to it. */
static int group_names(const bt_mover *mover, const char *family, const char *names[4]) {
  static const char *const asn[] = {"OD1", "ND2"}, *const gln[] = {"OE1", "NE2"}, *const asp[] = {"OD1", "OD2"},
                           *const glu[] = {"OE1", "OE2"}, *const his[] = {"ND1", "CD2", "CE1", "NE2"};
  const char *const *list = NULL;
  int count = 2;
  if (mover->kind == BT_MOVER_AMIDE) list = strcmp(family, "ASN") == 0 ? asn : gln;
  if (mover->kind == BT_MOVER_ACID) list = strcmp(family, "ASH") == 0 ? asp : glu;
  if (mover->kind == BT_MOVER_RING) list = his, count = 4;
  for (int k = 0; list != NULL && k < count; k++) names[k] = list[k];
  return list != NULL ? count : 0;
}

static bool owns(const bt_mover *mover, const bt_receptor_work *prep, int atom) {
  const bt_receptor_residue *r = &prep->residues[mover->residue];
  const bt_receptor_atom *a = &r->atoms[atom];
  const char *names[4];
  int count = group_names(mover, r->template->family, names);
  if (count == 0) return a->parent == mover->atom;
  const char *name = a->parent >= 0 ? r->atoms[a->parent].name : a->name;
  for (int k = 0; k < count; k++)
    if (strcmp(name, names[k]) == 0) return true;
  return false;
}

bool bt_movers_own(const bt_movers *movers, const bt_receptor_work *prep, int residue, int atom) {
  for (int m = movers->of_residue[residue]; m >= 0 && m < movers->count; m++) {
    if (movers->items[m].residue != residue) return false;
    if (owns(&movers->items[m], prep, atom)) return true;
  }
  return false;
}

/* ------------------------------------------------------------------------------------------------------- States -- */

static void swap_places(bt_receptor_residue *r, const char *one, const char *two) {
  int a = bt_receptor_find(r, one), b = bt_receptor_find(r, two);
  if (a < 0 || b < 0) return;
  double x[3];
  bt_v3_copy(x, r->atoms[a].x);
  bt_v3_copy(r->atoms[a].x, r->atoms[b].x);
  bt_v3_copy(r->atoms[b].x, x);
}

static void exchange(bt_receptor_residue *r, const bt_mover *mover) {
  const char *names[4];
  int count = group_names(mover, r->template->family, names);
  if (mover->kind == BT_MOVER_RING) {
    swap_places(r, "ND1", "CD2");
    swap_places(r, "CE1", "NE2");
  } else if (count == 2) {
    swap_places(r, names[0], names[1]);
  }
}

/* Puts the hydrogens of one atom where a state has them. */
static void place_turned(bt_receptor_work *prep, int residue, int atom, double turn) {
  bt_receptor_residue *r = &prep->residues[residue];
  int hydrogens[4], count = 0;
  double places[4][3];
  for (int i = 0; i < r->n_atoms && count < 4; i++)
    if (r->atoms[i].element == 1 && r->atoms[i].parent == atom) hydrogens[count++] = i;
  if (count == 0 || !bt_receptor_hydrogen_places(prep, residue, atom, turn, places, count)) return;
  for (int h = 0; h < count; h++) bt_v3_copy(r->atoms[hydrogens[h]].x, places[h]);
}

static bt_status apply(bt_receptor_work *prep, const bt_mover *mover, const bt_mover_state *state, bool undo) {
  bt_receptor_residue *r = &prep->residues[mover->residue];
  if (state->flipped || state->swapped) exchange(r, mover);
  switch (mover->kind) {
    case BT_MOVER_TURN: place_turned(prep, mover->residue, mover->atom, undo ? 0.0 : state->turn); break;
    case BT_MOVER_WATER:
      for (int i = 0, h = 0; i < r->n_atoms && h < 2; i++)
        if (r->atoms[i].element == 1) bt_v3_copy(r->atoms[i].x, state->water[h++]);
      break;
    case BT_MOVER_RING:
      if (state->template != r->template) {
        bt_receptor_set_template(prep, mover->residue, state->template);
        return bt_receptor_place_missing(prep, mover->residue);
      } /* fall through */
    case BT_MOVER_AMIDE:
    case BT_MOVER_ACID:
      for (int i = 0; i < r->n_atoms; i++)
        if (r->atoms[i].element != 1 && owns(mover, prep, i)) place_turned(prep, mover->residue, i, state->turn);
      break;
  }
  return BT_OK;
}

static void read_probes(const bt_receptor_work *prep, const bt_mover *mover, bt_mover_state *state) {
  state->n_probes = 0;
  for (int i = 0; i < prep->residues[mover->residue].n_atoms && state->n_probes < BT_MOVER_PROBES; i++)
    if (owns(mover, prep, i)) state->probes[state->n_probes++] = bt_probe_of(prep, mover->residue, i);
}

static bt_mover *add_mover(bt_receptor_work *prep, bt_movers *movers, bt_mover_kind kind, int residue, int atom,
                           int n_states) {
  if (!BT_GROW(movers->items, &movers->room, movers->count + 1)) return (void)bt_fail_memory(prep->opt_error), NULL;
  bt_mover *mover = &movers->items[movers->count];
  *mover = (bt_mover){.kind = kind, .residue = residue, .atom = atom, .n_states = n_states};
  mover->whole_side = kind != BT_MOVER_TURN && kind != BT_MOVER_WATER;
  bt_v3_copy(mover->center, prep->residues[residue].atoms[atom].x);
  mover->states = bt_allocate((size_t)n_states, sizeof *mover->states);
  if (mover->states == NULL) return (void)bt_fail_memory(prep->opt_error), NULL;
  if (movers->of_residue[residue] < 0) movers->of_residue[residue] = movers->count;
  movers->count++;
  return mover;
}

/* Applies every state in turn to record its probes, then restores the first. */
static bt_status fill(bt_receptor_work *prep, bt_mover *mover) {
  bt_receptor_residue *r = &prep->residues[mover->residue];
  const bt_template *template = r->template;
  for (int s = 0; s < mover->n_states; s++) {
    BT_TRY(apply(prep, mover, &mover->states[s], false));
    read_probes(prep, mover, &mover->states[s]);
    if (mover->states[s].flipped || mover->states[s].swapped) exchange(r, mover);
    if (r->template != template) {
      bt_receptor_set_template(prep, mover->residue, template);
      BT_TRY(bt_receptor_place_missing(prep, mover->residue));
    }
  }
  bt_mover_state first = {.turn = mover->states[0].turn, .template = template};
  memcpy(first.water, mover->states[0].water, sizeof first.water);
  return apply(prep, mover, &first, true);
}

/* ---------------------------------------------------------------------------------------------- Kinds of groups -- */

/* Hydrogens of an atom placed by the preparation; -1 if the file has some. */
static int free_hydrogens(const bt_receptor_residue *r, int atom) {
  int count = 0;
  for (int i = 0; i < r->n_atoms; i++) {
    if (r->atoms[i].element != 1 || r->atoms[i].parent != atom) continue;
    if (r->atoms[i].given) return -1;
    count++;
  }
  return count;
}

static bt_status add_turn(bt_receptor_work *prep, bt_movers *movers, int residue, int atom, int hydrogens) {
  const bt_receptor_residue *r = &prep->residues[residue];
  const bt_template_atom *known = &r->template->atoms[r->atoms[atom].in_template];
  if (known->planar && hydrogens != 1) return BT_OK; /* an amide's NH2 is fixed */
  if (known->planar && known->element != 8) return BT_OK;
  int steps = known->planar ? 2 : hydrogens == 3 ? FINE_STEPS / 3 : FINE_STEPS;
  bt_mover *mover = add_mover(prep, movers, BT_MOVER_TURN, residue, atom, steps);
  if (mover == NULL) return BT_ERR_MEMORY;
  double full = known->planar ? 2.0 * PI : hydrogens == 3 ? 2.0 * PI / 3.0 : 2.0 * PI;
  for (int s = 0; s < steps; s++) {
    mover->states[s].turn = full * s / steps;
    if (!known->planar) mover->states[s].cost = 0.4 * (1.0 - cos(3.0 * mover->states[s].turn));
  }
  return fill(prep, mover);
}

/* The end of an acid's side chain, or of an amide's. */
static bt_status add_end(bt_receptor_work *prep, bt_movers *movers, int residue, bt_mover_kind kind) {
  bt_receptor_residue *r = &prep->residues[residue];
  const char *names[4]; /* oxygen; parent of the hydrogens */
  group_names(&(bt_mover){.kind = kind}, r->template->family, names);
  bool acid = kind == BT_MOVER_ACID;
  int carbon = bt_receptor_find(r, names[0][1] == 'D' ? "CG" : "CD"), holder = bt_receptor_find(r, names[1]);
  if (carbon < 0 || holder < 0 || bt_receptor_find(r, names[0]) < 0 || free_hydrogens(r, holder) != (acid ? 1 : 2))
    return BT_OK;
  bt_mover *mover = add_mover(prep, movers, kind, residue, carbon, acid ? 4 : 2);
  if (mover == NULL) return BT_ERR_MEMORY;
  mover->states[1].flipped = !acid;
  for (int s = 0; acid && s < 4; s++) {
    /* reference for the angle is the other carbon or oxygen; the energies decide which */
    mover->states[s].turn = s % 2 == 0 ? 0.0 : PI;
    mover->states[s].swapped = s >= 2;
    mover->states[s].cost = 0.2 * (s >= 2);
  }
  return fill(prep, mover);
}

static bt_status add_ring(bt_receptor_work *prep, bt_movers *movers, int residue) {
  static const char *const families[] = {"HIE", "HID"};
  bt_receptor_residue *r = &prep->residues[residue];
  int nd = bt_receptor_find(r, "ND1"), ne = bt_receptor_find(r, "NE2"), cg = bt_receptor_find(r, "CG");
  if (nd < 0 || ne < 0 || cg < 0 || bt_receptor_find(r, "CE1") < 0 || bt_receptor_find(r, "CD2") < 0) return BT_OK;
  if (free_hydrogens(r, nd) < 0 || free_hydrogens(r, ne) < 0) return BT_OK;
  const bt_template *choices[2] = {r->template, NULL};
  int n_choices = 1;
  for (int k = 0; r->tautomer && k < 2; k++) {
    const bt_template *t = bt_templates_find(prep->templates, families[k], r->template->place);
    if (t != NULL && t != choices[0]) choices[n_choices++] = t;
    if (n_choices == 2) break;
  }
  bt_mover *mover = add_mover(prep, movers, BT_MOVER_RING, residue, cg, 2 * n_choices);
  if (mover == NULL) return BT_ERR_MEMORY;
  for (int s = 0; s < mover->n_states; s++) {
    mover->states[s].template = choices[s % n_choices];
    mover->states[s].flipped = s >= n_choices;
    if (strcmp(mover->states[s].template->family, "HID") == 0) mover->states[s].cost = 0.5; /* the rarer tautomer */
  }
  return fill(prep, mover);
}

/* Directions for a water's first hydrogen: towards each polar atom around, away from each, and along the axes. */
static int water_directions(const bt_receptor_work *prep, int residue, double to[WATER_DIRECTIONS][3]) {
  const double *x = prep->residues[residue].atoms[0].x;
  int n = 0;
  for (int j = 0; j < prep->n_residues; j++) {
    const bt_receptor_residue *other = &prep->residues[j];
    if (j == residue || other->fate != BT_FATE_KEPT) continue;
    for (int a = 0; a < other->n_atoms && n + 8 <= WATER_DIRECTIONS; a++) {
      int element = other->atoms[a].element;
      if (element != 7 && element != 8 && element != 16) continue;
      if (bt_v3_distance2(other->atoms[a].x, x) > 3.4 * 3.4) continue;
      bt_v3_towards(to[n++], x, other->atoms[a].x);
      bt_v3_towards(to[n++], other->atoms[a].x, x);
    }
  }
  for (int axis = 0; axis < 6; axis++, n++) {
    for (int k = 0; k < 3; k++) to[n][k] = 0.0;
    to[n][axis / 2] = axis % 2 == 0 ? 1.0 : -1.0;
  }
  return n;
}

/* Points one hydrogen of a water in each direction in turn, and rotates the other about it. */
static bt_status add_water(bt_receptor_work *prep, bt_movers *movers, int residue) {
  const bt_receptor_residue *r = &prep->residues[residue];
  double directions[WATER_DIRECTIONS][3];
  int n = water_directions(prep, residue, directions);
  bt_mover *mover = add_mover(prep, movers, BT_MOVER_WATER, residue, 0, 12 * n);
  if (mover == NULL) return BT_ERR_MEMORY;
  const double angle = 104.5 * PI / 180.0, length = 0.96;
  for (int s = 0; s < mover->n_states; s++) {
    double axis[3], side[3], other[3], round = 2.0 * PI * (s % 12) / 12.0;
    bt_v3_copy(axis, directions[s / 12]);
    bt_v3_across(side, axis);
    bt_v3_cross(other, axis, side);
    double(*water)[3] = mover->states[s].water;
    bt_v3_add(water[0], r->atoms[0].x, length, axis);
    bt_v3_add(water[1], r->atoms[0].x, length * cos(angle), axis);
    bt_v3_add(water[1], water[1], length * sin(angle) * cos(round), side);
    bt_v3_add(water[1], water[1], length * sin(angle) * sin(round), other);
  }
  return fill(prep, mover);
}

static bt_status add_turns(bt_receptor_work *prep, bt_movers *movers, int residue) {
  int heavy = prep->residues[residue].n_atoms;
  for (int i = 0; i < heavy; i++) {
    const bt_receptor_residue *r = &prep->residues[residue];
    if (r->atoms[i].element == 1 || r->atoms[i].in_template < 0) continue;
    int hydrogens = free_hydrogens(r, i);
    double around[BT_PREP_NEIGHBORS][3];
    if (hydrogens < 1 || bt_receptor_neighbors(prep, residue, i, around) != 1) continue;
    if ((strcmp(r->template->family, "ASH") == 0 || strcmp(r->template->family, "GLH") == 0) &&
        strcmp(r->atoms[i].name, "OXT") != 0 && strcmp(r->atoms[i].name, "N") != 0)
      continue; /* acids */
    BT_TRY(add_turn(prep, movers, residue, i, hydrogens));
  }
  return BT_OK;
}

bt_status bt_movers_find(bt_receptor_work *prep, bt_movers *movers) {
  movers->of_residue = bt_allocate((size_t)prep->n_residues, sizeof *movers->of_residue);
  if (movers->of_residue == NULL) return bt_fail_memory(prep->opt_error);
  for (int i = 0; i < prep->n_residues; i++) movers->of_residue[i] = -1;
  for (int i = 0; i < prep->n_residues; i++) {
    const bt_receptor_residue *r = &prep->residues[i];
    if (r->fate != BT_FATE_KEPT || r->template == NULL) continue;
    const char *family = r->template->family;
    /* groups that change atoms come before those that only turn hydrogens */
    if (strcmp(family, "HIE") == 0 || strcmp(family, "HID") == 0 || strcmp(family, "HIP") == 0)
      BT_TRY(add_ring(prep, movers, i));
    if (strcmp(family, "ASN") == 0 || strcmp(family, "GLN") == 0) BT_TRY(add_end(prep, movers, i, BT_MOVER_AMIDE));
    if (strcmp(family, "ASH") == 0 || strcmp(family, "GLH") == 0) BT_TRY(add_end(prep, movers, i, BT_MOVER_ACID));
    if (r->template->kind == BT_CLASS_WATER && r->n_atoms == 3 && free_hydrogens(r, 0) == 2)
      BT_TRY(add_water(prep, movers, i));
    else
      BT_TRY(add_turns(prep, movers, i));
  }
  return BT_OK;
}

bt_status bt_movers_apply(bt_receptor_work *prep, const bt_movers *movers, const int *states) {
  for (int m = 0; m < movers->count; m++) {
    const bt_mover *mover = &movers->items[m];
    BT_TRY(apply(prep, mover, &mover->states[states[m]], false));
    if (mover->states[states[m]].swapped)
      bt_receptor_note(&prep->residues[mover->residue], "the oxygens exchange names: the proton is on the other one");
  }
  return BT_OK;
}

void bt_movers_destroy(bt_movers *movers) {
  for (int m = 0; m < movers->count; m++) free(movers->items[m].states);
  free(movers->items);
  free(movers->of_residue);
}
