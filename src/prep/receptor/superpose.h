/* superpose.h - a receptor on another one, by the C-alpha atoms around a box. */
#ifndef BERTH_PREP_RECEPTOR_SUPERPOSE_H
#define BERTH_PREP_RECEPTOR_SUPERPOSE_H

#include <berth/prepare.h>

#include "chem/molecule.h"
#include "formats/structure.h"

/* x becomes to + rotation (x - from); rotation by rows. */
typedef struct bt_superposition {
  double rotation[3][3], from[3], to[3];
  double rmsd; /* of the C-alpha atoms, Angstrom */
  int count;   /* how many */
} bt_superposition;

/* The rigid motion that brings the moving receptor onto the fixed one. Chains are paired by their sequences, residues by
 * aligning these; the C-alpha atoms in the box, or at most 4 Angstrom outside (more if there are fewer than ten), are
 * superposed. Of equal chains those are paired that fit best. center, size: of the box, Angstrom. BT_ERR_INPUT: fewer
 * than five residues are paired. */
bt_status bt_superpose_structure(const bt_structure *moving, const bt_molecule *fixed, const double center[3],
                                 const double size[3], bt_superposition *ret_motion, bt_error *opt_error) BT_MUST_USE;
bt_status bt_superpose_molecule(const bt_molecule *moving, const bt_molecule *fixed, const double center[3],
                                const double size[3], bt_superposition *ret_motion, bt_error *opt_error) BT_MUST_USE;
void bt_superposition_move(const bt_superposition *motion, double x[3]);

#endif
