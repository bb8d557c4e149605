/* vina.h - what Vina sees in a molecule: bonds, classes, which distances vary, rotors.
 *
 * A rigid group is a body without its first atom (the inner one of its axis), with the first atoms of the bodies that
 * hang from it; atoms of one group, and both atoms of an axis with the group inside, keep their distances. Flexible
 * residues: their roots and the first atoms of the branches that leave them never move and are one group.
 * i and j are bonded if r < 1.1 (c_i + c_j) at a distance that does not vary, unless an atom that keeps its distance to
 * both is nearer to either than they are to each other.
 * Pairs that interact: distances that vary, both atoms with a class, not within three bonds, nor across a ring closure;
 * ligand with residue: moving atoms alone. A glue point meets the carbon of its own closure alone.
 */
#ifndef BERTH_POSE_VINA_H
#define BERTH_POSE_VINA_H

#include "forcefield/vina.h"
#include "pose/bonds.h"

typedef enum bt_vina_motion {
  BT_VINA_FIXED,
  BT_VINA_ROTOR, /* the axis of a torsion: fixed, too */
  BT_VINA_VARIABLE
} bt_vina_motion;

bt_vina_motion bt_vina_motion_of(const bt_ligand *ligand, int i, int j);
/* Atom of a flexible residue that no torsion moves. */
bool bt_vina_is_immobile(const bt_ligand *ligand, int atom);

/* Atoms among which bonds are looked for: a receptor's, or all of a ligand's and its residues'. */
typedef struct bt_vina_atoms {
  int count;
  const double (*x)[3]; /* Angstrom */
  const bt_vina_input *const *inputs;
  const bt_ligand *opt_ligand; /* its atoms; NULL: a rigid receptor */
} bt_vina_atoms;

/* What an atom's AutoDock type is to Vina; BT_ERR_PARAMETER with the place in the file if it is unknown. */
bt_status bt_vina_input_of(const bt_molecule *molecule, const bt_atom *atom, const bt_vina_input **ret_input,
                           bt_error *opt_error) BT_MUST_USE;
bt_status bt_vina_bonds(const bt_vina_atoms *atoms, bt_bonds *ret_bonds, bt_error *opt_error) BT_MUST_USE;
const bt_vina_class *bt_vina_class_of(const bt_vina_atoms *atoms, const bt_bonds *bonds, int atom);

/* Fills type, types, vina, feels_maps and n_rot of a ligand whose atoms and bodies are there. */
bt_status bt_vina_type_ligand(bt_ligand *ligand, bt_bonds *ret_bonds, bt_error *opt_error) BT_MUST_USE;

#endif
