/* bonds.h - covalent bonds, guessed from distances as AutoDock 4 does, and the pairs of atoms that interact. */
#ifndef BERTH_POSE_BONDS_H
#define BERTH_POSE_BONDS_H

#include "pose/ligand.h"

/* Neighbors of atom i: neighbor[first[i]] ... neighbor[first[i + 1] - 1], ascending. */
typedef struct bt_bonds {
  int *first;     /* [n_atoms + 1] */
  int *neighbor; /* [first[n_atoms]] */
  bt_arena arena; /* of both */
} bt_bonds;

/* Bonds of the input conformation, inside each ligand and inside the set of all flexible residues, never between
 * the two; the closing bonds of opened macrocycles (CGn-CGn) included. Needs the ligand's atoms and types. */
bt_status bt_bonds_find(const bt_ligand *ligand, bt_bonds *ret_bonds, bt_error *opt_error) BT_MUST_USE;
void bt_bonds_destroy(bt_bonds *bonds);

/* pairs.c: fills ligand->pairs and n_pairs. Needs the atoms, types and bodies. */
bt_status bt_pairs_build(bt_ligand *ligand, const bt_bonds *bonds, bt_error *opt_error) BT_MUST_USE;

#endif
