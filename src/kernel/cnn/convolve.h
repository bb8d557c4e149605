/* convolve.h - a convolution with bias and ReLU: 3 x 3 x 3 or 1 x 1 x 1, zeros outside.
 *
 * A work-item has a tile of BT_CNN_TILE voxels of one plane and BT_CNN_VECTORS vectors of output channels, whose sums
 * stay in registers: a weight, read once, serves all voxels of the tile, an activation all channels of the vectors. On a
 * GPU the neighbors of a work-item have the neighboring channels, so that weights are read side by side.
 */
#ifndef BERTH_KERNEL_CNN_CONVOLVE_H
#define BERTH_KERNEL_CNN_CONVOLVE_H

#include "field.h"

/* Divides the voxels of a plane: 576, 144, 36. With the vectors: sums that fit the registers. */
#if BT_LANES >= 16
#define BT_CNN_TILE 12
#define BT_CNN_VECTORS 1
#elif BT_LANES == 8
#define BT_CNN_TILE 6
#define BT_CNN_VECTORS 2
#elif BT_LANES == 4
#define BT_CNN_TILE 3
#define BT_CNN_VECTORS 4
#elif BT_LOCAL_MEMORY
#define BT_CNN_TILE 12
#define BT_CNN_VECTORS 1
#else
#define BT_CNN_TILE 3
#define BT_CNN_VECTORS 4
#endif
#define BT_CNN_WIDTH (BT_CNN_VECTORS * BT_LANES)

/* What a work-item reads for its tile. */
typedef struct bt_cnn_tile {
  const BT_GLOBAL float *from;    /* the first voxel, first input */
  const BT_GLOBAL float *weights; /* the first output of the first vector */
  int jump;                       /* floats from the middle of the tile on, where it continues in the next row */
  int next_group;                 /* floats to the weights of the next 16 outputs */
} bt_cnn_tile;

/* Adds the products of n_in inputs of one tap. */
BT_FUNCTION void bt_cnn_add_inputs(bt_real sums[BT_CNN_TILE][2 * BT_CNN_VECTORS], const int vectors,
                                   const bt_cnn_tile *tile, const BT_GLOBAL float *from,
                                   const BT_GLOBAL float *weights, const BT_GLOBAL int *opt_channels, int n_in,
                                   int stride) {
  for (int c = 0; c < n_in; c++) {
    const BT_GLOBAL float *row = weights + BT_CNN_GROUP * (opt_channels ? opt_channels[c] : c);
    bt_real w[2 * BT_CNN_VECTORS];
    BT_UNROLL for (int k = 0; k < vectors; k++)
        w[k] = bt_load(row + k * BT_LANES / BT_CNN_GROUP * tile->next_group + k * BT_LANES % BT_CNN_GROUP);
    BT_UNROLL for (int v = 0; v < BT_CNN_TILE; v++) {
      const bt_real x = bt_splat(from[v * stride + (2 * v >= BT_CNN_TILE ? tile->jump : 0) + c]);
      BT_UNROLL for (int k = 0; k < vectors; k++) sums[v][k] = bt_fma(x, w[k], sums[v][k]);
    }
  }
}

BT_FUNCTION void bt_cnn_convolve_tile(BT_GLOBAL char *arena, const BT_GLOBAL float *weights,
                                      const bt_cnn_launch *launch, int pose, int x, int first, int channel,
                                      const int vectors) {
  const int edge = launch->to.edge, radius = launch->taps / 2, y = first / edge, z = first - y * edge;
  const bt_cnn_steps step = bt_cnn_steps_of(launch->from);
  const int depth = launch->taps * launch->taps * launch->taps * launch->all_in;
  const BT_GLOBAL bt_cnn_extent *ranges = (const BT_GLOBAL bt_cnn_extent *)(weights + launch->ranges);
  const BT_GLOBAL int *channels =
      launch->channels >= 0 ? (const BT_GLOBAL int *)(arena + launch->channels) : (const BT_GLOBAL int *)0;
  bt_cnn_tile tile;
  tile.next_group = depth * BT_CNN_GROUP;
  tile.from = bt_cnn_voxel(arena, launch->from, pose, x, y, z);
  tile.weights = weights + launch->weights + (long)(channel / BT_CNN_GROUP) * tile.next_group + channel % BT_CNN_GROUP;
  tile.jump = edge < BT_CNN_TILE ? 2 * step.z : 0; /* the border */
  bt_real sums[BT_CNN_TILE][2 * BT_CNN_VECTORS];
  BT_UNROLL for (int v = 0; v < BT_CNN_TILE; v++) {
    const int at = first + v, row = at / edge;
    const int kind = launch->n_biases > 1 ? bt_cnn_edge_class(edge, x, row, at - row * edge) : 0;
    BT_UNROLL for (int k = 0; k < vectors; k++)
        sums[v][k] = bt_load(weights + launch->bias + kind * launch->n_out + channel + k * BT_LANES);
  }
  for (int tap = 0; tap < launch->taps * launch->taps * launch->taps; tap++) {
    const int dx = tap / (launch->taps * launch->taps), dy = tap / launch->taps % launch->taps, dz = tap % launch->taps;
    const BT_GLOBAL float *from =
        tile.from + (dx - radius) * step.x + (dy - radius) * step.y + (dz - radius) * step.z;
    const BT_GLOBAL float *row = tile.weights + (long)tap * launch->all_in * BT_CNN_GROUP;
    if (channels)
      bt_cnn_add_inputs(sums, vectors, &tile, from, row, channels, launch->n_in, step.z);
    else if (launch->n_ranges == 0)
      bt_cnn_add_inputs(sums, vectors, &tile, from, row, (const BT_GLOBAL int *)0, launch->n_in, step.z);
    else
      for (int r = 0; r < launch->n_ranges; r++)
        bt_cnn_add_inputs(sums, vectors, &tile, from + ranges[r].first, row + BT_CNN_GROUP * ranges[r].first,
                          (const BT_GLOBAL int *)0, ranges[r].count, step.z);
  }
  BT_UNROLL for (int v = 0; v < BT_CNN_TILE; v++) {
    const int at = first + v, row = at / edge;
    BT_GLOBAL float *to = bt_cnn_voxel(arena, launch->to, pose, x, row, at - row * edge) + launch->first_out + channel;
    BT_UNROLL for (int k = 0; k < vectors; k++) bt_store(to + k * BT_LANES, bt_max(sums[v][k], bt_splat(0.0f)));
  }
}

/* Groups are [pose][plane]. */
BT_FUNCTION void bt_cnn_convolve_body(BT_GLOBAL char *arena, BT_GLOBAL float *weights, const bt_cnn_launch *launch,
                                      BT_SCRATCH float *memory) {
  const int edge = launch->to.edge, pose = BT_GROUP / edge, x = BT_GROUP - pose * edge;
  const int tiles = edge * edge / BT_CNN_TILE;
  (void)memory;
#if BT_LANES >= 16 /* registers for twice as many sums */
  if (launch->n_out % (2 * BT_CNN_WIDTH) == 0) {
    for (int i = 0; i < tiles * launch->n_out / (2 * BT_CNN_WIDTH); i++)
      bt_cnn_convolve_tile(arena, weights, launch, pose, x, i % tiles * BT_CNN_TILE, i / tiles * 2 * BT_CNN_WIDTH,
                           2 * BT_CNN_VECTORS);
    return;
  }
#endif
  const int channels = launch->n_out / BT_CNN_WIDTH;
  for (int i = BT_ITEM; i < tiles * channels; i += BT_ITEMS)
#if BT_LOCAL_MEMORY
    bt_cnn_convolve_tile(arena, weights, launch, pose, x, i / channels * BT_CNN_TILE, i % channels, BT_CNN_VECTORS);
#else
    bt_cnn_convolve_tile(arena, weights, launch, pose, x, i % tiles * BT_CNN_TILE, i / tiles * BT_CNN_WIDTH,
                         BT_CNN_VECTORS);
#endif
}

#endif
