/* conformers.h - compounds from the text of one record, and conformers where it brings one only. */
#ifndef BERTH_ENGINE_BUDE_CONFORMERS_H
#define BERTH_ENGINE_BUDE_CONFORMERS_H

#include "engine/bude/compound.h"
#include "prep/ligand/rules.h"

typedef struct bt_bude_record {
  bt_ligand_format format;
  bt_where where; /* file and first line */
  const char *text;
  size_t size;
  const char *name;
} bt_bude_record;

/* Types as the file has them; of several fragments the largest. */
bt_status bt_bude_compound_from_mol2(const bt_bude_record *record, bt_bude_compound **ret_compound,
                                     bt_error *opt_error) BT_MUST_USE;
/* SDF and SMILES: hydrogens are added, types follow from bonds. A molecule without 3D coordinates has no conformer yet.
 */
bt_status bt_bude_compound_from_chemistry(const bt_bude_record *record, const bt_rules *rules,
                                          const bt_bude_options *options, bt_bude_compound **ret_compound,
                                          bt_error *opt_error) BT_MUST_USE;
/* Where a compound has less than two conformers, makes those that the options ask for. */
bt_status bt_bude_compound_make_conformers(bt_bude_compound *compound, const bt_bude_options *options,
                                           bt_error *opt_error) BT_MUST_USE;
/* The molecule for RDKit, made from its bonds (molblock.h). */
bt_status bt_bude_compound_chemistry(const bt_bude_compound *compound, bt_rdmol **ret_mol,
                                     bt_error *opt_error) BT_MUST_USE;

#endif
