/* sybyl.h - Tripos (SYBYL) atom types from elements, bonds and charges.
 *
 * The types are those of Tripos' list with BUDE's refinements: O.3h (a hydroxyl's oxygen), C.cat (carbon of a
 * guanidinium or amidinium), N.4, N.ani (nitrogen that lost a proton), O.co2 (oxygens of carboxylate, phosphate and
 * sulfonate), S.o and S.o2, Fe.2.
 */
#ifndef BERTH_CHEM_SYBYL_H
#define BERTH_CHEM_SYBYL_H

#include "chem/rdkit.h"

typedef struct bt_sybyl {
  char name[8];
} bt_sybyl;

/* Types of all atoms of a molecule in whichever order; hydrogens are "H". ret_types[n_atoms] */
bt_status bt_sybyl_types(const bt_rdatom *atoms, int n_atoms, const bt_rdbond *bonds, int n_bonds, bt_sybyl *ret_types,
                         bt_error *opt_error) BT_MUST_USE;

/* The type of Tripos' list that a refinement stands for ("O.3h" -> "O.3"); NULL when it is none. */
const char *bt_sybyl_parent(const char *type);

/* Type of an atom of a standard amino acid, water or ion by its names in a PDB file ("HIS", "ND1"), as BUDE's own
 * receptors have them; a chain's ends and charges that the names do not tell are not distinguished. NULL: not known. */
const char *bt_sybyl_of_residue(const char *residue, const char *atom);

#endif
