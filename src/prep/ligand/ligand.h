/* ligand.h - converts an RDKit molecule to a ligand in the terms of PDBQT. */
#ifndef BERTH_PREP_LIGAND_LIGAND_H
#define BERTH_PREP_LIGAND_LIGAND_H

#include "base/deadline.h"
#include "chem/molecule.h"
#include "chem/rdkit.h"
#include "prep/ligand/covalent.h"
#include "prep/ligand/rules.h"
#include "prep/ligand/steps/steps.h"

/* Deadline for preparing a record that is started now. */
bt_deadline bt_ligand_deadline(const bt_prepare_options *options);
/* Done once per molecule, whatever its conformers: largest fragment, protonation, hydrogens, coordinates when
 * it has none. ret_notes: one clause per line, free() it; NULL when there is nothing to say. */
bt_status bt_ligand_complete(bt_rdmol *mol, const bt_rules *rules, const bt_prepare_options *options,
                             const bt_deadline *deadline, bt_where where, char **ret_notes,
                             bt_error *opt_error) BT_MUST_USE;
/* Further states of the molecule, at most options->protomers - 1 (steps.h, bt_prep_states), protonated already. A record
 * that states its protonation keeps it, and has other tautomers only. */
bt_status bt_ligand_states(const bt_rdmol *mol, const bt_rules *rules, const bt_prepare_options *options, bt_where where,
                           bt_states *ret_states, bt_error *opt_error) BT_MUST_USE;
/* The ligand of one conformer; mol has all hydrogens and is copied. opt_bound: it is the product with a residue,
 * aligned to it. name is the molecule's, path that of its file. */
bt_status bt_ligand_from_conformer(const bt_rdmol *mol, int conformer, const bt_bound *opt_bound, const char *opt_notes,
                                   const bt_rules *rules, const bt_prepare_options *options,
                                   const bt_deadline *deadline, bt_where where, const char *name,
                                   bt_molecule **ret_molecule, bt_error *opt_error) BT_MUST_USE;

/* as_docked.c: the pose that a record of Berth carries in BT_POSE_ITEM; NULL: it has none. BT_ERR_INPUT if the record's
 * atoms are elsewhere. */
bt_status bt_ligand_as_docked(const bt_rdmol *mol, bt_where where, const char *name, bt_molecule **ret_molecule,
                              bt_error *opt_error) BT_MUST_USE;

#endif
