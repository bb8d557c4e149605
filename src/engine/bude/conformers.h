/* conformers.h - reads a compound from the text of a record, and generates conformers if it has only one. */
#ifndef BERTH_ENGINE_BUDE_CONFORMERS_H
#define BERTH_ENGINE_BUDE_CONFORMERS_H

#include "engine/bude/compound.h"
#include "library/library_internal.h"
#include "prep/ligand/rules.h"

/* Types as the file has them; of several fragments the largest. */
bt_status bt_bude_compound_from_mol2(const bt_record *record, bt_bude_compound **ret_compound,
                                     bt_error *opt_error) BT_MUST_USE;
/* SDF and SMILES: hydrogens are added, types follow from bonds. A molecule without 3D coordinates has no conformer yet.
 */
bt_status bt_bude_compound_from_chemistry(const bt_record *record, const bt_rules *rules,
                                          const bt_bude_options *options, bt_bude_compound **ret_compound,
                                          bt_error *opt_error) BT_MUST_USE;
/* From a block of a .btl file: with the bonds of its SMILES, in the pose that it has there. */
bt_status bt_bude_compound_from_library(const bt_library_record *record, bt_bude_compound **ret_compound,
                                        bt_error *opt_error) BT_MUST_USE;
/* Any record, as one of those above; or why there is none. */
bt_status bt_bude_compound_read(bt_bude *bude, const bt_library_item *from, bt_bude_compound **ret_compound,
                                bt_error *opt_error) BT_MUST_USE;
/* Assigns types, and generates conformers where fewer than two are given. */
bt_status bt_bude_compound_complete(const bt_bude *bude, bt_bude_compound *compound, bt_error *opt_error) BT_MUST_USE;
/* Generates the conformers that the options ask for if a compound has fewer than two. */
bt_status bt_bude_compound_make_conformers(bt_bude_compound *compound, const bt_bude_options *options,
                                           bt_error *opt_error) BT_MUST_USE;
/* The molecule for RDKit, made from its bonds (bt_mol2_molecule). */
bt_status bt_bude_compound_chemistry(const bt_bude_compound *compound, bt_rdmol **ret_mol,
                                     bt_error *opt_error) BT_MUST_USE;

#endif
