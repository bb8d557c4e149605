/* conformers.c - chemistry of compounds: types from bonds, conformers by RDKit. */
#include "engine/bude/conformers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "chem/chemistry.h"
#include "chem/sybyl.h"
#include "prep/ligand/ligand.h"
#include "prep/ligand/preparer.h"

bt_status bt_bude_compound_from_mol2(const bt_record *record, bt_bude_compound **ret_compound, bt_error *opt_error) {
  bt_mol2 *m;
  BT_TRY(bt_mol2_parse(bt_file_label(record->path), record->line, record->text, record->size, &m, opt_error));
  bool *keep = bt_allocate((size_t)m->n_atoms, sizeof *keep);
  int fragments = 0, before = m->n_atoms;
  const bt_where where = {.file = m->path, .line = m->line};
  bt_status status = keep == NULL ? bt_fail_memory(opt_error) : bt_record_check_atoms(m->n_atoms, where, opt_error);
  if (status == BT_OK) status = bt_mol2_largest(m, keep, &fragments, opt_error);
  if (status == BT_OK && fragments > 1) status = bt_mol2_reduce(m, keep, opt_error);
  free(keep);
  if (status != BT_OK) {
    bt_mol2_destroy(m);
    return status;
  }
  int after = m->n_atoms;
  BT_TRY(bt_bude_compound_create(m, record->name, false, ret_compound, opt_error));
  if (fragments > 1)
    bt_bude_compound_add_note(*ret_compound, "kept the largest of %d fragments, left out %d atoms", fragments,
                              before - after);
  return BT_OK;
}

/* ---------------------------------------------------------------------------------------- SDF, SMILES, .btl -- */

static const char *order_text(int order) {
  return order == 2 ? "2" : order == 3 ? "3" : order == 4 ? "ar" : order == 1 ? "1" : "un";
}

static bt_status describe(const bt_rdmol *mol, bt_where where, const char *name, bt_mol2 **ret_mol2,
                          bt_error *opt_error) {
  const int n = bt_rdmol_atom_count(mol), n_bonds = bt_rdmol_bond_count(mol);
  BT_SCOPED bt_rdatom *atoms = bt_allocate((size_t)n, sizeof *atoms);
  BT_SCOPED bt_rdbond *bonds = bt_allocate((size_t)n_bonds, sizeof *bonds);
  BT_SCOPED bt_sybyl *types = bt_allocate((size_t)n, sizeof *types);
  bool ok = atoms != NULL && bonds != NULL && types != NULL;
  bt_status status = ok ? BT_OK : bt_fail_memory(opt_error);
  if (ok) {
    bt_rdmol_atoms(mol, atoms);
    bt_rdmol_bonds(mol, bonds);
    status = bt_sybyl_types(atoms, n, bonds, n_bonds, types, opt_error);
  }
  if (status == BT_OK) status = bt_mol2_create(where.file, name, n, n_bonds, 1, ret_mol2, opt_error);
  for (int i = 0; status == BT_OK && i < n; i++) {
    bt_mol2_atom *atom = &(*ret_mol2)->atoms[i];
    *atom = (bt_mol2_atom){.residue = "LIG1", .residue_number = 1};
    memcpy(atom->type, types[i].name, sizeof types[i].name);
    snprintf(atom->name, sizeof atom->name, "%s%d", atoms[i].symbol, i + 1);
  }
  for (int i = 0; status == BT_OK && i < n_bonds; i++) {
    bt_mol2_bond *bond = &(*ret_mol2)->bonds[i];
    *bond = (bt_mol2_bond){.a = bonds[i].a, .b = bonds[i].b};
    strcpy(bond->order, order_text(bonds[i].order));
  }
  if (status == BT_OK) {
    (*ret_mol2)->line = where.line;
    bt_rdmol_coordinates(mol, 0, (*ret_mol2)->x);
    (*ret_mol2)->n_conformers = bt_rdmol_is_3d(mol) ? 1 : 0;
  }
  return status;
}

static bt_status read_molecule(const bt_record *record, bt_where where, const bt_rules *rules,
                               const bt_bude_options *options, bt_rdmol **ret_mol, char **ret_notes,
                               bt_error *opt_error) {
  const bt_deadline deadline = bt_ligand_deadline(&options->ligands);
  BT_TRY(record->format->read(record, true, where, ret_mol, opt_error));
  BT_TRY(bt_record_check_atoms(bt_rdmol_atom_count(*ret_mol), where, opt_error));
  bt_prepare_options complete = options->ligands;
  complete.conformers = 0; /* made later, when the types are known */
  return bt_ligand_complete(*ret_mol, rules, &complete, &deadline, where, ret_notes, opt_error);
}

/* Makes a compound of mol, which it takes over, unless the status says that it could not be read. */
static bt_status take_molecule(bt_status status, bt_rdmol *mol, bt_where where, const char *name,
                               bt_bude_compound **ret_compound, bt_error *opt_error) {
  bt_mol2 *m;
  if (status == BT_OK) status = describe(mol, where, name, &m, opt_error);
  if (status == BT_OK) status = bt_bude_compound_create(m, name, true, ret_compound, opt_error);
  if (status == BT_OK)
    (*ret_compound)->opt_mol = mol;
  else
    bt_rdmol_destroy(mol);
  return status;
}

bt_status bt_bude_compound_from_chemistry(const bt_record *record, const bt_rules *rules,
                                          const bt_bude_options *options, bt_bude_compound **ret_compound,
                                          bt_error *opt_error) {
  const bt_where where = {.file = bt_file_label(record->path), .line = record->line};
  bt_rdmol *mol = NULL;
  BT_SCOPED char *notes = NULL;
  bt_status status = read_molecule(record, where, rules, options, &mol, &notes, opt_error);
  BT_TRY(take_molecule(status, mol, where, record->name, ret_compound, opt_error));
  bt_lines lines = bt_lines_of(notes != NULL ? notes : "", notes != NULL ? strlen(notes) : 0);
  for (bt_span line; bt_lines_next(&lines, &line);)
    if (line.size > 0)
      bt_bude_compound_add_note(*ret_compound, "%.*s", line.size < 400 ? (int)line.size : 400, line.text);
  return BT_OK;
}

/* Without the number that preparation gives to one of several conformers: "x_c12". */
static size_t base_length(const char *name) {
  size_t length = strlen(name), end = length;
  while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9') end--;
  return end > 2 && end < length && strncmp(name + end - 2, "_c", 2) == 0 ? end - 2 : length;
}

bt_status bt_bude_compound_from_library(const bt_library_record *record, bt_bude_compound **ret_compound,
                                        bt_error *opt_error) {
  bt_molecule *molecule;
  bt_rdmol *mol = NULL;
  BT_TRY(bt_btl_decode(record->block, record->index, record->path, &molecule, opt_error));
  BT_SCOPED char *name = bt_copy_text(molecule->name, base_length(molecule->name));
  bt_status status = name != NULL ? bt_molecule_find_chemistry(molecule, opt_error) : bt_fail_memory(opt_error);
  if (status == BT_OK && (mol = bt_rdmol_copy(molecule->chemistry->mol)) == NULL) status = bt_fail_memory(opt_error);
  bt_molecule_destroy(molecule);
  return take_molecule(status, mol, (bt_where){.file = record->path}, name, ret_compound, opt_error);
}

/* --------------------------------------------------------------------------------------------- conformers -- */

bt_status bt_bude_compound_chemistry(const bt_bude_compound *compound, bt_rdmol **ret_mol, bt_error *opt_error) {
  const bt_mol2 *m = compound->mol2;
  if (compound->opt_mol != NULL) {
    *ret_mol = bt_rdmol_copy(compound->opt_mol);
    return *ret_mol != NULL ? BT_OK : bt_fail_memory(opt_error);
  }
  bt_where where = {.file = m->path, .line = m->line};
  bt_status status = bt_mol2_molecule(m, where, ret_mol, opt_error);
  if (status == BT_OK && bt_rdmol_atom_count(*ret_mol) != m->n_atoms) {
    bt_rdmol_destroy(*ret_mol);
    *ret_mol = NULL;
    return bt_fail(opt_error, BT_ERR_INPUT, where, "repair the record", "RDKit reads different atoms");
  }
  return status;
}

/* Puts the conformers of mol, which may have hydrogens behind the compound's atoms, after the first `kept` ones. */
static bt_status take_conformers(bt_bude_compound *c, const bt_rdmol *mol, int kept, bt_error *opt_error) {
  bt_mol2 *m = c->mol2;
  const int made = bt_rdmol_conformer_count(mol);
  const size_t n = (size_t)m->n_atoms;
  double(*all)[3] = bt_allocate((size_t)bt_rdmol_atom_count(mol), sizeof *all);
  double(*x)[3] = realloc(m->x, ((size_t)kept + (size_t)made) * n * sizeof *x);
  if (x != NULL) m->x = x;
  if (x == NULL || all == NULL) {
    free(all);
    return bt_fail_memory(opt_error);
  }
  for (int i = 0; i < made; i++) {
    bt_rdmol_coordinates(mol, i, all);
    memcpy(x + ((size_t)kept + (size_t)i) * n, all, n * sizeof *x);
  }
  free(all);
  m->n_conformers = kept + made;
  return BT_OK;
}

static bt_status embed(bt_bude_compound *c, const bt_bude_options *options, int wanted, bt_error *opt_error) {
  bt_where where = {.file = c->mol2->path, .line = c->mol2->line};
  bt_rdmol *mol = NULL;
  bool relaxed = true;
  const bt_deadline deadline = bt_ligand_deadline(&options->ligands);
  bt_status status = bt_bude_compound_chemistry(c, &mol, opt_error);
  if (status == BT_OK) status = bt_rdmol_add_hydrogens(mol, where, opt_error);
  if (status == BT_OK)
    status = bt_rdmol_embed(mol, wanted, options->ligands.seed, &deadline, where, &relaxed, opt_error);
  if (status == BT_OK) status = take_conformers(c, mol, options->keep_conformer ? c->mol2->n_conformers : 0, opt_error);
  if (status == BT_OK && !relaxed) bt_bude_compound_add_note(c, "the force field did not fully relax all conformers");
  bt_rdmol_destroy(mol);
  return status;
}

bt_status bt_bude_compound_make_conformers(bt_bude_compound *c, const bt_bude_options *options, bt_error *opt_error) {
  const int given = c->mol2->n_conformers;
  int wanted = options->ligands.conformers;
  if (given == 0 && wanted < 1) wanted = 1; /* without coordinates it cannot be docked */
  if (given > 1 || wanted < 1) return BT_OK;
  if (*bt_rdkit_version() == '\0') {
    bt_bude_compound_add_note(c, "only the given conformer: this build has no RDKit to generate others");
    return BT_OK;
  }
  bt_error error;
  bt_status status = embed(c, options, wanted, &error);
  if (status == BT_OK) return BT_OK;
  if (given == 1 && (status == BT_ERR_INPUT || status == BT_ERR_LIMIT)) {
    bt_bude_compound_add_note(c, "only the given conformer: %.200s", error.message);
    return BT_OK;
  }
  if (opt_error != NULL) *opt_error = error;
  return status;
}
