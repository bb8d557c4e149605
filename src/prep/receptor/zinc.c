/* zinc.c - AutoDock4Zn: zinc without charge, and a pseudo atom TZ at the free vertex of its tetrahedron.
 *
 * Santos-Martins, Forli, Ramos, Olson, J. Chem. Inf. Model. 54, 2371 (2014). A zinc coordinated by three groups of the
 * receptor gets TZ 2 Angstrom away, perpendicular to the plane of the three and on the side away from them. The two
 * oxygens of a carboxylate count as one group, at a point between them, closer to the nearer one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "forcefield/ad4.h"
#include "prep/receptor/receptor.h"
#include "base/vector.h"

static const double SHELL = 4.5, BINDING = 2.5, AWAY = 2.0; /* Angstrom */
enum { MOST = 96 };

typedef struct bt_zinc_atom {
  double x[3], distance;
  const bt_receptor_atom *atom;
  bool used; /* as part of a carboxylate */
} bt_zinc_atom;

static int by_distance(const void *a, const void *b) {
  const bt_zinc_atom *one = a, *two = b;
  return one->distance < two->distance ? -1 : one->distance > two->distance;
}

static int find_shell(const bt_receptor_work *prep, const bt_receptor_atom *zinc, bt_zinc_atom shell[MOST]) {
  int count = 0;
  for (int i = 0; i < prep->n_residues; i++) {
    const bt_receptor_residue *r = &prep->residues[i];
    for (int a = 0; r->fate == BT_FATE_KEPT && a < r->n_atoms && count < MOST; a++) {
      double distance = bt_v3_distance(r->atoms[a].x, zinc->x);
      if (&r->atoms[a] == zinc || distance > SHELL) continue;
      shell[count] = (bt_zinc_atom){.distance = distance, .atom = &r->atoms[a]};
      bt_v3_copy(shell[count++].x, r->atoms[a].x);
    }
  }
  qsort(shell, (size_t)count, sizeof *shell, by_distance);
  return count;
}

/* Half the mean of the force field's diameters. */
static bool bonded(const bt_zinc_atom *a, const bt_zinc_atom *b) {
  const bt_ad4_type *one = bt_ad4_find(a->atom->type), *two = bt_ad4_find(b->atom->type);
  if (one == NULL || two == NULL) return false;
  return bt_v3_distance(a->x, b->x) < 0.25 * (one->radius_sum + two->radius_sum);
}

static int bonds(const bt_zinc_atom *shell, int n, int i, int *ret_last) {
  int count = 0;
  for (int j = 0; j < n; j++)
    if (j != i && shell[j].atom->element != 1 && bonded(&shell[i], &shell[j])) {
      *ret_last = j;
      count++;
    }
  return count;
}

/* The other oxygen of a carboxylate, -1. */
static int carboxylate_partner(const bt_zinc_atom *shell, int n, int i) {
  int carbon = -1, back = -1;
  if (shell[i].atom->element != 8 || bonds(shell, n, i, &carbon) != 1 || shell[carbon].atom->element != 6) return -1;
  for (int j = 0; j < n; j++)
    if (j != i && shell[j].atom->element == 8 && bonded(&shell[j], &shell[carbon]) && bonds(shell, n, j, &back) == 1)
      return j;
  return -1;
}

static bool binds(const bt_receptor_atom *atom) {
  static const char *const types[] = {"OA", "O", "N", "NA", "S", "SA", "Zn", "Mg", "Ca", "Mn", "Fe"};
  for (size_t k = 0; k < sizeof types / sizeof *types; k++)
    if (strcmp(atom->type, types[k]) == 0) return true;
  return false;
}

static bool near_accepted(const bt_zinc_atom *shell, int n, const int *accepted, int count, int i) {
  for (int k = 0; k < count; k++) {
    if (bonded(&shell[i], &shell[accepted[k]])) return true;
    for (int j = 0; j < n; j++)
      if (j != i && bonded(&shell[j], &shell[i]) && bonded(&shell[j], &shell[accepted[k]])) return true;
  }
  return false;
}

/* Points at which the receptor coordinates the zinc. */
static int find_points(bt_zinc_atom *shell, int n, double points[MOST][3]) {
  int accepted[MOST], count = 0;
  for (int i = 0; i < n; i++) {
    if (shell[i].distance > BINDING || shell[i].used || !binds(shell[i].atom)) continue;
    int partner = carboxylate_partner(shell, n, i);
    if (partner < 0 && near_accepted(shell, n, accepted, count, i)) continue;
    bt_v3_copy(points[count], shell[i].x);
    if (partner >= 0) { /* the nearer oxygen comes first */
      double apart = bt_v3_distance(shell[i].x, shell[partner].x), between[3];
      double share = (1.0 - sqrt(fmax(0.0, shell[partner].distance - shell[i].distance) / apart)) / 2.0;
      bt_v3_subtract(between, shell[partner].x, shell[i].x);
      bt_v3_add(points[count], shell[i].x, share, between);
      shell[partner].used = true;
    }
    accepted[count++] = i;
  }
  return count;
}

static bt_status add_pseudo(bt_receptor_work *prep, int residue, const bt_receptor_atom *zinc, const double x[3]) {
  if (!BT_GROW(prep->pseudo, &prep->pseudo_room, prep->n_pseudo + 1)) return bt_fail_memory(prep->opt_error);
  int *residues = realloc(prep->pseudo_residue, ((size_t)prep->n_pseudo + 1) * sizeof *residues);
  if (residues == NULL) return bt_fail_memory(prep->opt_error);
  prep->pseudo_residue = residues;
  bt_receptor_atom *tz = &prep->pseudo[prep->n_pseudo];
  *tz = *zinc;
  tz->source = -1;
  tz->charge = 0.0;
  bt_v3_copy(tz->x, x);
  memcpy(tz->name, "TZ", 3);
  memcpy(tz->type, "TZ", 3);
  residues[prep->n_pseudo++] = residue;
  return BT_OK;
}

static bt_status treat(bt_receptor_work *prep, int residue, bt_receptor_atom *zinc) {
  bt_zinc_atom shell[MOST];
  double points[MOST][3], u[3], v[3], normal[3], middle[3], x[3];
  zinc->charge = 0.0;
  int n = find_shell(prep, zinc, shell), count = find_points(shell, n, points);
  if (count != 3) {
    bt_receptor_note(&prep->residues[residue], "charge 0; no pseudo atom, since %d groups coordinate it, not 3", count);
    return BT_OK;
  }
  bt_v3_subtract(u, points[1], points[0]);
  bt_v3_subtract(v, points[2], points[0]);
  bt_v3_cross(normal, u, v);
  if (!bt_v3_unit(normal)) {
    bt_receptor_note(&prep->residues[residue], "charge 0; no pseudo atom, since the coordinating groups are collinear");
    return BT_OK;
  }
  for (int k = 0; k < 3; k++) middle[k] = (points[0][k] + points[1][k] + points[2][k]) / 3.0 - zinc->x[k];
  bt_v3_add(x, zinc->x, bt_v3_dot(middle, normal) > 0.0 ? -AWAY : AWAY, normal);
  bt_receptor_note(&prep->residues[residue], "charge 0; pseudo atom TZ added");
  return add_pseudo(prep, residue, zinc, x);
}

bt_status bt_receptor_zinc(bt_receptor_work *prep) {
  int count = 0;
  for (int i = 0; i < prep->n_residues; i++) {
    bt_receptor_residue *r = &prep->residues[i];
    for (int a = 0; r->fate == BT_FATE_KEPT && a < r->n_atoms; a++)
      if (r->atoms[a].element == 30 && strcmp(r->atoms[a].type, "Zn") == 0) {
        count++;
        BT_TRY(treat(prep, i, &r->atoms[a]));
      }
  }
  if (count == 0) bt_text_add_string(&prep->notes, "AD4Zn was requested, but the receptor has no zinc\n");
  return BT_OK;
}
