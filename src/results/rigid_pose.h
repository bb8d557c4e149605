/* rigid_pose.h - poses of rigid conformers as ligands of AutoDock's types, whose bonds turn. */
#ifndef BERTH_RESULTS_RIGID_POSE_H
#define BERTH_RESULTS_RIGID_POSE_H

#include "results/result.h"

/* The best pose of a cluster, prepared as the record of an SDF is, protonated as it was docked; coordinates are those
 * of the pose. BT_ERR_USAGE without RDKit or bonds that it understands. bt_molecule_destroy. */
bt_status bt_rigid_pose_prepare(const bt_result *result, int cluster, bt_molecule **ret_molecule,
                                bt_error *opt_error) BT_MUST_USE;

#endif
