/* water.c - waters of hydrated docking: where a hydrogen bond would reach (Forli and Olson, J. Med. Chem. 55, 623
 * (2012)).
 *
 * Distances and angles as the AutoDock tools place them: 3 Angstrom from an acceptor, 2 from a hydrogen. */
#include <math.h>
#include <string.h>

#include "prep/ligand/steps/steps.h"

typedef struct vector {
  double v[3];
} vector;

static vector add(vector a, vector b, double factor) {
  return (vector){{a.v[0] + factor * b.v[0], a.v[1] + factor * b.v[1], a.v[2] + factor * b.v[2]}};
}

static double dot(vector a, vector b) { return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2]; }

static vector cross(vector a, vector b) {
  return (vector){
      {a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2], a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}

/* Of length one; zero for a vector without direction. */
static vector unit(vector a) {
  double length = sqrt(dot(a, a));
  return length < 1e-6 ? (vector){{0, 0, 0}} : (vector){{a.v[0] / length, a.v[1] / length, a.v[2] / length}};
}

static vector at(const bt_prep *prep, int atom) {
  vector x;
  memcpy(x.v, prep->atoms[atom].x, sizeof x.v);
  return x;
}

/* Unit vector from atom to its k-th neighbor. */
static vector bond_vector(const bt_prep *prep, int atom, int k) {
  return unit(add(at(prep, prep->neighbor[prep->first[atom] + k]), at(prep, atom), -1));
}

/* A direction perpendicular to a. */
static vector across(vector a) {
  vector axis = {{fabs(a.v[0]) < 0.7, fabs(a.v[0]) >= 0.7, 0}};
  return unit(cross(a, axis));
}

static bt_status put(bt_prep *prep, int anchor, vector direction, double distance, bt_error *opt_error) {
  vector x = add(at(prep, anchor), unit(direction), distance);
  return bt_prep_add_pseudo(prep, anchor, "W", "WAT", x.v, opt_error);
}

/* Two places 60 degrees off the line behind the atom, to both sides. */
static bt_status put_pair(bt_prep *prep, int i, vector front, vector side, bt_error *opt_error) {
  const double cos60 = 0.5, sin60 = sqrt(0.75);
  vector back = {{-cos60 * front.v[0], -cos60 * front.v[1], -cos60 * front.v[2]}};
  BT_TRY(put(prep, i, add(back, side, sin60), 3.0, opt_error));
  return put(prep, i, add(back, side, -sin60), 3.0, opt_error);
}

/* Two lone pairs of a carbonyl oxygen: in the plane of its neighbor, 120 degrees to the bond. */
static bt_status put_carbonyl(bt_prep *prep, int i, bt_error *opt_error) {
  vector bond = bond_vector(prep, i, 0), side = {{0, 0, 0}};
  int j = prep->neighbor[prep->first[i]];
  for (int k = prep->first[j]; k < prep->first[j + 1]; k++) {
    if (prep->neighbor[k] == i) continue;
    vector other = add(at(prep, prep->neighbor[k]), at(prep, j), -1);
    side = unit(add(other, bond, -dot(other, bond)));
    break;
  }
  if (dot(side, side) < 0.5) side = across(bond);
  return put_pair(prep, i, bond, side, opt_error);
}

/* Two lone pairs of an ether or hydroxyl: above and below the plane of the bonds. */
static bt_status put_ether(bt_prep *prep, int i, bt_error *opt_error) {
  vector a = bond_vector(prep, i, 0), b = bond_vector(prep, i, 1);
  vector middle = unit(add(a, b, 1)), axis = unit(add(a, b, -1));
  if (dot(middle, middle) < 0.5) middle = across(a);
  return put_pair(prep, i, middle, unit(cross(middle, axis)), opt_error);
}

static bt_status put_opposite(bt_prep *prep, int i, int degree, double distance, bt_error *opt_error) {
  vector sum = {{0, 0, 0}};
  for (int k = 0; k < degree; k++) { /* of two bonds the longer one counts more, of three all count alike */
    vector bond = add(at(prep, prep->neighbor[prep->first[i] + k]), at(prep, i), -1);
    sum = add(sum, degree == 2 ? bond : unit(bond), -1);
  }
  if (dot(sum, sum) < 1e-4) /* a planar amine: perpendicular to its bonds */
    sum = degree > 1 ? cross(bond_vector(prep, i, 0), bond_vector(prep, i, 1)) : across(bond_vector(prep, i, 0));
  return put(prep, i, sum, distance, opt_error);
}

static bt_status add_at(bt_prep *prep, int i, bt_error *opt_error) {
  const char *type = prep->atoms[i].type;
  int degree = bt_prep_degree(prep, i);
  if (strcmp(type, "HD") == 0 && degree == 1) return put_opposite(prep, i, 1, 2.0, opt_error);
  if (strcmp(type, "OA") == 0 || strcmp(type, "SA") == 0) {
    if (degree == 1) return put_carbonyl(prep, i, opt_error);
    if (degree == 2) return put_ether(prep, i, opt_error);
  }
  if (strcmp(type, "NA") == 0 && degree >= 1 && degree <= 3)
    return put_opposite(prep, i, degree, degree == 1 ? 2.0 : 3.0, opt_error);
  return BT_OK;
}

bt_status bt_prep_add_waters(bt_prep *prep, bt_error *opt_error) {
  for (int i = 0; i < prep->n_real; i++) BT_TRY(add_at(prep, i, opt_error));
  return BT_OK;
}
