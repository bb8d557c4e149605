/* judge.h - networks opened for a receptor: what they see of a pose, and what they say of it. See berth/networks.h. */
#ifndef BERTH_RESCORE_CNN_JUDGE_H
#define BERTH_RESCORE_CNN_JUDGE_H

#include <berth/networks.h>

#include "base/busy.h"
#include "pose/ligand.h"
#include "rescore/cnn/ensemble.h"

/* A pose that is to be judged, and the outputs of networks for it. */
typedef struct bt_cnn_view {
  const bt_ligand *ligand;
  const double *xyz;      /* [3 ligand->n_atoms] Angstrom, ligand, then flexible side chains */
  bt_cnn_output *outputs; /* [bt_networks_count] */
  bt_error *error;        /* why there are none: no network sees an atom of it */
} bt_cnn_view;

/* By the networks of a range. Poses of one ligand that follow each other are typed once. */
bt_status bt_networks_judge(bt_networks *networks, bt_cnn_range range, const bt_cnn_view *views, int n_views,
                            bt_error *opt_error) BT_MUST_USE;
/* How many networks, the first ones, score all poses; the others score only those that may be the best. */
int bt_networks_of_all_poses(const bt_networks *networks);
/* Of bt_runtime.opt_measure, if they run on the device of that name. */
void bt_networks_measure(bt_networks *networks, const char *device, bt_busy *opt_busy);

#endif
