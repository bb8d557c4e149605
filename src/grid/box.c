/* box.c - boxes of the search: of given edges, around molecules, with room for more. */
#include <berth/berth.h>
#include <berth/place.h>
#include <math.h>

#include "base/status.h"
#include "chem/glue.h"
#include "chem/molecule.h"
#include "pose/ligand.h"

bt_status bt_box_at(const double center[3], const double size[3], double spacing, bt_box *ret_box,
                    bt_error *opt_error) {
  for (int k = 0; k < 3; k++)
    if (!(size[k] > 0.0 && size[k] <= 1000.0))
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use a size, or another padding",
                     "an edge of the box is %.3f Angstrom; it must lie between 0 and 1000", size[k]);
  *ret_box = bt_box_from_size(center, size, spacing);
  return BT_OK;
}

bt_status bt_box_around(const double low[3], const double high[3], const double *opt_size, double padding,
                        double spacing, bt_box *ret_box, bt_error *opt_error) {
  double middle[3], edges[3];
  for (int k = 0; k < 3; k++) {
    middle[k] = 0.5 * (low[k] + high[k]);
    edges[k] = opt_size != NULL ? opt_size[k] : high[k] - low[k] + 2.0 * padding;
  }
  return bt_box_at(middle, edges, spacing, ret_box, opt_error);
}

bool bt_box_include(bt_box *box, const double low[3], const double high[3], double margin) {
  double middle[3], edges[3];
  bool changed = false;
  for (int k = 0; k < 3; k++) {
    double half = 0.5 * box->npts[k] * box->spacing, from = box->center[k] - half, to = box->center[k] + half;
    double lower = fmin(from, low[k] - margin), upper = fmax(to, high[k] + margin);
    changed = changed || lower < from || upper > to;
    middle[k] = 0.5 * (lower + upper);
    edges[k] = upper - lower;
  }
  if (changed) *box = bt_box_from_size(middle, edges, box->spacing);
  return changed;
}

static double edge(const bt_box *box, int axis) { return box->npts[axis] * box->spacing; }

double bt_box_volume(const bt_box *box) { return edge(box, 0) * edge(box, 1) * edge(box, 2); }

bt_status bt_box_check(const bt_box *box, bt_error *opt_error) {
  double shortest = fmin(edge(box, 0), fmin(edge(box, 1), edge(box, 2)));
  if (shortest >= BT_BOX_SHORTEST - 1e-6) return BT_OK;
  return bt_fail(opt_error, BT_ERR_BOX, (bt_where){0}, "make the box larger (--size), or place it with --autobox",
                 "the box of %.1f x %.1f x %.1f Angstrom is smaller than any ligand: every edge must have at least %g "
                 "Angstrom",
                 edge(box, 0), edge(box, 1), edge(box, 2), BT_BOX_SHORTEST);
}

static double distance(const double *x, int i, int j) {
  double squared = 0;
  for (int k = 0; k < 3; k++) {
    double d = x[3 * (size_t)i + (size_t)k] - x[3 * (size_t)j + (size_t)k];
    squared += d * d;
  }
  return sqrt(squared);
}

/* Atoms' centers are inside; around them they need the room of the smallest molecules: 13 A^3 for each heavy atom, of a
 * box that is wider by their radius of 1.5 Angstrom on every side. */
static bt_status check_room(const bt_box *box, const bt_ligand *ligand, bt_error *opt_error) {
  const double radius = 1.5, volume_of_atom = 13;
  int heavy = 0;
  double room = 1;
  for (int i = 0; i < ligand->n_ligand_atoms; i++) {
    const char *type = ligand->molecule->atoms[i].type;
    heavy += type[0] != 'H' && !bt_is_hydration_water(type) && bt_glue_point(type) < 0;
  }
  for (int k = 0; k < 3; k++) room *= edge(box, k) + 2 * radius;
  if (heavy * volume_of_atom <= room) return BT_OK;
  return bt_fail(opt_error, BT_ERR_BOX, (bt_where){.file = ligand->molecule->path}, "make the box larger (--size)",
                 "the box of %.1f x %.1f x %.1f A is smaller than the ligand, which has %d heavy atoms", edge(box, 0),
                 edge(box, 1), edge(box, 2), heavy);
}

bt_status bt_box_fits(const bt_box *box, const bt_ligand *ligand, bt_error *opt_error) {
  double diagonal = sqrt(edge(box, 0) * edge(box, 0) + edge(box, 1) * edge(box, 1) + edge(box, 2) * edge(box, 2));
  for (int i = 0; i < ligand->n_ligand_atoms; i++)
    for (int j = 0; j < i; j++) {
      if (ligand->body[i] != ligand->body[j] || distance(ligand->xyz, i, j) <= diagonal) continue;
      const bt_molecule *molecule = NULL;
      const bt_atom *atom = bt_ligand_atom(ligand, i, &molecule);
      return bt_fail(opt_error, BT_ERR_BOX, bt_atom_where(molecule, atom), "make the box larger (--size)",
                     "the ligand is longer than the box: a rigid part measures %.1f A, the box's diagonal %.1f A",
                     distance(ligand->xyz, i, j), diagonal);
    }
  return check_room(box, ligand, opt_error);
}

double bt_box_distance_to(const bt_box *box, const double point[3]) {
  double distance2 = 0;
  for (int k = 0; k < 3; k++) {
    double half = 0.5 * box->npts[k] * box->spacing;
    double beyond = fmax(fabs(point[k] - box->center[k]) - half, 0);
    distance2 += beyond * beyond;
  }
  return sqrt(distance2);
}

double bt_box_distance(const bt_box *box, const bt_molecule *molecule) {
  double least = INFINITY;
  for (int i = 0; i < molecule->n_atoms; i++) least = fmin(least, bt_box_distance_to(box, molecule->atoms[i].x));
  return least;
}
