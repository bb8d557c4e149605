/* steps.h - the steps of preparing a ligand, in order. */
#ifndef BERTH_PREP_LIGAND_STEPS_STEPS_H
#define BERTH_PREP_LIGAND_STEPS_STEPS_H

#include "base/text/text.h"
#include "chem/chemistry.h"
#include "prep/ligand/rules.h"
#include "prep/ligand/steps/model.h"

/* ionize.c: sets every site of the table to its form at this pH. *ret_summary lists the changes ("carboxylic acid
 * deprotonated (2 sites), aliphatic amine protonated"), NULL if there are none; free() it. */
bt_status bt_prep_ionize(bt_rdmol *mol, const bt_rules *rules, double ph, bt_where where, char **ret_summary,
                         bt_error *opt_error) BT_MUST_USE;
/* ionize.c: whether a record states its protonation: by an ion that has gained or lost a proton, or by its
 * hydrogens - all of them, or in three dimensions those of N, O and S. Charges that no pH changes, as in a nitro group
 * or a quaternary ammonium, and single hydrogens of a drawing, as at a stereocenter, say nothing. */
bt_status bt_prep_protonation_stated(const bt_rdmol *mol, const bt_rules *rules, bool *ret_stated,
                                     bt_error *opt_error) BT_MUST_USE;

/* states.c: a further state of a molecule, and what distinguishes it ("imidazole protonated", "tautomer"). */
typedef struct bt_state {
  bt_rdmol *mol;
  char *what;
} bt_state;
typedef struct bt_states {
  bt_state *items;
  size_t count, room;
} bt_states;
void bt_states_clear(bt_states *states);
/* States beside that of mol, whose sites have their form at this pH; at most `most`, in a fixed order. First protomers:
 * groups of the table whose pKa is within 1 of the pH have their other form, one or several at a time, the most frequent
 * combinations first (NaN: none). Then tautomers of mol (bt_rdmol_tautomers), unless it has 3D coordinates. Equal ones
 * are taken once. rules->opt_tautomers must be there. */
bt_status bt_prep_states(const bt_rdmol *mol, const bt_rules *rules, double ph, int most, bt_where where,
                         bt_states *ret_states, bt_error *opt_error) BT_MUST_USE;

/* coordinates.c: conformers from fragments. *ret_built is false where the molecule has to be embedded as a whole, and
 * where there are no shapes. Further conformers may be fewer than wanted. */
bt_status bt_prep_build_coordinates(bt_rdmol *mol, bt_shapes *opt_shapes, int conformers, bool *ret_built,
                                    bt_error *opt_error) BT_MUST_USE;

/* types.c: AutoDock types (BT_ERR_PARAMETER when an element has none), partial charges, hydrogens into their atoms. */
bt_status bt_prep_type(bt_prep *prep, const bt_rules *rules, bt_error *opt_error) BT_MUST_USE;
bt_status bt_prep_charge(bt_prep *prep, bt_charge_model model, bt_error *opt_error) BT_MUST_USE;
bt_status bt_prep_merge(bt_prep *prep, bt_error *opt_error) BT_MUST_USE;

/* bonds.c: which bonds may rotate. */
bt_status bt_prep_find_rotors(bt_prep *prep, const bt_rules *rules, const bt_prepare_options *options,
                              bt_error *opt_error) BT_MUST_USE;

/* water.c: waters of hydrated docking. */
bt_status bt_prep_add_waters(bt_prep *prep, bt_error *opt_error) BT_MUST_USE;

/* rings.c: which bonds are in rings, which rings can be opened. *ret_too_many: there are more than can be listed; then
 * none is. */
bt_status bt_prep_find_rings(bt_prep *prep, bool *ret_too_many, bt_error *opt_error) BT_MUST_USE;
/* Sets bond->ring of all bonds, broken ones left out. */
bt_status bt_prep_mark_rings(bt_prep *prep, bt_error *opt_error) BT_MUST_USE;

/* macrocycle.c: opens rings and adds their glue points; a note for each ring that was opened, or could not be. */
bt_status bt_prep_open_macrocycles(bt_prep *prep, const bt_rules *rules, const bt_prepare_options *options,
                                   bt_text_list *notes, bt_error *opt_error) BT_MUST_USE;

/* bodies.c: rigid bodies and their root. With join, bodies of one atom at the ends become part of the next one; by the
 * old rules bonds to such atoms were no rotors from the start. Replaces earlier bodies. */
bt_status bt_prep_find_bodies(bt_prep *prep, bool old_rules, bool join, bt_error *opt_error) BT_MUST_USE;
/* tree.c: the atoms, fragments and lines of molecule, which has none; sets serials, and fills chemistry's SMILES,
 * entries and bodies. was_ring[n_bonds]: in a ring before any was opened. */
bt_status bt_prep_build(bt_prep *prep, bt_chemistry *chemistry, const bool *was_ring, bt_molecule *molecule,
                        bt_error *opt_error) BT_MUST_USE;

#endif
