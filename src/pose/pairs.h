/* pairs.h - which pairs of moving atoms interact. */
#ifndef BERTH_POSE_PAIRS_H
#define BERTH_POSE_PAIRS_H

#include "pose/bonds.h"

/* Fills ligand->pairs and n_pairs. Needs the atoms, types and bodies. */
bt_status bt_pairs_build(bt_ligand *ligand, const bt_bonds *bonds, bt_error *opt_error) BT_MUST_USE;

#endif
