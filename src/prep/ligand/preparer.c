/* preparer.c - records become ligands. */
#include "prep/ligand/preparer.h"

#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "prep/ligand/ligand.h"

struct bt_preparer {
  bt_prepare_options options;
  bt_rules *rules;
};

bt_status bt_ligand_check_rdkit(const char *opt_label, bt_error *opt_error) {
  if (*bt_rdkit_version() != '\0') return BT_OK;
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = opt_label},
                 "install librdkit-dev and libboost-dev and build again, or give PDBQT", "this build has no RDKit");
}

bt_status bt_prepare_check(const bt_prepare_options *options, bt_error *opt_error) {
  if (!isnan(options->ph) && !(options->ph >= -2 && options->ph <= 16))
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "give a pH from 0 to 14", "pH %g", options->ph);
  if (options->conformers < 0 || options->conformers > 10000)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "give 1 to 10000", "%d conformers", options->conformers);
  return BT_OK;
}

bt_status bt_preparer_create(const bt_prepare_options *options, bt_preparer **ret_preparer, bt_error *opt_error) {
  BT_TRY(bt_ligand_check_rdkit(NULL, opt_error));
  bt_preparer *preparer = bt_allocate(1, sizeof *preparer);
  if (preparer == NULL) return bt_fail_memory(opt_error);
  preparer->options = *options;
  bt_status status = bt_rules_create(&preparer->rules, opt_error);
  return BT_HAND_OVER(status, preparer, ret_preparer, bt_preparer_destroy);
}

void bt_preparer_destroy(bt_preparer *opt_preparer) {
  if (opt_preparer == NULL) return;
  bt_rules_destroy(opt_preparer->rules);
  free(opt_preparer);
}

static bt_status parse(const bt_record *record, bt_where where, bt_rdmol **ret_mol, bt_error *opt_error) {
  const char *pattern = record->opt_template;
  switch (record->format) {
    case BT_LIGAND_MOL2:
      BT_TRY(bt_mol2_check(record->text, record->size, where, opt_error));
      return bt_rdmol_read(BT_RD_MOL2, record->text, record->size, where, pattern, ret_mol, opt_error);
    case BT_LIGAND_SMILES: {
      bt_span line = {record->text, record->size}, word = bt_span_word(&line);
      BT_TRY(bt_smiles_check(word.size, where, opt_error));
      return bt_rdmol_read(BT_RD_SMILES, word.text, word.size, where, NULL, ret_mol, opt_error);
    }
    case BT_LIGAND_PDB:
      if (pattern == NULL)
        return bt_fail(opt_error, BT_ERR_USAGE, where, "give its SMILES as template, or an SDF or MOL2 file",
                       "a PDB file has no bond orders");
      return bt_rdmol_read(BT_RD_PDB, record->text, record->size, where, pattern, ret_mol, opt_error);
    default:
      BT_TRY(bt_sdf_check(record->text, record->size, where, opt_error));
      return bt_rdmol_read(BT_RD_SDF, record->text, record->size, where, pattern, ret_mol, opt_error);
  }
}

/* The reason with the record's number and name: a line number alone says little in a library of compounds. */
static void name_record(const bt_record *record, bt_error *opt_error) {
  if (opt_error == NULL) return;
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_text_printf(&text, "record %ld (%.80s): %s", record->number, record->name, opt_error->message);
  if (!text.failed) bt_span_copy((bt_span){text.data, text.size}, opt_error->message, sizeof opt_error->message);
}

static bt_status add_conformer(const bt_preparer *preparer, const bt_record *record, const bt_deadline *deadline,
                               bt_where where, const bt_rdmol *mol, int conformer, const char *notes,
                               bt_molecules *list, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text name = {0};
  bt_molecule *molecule;
  bt_text_add_string(&name, record->name);
  if (bt_rdmol_conformer_count(mol) > 1) bt_text_printf(&name, "_c%d", conformer + 1);
  BT_TRY(bt_text_status(&name, opt_error));
  BT_TRY(bt_ligand_from_conformer(mol, conformer, notes, preparer->rules, &preparer->options, deadline, where,
                                  name.data, &molecule, opt_error));
  return bt_molecules_add(list, molecule, opt_error);
}

bt_status bt_preparer_run(bt_preparer *preparer, const bt_record *record, bt_molecules *list, bt_error *opt_error) {
  bt_where where = {.file = bt_file_label(record->path), .line = record->line};
  const bt_deadline deadline = bt_ligand_deadline(&preparer->options);
  bt_rdmol *mol = NULL;
  BT_SCOPED char *notes = NULL;
  bt_status status = parse(record, where, &mol, opt_error);
  if (status == BT_OK) status = bt_record_check_atoms(bt_rdmol_atom_count(mol), where, opt_error);
  if (status == BT_OK)
    status = bt_ligand_complete(mol, preparer->rules, &preparer->options, &deadline, where, &notes, opt_error);
  int count = status == BT_OK ? bt_rdmol_conformer_count(mol) : 0;
  for (int i = 0; status == BT_OK && (i == 0 || i < count); i++)
    status = add_conformer(preparer, record, &deadline, where, mol, i, notes, list, opt_error);
  bt_rdmol_destroy(mol);
  if (status == BT_ERR_INPUT || status == BT_ERR_PARAMETER || status == BT_ERR_LIMIT) name_record(record, opt_error);
  return status;
}
