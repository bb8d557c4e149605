/* tensor.h - products of a 0/1 matrix with data on tensor cores, for kernel/lga/reduction.h.
 *
 * BT_TEAM_TENSOR_EC: TF32 with the error correction of Ootomo and Yokota (2022). A value is split into two TF32
 * numbers, hi = TF32(x) and lo = TF32(x - hi); 0 and 1 need no splitting, so two products are enough. Tensor cores
 * round toward zero when they add to an accumulator: the hi product of every block begins at zero and is added outside,
 * to nearest; the lo products, 2^-11 smaller, accumulate inside.
 * BT_TEAM_TENSOR_FP16: half precision, also in the accumulator, as in Schieffer and Peng (2023). For the study only.
 *
 * Operands are laid out in the lanes of a warp as for mma.m16n8k8 (TF32) and mma.m16n8k16 (FP16): with g = lane / 4 and
 * t = lane % 4, a lane holds rows g and g + 8 of the left operand, column g of the right one, and of both the places t,
 * t + 4 (TF32) or 2t, 2t + 1, 2t + 8, 2t + 9 (FP16) along the sum; of the result rows g and g + 8,
 * columns 2t and 2t + 1.
 */
#ifndef BERTH_BACKEND_CUDA_TENSOR_H
#define BERTH_BACKEND_CUDA_TENSOR_H

#ifndef BT_MMA_EMULATED
#include "backend/cuda/mma.h"
#endif

#define BT_TEAM_MATRIX 1
#define BT_WAVE 32

BT_FUNCTION int bt_matrix_row(int lane) { return lane / 4; }
BT_FUNCTION int bt_matrix_column(int lane) { return lane / 4; }
BT_FUNCTION int bt_matrix_result_column(int lane) { return 2 * (lane % 4); }

BT_FUNCTION float bt_matrix_across(float value) {
  value += bt_exchange(value, 1);
  value += bt_exchange(value, 2);
  return value;
}

#if BT_TEAM_TENSOR_EC

#define BT_MATRIX_DEPTH 8
#define BT_MATRIX_SHARE 2
BT_FUNCTION int bt_matrix_depth(int lane, int k) { return lane % 4 + 4 * k; }

typedef struct bt_matrix_sum {
  float high[4], low[4];
} bt_matrix_sum;

BT_FUNCTION bt_matrix_sum bt_matrix_zero(void) {
  bt_matrix_sum sum = {{0, 0, 0, 0}, {0, 0, 0, 0}};
  return sum;
}

BT_FUNCTION void bt_matrix_add(bt_matrix_sum *sum, const int upper[2], const int lower[2], const float value[2]) {
  const unsigned int one = 0x3F800000u;
  unsigned int a[4] = {upper[0] ? one : 0, lower[0] ? one : 0, upper[1] ? one : 0, lower[1] ? one : 0};
  unsigned int high[2], low[2];
  float product[4] = {0, 0, 0, 0};
  BT_UNROLL for (int k = 0; k < 2; k++) {
    high[k] = bt_to_tf32(value[k]);
    low[k] = bt_to_tf32(value[k] - bt_from_bits(high[k]));
  }
  bt_mma_tf32(product, a, high);
  bt_mma_tf32(sum->low, a, low);
  BT_UNROLL for (int i = 0; i < 4; i++) sum->high[i] += product[i];
}

BT_FUNCTION void bt_matrix_result(const bt_matrix_sum *sum, float result[4]) {
  BT_UNROLL for (int i = 0; i < 4; i++) result[i] = sum->high[i] + sum->low[i];
}

#else

#define BT_MATRIX_DEPTH 16
#define BT_MATRIX_SHARE 4
BT_FUNCTION int bt_matrix_depth(int lane, int k) { return 2 * (lane % 4) + k % 2 + 8 * (k / 2); }

typedef struct bt_matrix_sum {
  unsigned int halves[2];
} bt_matrix_sum;

BT_FUNCTION bt_matrix_sum bt_matrix_zero(void) {
  bt_matrix_sum sum = {{0, 0}};
  return sum;
}

/* Clamps to the range of half precision: an infinity would contaminate other rows. */
BT_FUNCTION float bt_half_range(float x) { return bt_max(bt_min(x, 65504.0f), -65504.0f); }

BT_FUNCTION unsigned int bt_ones(int first, int second) {
  return (first ? 0x3C00u : 0u) | (second ? 0x3C000000u : 0u);
}

BT_FUNCTION void bt_matrix_add(bt_matrix_sum *sum, const int upper[4], const int lower[4], const float value[4]) {
  unsigned int a[4] = {bt_ones(upper[0], upper[1]), bt_ones(lower[0], lower[1]), bt_ones(upper[2], upper[3]),
                       bt_ones(lower[2], lower[3])};
  unsigned int b[2] = {bt_to_halves(bt_half_range(value[0]), bt_half_range(value[1])),
                       bt_to_halves(bt_half_range(value[2]), bt_half_range(value[3]))};
  bt_mma_half(sum->halves, a, b);
}

BT_FUNCTION void bt_matrix_result(const bt_matrix_sum *sum, float result[4]) {
  bt_from_halves(sum->halves[0], &result[0], &result[1]);
  bt_from_halves(sum->halves[1], &result[2], &result[3]);
}

#endif

#endif
