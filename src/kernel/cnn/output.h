/* output.h - the fully connected layer: a pose's two logits and its affinity. */
#ifndef BERTH_KERNEL_CNN_OUTPUT_H
#define BERTH_KERNEL_CNN_OUTPUT_H

#include "field.h"

/* The products of one vector of channels with the three rows of weights. */
BT_FUNCTION void bt_cnn_output_channels(bt_real sums[BT_CNN_OUTPUTS], BT_GLOBAL char *arena,
                                        const BT_GLOBAL float *weights, const bt_cnn_launch *launch, int channel) {
  const int edge = launch->from.edge, voxels = launch->maximum ? 1 : edge * edge * edge;
  bt_real peak = bt_splat(0.0f); /* what comes from a ReLU is not negative */
  for (int voxel = 0; voxel < edge * edge * edge; voxel++) {
    const int x = voxel / (edge * edge), y = voxel / edge % edge, z = voxel % edge;
    bt_real value = bt_load(bt_cnn_voxel(arena, launch->from, BT_GROUP, x, y, z) + channel);
    if (launch->maximum) {
      value = peak = bt_max(peak, value);
      if (voxel < edge * edge * edge - 1) continue;
    }
    BT_UNROLL for (int k = 0; k < BT_CNN_OUTPUTS; k++) {
      const int row = k * voxels + (launch->maximum ? 0 : voxel);
      sums[k] = bt_fma(value, bt_load(weights + row * launch->n_in + channel), sums[k]);
    }
  }
}

/* Groups are poses. */
BT_FUNCTION void bt_cnn_output_body(BT_GLOBAL char *arena, BT_GLOBAL float *weights, const bt_cnn_launch *launch,
                                    BT_SCRATCH float *memory) {
  BT_GLOBAL float *to = (BT_GLOBAL float *)(arena + launch->outputs) + BT_CNN_OUTPUTS * BT_GROUP;
  bt_real sums[BT_CNN_OUTPUTS];
  BT_UNROLL for (int k = 0; k < BT_CNN_OUTPUTS; k++) sums[k] = bt_splat(0.0f);
  for (int channel = BT_ITEM * BT_LANES; channel < launch->n_in; channel += BT_ITEMS * BT_LANES)
    bt_cnn_output_channels(sums, arena, weights + launch->weights, launch, channel);
  float sum[BT_CNN_OUTPUTS];
  BT_UNROLL for (int k = 0; k < BT_CNN_OUTPUTS; k++) {
    sum[k] = 0.0f;
    for (int lane = 0; lane < BT_LANES; lane++) sum[k] += bt_lane_get(sums[k], lane);
  }
#if BT_LOCAL_MEMORY
  BT_UNROLL for (int k = 0; k < BT_CNN_OUTPUTS; k++) memory[BT_ITEM * BT_CNN_OUTPUTS + k] = sum[k];
  BT_SYNC();
  if (BT_ITEM != 0) return;
  for (int item = 1; item < BT_ITEMS; item++)
    BT_UNROLL for (int k = 0; k < BT_CNN_OUTPUTS; k++) sum[k] += memory[item * BT_CNN_OUTPUTS + k];
#else
  (void)memory;
#endif
  BT_UNROLL for (int k = 0; k < BT_CNN_OUTPUTS; k++) to[k] = sum[k] + weights[launch->bias + k];
}

#endif
