/* remarks.c - the bonds of a PDBQT ligand, from the remarks that Meeko and we write. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "chem/chemistry.h"
#include "chem/element.h"
#include "chem/molecule.h"

typedef struct remarks {
  bt_molecule *molecule;
  bt_span smiles;
  bt_text pairs[2]; /* "place serial ..." of REMARK SMILES IDX and of REMARK H PARENT */
} remarks;

static bt_status fail(const bt_molecule *molecule, bt_error *opt_error, const char *what) {
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = molecule->path, .line = molecule->first_line},
                 "prepare the ligand again from SDF, MOL2 or SMILES", "%s", what);
}

static void collect(remarks *r) {
  static const char *const prefixes[2] = {"REMARK SMILES IDX", "REMARK H PARENT"};
  for (int i = 0; i < r->molecule->n_lines; i++) {
    bt_span line = bt_span_from(r->molecule->lines[i]);
    bool pairs = false;
    for (int k = 0; k < 2; k++) {
      size_t size = strlen(prefixes[k]);
      if (!bt_span_starts(line, prefixes[k])) continue;
      bt_text_add(&r->pairs[k], line.text + size, line.size - size);
      bt_text_add_char(&r->pairs[k], ' ');
      pairs = true;
    }
    if (pairs || !bt_span_starts(line, "REMARK SMILES ") || r->smiles.size > 0) continue;
    bt_span_word(&line);
    bt_span_word(&line);
    r->smiles = bt_span_word(&line);
  }
}

static int find_serial(const bt_molecule *molecule, int serial) {
  for (int i = 0; i < molecule->n_atoms; i++)
    if (molecule->atoms[i].serial == serial) return i;
  return -1;
}

/* The next pair as indices: atom of the SMILES (from 0), atom of the molecule; false at the end. *ret_wrong: no pair.
 */
static bool next_pair(const bt_molecule *molecule, bt_span *rest, int n_places, int *ret_place, int *ret_atom,
                      bool *ret_wrong) {
  bt_span first = bt_span_word(rest), second = bt_span_word(rest);
  int serial = 0;
  if (first.size == 0) return false;
  *ret_wrong = !bt_parse_int(first, ret_place) || !bt_parse_int(second, &serial) || *ret_place < 1 ||
             *ret_place > n_places || (*ret_atom = find_serial(molecule, serial)) < 0;
  --*ret_place;
  return !*ret_wrong;
}

/* Coordinates of the heavy atoms; every one of the SMILES must have its atom, of the same element. */
static bt_status map_heavy(remarks *r, bt_chemistry *chemistry, const bt_rdatom *atoms, int n, double (*x)[3],
                           bt_error *opt_error) {
  bt_span rest = {r->pairs[0].data, r->pairs[0].size};
  int place = 0, atom = 0, mapped = 0;
  bool wrong = false;
  while (next_pair(r->molecule, &rest, n, &place, &atom, &wrong)) {
    if (chemistry->entry[atom] >= 0 || bt_element_of_type(r->molecule->atoms[atom].type) != atoms[place].element)
      return fail(r->molecule, opt_error, "REMARK SMILES IDX does not fit the atoms");
    chemistry->entry[atom] = place;
    memcpy(x[place], r->molecule->atoms[atom].x, sizeof *x);
    mapped++;
  }
  if (wrong || mapped != n) return fail(r->molecule, opt_error, "REMARK SMILES IDX does not name every atom once");
  return BT_OK;
}

/* Each hydrogen of the file becomes one of those that its parent got. used[n_atoms of chemistry] */
static bt_status map_hydrogens(remarks *r, bt_chemistry *chemistry, int n_heavy, const bt_rdbond *bonds, int n_bonds,
                               bool *used, bt_error *opt_error) {
  bt_span rest = {r->pairs[1].data, r->pairs[1].size};
  int place = 0, atom = 0;
  bool wrong = false;
  while (next_pair(r->molecule, &rest, n_heavy, &place, &atom, &wrong)) {
    int found = -1;
    for (int i = 0; i < n_bonds && found < 0; i++) {
      int other = bonds[i].a == place ? bonds[i].b : bonds[i].b == place ? bonds[i].a : -1;
      if (other >= n_heavy && !used[other]) found = other;
    }
    if (found < 0 || chemistry->entry[atom] >= 0)
      return fail(r->molecule, opt_error, "REMARK H PARENT does not fit the SMILES");
    used[found] = true;
    chemistry->entry[atom] = found;
    memcpy(chemistry->x[found], r->molecule->atoms[atom].x, sizeof *chemistry->x);
  }
  return wrong ? fail(r->molecule, opt_error, "REMARK H PARENT does not fit the SMILES") : BT_OK;
}

static bt_status add_hydrogens(remarks *r, bt_chemistry *chemistry, int n_heavy, const double (*x)[3],
                               bt_error *opt_error) {
  bt_where where = {.file = r->molecule->path};
  BT_TRY(bt_rdmol_place(chemistry->mol, x, opt_error));
  BT_TRY(bt_rdmol_add_hydrogens(chemistry->mol, where, opt_error));
  chemistry->n_atoms = bt_rdmol_atom_count(chemistry->mol);
  int n_bonds = bt_rdmol_bond_count(chemistry->mol);
  chemistry->x = bt_allocate((size_t)chemistry->n_atoms, sizeof *chemistry->x);
  bt_rdbond *bonds = bt_allocate((size_t)n_bonds, sizeof *bonds);
  bool *used = bt_allocate((size_t)chemistry->n_atoms, sizeof *used);
  bt_status status = bt_fail_memory(opt_error);
  if (chemistry->x != NULL && bonds != NULL && used != NULL) {
    bt_rdmol_coordinates(chemistry->mol, 0, chemistry->x);
    bt_rdmol_bonds(chemistry->mol, bonds);
    status = map_hydrogens(r, chemistry, n_heavy, bonds, n_bonds, used, opt_error);
  }
  free(bonds);
  free(used);
  return status;
}

static bt_status build(remarks *r, bt_chemistry *chemistry, bt_error *opt_error) {
  bt_molecule *molecule = r->molecule;
  bt_where where = {.file = molecule->path, .line = molecule->first_line};
  if (r->smiles.size == 0) return fail(molecule, opt_error, "the file has no REMARK SMILES");
  BT_TRY(bt_rdmol_read(BT_RD_SMILES, r->smiles.text, r->smiles.size, where, NULL, &chemistry->mol, opt_error));
  if (!bt_rdmol_set_name(chemistry->mol, molecule->name)) return bt_fail_memory(opt_error);
  int n = bt_rdmol_atom_count(chemistry->mol);
  chemistry->n_entries = molecule->n_atoms;
  chemistry->entry = bt_allocate((size_t)molecule->n_atoms, sizeof *chemistry->entry);
  chemistry->body = bt_allocate((size_t)molecule->n_atoms, sizeof *chemistry->body);
  bt_rdatom *atoms = bt_allocate((size_t)n, sizeof *atoms);
  double(*x)[3] = bt_allocate((size_t)n, sizeof *x);
  bt_status status = bt_fail_memory(opt_error);
  if (chemistry->entry != NULL && chemistry->body != NULL && atoms != NULL && x != NULL) {
    for (int i = 0; i < molecule->n_atoms; i++) {
      chemistry->entry[i] = -1;
      chemistry->body[i] = molecule->atoms[i].fragment;
    }
    bt_rdmol_atoms(chemistry->mol, atoms);
    status = map_heavy(r, chemistry, atoms, n, x, opt_error);
    if (status == BT_OK) status = add_hydrogens(r, chemistry, n, (const double(*)[3])x, opt_error);
  }
  free(atoms);
  free(x);
  BT_TRY(status);
  int *order = bt_allocate((size_t)chemistry->n_atoms, sizeof *order);
  if (order == NULL) return bt_fail_memory(opt_error);
  status = bt_rdmol_smiles(chemistry->mol, &chemistry->smiles, order, opt_error);
  free(order);
  return status;
}

bt_status bt_molecule_find_chemistry(bt_molecule *molecule, bt_error *opt_error) {
  if (bt_molecule_has_chemistry(molecule)) return BT_OK;
  bt_chemistry *chemistry = bt_allocate(1, sizeof *chemistry);
  if (chemistry == NULL) return bt_fail_memory(opt_error);
  chemistry->references = 1;
  remarks r = {.molecule = molecule};
  collect(&r);
  bt_status status = bt_text_status(&r.pairs[0], opt_error);
  if (status == BT_OK) status = bt_text_status(&r.pairs[1], opt_error);
  if (status == BT_OK) status = build(&r, chemistry, opt_error);
  bt_text_destroy(&r.pairs[0]);
  bt_text_destroy(&r.pairs[1]);
  if (status != BT_OK) {
    bt_chemistry_release(chemistry);
    return status;
  }
  bt_chemistry_release(molecule->chemistry);
  molecule->chemistry = chemistry;
  return BT_OK;
}
