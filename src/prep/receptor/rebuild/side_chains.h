/* side_chains.h - ideal side-chain geometry, each atom relative to earlier ones. */
#ifndef BERTH_PREP_RECEPTOR_REBUILD_SIDE_CHAINS_H
#define BERTH_PREP_RECEPTOR_REBUILD_SIDE_CHAINS_H

#include <stdbool.h>

/* Internal coordinates of an atom: distance (Angstrom) to the first of three others, angle (degrees) with the second,
 * torsion with all three: chi number chi of the residue, from 1, plus an offset (degrees); chi 0: the offset alone. */
typedef struct bt_chain_atom {
  const char *residue, *name, *from[3];
  double length, angle;
  int chi;
  double offset;
} bt_chain_atom;

enum { BT_CHAIN_ATOMS = 12, BT_CHAIN_ANGLES = 4, BT_CHAIN_VALUES = 12 };

/* The residue of a protonation state: HIS for HIE. */
const char *bt_chain_residue(const char *state);
/* Side-chain atoms beyond the beta carbon, in an order in which each can be placed; NULL: unknown residue. state: a
 * template name such as HIE or GLH. */
const bt_chain_atom *bt_chain_atoms(const char *state, int *ret_count);
const bt_chain_atom *bt_chain_beta(const char *state);
/* True for a D-amino acid, whose side-chain offsets and angles have the opposite sign. */
bool bt_chain_is_mirrored(const char *residue);
/* The values of chi (from 1) to try, degrees, the most common first; returns their number. With strained, also values
 * off the staggered ones. */
int bt_chain_values(const char *residue, int chi, bool strained, double ret_values[BT_CHAIN_VALUES]);

#endif
