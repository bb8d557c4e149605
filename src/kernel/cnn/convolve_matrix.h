/* convolve_matrix.h - the convolution of convolve.h as matrix products on tensor cores.
 *
 * A group has a brick of up to 256 voxels and 32 (or 16) output channels; each of its 8 waves has 32 voxels, the rows of
 * two matrices. For 16 input channels at a time, the brick with its border is staged in local memory, where every tap
 * reads it: an implicit matrix product with rows of voxels, columns of output channels and a sum over taps and inputs.
 * Weights were laid out by the host as the lanes of a wave hold them (rescore/cnn/plan_matrix.c).
 *
 * BT_CNN_PRODUCTS, kinds of products, all summed in single precision:
 *   BT_CNN_TF32_EC  TF32 with the error correction of Ootomo and Yokota (2022): x = high + low, three products; sums of
 *                   high products leave the tensor cores, which round toward zero, after every tap
 *   BT_CNN_BF16_3   likewise with two BF16 numbers
 *   BT_CNN_TF32     one product of TF32 numbers
 *   BT_CNN_FP16     one product of numbers in half precision
 *
 * The back end's mma.h supplies bt_mma_tf32, bt_mma_bf16_single, bt_mma_half_single, bt_load_matrix and conversions.
 */
#ifndef BERTH_KERNEL_CNN_CONVOLVE_MATRIX_H
#define BERTH_KERNEL_CNN_CONVOLVE_MATRIX_H

#include "field.h"

#define BT_CNN_SPLIT (BT_CNN_PRODUCTS == BT_CNN_TF32_EC || BT_CNN_PRODUCTS == BT_CNN_BF16_3)
#define BT_CNN_HALVES (BT_CNN_PRODUCTS == BT_CNN_BF16_3 || BT_CNN_PRODUCTS == BT_CNN_FP16)
/* Steps along the sum, of 8 TF32 numbers or 16 halves, per chunk of inputs. */
#define BT_CNN_STEPS (BT_CNN_HALVES ? 1 : 2)
/* Words of 32 bits per voxel of the staged brick: odd multiples of 16 bytes, so that rows do not share banks. */
#define BT_CNN_PITCH (BT_CNN_PRODUCTS == BT_CNN_FP16 ? 12 : 20)
/* Words from the high to the low parts of a voxel. */
#define BT_CNN_LOW 8

BT_FUNCTION int bt_cnn_brick_volume(const int side[3]) { return side[0] * side[1] * side[2]; }

/* Stores four channels of a voxel as the products take them. */
BT_FUNCTION void bt_cnn_stage_four(BT_SCRATCH unsigned int *to, int quarter, float4 x) {
#if BT_CNN_PRODUCTS == BT_CNN_TF32_EC
  uint4 bits = {bt_to_bits(x.x), bt_to_bits(x.y), bt_to_bits(x.z), bt_to_bits(x.w)};
  *reinterpret_cast<uint4 *>(to + 4 * quarter) = bits;
#elif BT_CNN_PRODUCTS == BT_CNN_TF32
  uint4 bits = {bt_to_tf32(x.x), bt_to_tf32(x.y), bt_to_tf32(x.z), bt_to_tf32(x.w)};
  *reinterpret_cast<uint4 *>(to + 4 * quarter) = bits;
#elif BT_CNN_PRODUCTS == BT_CNN_FP16
  uint2 bits = {bt_to_halves(x.x, x.y), bt_to_halves(x.z, x.w)};
  *reinterpret_cast<uint2 *>(to + 2 * quarter) = bits;
#else
  uint2 high = {bt_to_bf16s(x.x, x.y), bt_to_bf16s(x.z, x.w)}, low;
  low.x = bt_to_bf16s(x.x - bt_from_bits(high.x << 16), x.y - bt_from_bits(high.x & 0xFFFF0000u));
  low.y = bt_to_bf16s(x.z - bt_from_bits(high.y << 16), x.w - bt_from_bits(high.y & 0xFFFF0000u));
  *reinterpret_cast<uint2 *>(to + 2 * quarter) = high;
  *reinterpret_cast<uint2 *>(to + BT_CNN_LOW + 2 * quarter) = low;
#endif
}

/* Stages 16 inputs of the brick and its border. from: its first voxel, border included. */
BT_FUNCTION void bt_cnn_stage(BT_SCRATCH unsigned int *staged, const BT_GLOBAL float *from, const int side[3],
                              bt_cnn_steps step) {
  for (int i = BT_ITEM; i < 4 * bt_cnn_brick_volume(side); i += BT_ITEMS) {
    const int voxel = i / 4, quarter = i % 4;
    const int z = voxel % side[2], y = voxel / side[2] % side[1], x = voxel / (side[2] * side[1]);
    const float4 four = *reinterpret_cast<const float4 *>(from + x * step.x + y * step.y + z * step.z + 4 * quarter);
    bt_cnn_stage_four(staged + voxel * BT_CNN_PITCH, quarter, four);
  }
}

/* Sums of one wave: 2 matrices of 16 voxels by up to 4 of 8 channels. */
typedef struct bt_cnn_sums {
  float high[2][4][4];
#if BT_CNN_SPLIT
  float low[2][4][4];
#endif
} bt_cnn_sums;

BT_FUNCTION void bt_cnn_product(float sum[4], const unsigned int a[4], const unsigned int b[2]) {
#if BT_CNN_PRODUCTS == BT_CNN_BF16_3
  bt_mma_bf16_single(sum, a, b);
#elif BT_CNN_PRODUCTS == BT_CNN_FP16
  bt_mma_half_single(sum, a, b);
#else
  bt_mma_tf32(sum, a, b);
#endif
}

/* One step along the sum. row[2]: this lane's place in local memory; weights: the step's, this lane's. */
BT_FUNCTION void bt_cnn_step(bt_cnn_sums *sums, const int columns, const unsigned int row[2],
                             const BT_GLOBAL unsigned int *weights) {
  unsigned int b[8], b_low[8];
  BT_UNROLL for (int k = 0; k < 2 * columns; k += 4) {
    const uint4 four = __ldg(reinterpret_cast<const uint4 *>(weights + k));
    b[k] = four.x, b[k + 1] = four.y, b[k + 2] = four.z, b[k + 3] = four.w;
#if BT_CNN_SPLIT
    const uint4 low = __ldg(reinterpret_cast<const uint4 *>(weights + 32 * 2 * columns + k));
    b_low[k] = low.x, b_low[k + 1] = low.y, b_low[k + 2] = low.z, b_low[k + 3] = low.w;
#endif
  }
  BT_UNROLL for (int m = 0; m < 2; m++) {
    unsigned int a[4];
    bt_load_matrix(a, row[m]);
#if BT_CNN_SPLIT
    unsigned int a_low[4];
#if BT_CNN_PRODUCTS == BT_CNN_TF32_EC
    BT_UNROLL for (int i = 0; i < 4; i++) {
      const float x = bt_from_bits(a[i]);
      a[i] = bt_to_tf32(x);
      a_low[i] = bt_to_tf32(x - bt_from_bits(a[i]));
    }
#else
    bt_load_matrix(a_low, row[m] + 4 * BT_CNN_LOW);
#endif
#endif
    BT_UNROLL for (int n = 0; n < columns; n++) {
#if BT_CNN_SPLIT
      bt_cnn_product(sums->low[m][n], a_low, b + 2 * n);
      bt_cnn_product(sums->low[m][n], a, b_low + 2 * n);
#endif
      bt_cnn_product(sums->high[m][n], a, b + 2 * n);
    }
  }
  (void)b_low;
}

/* The brick of a group. */
typedef struct bt_cnn_brick {
  int side[3], first[3]; /* voxels without the border */
  int with[3];           /* with it */
  int rows;
} bt_cnn_brick;

BT_FUNCTION bt_cnn_brick bt_cnn_brick_of(int edge, int radius, int index) {
  bt_cnn_brick brick;
  int rest = index;
  BT_CNN_BRICK(edge, brick.side);
  for (int k = 2; k >= 0; k--) {
    const int count = edge / brick.side[k];
    brick.first[k] = rest % count * brick.side[k];
    brick.with[k] = brick.side[k] + 2 * radius;
    rest /= count;
  }
  brick.rows = bt_cnn_brick_volume(brick.side);
  return brick;
}

/* Voxel of a row, relative to the brick; rows past its end repeat the first. */
BT_FUNCTION void bt_cnn_row_voxel(const bt_cnn_brick *brick, int row, int voxel[3]) {
  const int at = row < brick->rows ? row : 0;
  voxel[2] = at % brick->side[2];
  voxel[1] = at / brick->side[2] % brick->side[1];
  voxel[0] = at / (brick->side[2] * brick->side[1]);
}

BT_FUNCTION void bt_cnn_add_taps(bt_cnn_sums *sums, const int columns, const bt_cnn_launch *launch,
                                 const bt_cnn_brick *brick, const unsigned int row[2],
                                 const BT_GLOBAL unsigned int *weights) {
  const int words = 32 * 2 * columns * (BT_CNN_SPLIT ? 2 : 1);
  for (int tap = 0; tap < launch->taps * launch->taps * launch->taps; tap++) {
    const int dx = tap / (launch->taps * launch->taps), dy = tap / launch->taps % launch->taps, dz = tap % launch->taps;
    const int shift = 4 * BT_CNN_PITCH * ((dx * brick->with[1] + dy) * brick->with[2] + dz);
#if BT_CNN_SPLIT
    float before[2][4][4];
    BT_UNROLL for (int i = 0; i < 32; i++) {
      before[i / 16][i / 4 % 4][i % 4] = sums->high[i / 16][i / 4 % 4][i % 4];
      sums->high[i / 16][i / 4 % 4][i % 4] = 0.0f;
    }
#endif
    BT_UNROLL for (int step = 0; step < BT_CNN_STEPS; step++) {
      const unsigned int at[2] = {row[0] + shift + 32 * step, row[1] + shift + 32 * step};
      bt_cnn_step(sums, columns, at, weights + (tap * BT_CNN_STEPS + step) * words);
    }
#if BT_CNN_SPLIT
    BT_UNROLL for (int i = 0; i < 32; i++) sums->high[i / 16][i / 4 % 4][i % 4] += before[i / 16][i / 4 % 4][i % 4];
#endif
  }
}

BT_FUNCTION void bt_cnn_store_sums(const bt_cnn_sums *sums, const int columns, BT_GLOBAL char *arena,
                                   const BT_GLOBAL float *bias, const bt_cnn_launch *launch, const bt_cnn_brick *brick,
                                   int pose, int channel) {
  const int lane = BT_ITEM % 32, wave = BT_ITEM / 32, edge = launch->to.edge;
  BT_UNROLL for (int half = 0; half < 4; half++) {
    const int row = 32 * wave + 8 * half + lane / 4;
    int v[3];
    if (row >= brick->rows) continue;
    bt_cnn_row_voxel(brick, row, v);
    const int x = brick->first[0] + v[0], y = brick->first[1] + v[1], z = brick->first[2] + v[2];
    const int kind = launch->n_biases > 1 ? bt_cnn_edge_class(edge, x, y, z) : 0;
    BT_GLOBAL float *to = bt_cnn_voxel(arena, launch->to, pose, x, y, z) + launch->first_out + channel;
    const BT_GLOBAL float *add = bias + kind * launch->n_out + channel;
    BT_UNROLL for (int n = 0; n < columns; n++) {
      const int at = 8 * n + 2 * (lane % 4);
      const int m = half / 2, k = 2 * (half % 2);
      float2 two = {sums->high[m][n][k], sums->high[m][n][k + 1]};
#if BT_CNN_SPLIT
      two.x += sums->low[m][n][k];
      two.y += sums->low[m][n][k + 1];
#endif
      two.x = bt_max(two.x + add[at], 0.0f);
      two.y = bt_max(two.y + add[at + 1], 0.0f);
      *reinterpret_cast<float2 *>(to + at) = two;
    }
  }
}

BT_FUNCTION void bt_cnn_convolve_brick(BT_GLOBAL char *arena, const BT_GLOBAL float *weights,
                                       const bt_cnn_launch *launch, BT_SCRATCH float *memory, const int columns) {
  const int edge = launch->to.edge, width = 8 * columns, groups = launch->n_out / width, radius = launch->taps / 2;
  const int group = BT_GROUP % groups, taps = launch->taps * launch->taps * launch->taps;
  int side[3];
  BT_CNN_BRICK(edge, side);
  const int bricks = edge * edge * edge / bt_cnn_brick_volume(side);
  const int pose = BT_GROUP / groups / bricks, lane = BT_ITEM % 32;
  const bt_cnn_brick brick = bt_cnn_brick_of(edge, radius, BT_GROUP / groups % bricks);
  const bt_cnn_steps step = bt_cnn_steps_of(launch->from);
  const BT_GLOBAL float *from = bt_cnn_voxel(arena, launch->from, pose, brick.first[0] - radius,
                                             brick.first[1] - radius, brick.first[2] - radius);
  const int words = taps * BT_CNN_STEPS * 32 * 2 * columns * (BT_CNN_SPLIT ? 2 : 1); /* of a chunk */
  const int chunks = (launch->all_in + BT_CNN_GROUP - 1) / BT_CNN_GROUP;
  const BT_GLOBAL unsigned int *packed = reinterpret_cast<const unsigned int *>(weights + launch->weights) +
                                         (long)group * chunks * words + lane * 2 * columns;
  BT_SCRATCH unsigned int *staged = reinterpret_cast<unsigned int *>(memory);
  unsigned int row[2];
  for (int m = 0; m < 2; m++) {
    int v[3];
    bt_cnn_row_voxel(&brick, 32 * (BT_ITEM / 32) + 16 * m + lane % 16, v);
    row[m] = bt_local_address(staged) + 16 * (lane / 16) +
             4 * BT_CNN_PITCH * ((v[0] * brick.with[1] + v[1]) * brick.with[2] + v[2]);
  }
  bt_cnn_sums sums = {};
  for (int chunk = 0; chunk < chunks; chunk++) {
    if (chunk > 0) BT_SYNC();
    bt_cnn_stage(staged, from + BT_CNN_GROUP * chunk, brick.with, step);
    BT_SYNC();
    bt_cnn_add_taps(&sums, columns, launch, &brick, row, packed + (long)chunk * words);
  }
  bt_cnn_store_sums(&sums, columns, arena, weights + launch->bias, launch, &brick, pose, width * group);
}

/* Groups are [pose][brick][32 or 16 output channels]. */
BT_FUNCTION void bt_cnn_convolve_body(BT_GLOBAL char *arena, BT_GLOBAL float *weights, const bt_cnn_launch *launch,
                                      BT_SCRATCH float *memory) {
  if (launch->n_out % 32 == 0)
    bt_cnn_convolve_brick(arena, weights, launch, memory, 4);
  else
    bt_cnn_convolve_brick(arena, weights, launch, memory, 2);
}

#endif
