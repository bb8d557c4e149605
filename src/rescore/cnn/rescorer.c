/* rescorer.c - convolutional networks as a re-scorer: poses stay where they are. See rescore/rescorer.h.
 *
 * The score is -ln(p / (1 - p)) of the probability p that the pose is right, the mean over the networks. With
 * --rank-by sum it is added to the docking's energy in kcal/mol.
 */
#include "base/memory.h"
#include "rescore/cnn/judge.h"
#include "rescore/rescorer.h"

static bt_status open(const char *name, const bt_rescore_setting *setting, void **ret_self, bt_error *opt_error) {
  (void)name;
  const bt_network_setting networks = {.opt_names = setting->opt_networks,
                                       .receptor = setting->receptor,
                                       .opt_flexible = setting->opt_flexible,
                                       .opt_device = setting->opt_device,
                                       .threads = setting->threads};
  bt_networks *opened;
  BT_TRY(bt_networks_open(&networks, &opened, opt_error));
  *ret_self = opened;
  return BT_OK;
}

static bt_status score(void *self, bt_rescore_pose *poses, int n, bt_error *opt_error) {
  int each = bt_networks_count(self);
  BT_SCOPED bt_cnn_view *views = bt_allocate((size_t)n, sizeof *views);
  BT_SCOPED bt_cnn_output *outputs = bt_allocate((size_t)n * (size_t)each, sizeof *outputs);
  if (views == NULL || outputs == NULL) return bt_fail_memory(opt_error);
  for (int p = 0; p < n; p++)
    views[p] = (bt_cnn_view){poses[p].ligand, poses[p].xyz, outputs + (ptrdiff_t)p * each, &poses[p].error};
  BT_TRY(bt_networks_judge(self, views, n, opt_error));
  for (int p = 0; p < n; p++) {
    if (poses[p].error.status != BT_OK) continue;
    bt_cnn_means(views[p].outputs, each, &poses[p].values[0], &poses[p].values[1]);
    poses[p].score = bt_cnn_log_odds_against(poses[p].values[0]);
  }
  return BT_OK;
}

static void close(void *self) { bt_networks_close(self); }

static const char *const values[] = {"CNNscore", "CNNaffinity", NULL};

const bt_rescorer_type bt_rescorer_of_networks; /* for the registry */
const bt_rescorer_type bt_rescorer_of_networks = {
    .open = open, .score = score, .close = close, .opt_values = values, .networks = true, .unitless = true};
