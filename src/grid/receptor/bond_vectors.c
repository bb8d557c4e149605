/* bond_vectors.c - where the receptor's hydrogens and lone pairs point, by AutoGrid 4.2.6's rules.
 *
 * Only the 20 atoms before and after an atom in the file are searched for its neighbors, in the order of the file.
 * The limits are squared distances, Angstrom^2.
 */
#include <math.h>
#include <string.h>

#include "grid/receptor/receptor.h"

enum { WINDOW = 20, MOST_NEIGHBORS = 3 };

typedef struct vector {
  double x[3];
} vector;

static vector from_array(const double x[3]) { return (vector){{x[0], x[1], x[2]}}; }
static vector minus(vector a, vector b) { return (vector){{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}}; }
static double dot(vector a, vector b) { return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2]; }
static vector cross(vector a, vector b) {
  return (vector){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                   a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}
static vector unit(vector a) {
  double length = sqrt(fmax(dot(a, a), 1e-6));
  return (vector){{a.x[0] / length, a.x[1] / length, a.x[2] / length}};
}

static vector position(const bt_grid_receptor *receptor, int atom) { return from_array(receptor->atoms[atom].x); }
static vector bond(const bt_grid_receptor *receptor, int from, int to) {
  return minus(position(receptor, to), position(receptor, from));
}
static bool is_type(const bt_grid_receptor *receptor, int atom, const char *name) {
  return strcmp(receptor->types[receptor->atoms[atom].type]->name, name) == 0;
}
static bool is_hydrogen(const bt_grid_receptor *receptor, int atom) {
  return is_type(receptor, atom, "HD") || is_type(receptor, atom, "H");
}

static void window(const bt_grid_receptor *receptor, int atom, int *ret_first, int *ret_end) {
  *ret_first = atom > WINDOW ? atom - WINDOW : 0;
  *ret_end = atom < receptor->n_atoms - WINDOW ? atom + WINDOW + 1 : receptor->n_atoms;
}

/* The first neighbors in file order, at most three; returns their number. */
static int neighbors(const bt_grid_receptor *receptor, int atom, double limit_hydrogen, double limit_other,
                      int ret_found[MOST_NEIGHBORS]) {
  int first, end, count = 0;
  window(receptor, atom, &first, &end);
  for (int i = first; i < end && count < MOST_NEIGHBORS; i++) {
    if (i == atom) continue;
    vector d = bond(receptor, i, atom);
    if (dot(d, d) < (is_hydrogen(receptor, i) ? limit_hydrogen : limit_other)) ret_found[count++] = i;
  }
  return count;
}

static void set_axis(bt_grid_receptor *receptor, int atom, vector axis) {
  memcpy(receptor->atoms[atom].axis, axis.x, sizeof axis.x);
}
static void set_normal(bt_grid_receptor *receptor, int atom, vector normal) {
  memcpy(receptor->atoms[atom].normal, normal.x, sizeof normal.x);
}

static void donor_hydrogen(bt_grid_receptor *receptor, int atom, bool disorder_h) {
  int found[MOST_NEIGHBORS];
  if (neighbors(receptor, atom, 1.90, 1.90, found) == 0) return;
  bool on_oxygen = is_type(receptor, found[0], "OA") || is_type(receptor, found[0], "SA");
  receptor->atoms[atom].power = on_oxygen ? 4 : 2;
  receptor->atoms[atom].disordered = disorder_h && on_oxygen;
  set_axis(receptor, atom, unit(bond(receptor, found[0], atom)));
}

/* One neighbor: the lone pairs lie in the plane of that neighbor's other bonds. */
static void carbonyl(bt_grid_receptor *receptor, int atom, int carbon) {
  vector axis = unit(bond(receptor, carbon, atom));
  set_axis(receptor, atom, axis);
  int first, end;
  window(receptor, atom, &first, &end); /* around the oxygen, not around the carbon */
  for (int i = first; i < end; i++) {
    if (i == carbon || i == atom) continue;
    vector d = bond(receptor, carbon, i);
    if (dot(d, d) < (is_type(receptor, i, "HD") ? 1.69 : 2.89))
      set_normal(receptor, atom, unit(cross(axis, unit(d)))); /* the last one in the file decides */
  }
}

/* Two neighbors: the lone pairs lie in the plane that halves their angle. */
static void ether(bt_grid_receptor *receptor, int atom, int first, int second) {
  vector normal = unit(bond(receptor, first, second));
  vector from_first = bond(receptor, first, atom);
  double along = dot(from_first, normal);
  vector x = position(receptor, first);
  vector foot = {{x.x[0] + along * normal.x[0], x.x[1] + along * normal.x[1], x.x[2] + along * normal.x[2]}};
  set_normal(receptor, atom, normal);
  set_axis(receptor, atom, unit(minus(position(receptor, atom), foot)));
}

/* disorder_h: the hydrogen of a hydroxyl group may be anywhere on its cone, so the axis is the bond to the carbon. An
 * aromatic carbon that stands before the hydrogen in the file makes AutoGrid 4.2.6 take the hydrogen instead. */
static void hydroxyl(bt_grid_receptor *receptor, int atom, int first, int second) {
  receptor->atoms[atom].disordered = true;
  int heavy = -1;
  if (is_type(receptor, first, "C") || is_type(receptor, first, "A")) heavy = first;
  if (is_type(receptor, second, "C") || is_type(receptor, first, "A")) heavy = second;
  if (heavy >= 0) set_axis(receptor, atom, unit(bond(receptor, heavy, atom)));
}

static void oxygen_acceptor(bt_grid_receptor *receptor, int atom, bool disorder_h) {
  int found[MOST_NEIGHBORS];
  int count = neighbors(receptor, atom, 1.69, 3.61, found);
  if (count == 0)
    receptor->n_lonely++;
  else if (count == 1)
    carbonyl(receptor, atom, found[0]);
  else if (disorder_h && is_type(receptor, found[0], "HD") != is_type(receptor, found[1], "HD"))
    hydroxyl(receptor, atom, found[0], found[1]);
  else
    ether(receptor, atom, found[0], found[1]);
}

static void nitrogen_acceptor(bt_grid_receptor *receptor, int atom) {
  int found[MOST_NEIGHBORS];
  int count = neighbors(receptor, atom, 1.69, 2.89, found);
  if (count == 0) {
    receptor->n_lonely++;
    return;
  }
  vector mean = {{0.0, 0.0, 0.0}};
  for (int axis = 0; axis < 3; axis++) {
    for (int n = 0; n < count; n++) mean.x[axis] += receptor->atoms[found[n]].x[axis];
    mean.x[axis] /= count;
  }
  set_axis(receptor, atom, unit(minus(position(receptor, atom), mean)));
}

void bt_grid_bond_vectors(bt_grid_receptor *receptor, bool disorder_h) {
  receptor->n_lonely = 0;
  for (int i = 0; i < receptor->n_atoms; i++) {
    switch (bt_grid_hbond(receptor, &receptor->atoms[i])) {
      case 2: donor_hydrogen(receptor, i, disorder_h); break;
      case 4: nitrogen_acceptor(receptor, i); break;
      case 5: oxygen_acceptor(receptor, i, disorder_h); break;
      default: break; /* spherical, or no hydrogen bonds */
    }
  }
}
