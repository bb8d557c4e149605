/* interactions.c - interactions of a pose by distances and angles. */
#include "results/analysis/interactions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "results/analysis/interaction_roles.h"

static const double HBOND_DISTANCE = 4.1, HYDROPHOBIC_DISTANCE = 4.0, METAL_DISTANCE = 3.0; /* Angstrom */
static const double HALOGEN_DISTANCE = 4.0;
static const double WATER_LEAST = 2.5, WATER_MOST = 4.1;
static const double HBOND_ANGLE = 100, CARBON_ANGLE = 165, ACCEPTOR_ANGLE = 120, HALOGEN_DEVIATION = 30; /* degrees */
static const double WATER_ANGLE_LEAST = 71, WATER_ANGLE_MOST = 140;
/* Coordinates in files have three decimals: rounding must not exclude a value exactly at the limit. */
static const double ROUNDING = 1e-6;

/* Atoms [first, end) and where they are in the pose. */
typedef struct side {
  const bt_interaction_atoms *a;
  const double *xyz;
  int first, end;
} side;

typedef struct finder {
  const bt_ligand *ligand;
  side own, other;
  bt_contact_list *list;
  bt_error *opt_error;
} finder;

static const double *at(const side *s, int i) { return s->xyz + 3 * (size_t)i; }
static bool has(const side *s, int i, unsigned role) { return (s->a->roles[i] & role) != 0; }

static bool within(const double *a, const double *b, double most, double *ret_distance) {
  for (int k = 0; k < 3; k++)
    if (fabs(a[k] - b[k]) > most + ROUNDING) return false;
  *ret_distance = bt_v3_distance(a, b);
  return *ret_distance <= most + ROUNDING;
}

/* The angle at b, degrees. */
static double angle_at(const double *a, const double *b, const double *c) {
  double u[3], v[3];
  if (!bt_v3_towards(u, b, a) || !bt_v3_towards(v, b, c)) return 0;
  return acos(fmax(-1, fmin(1, bt_v3_dot(u, v)))) * (180 / 3.14159265358979323846);
}

static bool near_angle(double angle, double ideal) { return fabs(angle - ideal) <= HALOGEN_DEVIATION + ROUNDING; }

/* Are they of the one residue to whose side chain the ligand is bonded? */
static bool is_bonded_residue(const finder *f, int own, const bt_atom *other) {
  if (!f->ligand->tethered) return false;
  const bt_atom *atom = f->own.a->atoms[own];
  return bt_atom_of_side_chain(f->ligand->molecule, atom) && atom->resnum == other->resnum &&
         atom->chain == other->chain && atom->icode == other->icode;
}

static bt_status add(finder *f, bt_contact contact) {
  if (is_bonded_residue(f, contact.ligand, contact.atom)) return BT_OK;
  if (!BT_GROW(f->list->items, &f->list->capacity, f->list->count + 1)) return bt_fail_memory(f->opt_error);
  f->list->items[f->list->count++] = contact;
  return BT_OK;
}

/* --- hydrogen bonds ------------------------------------------------------------------------------------ */

/* The best acceptor of a hydrogen among atoms of the other side; -1: none. */
static int best_acceptor(const side *donors, const int *hydrogen, const side *acceptors, double *ret_distance,
                         double *ret_angle) {
  const double *d = at(donors, hydrogen[0]), *h = at(donors, hydrogen[1]);
  int best = -1;
  *ret_angle = HBOND_ANGLE - ROUNDING;
  for (int i = acceptors->first; i < acceptors->end; i++) {
    double distance;
    if (!has(acceptors, i, BT_ROLE_ACCEPTOR) || !within(d, at(acceptors, i), HBOND_DISTANCE, &distance)) continue;
    double angle = angle_at(d, h, at(acceptors, i));
    if (angle < *ret_angle || (best >= 0 && angle <= *ret_angle)) continue;
    best = i;
    *ret_angle = angle;
    *ret_distance = distance;
  }
  return best;
}

static bool in_side(const side *s, int i) { return i >= s->first && i < s->end; }

static bt_status hydrogen_bonds(finder *f) {
  double distance = 0, angle;
  for (int direction = 0; direction < 2; direction++) {
    const side *donors = direction == 0 ? &f->own : &f->other, *acceptors = direction == 0 ? &f->other : &f->own;
    for (int k = 0; k < donors->a->n_hydrogens; k++) {
      const int *hydrogen = donors->a->hydrogens[k];
      if (!in_side(donors, hydrogen[0])) continue;
      int found = best_acceptor(donors, hydrogen, acceptors, &distance, &angle);
      if (found < 0) continue;
      int own = direction == 0 ? hydrogen[0] : found, other = direction == 0 ? found : hydrogen[0];
      BT_TRY(add(f, (bt_contact){.type = BT_CONTACT_DIRECTED_HBOND,
                                 .ligand = own,
                                 .atom = f->other.a->atoms[other],
                                 .distance = distance,
                                 .angle = angle}));
    }
  }
  return BT_OK;
}

/* --- pairs of atoms ------------------------------------------------------------------------------------ */

static bt_status halogen_bonds(finder *f) {
  for (int i = f->own.first; i < f->own.end; i++) {
    if (!has(&f->own, i, BT_ROLE_HALOGEN)) continue;
    const double *x = at(&f->own, i), *carbon = at(&f->own, f->own.a->neighbor[i]);
    for (int j = f->other.first; j < f->other.end; j++) {
      double distance;
      if (!has(&f->other, j, BT_ROLE_HALOGEN_ACCEPTOR)) continue;
      const double *acceptor = at(&f->other, j), *behind = at(&f->other, f->other.a->neighbor[j]);
      if (!within(x, acceptor, HALOGEN_DISTANCE, &distance)) continue;
      double angle = angle_at(carbon, x, acceptor);
      if (!near_angle(angle, CARBON_ANGLE) || !near_angle(angle_at(x, acceptor, behind), ACCEPTOR_ANGLE)) continue;
      BT_TRY(add(f, (bt_contact){.type = BT_CONTACT_HALOGEN,
                                 .ligand = i,
                                 .atom = f->other.a->atoms[j],
                                 .distance = distance,
                                 .angle = angle}));
    }
  }
  return BT_OK;
}

static bool same_residue(const bt_atom *a, const bt_atom *b) {
  return a->resnum == b->resnum && a->chain == b->chain && a->icode == b->icode && strcmp(a->resname, b->resname) == 0;
}

/* Keeps the nearest atom of each residue; from: where the contacts of this atom of the ligand begin. */
static bt_status add_nearest(finder *f, size_t from, bt_contact contact) {
  for (size_t k = from; k < f->list->count; k++) {
    bt_contact *known = &f->list->items[k];
    if (!same_residue(known->atom, contact.atom)) continue;
    if (contact.distance < known->distance) *known = contact;
    return BT_OK;
  }
  return add(f, contact);
}

static bt_status hydrophobic(finder *f) {
  for (int i = f->own.first; i < f->own.end; i++) {
    size_t from = f->list->count;
    if (!has(&f->own, i, BT_ROLE_HYDROPHOBIC)) continue;
    for (int j = f->other.first; j < f->other.end; j++) {
      bt_contact contact = {.type = BT_CONTACT_HYDROPHOBIC, .ligand = i, .atom = f->other.a->atoms[j]};
      if (has(&f->other, j, BT_ROLE_HYDROPHOBIC) &&
          within(at(&f->own, i), at(&f->other, j), HYDROPHOBIC_DISTANCE, &contact.distance))
        BT_TRY(add_nearest(f, from, contact));
    }
  }
  return BT_OK;
}

static bt_status metals(finder *f) {
  for (int j = f->other.first; j < f->other.end; j++) {
    if (!has(&f->other, j, BT_ROLE_METAL)) continue;
    for (int i = f->own.first; i < f->own.end; i++) {
      bt_contact contact = {.type = BT_CONTACT_METAL, .ligand = i, .atom = f->other.a->atoms[j]};
      if (has(&f->own, i, BT_ROLE_BINDS_METAL) &&
          within(at(&f->own, i), at(&f->other, j), METAL_DISTANCE, &contact.distance))
        BT_TRY(add(f, contact));
    }
  }
  return BT_OK;
}

/* --- water bridges ------------------------------------------------------------------------------------- */

static bool near_water(const double *x, const double *water) {
  double distance;
  return within(x, water, WATER_MOST, &distance) && distance >= WATER_LEAST - ROUNDING;
}

/* A donor on one side, acceptors on the other. */
static bt_status bridge(finder *f, const bt_atom *water, const int *hydrogen, bool own_donor, size_t from) {
  const side *donors = own_donor ? &f->own : &f->other, *acceptors = own_donor ? &f->other : &f->own;
  const double *d = at(donors, hydrogen[0]), *h = at(donors, hydrogen[1]), *w = water->x;
  if (donors->a->atoms[hydrogen[0]] == water || !near_water(d, w) || angle_at(d, h, w) < HBOND_ANGLE - ROUNDING)
    return BT_OK;
  for (int i = acceptors->first; i < acceptors->end; i++) {
    const double *a = at(acceptors, i);
    if (!has(acceptors, i, BT_ROLE_ACCEPTOR) || has(acceptors, i, BT_ROLE_WATER) || !near_water(a, w)) continue;
    double angle = angle_at(a, w, h);
    if (angle < WATER_ANGLE_LEAST - ROUNDING || angle > WATER_ANGLE_MOST + ROUNDING) continue;
    int own = own_donor ? hydrogen[0] : i, other = own_donor ? i : hydrogen[0];
    const bt_atom *atom = f->other.a->atoms[other];
    bool known = false; /* by another hydrogen of the donor */
    for (size_t k = from; k < f->list->count && !known; k++)
      known = f->list->items[k].ligand == own && f->list->items[k].atom == atom;
    if (known) continue;
    BT_TRY(add(f, (bt_contact){.type = BT_CONTACT_WATER,
                               .ligand = own,
                               .atom = atom,
                               .distance = bt_v3_distance(at(&f->own, own), at(&f->other, other)),
                               .angle = angle,
                               .opt_water = water}));
  }
  return BT_OK;
}

static bool touches(const finder *f, const double *water) {
  for (int i = f->own.first; i < f->own.end; i++)
    if (near_water(at(&f->own, i), water)) return true;
  return false;
}

static bt_status water_bridges(finder *f, const bt_interaction_atoms *receptor) {
  for (int w = 0; w < receptor->n; w++) {
    if ((receptor->roles[w] & BT_ROLE_WATER) == 0 || !touches(f, receptor->atoms[w]->x)) continue;
    size_t from = f->list->count;
    for (int own = 1; own >= 0; own--) {
      const side *donors = own ? &f->own : &f->other;
      for (int k = 0; k < donors->a->n_hydrogens; k++) {
        const int *hydrogen = donors->a->hydrogens[k];
        if (in_side(donors, hydrogen[0]) && !has(donors, hydrogen[0], BT_ROLE_WATER))
          BT_TRY(bridge(f, receptor->atoms[w], hydrogen, own, from));
      }
    }
  }
  return BT_OK;
}

bt_status bt_interactions_of_type(const bt_interaction_atoms *receptor, const bt_interaction_atoms *own,
                                  const bt_ligand *ligand, const double *xyz, bt_contact_type type,
                                  bt_contact_list *list, bt_error *opt_error) {
  int n = ligand->n_ligand_atoms;
  const side others[] = {{receptor, receptor->xyz, 0, receptor->n}, {own, xyz, n, own->n}};
  for (int k = 0; k < 2; k++) {
    finder f = {ligand, {own, xyz, 0, n}, others[k], list, opt_error};
    switch (type) {
      case BT_CONTACT_DIRECTED_HBOND: BT_TRY(hydrogen_bonds(&f)); break;
      case BT_CONTACT_HALOGEN: BT_TRY(halogen_bonds(&f)); break;
      case BT_CONTACT_HYDROPHOBIC: BT_TRY(hydrophobic(&f)); break;
      case BT_CONTACT_WATER: BT_TRY(water_bridges(&f, receptor)); break;
      case BT_CONTACT_METAL: BT_TRY(metals(&f)); break;
      default: break;
    }
  }
  return BT_OK;
}
