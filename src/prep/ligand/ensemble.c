/* ensemble.c - conformers of a molecule that are docked as one ligand. */
#include "prep/ligand/ensemble.h"

#include <math.h>

#include "base/memory.h"
#include "base/vector.h"
#include "chem/chemistry.h"

/* Root mean square of the differences between distances, Angstrom, below which two conformers dock alike. */
static const double alike = 0.02;

static bool same_tree(const bt_molecule *a, const bt_molecule *b) {
  if (a->n_atoms != b->n_atoms || a->n_fragments != b->n_fragments || a->torsdof != b->torsdof) return false;
  for (int i = 0; i < a->n_atoms; i++)
    if (strcmp(a->atoms[i].type, b->atoms[i].type) != 0 || strcmp(a->atoms[i].name, b->atoms[i].name) != 0 ||
        a->atoms[i].fragment != b->atoms[i].fragment)
      return false;
  for (int f = 0; f < a->n_fragments; f++) {
    const bt_fragment *p = &a->fragments[f], *q = &b->fragments[f];
    if (p->parent != q->parent || p->axis_from != q->axis_from || p->axis_to != q->axis_to) return false;
  }
  return true;
}

/* Is the atom held in place relative to the fragment: its own, or at the other end of a bond that turns? */
static bool is_held(const bt_molecule *molecule, int atom, int fragment) {
  int own = molecule->atoms[atom].fragment;
  if (own == fragment || molecule->fragments[fragment].axis_from == atom) return true;
  return molecule->fragments[own].parent == fragment && molecule->fragments[own].axis_to == atom;
}

static bool is_alike(const bt_molecule *a, const bt_molecule *b) {
  double sum = 0;
  int n = 0;
  for (int f = 0; f < a->n_fragments; f++)
    for (int i = 0; i < a->n_atoms; i++)
      for (int j = 0; is_held(a, i, f) && j < i; j++) {
        if (!is_held(a, j, f)) continue;
        double d = bt_v3_distance(a->atoms[i].x, a->atoms[j].x) - bt_v3_distance(b->atoms[i].x, b->atoms[j].x);
        sum += d * d;
        n++;
      }
  return n == 0 || sqrt(sum / n) < alike;
}

bt_status bt_ensemble_add(bt_molecule *molecule, bt_molecule *conformer, bt_error *opt_error) {
  bool adds = same_tree(molecule, conformer) && !is_alike(molecule, conformer);
  for (int k = 0; adds && k < molecule->n_conformers; k++) adds = !is_alike(molecule->conformers[k], conformer);
  size_t room = (size_t)molecule->n_conformers;
  if (!adds) {
    bt_molecule_destroy(conformer);
    return BT_OK;
  }
  conformer->chemistry->embedded = true; /* also beside coordinates of the record */
  if (BT_APPEND(molecule->conformers, molecule->n_conformers, &room, conformer)) return BT_OK;
  bt_molecule_destroy(conformer);
  return bt_fail_memory(opt_error);
}
