/* remarks.c - the bonds of a PDBQT ligand, from the remarks of Meeko and Berth. */
#include <string.h>

#include "base/memory.h"
#include "chem/chemistry.h"
#include "chem/element.h"
#include "formats/pdbqt/pdbqt.h"

typedef struct remarks {
  bt_molecule *molecule;
  bt_span smiles;
  bt_pdbqt_place *places; /* [n_atoms of molecule] */
} remarks;

static bt_status fail(const bt_molecule *molecule, bt_error *opt_error, const char *what) {
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = molecule->path, .line = molecule->first_line},
                 "prepare the ligand again from SDF, MOL2 or SMILES", "%s", what);
}

/* Coordinates of the heavy atoms; every heavy atom of the SMILES must have one, of the same element. used[n] */
static bt_status map_heavy(remarks *r, bt_chemistry *chemistry, const bt_rdatom *atoms, int n, double (*x)[3],
                           bool *used, bt_error *opt_error) {
  int mapped = 0;
  for (int i = 0; i < r->molecule->n_atoms; i++) {
    int place = r->places[i].place - 1;
    if (place < 0 || r->places[i].parent) continue;
    if (place >= n) return fail(r->molecule, opt_error, "REMARK SMILES IDX does not name every atom once");
    if (bt_element_of_type(r->molecule->atoms[i].type) != atoms[place].element)
      return fail(r->molecule, opt_error, "REMARK SMILES IDX does not fit the atoms");
    chemistry->entry[i] = place;
    memcpy(x[place], r->molecule->atoms[i].x, sizeof *x);
    mapped += !used[place];
    used[place] = true;
  }
  if (mapped != n) return fail(r->molecule, opt_error, "REMARK SMILES IDX does not name every atom once");
  return BT_OK;
}

/* Assigns each hydrogen of the file to one of its parent's hydrogens. used[n_atoms of chemistry] */
static bt_status map_hydrogens(remarks *r, bt_chemistry *chemistry, int n_heavy, const bt_rdbond *bonds, int n_bonds,
                               bool *used, bt_error *opt_error) {
  for (int i = 0; i < r->molecule->n_atoms; i++) {
    int place = r->places[i].place - 1, found = -1;
    if (!r->places[i].parent) continue;
    for (int k = 0; k < n_bonds && found < 0; k++) {
      int other = bonds[k].a == place ? bonds[k].b : bonds[k].b == place ? bonds[k].a : -1;
      if (other >= n_heavy && !used[other]) found = other;
    }
    if (found < 0) return fail(r->molecule, opt_error, "REMARK H PARENT does not fit the SMILES");
    used[found] = true;
    chemistry->entry[i] = found;
    memcpy(chemistry->x[found], r->molecule->atoms[i].x, sizeof *chemistry->x);
  }
  return BT_OK;
}

static bt_status add_hydrogens(remarks *r, bt_chemistry *chemistry, int n_heavy, const double (*x)[3],
                               bt_error *opt_error) {
  bt_where where = {.file = r->molecule->path};
  BT_TRY(bt_rdmol_place(chemistry->mol, x, opt_error));
  BT_TRY(bt_rdmol_add_hydrogens(chemistry->mol, where, opt_error));
  chemistry->n_atoms = bt_rdmol_atom_count(chemistry->mol);
  int n_bonds = bt_rdmol_bond_count(chemistry->mol);
  chemistry->x = bt_allocate((size_t)chemistry->n_atoms, sizeof *chemistry->x);
  BT_SCOPED bt_rdbond *bonds = bt_allocate((size_t)n_bonds, sizeof *bonds);
  BT_SCOPED bool *used = bt_allocate((size_t)chemistry->n_atoms, sizeof *used);
  if (chemistry->x == NULL || bonds == NULL || used == NULL) return bt_fail_memory(opt_error);
  bt_rdmol_coordinates(chemistry->mol, 0, chemistry->x);
  bt_rdmol_bonds(chemistry->mol, bonds);
  return map_hydrogens(r, chemistry, n_heavy, bonds, n_bonds, used, opt_error);
}

static bt_status build(remarks *r, bt_chemistry *chemistry, bt_error *opt_error) {
  bt_molecule *molecule = r->molecule;
  bt_where where = {.file = molecule->path, .line = molecule->first_line};
  const char *wrong = bt_pdbqt_find_remarks(molecule, &r->smiles, r->places);
  if (wrong != NULL) return fail(molecule, opt_error, wrong);
  BT_TRY(bt_rdmol_read(BT_RD_SMILES, r->smiles.text, r->smiles.size, where, NULL, &chemistry->mol, opt_error));
  if (!bt_rdmol_set_name(chemistry->mol, molecule->name)) return bt_fail_memory(opt_error);
  int n = bt_rdmol_atom_count(chemistry->mol);
  chemistry->n_entries = molecule->n_atoms;
  chemistry->entry = bt_allocate((size_t)molecule->n_atoms, sizeof *chemistry->entry);
  chemistry->body = bt_allocate((size_t)molecule->n_atoms, sizeof *chemistry->body);
  BT_SCOPED bt_rdatom *atoms = bt_allocate((size_t)n, sizeof *atoms);
  BT_SCOPED double(*x)[3] = bt_allocate((size_t)n, sizeof *x);
  BT_SCOPED bool *used = bt_allocate((size_t)n, sizeof *used);
  if (chemistry->entry == NULL || chemistry->body == NULL || atoms == NULL || x == NULL || used == NULL)
    return bt_fail_memory(opt_error);
  for (int i = 0; i < molecule->n_atoms; i++) {
    chemistry->entry[i] = -1;
    chemistry->body[i] = molecule->atoms[i].fragment;
  }
  bt_rdmol_atoms(chemistry->mol, atoms);
  BT_TRY(map_heavy(r, chemistry, atoms, n, x, used, opt_error));
  BT_TRY(add_hydrogens(r, chemistry, n, (const double(*)[3])x, opt_error));
  BT_SCOPED int *order = bt_allocate((size_t)chemistry->n_atoms, sizeof *order);
  if (order == NULL) return bt_fail_memory(opt_error);
  return bt_rdmol_smiles(chemistry->mol, &chemistry->smiles, order, opt_error);
}

bt_status bt_molecule_find_chemistry(bt_molecule *molecule, bt_error *opt_error) {
  if (bt_molecule_has_chemistry(molecule)) return BT_OK;
  BT_SCOPED bt_pdbqt_place *places = bt_allocate((size_t)molecule->n_atoms, sizeof *places);
  bt_chemistry *chemistry = bt_chemistry_retain(bt_allocate(1, sizeof *chemistry));
  remarks r = {.molecule = molecule, .places = places};
  bt_status status = chemistry == NULL || places == NULL ? bt_fail_memory(opt_error) : build(&r, chemistry, opt_error);
  if (status == BT_OK) bt_chemistry_release(molecule->chemistry);
  if (status == BT_OK) molecule->special = true; /* charges and torsions are those of another preparation */
  return BT_HAND_OVER(status, chemistry, &molecule->chemistry, bt_chemistry_release);
}
