/* valence.h - bond orders and formal charges of a molecule whose bonds are known, but not all their orders.
 *
 * MOL2 leaves both to the reader: bonds are "aromatic" in carboxylates, guanidinium and nitro groups as well, and
 * charges are not written. The hydrogens and the neighbors decide: every atom gets double bonds and a charge that its
 * element can have, with as few charges as possible. A nitrogen with three neighbors in an aromatic ring contributes
 * two electrons, unless the ring is then left with an odd number of atoms that need a double bond: it is a cation.
 */
#ifndef BERTH_CHEM_VALENCE_H
#define BERTH_CHEM_VALENCE_H

#include "base/status.h"

enum { BT_ORDER_OPEN = 4 }; /* 1 or 2, to be found */

typedef struct bt_valence_atom {
  int element;
  int charge, hydrogens; /* e; those that are not atoms of their own: both are found */
  bool bare;             /* its hydrogens are not in the file */
  bool cation;           /* the file says that it has, or shares, a positive charge: N.4, C.cat */
  bool anion;            /* an oxygen or sulfur of an acid's anion, as O.co2: it lacks no hydrogen */
  bool pyrrole;          /* if a ring lacks a hydrogen, it is here: N.pl3 */
  bool keto;             /* rather doubly bonded than charged: O.2 */
} bt_valence_atom;

typedef struct bt_valence_bond {
  int a, b, order; /* atoms from 0; 1, 2, 3 or BT_ORDER_OPEN */
} bt_valence_bond;

/* Finds charges, hydrogens, and the orders that are open or contradict the valences of the groups above. *ret_wrong: an
 * atom that has no valence of its element, from 0; -1: all have one. *ret_unclear: a ring's nitrogen that may or may
 * not have one of the hydrogens that are missing, -1: none. */
bt_status bt_valence_find(bt_valence_atom *atoms, int n_atoms, bt_valence_bond *bonds, int n_bonds, int *ret_wrong,
                          int *ret_unclear, bt_error *opt_error) BT_MUST_USE;

#endif
