/* scorer.h - poses through networks on a device. */
#ifndef BERTH_RESCORE_CNN_SCORER_H
#define BERTH_RESCORE_CNN_SCORER_H

#include "base/busy.h"
#include "rescore/cnn/sites.h"
#include "rescore/cnn/weights/weights.h"

/* What a network says of a pose: two logits, whose softmax's second component is the score, and the affinity in pK. */
typedef struct bt_cnn_output {
  float logits[2], affinity;
} bt_cnn_output;

/* Atoms of receptor and ligand that are within reach of the grid, sorted by channel. */
typedef struct bt_cnn_pose {
  const bt_cnn_site *sites; /* [n_sites]; those without a channel are left out */
  int n_sites;
  double center[3]; /* of the grid, Angstrom */
} bt_cnn_pose;

/* How a device computes the products of convolutions: one of BT_CNN_SINGLE, BT_CNN_TF32_EC, BT_CNN_BF16_3, BT_CNN_TF32
 * and BT_CNN_FP16 (kernel/cnn/launch.h). */
enum { BT_CNN_QUICKEST = -1 }; /* that ranks poses as single precision does */

typedef struct bt_cnn_scorer bt_cnn_scorer;

typedef struct bt_cnn_device {
  const char *opt_name; /* as in bt_dock_options */
  int threads;          /* of the host; 0: all */
  int products;
  int sharers; /* scorers that will share the device's memory, with this one; 0: 1 */
} bt_cnn_device;

/* BT_ERR_LIMIT: the device has no such products. */
bt_status bt_cnn_scorer_open(const bt_cnn_weights *const *networks, int n_networks, const bt_cnn_device *device,
                             bt_cnn_scorer **ret_scorer, bt_error *opt_error) BT_MUST_USE;
/* Some networks of a scorer, from 0: from the first up to the one before `end`. */
typedef struct bt_cnn_range {
  int first, end;
} bt_cnn_range;

/* outputs: [n_poses][n_networks], of which only those of the range are set. They do not depend on what other poses are
 * in the call. */
bt_status bt_cnn_scorer_run(bt_cnn_scorer *scorer, bt_cnn_range range, const bt_cnn_pose *poses, int n_poses,
                            bt_cnn_output *outputs, bt_error *opt_error) BT_MUST_USE;
/* Poses that are best handed over at once. */
int bt_cnn_scorer_batch(const bt_cnn_scorer *scorer);
const char *bt_cnn_scorer_device(const bt_cnn_scorer *scorer);
/* Of bt_runtime.opt_measure. */
void bt_cnn_scorer_measure(bt_cnn_scorer *scorer, bt_busy *opt_busy);
int bt_cnn_scorer_products(const bt_cnn_scorer *scorer);
void bt_cnn_scorer_close(bt_cnn_scorer *opt_scorer);

/* The same in double precision, layer by layer as the networks are defined, from their weights as they are: what all
 * kernels are compared with. Seconds per pose. */
bt_status bt_cnn_twin(const bt_cnn_weights *weights, const bt_cnn_pose *pose, double outputs[3],
                      bt_error *opt_error) BT_MUST_USE;

#endif
