/* model.c - building the arrays of a ligand in preparation. */
#include "prep/ligand/steps/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bt_status take_atoms(bt_prep *prep, int conformer, bt_error *opt_error) {
  size_t n = (size_t)prep->n_real;
  BT_SCOPED bt_rdatom *atoms = bt_allocate(n, sizeof *atoms);
  BT_SCOPED double(*x)[3] = bt_allocate(n, sizeof *x);
  if (atoms == NULL || x == NULL || !BT_GROW(prep->atoms, &prep->atom_room, n)) return bt_fail_memory(opt_error);
  bt_rdmol_atoms(prep->mol, atoms);
  bt_rdmol_coordinates(prep->mol, conformer, x);
  for (size_t i = 0; i < n; i++) {
    bt_prep_atom *atom = &prep->atoms[i];
    *atom = (bt_prep_atom){.element = atoms[i].element,
                           .formal_charge = atoms[i].charge,
                           .number = atoms[i].number,
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
  return BT_OK;
}

static bt_status take_bonds(bt_prep *prep, bt_error *opt_error) {
  size_t n = (size_t)prep->n_real, m = (size_t)prep->n_bonds;
  BT_SCOPED bt_rdbond *bonds = bt_allocate(m, sizeof *bonds);
  BT_NEW(&prep->arena, prep->bonds, m);
  BT_NEW(&prep->arena, prep->first, n + 2);
  BT_NEW(&prep->arena, prep->neighbor, 2 * m);
  BT_NEW(&prep->arena, prep->via, 2 * m);
  if (bonds == NULL || prep->arena.failed) return bt_fail_memory(opt_error);
  bt_rdmol_bonds(prep->mol, bonds);
  for (size_t i = 0; i < m; i++) {
    prep->bonds[i] = (bt_prep_bond){.a = bonds[i].a, .b = bonds[i].b, .order = bonds[i].order};
    prep->first[bonds[i].a + 2]++;
    prep->first[bonds[i].b + 2]++;
  }
  for (size_t i = 0; i < n; i++) prep->first[i + 2] += prep->first[i + 1];
  for (size_t i = 0; i < m; i++) {
    int ends[2] = {bonds[i].a, bonds[i].b};
    for (int k = 0; k < 2; k++) {
      int at = prep->first[ends[k] + 1]++;
      prep->neighbor[at] = ends[1 - k];
      prep->via[at] = (int)i;
    }
  }
  return BT_OK;
}

bt_status bt_prep_create(const bt_rdmol *mol, int conformer, bt_where where, bt_prep **ret_prep, bt_error *opt_error) {
  bt_prep *prep = bt_allocate(1, sizeof *prep);
  if (prep == NULL) return bt_fail_memory(opt_error);
  prep->mol = mol;
  prep->where = where;
  prep->n_real = prep->n_atoms = bt_rdmol_atom_count(mol);
  prep->n_bonds = bt_rdmol_bond_count(mol);
  prep->flexibility = INFINITY;
  prep->held = -1;
  bt_status status = take_atoms(prep, conformer, opt_error);
  if (status == BT_OK) status = take_bonds(prep, opt_error);
  return BT_HAND_OVER(status, prep, ret_prep, bt_prep_destroy);
}

void bt_prep_free_bodies(bt_prep *prep) {
  for (int i = 0; i < prep->n_bodies; i++) {
    free(prep->bodies[i].atoms);
    free(prep->bodies[i].links);
  }
  free(prep->bodies);
  prep->bodies = NULL;
  prep->n_bodies = 0;
}

void bt_prep_destroy(bt_prep *opt_prep) {
  bt_prep *prep = opt_prep;
  if (prep == NULL) return;
  free(prep->rings);
  bt_prep_free_bodies(prep);
  free(prep->atoms);
  bt_arena_destroy(&prep->arena);
  free(prep);
}

bt_status bt_prep_add_pseudo(bt_prep *prep, int anchor, const char *type, const char *name, const double x[3],
                             bt_error *opt_error) {
  if (!BT_GROW(prep->atoms, &prep->atom_room, prep->n_atoms + 1)) return bt_fail_memory(opt_error);
  bt_prep_atom *atom = &prep->atoms[prep->n_atoms++];
  *atom = prep->atoms[anchor];
  atom->element = atom->formal_charge = 0;
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
