/* ensemble.h - conformers of a molecule that are docked as one ligand. */
#ifndef BERTH_PREP_LIGAND_ENSEMBLE_H
#define BERTH_PREP_LIGAND_ENSEMBLE_H

#include "chem/molecule.h"

/* Gives the molecule a further conformer, which is its own from here on, also after a failure. One that adds nothing is
 * dropped: with other atoms or fragments, which the coordinates decided, or equal to one that is there in every distance
 * that docking leaves as it is. */
bt_status bt_ensemble_add(bt_molecule *molecule, bt_molecule *conformer, bt_error *opt_error) BT_MUST_USE;

#endif
