/* pool.h - 2 x 2 x 2 voxels into one. */
#ifndef BERTH_KERNEL_CNN_POOL_H
#define BERTH_KERNEL_CNN_POOL_H

#include "field.h"

/* Groups are [pose][plane of to]; n_in channels. */
BT_FUNCTION void bt_cnn_pool_body(BT_GLOBAL char *arena, BT_GLOBAL float *weights, const bt_cnn_launch *launch,
                                  BT_SCRATCH float *memory) {
  const int edge = launch->to.edge, pose = BT_GROUP / edge, x = BT_GROUP - pose * edge;
  const int vectors = launch->n_in / BT_LANES;
  const bt_cnn_steps step = bt_cnn_steps_of(launch->from);
  (void)weights, (void)memory;
  for (int i = BT_ITEM; i < edge * edge * vectors; i += BT_ITEMS) {
    const int voxel = i / vectors, channel = (i - voxel * vectors) * BT_LANES, y = voxel / edge, z = voxel - y * edge;
    const BT_GLOBAL float *from = bt_cnn_voxel(arena, launch->from, pose, 2 * x, 2 * y, 2 * z) + channel;
    bt_real sum = bt_load(from), peak = sum;
    BT_UNROLL for (int k = 1; k < 8; k++) {
      const bt_real value = bt_load(from + k / 4 * step.x + k / 2 % 2 * step.y + k % 2 * step.z);
      sum = sum + value;
      peak = bt_max(peak, value);
    }
    bt_store(bt_cnn_voxel(arena, launch->to, pose, x, y, z) + launch->first_out + channel,
             launch->maximum ? peak : sum * bt_splat(0.125f));
  }
}

#endif
