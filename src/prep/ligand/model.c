/* model.c - building the arrays of a ligand in preparation. */
#include "prep/ligand/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bt_status take_atoms(bt_prep *prep, int conformer, bt_error *opt_error) {
  size_t n = (size_t)prep->n_real;
  BT_SCOPED bt_rdatom *atoms = bt_allocate(n, sizeof *atoms);
  double(*x)[3] = bt_allocate(n, sizeof *x);
  bool ok = atoms != NULL && x != NULL;
  if (ok) {
    bt_rdmol_atoms(prep->mol, atoms);
    bt_rdmol_coordinates(prep->mol, conformer, x);
  }
  for (size_t i = 0; ok && i < n; i++) {
    bt_prep_atom *atom = &prep->atoms[i];
    *atom = (bt_prep_atom){.element = atoms[i].element,
                           .formal_charge = atoms[i].charge,
                           .aromatic = atoms[i].aromatic,
                           .stereo = atoms[i].stereo,
                           .anchor = -1,
                           .body = -1,
                           .charge = atoms[i].file_charge,
                           .residue_number = atoms[i].residue_number,
                           .chain = atoms[i].chain,
                           .icode = atoms[i].icode};
    memcpy(atom->x, x[i], sizeof atom->x);
    memcpy(atom->symbol, atoms[i].symbol, sizeof atom->symbol);
    memcpy(atom->name, atoms[i].name, sizeof atom->name);
    memcpy(atom->residue, atoms[i].residue, sizeof atom->residue);
  }
  free(x);
  return ok ? BT_OK : bt_fail_memory(opt_error);
}

static bt_status take_bonds(bt_prep *prep, bt_error *opt_error) {
  size_t n = (size_t)prep->n_real, m = (size_t)prep->n_bonds;
  BT_SCOPED bt_rdbond *bonds = bt_allocate(m, sizeof *bonds);
  prep->first = bt_allocate(n + 1, sizeof *prep->first);
  prep->neighbor = bt_allocate(2 * m, sizeof *prep->neighbor);
  prep->via = bt_allocate(2 * m, sizeof *prep->via);
  BT_SCOPED int *fill = bt_allocate(n, sizeof *fill);
  bool ok = bonds != NULL && prep->first != NULL && prep->neighbor != NULL && prep->via != NULL && fill != NULL;
  if (ok) {
    bt_rdmol_bonds(prep->mol, bonds);
    for (size_t i = 0; i < m; i++) {
      prep->bonds[i] = (bt_prep_bond){.a = bonds[i].a, .b = bonds[i].b, .order = bonds[i].order};
      prep->first[bonds[i].a + 1]++;
      prep->first[bonds[i].b + 1]++;
    }
    for (size_t i = 0; i < n; i++) {
      prep->first[i + 1] += prep->first[i];
      fill[i] = prep->first[i];
    }
    for (size_t i = 0; i < m; i++) {
      int a = bonds[i].a, b = bonds[i].b;
      prep->neighbor[fill[a]] = b;
      prep->via[fill[a]++] = (int)i;
      prep->neighbor[fill[b]] = a;
      prep->via[fill[b]++] = (int)i;
    }
  }
  return ok ? BT_OK : bt_fail_memory(opt_error);
}

bt_status bt_prep_create(const bt_rdmol *mol, int conformer, bt_where where, bt_prep **ret_prep, bt_error *opt_error) {
  bt_prep *prep = bt_allocate(1, sizeof *prep);
  if (prep == NULL) return bt_fail_memory(opt_error);
  prep->mol = mol;
  prep->where = where;
  prep->n_real = prep->n_atoms = bt_rdmol_atom_count(mol);
  prep->n_bonds = bt_rdmol_bond_count(mol);
  prep->flexibility = INFINITY;
  prep->atoms = bt_allocate((size_t)prep->n_atoms, sizeof *prep->atoms);
  prep->bonds = bt_allocate((size_t)prep->n_bonds, sizeof *prep->bonds);
  bt_status status = prep->atoms == NULL || prep->bonds == NULL ? bt_fail_memory(opt_error) : BT_OK;
  if (status == BT_OK) status = take_atoms(prep, conformer, opt_error);
  if (status == BT_OK) status = take_bonds(prep, opt_error);
  return BT_HAND_OVER(status, prep, ret_prep, bt_prep_destroy);
}

void bt_prep_free_bodies(bt_prep *prep) {
  for (int i = 0; i < prep->n_bodies; i++) {
    free(prep->bodies[i].atoms);
    free(prep->bodies[i].links);
    free(prep->bodies[i].link_from);
    free(prep->bodies[i].link_to);
  }
  free(prep->bodies);
  prep->bodies = NULL;
  prep->n_bodies = 0;
}

void bt_prep_destroy(bt_prep *opt_prep) {
  bt_prep *prep = opt_prep;
  if (prep == NULL) return;
  for (int i = 0; i < prep->n_rings; i++) free(prep->rings[i].bonds);
  free(prep->rings);
  bt_prep_free_bodies(prep);
  free(prep->atoms);
  free(prep->bonds);
  free(prep->first);
  free(prep->neighbor);
  free(prep->via);
  free(prep);
}

bt_status bt_prep_add_pseudo(bt_prep *prep, int anchor, const char *type, const char *name, const double x[3],
                             bt_error *opt_error) {
  bt_prep_atom *atoms = realloc(prep->atoms, ((size_t)prep->n_atoms + 1) * sizeof *atoms);
  if (atoms == NULL) return bt_fail_memory(opt_error);
  prep->atoms = atoms;
  bt_prep_atom *atom = &atoms[prep->n_atoms++];
  *atom = atoms[anchor];
  atom->element = 0;
  atom->formal_charge = 0;
  atom->charge = 0;
  atom->merged = atom->aromatic = atom->stereo = false;
  atom->anchor = anchor;
  atom->body = -1;
  memcpy(atom->x, x, sizeof atom->x);
  snprintf(atom->type, sizeof atom->type, "%s", type);
  snprintf(atom->name, sizeof atom->name, "%s", name);
  atom->symbol[0] = '\0';
  return BT_OK;
}

int bt_prep_degree(const bt_prep *prep, int atom) { return prep->first[atom + 1] - prep->first[atom]; }

int bt_prep_kept_neighbors(const bt_prep *prep, int atom) {
  int count = 0;
  for (int k = prep->first[atom]; k < prep->first[atom + 1]; k++) count += !prep->atoms[prep->neighbor[k]].merged;
  return count;
}
