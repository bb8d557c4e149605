/* conformers.c - chemistry of compounds: types from bonds, conformers by RDKit. */
#include "engine/bude/conformers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "engine/bude/state.h"
#include "prep/ligand/ligand.h"
#include "prep/ligand/preparer.h"

static bt_status read_mol2(const bt_record *record, bt_bude_compound **ret_compound, bt_error *opt_error) {
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
  bt_bude_compound *compound;
  int after = m->n_atoms;
  BT_TRY(bt_bude_compound_create(m, NULL, record->name, &compound, opt_error));
  if (fragments > 1)
    status = bt_text_list_printf(&compound->molecule->chemistry->notes, opt_error,
                                 "kept the largest of %d fragments, left out %d atoms", fragments, before - after);
  return BT_HAND_OVER(status, compound, ret_compound, bt_bude_compound_destroy);
}

/* ---------------------------------------------------------------------------------------- SDF, SMILES, .btl -- */

/* Takes mol over. */
static bt_status take_molecule(bt_rdmol *mol, bt_where where, const char *name, bt_bude_compound **ret_compound,
                               bt_error *opt_error) {
  bt_mol2 *m;
  bt_status status = bt_mol2_describe(mol, where, name, &m, opt_error);
  if (status == BT_OK) return bt_bude_compound_create(m, mol, name, ret_compound, opt_error);
  bt_rdmol_destroy(mol);
  return status;
}

/* A molecule without 3D coordinates has no conformer yet. */
static bt_status read_chemistry(bt_library *library, const bt_record *record, bt_bude_compound **ret_compound,
                                bt_error *opt_error) {
  const bt_where where = {.file = bt_file_label(record->path), .line = record->line};
  bt_rdmol *mol;
  bt_bude_compound *compound;
  BT_SCOPED char *notes = NULL;
  BT_TRY(bt_library_chemistry(library, record, &mol, &notes, opt_error));
  BT_TRY(take_molecule(mol, where, record->name, &compound, opt_error));
  bt_status status = BT_OK;
  bt_lines lines = bt_lines_of(notes != NULL ? notes : "", notes != NULL ? strlen(notes) : 0);
  for (bt_span line; status == BT_OK && bt_lines_next(&lines, &line);)
    if (line.size > 0) status = bt_text_list_add(&compound->molecule->chemistry->notes, line, opt_error);
  return BT_HAND_OVER(status, compound, ret_compound, bt_bude_compound_destroy);
}

/* Without the number that preparation gives to one of several conformers: "x_c12". */
static size_t base_length(const char *name) {
  size_t length = strlen(name), end = length;
  while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9') end--;
  return end > 2 && end < length && strncmp(name + end - 2, "_c", 2) == 0 ? end - 2 : length;
}

/* With the bonds of its SMILES, in the pose that it has in the block. */
static bt_status read_block(const bt_library_record *record, bt_bude_compound **ret_compound, bt_error *opt_error) {
  bt_molecule *molecule;
  bt_rdmol *mol = NULL;
  BT_TRY(bt_btl_decode(record->block, record->index, record->path, &molecule, opt_error));
  BT_SCOPED char *name = bt_copy_text(molecule->name, base_length(molecule->name));
  bt_status status = name != NULL ? bt_molecule_find_chemistry(molecule, opt_error) : bt_fail_memory(opt_error);
  if (status == BT_OK && (mol = bt_rdmol_copy(molecule->chemistry->mol)) == NULL) status = bt_fail_memory(opt_error);
  bt_molecule_destroy(molecule);
  if (status != BT_OK) return status;
  return take_molecule(mol, (bt_where){.file = record->path}, name, ret_compound, opt_error);
}

bt_status bt_bude_compound_read(bt_library *library, const bt_library_item *from, bt_bude_compound **ret_compound,
                                bt_error *opt_error) {
  if (from->error.status != BT_OK) {
    if (opt_error != NULL) *opt_error = from->error;
    return from->error.status;
  }
  const bt_record *record = from->record != NULL ? &from->record->is : NULL;
  if (record != NULL && from->record->block != NULL) return read_block(from->record, ret_compound, opt_error);
  if (record == NULL || !bt_format_is(record->format, BT_FORMAT_BONDS))
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = from->source}, "use MOL2, SDF, SMILES or .btl",
                   "the BUDE engine needs bonds, which this format lacks");
  return record->format == &bt_format_mol2 ? read_mol2(record, ret_compound, opt_error)
                                           : read_chemistry(library, record, ret_compound, opt_error);
}

/* --------------------------------------------------------------------------------------------- conformers -- */

/* What RDKit makes of the bonds of a MOL2 record, or why it makes nothing of them. */
static bt_status find_bonds(bt_bude_compound *c, bt_error *opt_error) {
  const bt_mol2 *m = c->mol2;
  bt_rdmol **mol = &c->molecule->chemistry->mol;
  const bt_where where = {.file = m->path, .line = m->line};
  if (*mol != NULL) return BT_OK;
  bt_status status = bt_mol2_molecule(m, where, mol, &c->no_bonds);
  if (status == BT_OK && bt_rdmol_atom_count(*mol) != m->n_atoms) {
    bt_rdmol_destroy(*mol);
    *mol = NULL;
    status = bt_fail(&c->no_bonds, BT_ERR_INPUT, where, "repair the record", "RDKit reads different atoms");
  }
  return status == BT_ERR_MEMORY ? bt_fail_memory(opt_error) : BT_OK;
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

static bt_status embed(bt_bude_compound *c, const bt_bude_options *options, const bt_library *library, int wanted,
                       bt_error *opt_error) {
  bt_where where = {.file = c->mol2->path, .line = c->mol2->line};
  bt_rdmol *mol = NULL;
  bool relaxed = true;
  const bt_deadline deadline = bt_ligand_deadline(&library->options);
  if (c->no_bonds.status != BT_OK) {
    if (opt_error != NULL) *opt_error = c->no_bonds;
    return c->no_bonds.status;
  }
  mol = bt_rdmol_copy(c->molecule->chemistry->mol);
  bt_status status = mol != NULL ? BT_OK : bt_fail_memory(opt_error);
  if (status == BT_OK) status = bt_rdmol_add_hydrogens(mol, where, opt_error);
  if (status == BT_OK)
    status = bt_rdmol_embed(mol, wanted, options->ligands.seed, &deadline, where, &relaxed, opt_error);
  if (status == BT_OK) status = take_conformers(c, mol, options->keep_conformer ? c->mol2->n_conformers : 0, opt_error);
  if (status == BT_OK && !relaxed)
    status = bt_text_list_printf(&c->molecule->chemistry->notes, opt_error,
                                 "the force field did not fully relax all conformers");
  bt_rdmol_destroy(mol);
  return status;
}

static bt_status make_conformers(bt_bude_compound *c, const bt_bude_options *options, const bt_library *library,
                                 bt_error *opt_error) {
  const int given = c->mol2->n_conformers;
  int wanted = options->ligands.conformers;
  if (given == 0 && wanted < 1) wanted = 1; /* without coordinates it cannot be docked */
  if (given > 1 || wanted < 1) return BT_OK;
  if (*bt_rdkit_version() == '\0')
    return bt_text_list_printf(&c->molecule->chemistry->notes, opt_error,
                               "only the given conformer: this build has no RDKit to generate others");
  bt_error error;
  bt_status status = embed(c, options, library, wanted, &error);
  if (status == BT_OK) return BT_OK;
  if (given == 1 && (status == BT_ERR_INPUT || status == BT_ERR_LIMIT))
    return bt_text_list_printf(&c->molecule->chemistry->notes, opt_error, "only the given conformer: %.200s",
                               error.message);
  if (opt_error != NULL) *opt_error = error;
  return status;
}

bt_status bt_bude_compound_complete(const bt_bude *bude, const bt_library *library, bt_bude_compound *compound,
                                    bt_error *opt_error) {
  BT_TRY(bt_bude_compound_type(compound, &bude->typing, opt_error));
  BT_TRY(find_bonds(compound, opt_error));
  BT_TRY(make_conformers(compound, &bude->options, library, opt_error));
  return bt_bude_compound_finish(compound, opt_error);
}
