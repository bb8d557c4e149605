/* side_chains.h - the geometry of side chains: where each atom is, given those before it. */
#ifndef BERTH_PREP_RECEPTOR_SIDE_CHAINS_H
#define BERTH_PREP_RECEPTOR_SIDE_CHAINS_H

#include <stdbool.h>

/* An atom at a length (Angstrom) from the first of three others, at an angle (degrees) with the second, and a torsion
 * with all three: an angle chi of the residue, from 1, plus an offset (degrees); chi 0: the offset alone. */
typedef struct bt_chain_atom {
  const char *residue, *name, *from[3];
  double length, angle;
  int chi;
  double offset;
} bt_chain_atom;

enum { BT_CHAIN_ATOMS = 12, BT_CHAIN_ANGLES = 4, BT_CHAIN_VALUES = 12 };

/* The residue of a template of another protonation: HIS of HIE. */
const char *bt_chain_residue(const char *state);
/* Atoms of the side chain behind the beta carbon, in an order in which each can be placed; NULL: of other residues.
 * state: a template such as HIE or GLH. */
const bt_chain_atom *bt_chain_atoms(const char *state, int *ret_count);
const bt_chain_atom *bt_chain_beta(const char *state);
/* Is it the name of a D-amino acid? Offsets and values of its side chain have the other sign. */
bool bt_chain_is_mirrored(const char *residue);
/* The values of chi (from 1) that are tried, degrees, the usual one first; how many. With strained also some beside the
 * staggered ones. */
int bt_chain_values(const char *residue, int chi, bool strained, double ret_values[BT_CHAIN_VALUES]);

#endif
