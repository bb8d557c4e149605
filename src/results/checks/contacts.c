/* contacts.c - atoms of the receptor around a pose, by kind, and distances to them. */
#include <math.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "base/vector.h"
#include "chem/element.h"
#include "results/checks/checks.h"

static const double near = 6.0; /* Angstrom; farther atoms never clash */

/* Residues and elements of inorganic cofactors; only those that stand alone in structures. */
static const char *const inorganic_residues[] = {"FES", "MOS", "PO3", "PO4", "PPK", "SO3", "SO4", "VO4"};
static const char *const inorganic_elements[] = {"Li", "Be", "Na", "Mg", "Cl", "K",  "Ca", "Mn", "Fe",
                                                 "Co", "Ni", "Cu", "Zn", "Br", "Rb", "Mo", "Cd"};
static const char *const waters[] = {"HOH", "WAT", "DOD", "H2O", "TIP", "TP3", "SOL"};

#define COUNT(list) (int)(sizeof(list) / sizeof *(list))

static bt_check_kind kind_of(const bt_molecule *molecule, const bt_atom *atom, int element) {
  bt_span residue = bt_span_from(atom->resname);
  if (bt_span_index(bt_span_from(bt_element_symbol(element)), inorganic_elements, COUNT(inorganic_elements)) >= 0)
    return BT_KIND_INORGANIC;
  if (bt_span_index(residue, waters, COUNT(waters)) >= 0) return BT_KIND_WATER;
  if (atom->line >= molecule->n_lines || strncmp(molecule->lines[atom->line], "HETATM", 6) != 0) return BT_KIND_PROTEIN;
  return bt_span_index(residue, inorganic_residues, COUNT(inorganic_residues)) >= 0 ? BT_KIND_INORGANIC
                                                                                    : BT_KIND_ORGANIC;
}

static bt_check_atom atom_at(int element, const double x[3]) {
  bt_check_atom atom;
  bt_v3_copy(atom.x, x);
  atom.vdw = bt_check_vdw(element);
  atom.covalent = bt_check_covalent(element);
  return atom;
}

int bt_check_heavy_atoms(const bt_rdatom *atoms, int n_atoms, const double (*x)[3], bt_check_atom *ret_atoms) {
  int n = 0;
  for (int i = 0; i < n_atoms; i++)
    if (atoms[i].element > 1) ret_atoms[n++] = atom_at(atoms[i].element, x[i]);
  return n;
}

static double nearest_to(const double x[3], const bt_check_atom *ligand, int n) {
  double least = INFINITY;
  for (int i = 0; i < n; i++) least = fmin(least, bt_v3_distance2(x, ligand[i].x));
  return sqrt(least);
}

/* Distance of x from the box of the ligand's atoms, a lower bound of that to any of them. */
static double distance_from_box(const double x[3], const double low[3], const double high[3]) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    double beyond = fmax(fmax(low[k] - x[k], x[k] - high[k]), 0);
    sum += beyond * beyond;
  }
  return sqrt(sum);
}

bt_status bt_check_surround(bt_check_surroundings *around, const bt_molecule *molecule, const double *opt_xyz,
                            const bt_check_atom *ligand, int n, bt_error *opt_error) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  if (!around->known) around->nearest = INFINITY;
  around->known = true;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], ligand[i].x[k]);
      high[k] = fmax(high[k], ligand[i].x[k]);
    }
  for (int i = 0; i < molecule->n_atoms; i++) {
    const bt_atom *atom = &molecule->atoms[i];
    const double *x = opt_xyz != NULL ? opt_xyz + 3 * (size_t)i : atom->x;
    if (distance_from_box(x, low, high) > fmax(near, around->nearest)) continue;
    int element = bt_element_of_type(atom->type);
    if (element <= 1) continue;
    bt_check_kind kind = kind_of(molecule, atom, element);
    double distance = nearest_to(x, ligand, n);
    if (kind == BT_KIND_PROTEIN) around->protein = true;
    if (kind == BT_KIND_PROTEIN) around->nearest = fmin(around->nearest, distance);
    if (distance <= near &&
        !BT_APPEND(around->atoms[kind], around->count[kind], &around->room[kind], atom_at(element, x)))
      return bt_fail_memory(opt_error);
  }
  return BT_OK;
}

void bt_check_surroundings_clear(bt_check_surroundings *around) {
  for (int k = 0; k < BT_KIND_COUNT; k++) free(around->atoms[k]);
  *around = (bt_check_surroundings){.known = false};
}

/* The smallest distance over the sum of both radii; NaN: none is near. */
static double relative_distance(const bt_check_atom *ligand, int n, const bt_check_atom *others, size_t count,
                                bool covalent) {
  double least = NAN;
  for (size_t j = 0; j < count; j++)
    for (int i = 0; i < n; i++) {
      double radii = covalent ? ligand[i].covalent + others[j].covalent : ligand[i].vdw + others[j].vdw;
      least = fmin(least, bt_v3_distance(ligand[i].x, others[j].x) / radii);
    }
  return least;
}

void bt_check_distances(const bt_check_surroundings *around, const bt_check_atom *ligand, int n, bt_checks *checks) {
  if (around->protein) bt_checks_set(checks, BT_CHECK_PROTEIN_MAXIMUM_DISTANCE, around->nearest);
  for (int k = 0; k < BT_KIND_COUNT; k++)
    bt_checks_set(checks, (bt_check)(BT_CHECK_PROTEIN_DISTANCE + k),
                  relative_distance(ligand, n, around->atoms[k], around->count[k], k == BT_KIND_INORGANIC));
}
