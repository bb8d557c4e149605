/* hydrogens.c - polar hydrogens: those of the file, and positions for the missing ones.
 *
 * Bond lengths: N-H 1.01, O-H 0.96, S-H 1.34 Angstrom; angles 120 degrees at planar atoms, 109.5 at others (S: 96).
 */
#include <math.h>
#include <string.h>

#include "prep/receptor/receptor.h"
#include "base/vector.h"

static const double PI = 3.14159265358979323846;

static double bond_length(int element) { return element == 7 ? 1.01 : element == 16 || element == 34 ? 1.34 : 0.96; }

/* --------------------------------------------------------------------------------------- Neighbors of an atom --- */

static int add_place(double x[BT_PREP_NEIGHBORS][3], int count, const double from[3]) {
  if (count < BT_PREP_NEIGHBORS) bt_v3_copy(x[count++], from);
  return count;
}

/* The residue's atom that corresponds to a template atom; -1. */
static int atom_of(const bt_receptor_residue *r, int in_template) {
  for (int i = 0; i < r->n_atoms; i++)
    if (r->atoms[i].in_template == in_template) return i;
  return -1;
}

int bt_receptor_neighbors(const bt_receptor_work *prep, int residue, int atom, double x[BT_PREP_NEIGHBORS][3]) {
  const bt_receptor_residue *r = &prep->residues[residue];
  const bt_template *t = r->template;
  int count = 0;
  const bt_template_atom *known = &t->atoms[r->atoms[atom].in_template];
  for (int b = 0; b < known->n_bonds; b++) {
    if (t->atoms[known->bonds[b]].element == 1) continue;
    int other = atom_of(r, known->bonds[b]);
    if (other >= 0) count = add_place(x, count, r->atoms[other].x);
  }
  for (int k = r->bonds; k >= 0; k = bt_receptor_next_bond(prep, residue, k)) {
    int end = bt_receptor_end(prep, residue, k);
    const bt_receptor_residue *far = &prep->residues[prep->bonds[k].residue[1 - end]];
    if (prep->bonds[k].atom[end] == atom && far->fate == BT_FATE_KEPT)
      count = add_place(x, count, far->atoms[prep->bonds[k].atom[1 - end]].x);
  }
  return count;
}

/* Another heavy atom bonded to the only neighbor of an atom, the reference for rotation angles. */
static bool reference(const bt_receptor_work *prep, int residue, int atom, double x[3]) {
  const bt_receptor_residue *r = &prep->residues[residue];
  const bt_template *t = r->template;
  const bt_template_atom *known = &t->atoms[r->atoms[atom].in_template];
  for (int b = 0; b < known->n_bonds; b++) {
    int neighbor = t->atoms[known->bonds[b]].element == 1 ? -1 : atom_of(r, known->bonds[b]);
    if (neighbor < 0) continue;
    double around[BT_PREP_NEIGHBORS][3];
    int count = bt_receptor_neighbors(prep, residue, neighbor, around);
    for (int k = 0; k < count; k++)
      if (bt_v3_distance(around[k], r->atoms[atom].x) > 0.1) return bt_v3_copy(x, around[k]), true;
  }
  return false;
}

/* ----------------------------------------------------------------------------------------------------- Geometry -- */

static void about_one(const bt_template_atom *known, const double x[3], const double a[3], const double c[3],
                      double turn, double places[4][3], int count) {
  double length = bond_length(known->element);
  bool heavy = known->element == 16 || known->element == 34;
  double angle = (known->planar ? 120.0 : heavy ? 96.0 : 109.5) * PI / 180.0;
  double step = known->planar ? PI : 2.0 * PI / 3.0;
  double start = known->planar && count > 1 ? 0.0 : PI; /* trans first */
  for (int h = 0; h < count; h++) bt_v3_by_torsion(places[h], x, a, c, length, angle, start + turn + h * step);
}

static void about_two(const bt_template_atom *known, const double x[3], double around[][3], double turn,
                      double places[4][3], int count) {
  double u[3], v[3], middle[3], normal[3], length = bond_length(known->element);
  bt_v3_towards(u, x, around[0]);
  bt_v3_towards(v, x, around[1]);
  bt_v3_add(middle, u, 1.0, v);
  if (!bt_v3_unit(middle)) bt_v3_across(middle, u);
  bt_v3_cross(normal, u, v);
  if (!bt_v3_unit(normal)) bt_v3_across(normal, u);
  double half = known->planar ? 0.0 : 109.5 / 2.0 * PI / 180.0, sign = turn != 0.0 ? -1.0 : 1.0;
  for (int h = 0; h < count; h++) {
    bt_v3_add(places[h], x, -length * cos(half), middle);
    bt_v3_add(places[h], places[h], (h == 0 ? sign : -sign) * length * sin(half), normal);
  }
}

static void about_three(const bt_template_atom *known, const double x[3], double around[][3], double places[4][3]) {
  double sum[3] = {0.0, 0.0, 0.0}, u[3];
  for (int k = 0; k < 3; k++) {
    bt_v3_towards(u, x, around[k]);
    bt_v3_add(sum, sum, 1.0, u);
  }
  if (!bt_v3_unit(sum)) { /* planar: any side */
    double v[3];
    bt_v3_towards(u, x, around[0]);
    bt_v3_towards(v, x, around[1]);
    bt_v3_cross(sum, u, v);
    if (!bt_v3_unit(sum)) bt_v3_across(sum, u);
  }
  bt_v3_add(places[0], x, -bond_length(known->element), sum);
}

/* Water, ammonium: any orientation will do. */
static void about_none(const bt_template_atom *known, const double x[3], double places[4][3], int count) {
  static const double corner[4][3] = {{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}};
  for (int h = 0; h < count && h < 4; h++) bt_v3_add(places[h], x, bond_length(known->element) / sqrt(3.0), corner[h]);
}

bool bt_receptor_hydrogen_places(const bt_receptor_work *prep, int residue, int atom, double turn, double places[4][3],
                                 int count) {
  const bt_receptor_residue *r = &prep->residues[residue];
  const bt_template *t = r->template;
  const bt_template_atom *known = &t->atoms[r->atoms[atom].in_template];
  double around[BT_PREP_NEIGHBORS][3], far[3];
  int heavy = bt_receptor_neighbors(prep, residue, atom, around);
  int wanted = 0; /* neighbors in the template, and the chain's own */
  for (int b = 0; b < known->n_bonds; b++) wanted += t->atoms[known->bonds[b]].element != 1;
  bool start = strcmp(known->name, "N") == 0 && t->kind == BT_CLASS_AMINO && known->planar;
  if (heavy < wanted || count > 4) return false;
  const double *x = r->atoms[atom].x;
  if (heavy == 0) return about_none(known, x, places, count), true;
  if (heavy == 1) {
    if (!reference(prep, residue, atom, far)) {
      double u[3], side[3];
      bt_v3_towards(u, x, around[0]);
      bt_v3_across(side, u);
      bt_v3_add(far, around[0], 1.0, side);
    }
    /* a chain that begins at a gap: as if the missing atom were at phi = -65 degrees */
    if (start && count == 1) turn = 115.0 * PI / 180.0 - PI;
    return about_one(known, x, around[0], far, turn, places, count), true;
  }
  if (heavy == 2) return about_two(known, x, around, turn, places, count < 2 ? count : 2), count <= 2;
  if (heavy == 3 && count == 1) return about_three(known, x, around, places), true;
  return false;
}

/* ------------------------------------------------------------------------------------------------ All hydrogens -- */

/* The number of polar hydrogens of an atom: one less per non-chain bond to another residue. */
static int hydrogens_wanted(const bt_receptor_work *prep, int residue, int atom) {
  const bt_receptor_residue *r = &prep->residues[residue];
  int wanted = r->template->atoms[r->atoms[atom].in_template].hydrogens - bt_receptor_outer_bonds(prep, residue, atom);
  return wanted > 0 ? wanted : 0;
}

static bt_status add_hydrogen(bt_receptor_work *prep, int residue, int atom, int in_template, const double x[3],
                              bool given) {
  bt_receptor_residue *r = &prep->residues[residue];
  const bt_template_atom *known = &r->template->atoms[in_template];
  bt_receptor_atom *h = bt_receptor_add_atom(r, prep->opt_error);
  if (h == NULL) return BT_ERR_MEMORY;
  bt_v3_copy(h->x, x);
  h->in_template = in_template;
  h->element = 1;
  h->given = given;
  h->parent = atom;
  h->charge = known->charge;
  h->occupancy = r->atoms[atom].occupancy;
  h->b_factor = r->atoms[atom].b_factor;
  memcpy(h->name, known->name, sizeof h->name);
  memcpy(h->type, known->type, sizeof h->type);
  return BT_OK;
}

static int placed_at(const bt_receptor_residue *r, int atom) {
  int count = 0;
  for (int i = 0; i < r->n_atoms; i++) count += r->atoms[i].element == 1 && r->atoms[i].parent == atom;
  return count;
}

/* Index of the n-th hydrogen of a template atom. */
static int nth_hydrogen(const bt_template *t, int atom, int n) {
  for (int i = 0; i < t->n_atoms; i++)
    if (t->atoms[i].element == 1 && t->atoms[i].n_bonds > 0 && t->atoms[i].bonds[0] == atom && n-- == 0) return i;
  return -1;
}

/* Charges of omitted hydrogens go to their parent atom. */
static void merge_charges(bt_receptor_residue *r, int atom, int from, int to) {
  for (int n = from; n < to; n++) {
    int h = nth_hydrogen(r->template, r->atoms[atom].in_template, n);
    if (h >= 0) r->atoms[atom].charge += r->template->atoms[h].charge;
  }
}

/* Assigns hydrogens of the file to their polar atoms. */
static bt_status take_from_file(bt_receptor_work *prep, int residue) {
  bt_receptor_residue *r = &prep->residues[residue];
  int dropped = 0;
  for (int h = 0; h < r->n_hydrogens; h++) {
    int best = bt_receptor_nearest(r, r->hydrogens[h], BT_HYDROGEN_REACH);
    if (best < 0 || r->atoms[best].in_template < 0 || r->atoms[best].element == 6) continue;
    if (r->atoms[best].source < 0) continue; /* rebuilt: it stood on the atom before, where this one is now */
    int count = placed_at(r, best), in_template = nth_hydrogen(r->template, r->atoms[best].in_template, count);
    if (in_template < 0 || count >= hydrogens_wanted(prep, residue, best))
      dropped++;
    else
      BT_TRY(add_hydrogen(prep, residue, best, in_template, r->hydrogens[h], true));
  }
  if (dropped > 0) bt_receptor_note(r, "%d hydrogen%s of the file left out", dropped, dropped > 1 ? "s" : "");
  return BT_OK;
}

bt_status bt_receptor_place_missing(bt_receptor_work *prep, int residue) {
  bt_receptor_residue *r = &prep->residues[residue];
  int heavy = r->n_atoms, bare = 0;
  for (int i = 0; i < heavy; i++) {
    if (r->atoms[i].element == 1 || r->atoms[i].in_template < 0) continue;
    int full = r->template->atoms[r->atoms[i].in_template].hydrogens;
    if (full == 0) continue;
    int wanted = hydrogens_wanted(prep, residue, i), there = placed_at(r, i);
    double places[4][3];
    if (there == 0 && wanted > 0) {
      if (bt_receptor_hydrogen_places(prep, residue, i, 0.0, places, wanted))
        for (; there < wanted; there++)
          BT_TRY(add_hydrogen(prep, residue, i, nth_hydrogen(r->template, r->atoms[i].in_template, there),
                              places[there], false));
      else
        bare++;
    } else if (there < wanted && bt_receptor_hydrogen_places(prep, residue, i, 0.0, places, wanted)) {
      /* some are given: put the missing ones at the standard positions farthest from them */
      while (there < wanted) {
        int best = 0;
        double farthest = -1.0;
        for (int k = 0; k < wanted; k++) {
          double nearest = 1e9;
          for (int j = 0; j < r->n_atoms; j++)
            if (r->atoms[j].element == 1 && r->atoms[j].parent == i)
              nearest = fmin(nearest, bt_v3_distance2(r->atoms[j].x, places[k]));
          if (nearest > farthest) {
            farthest = nearest;
            best = k;
          }
        }
        BT_TRY(add_hydrogen(prep, residue, i, nth_hydrogen(r->template, r->atoms[i].in_template, there++), places[best],
                            false));
      }
    }
    merge_charges(r, i, there, full);
  }
  if (bare > 0)
    bt_receptor_note(r, "no hydrogens at %d atom%s whose neighbors are missing", bare, bare > 1 ? "s" : "");
  return BT_OK;
}

bt_status bt_receptor_hydrogens(bt_receptor_work *prep) {
  for (int i = 0; i < prep->n_residues; i++) {
    bt_receptor_residue *r = &prep->residues[i];
    if (r->fate != BT_FATE_KEPT || r->template == NULL) continue;
    if (!prep->options->ignore_hydrogens && r->n_hydrogens > 0) BT_TRY(take_from_file(prep, i));
    BT_TRY(bt_receptor_place_missing(prep, i));
  }
  return BT_OK;
}
