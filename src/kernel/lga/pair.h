/* pair.h - AutoDock 4 energy of a pair of moving atoms: smoothed 12-6 or 12-10, electrostatics and desolvation.
 *
 * The closed forms of AutoDock 4.2 (Huey et al. 2007). Smoothing replaces r by x = r + h below the well, by the well's
 * own distance within h of it, by r - h above; h = 0.25 A. All terms use max(r, 0.5 A).
 */
#ifndef BERTH_KERNEL_LGA_PAIR_H
#define BERTH_KERNEL_LGA_PAIR_H

/* Pairs are evaluated BT_PAIR_TILE at a time in lockstep, for instruction-level parallelism: each pair is one long
 * dependency chain. */
typedef struct bt_pair_tile {
  bt_real energy;               /* sum over the tile */
  bt_real slope[BT_PAIR_TILE];  /* dE/dr divided by r, so that slope * (dx, dy, dz) is the gradient of atom i */
} bt_pair_tile;

/* r2: squared distances of the pairs of one tile. hbond: 12-10 instead of 12-6. Below 0.5 A the energy is constant and
 * the slope is the one at 0.5 A, which is repulsive. A pair's repulsive force is capped at limit (kcal/mol/A);
 * attraction is weak and is not. */
BT_FUNCTION bt_pair_tile bt_pair_evaluate(const bt_kernel_pair *pairs, const bt_real *r2, int hbond, bt_real limit,
                                          int with_gradient) {
  bt_pair_tile tile;
  bt_real inverse_r[BT_PAIR_TILE], r[BT_PAIR_TILE], inverse_x[BT_PAIR_TILE], y[BT_PAIR_TILE];
  bt_real sum[BT_PAIR_TILE], slope[BT_PAIR_TILE];
  bt_mask near[BT_PAIR_TILE];
  BT_UNROLL for (int p = 0; p < BT_PAIR_TILE; p++) {
    bt_real squared = bt_max(r2[p], bt_splat(BT_KERNEL_MIN_DISTANCE_SQUARED));
    inverse_r[p] = bt_rsqrt(squared); /* much cheaper than a square root */
    r[p] = squared * inverse_r[p];
  }
  BT_UNROLL for (int p = 0; p < BT_PAIR_TILE; p++) {
    bt_real width = bt_splat(BT_KERNEL_SMOOTH_HALF), well = r[p] - bt_splat(pairs[p].distance);
    inverse_x[p] = bt_rcp(r[p] - bt_min(bt_max(well, bt_splat(-BT_KERNEL_SMOOTH_HALF)), width));
    y[p] = bt_rcp_fast(r[p] + bt_splat(BT_PAIR_POLYNOMIAL_SHIFT));
    near[p] = bt_lt(r[p], bt_splat(BT_KERNEL_CUTOFF));
  }
  tile.energy = bt_splat(0.0f);
  BT_UNROLL for (int p = 0; p < BT_PAIR_TILE; p++) { /* van der Waals or hydrogen bond */
    bt_real b = bt_splat(pairs[p].b), i2 = inverse_x[p] * inverse_x[p], i4 = i2 * i2;
    bt_real low = bt_select_zero(near[p], hbond ? i4 * i4 * i2 : i4 * i2); /* x^-n; rest is x^-(12-n) */
    bt_real repulsion = bt_splat(pairs[p].a) * (hbond ? i2 : low), sum_of_both = repulsion - b;
    tile.energy = bt_fma(low, sum_of_both, tile.energy);
    if (with_gradient) /* the slope 12 a x^-13 - n b x^-(n+1), divided by n */
      slope[p] = low * inverse_x[p] *
                 (hbond ? bt_fma(bt_splat(0.2f), repulsion, sum_of_both) : repulsion + sum_of_both);
  }
  /* Electrostatics and desolvation: y * sum_k c[k] y^k and its derivative, by Horner's rule. */
  if (!with_gradient) {
    BT_UNROLL for (int p = 0; p < BT_PAIR_TILE; p++) sum[p] = bt_splat(pairs[p].c[BT_PAIR_POLYNOMIAL_ORDER - 1]);
    BT_UNROLL for (int k = BT_PAIR_POLYNOMIAL_ORDER - 2; k >= 0; k--) {
      BT_UNROLL for (int p = 0; p < BT_PAIR_TILE; p++) sum[p] = sum[p] * y[p] + bt_splat(pairs[p].c[k]);
    }
    BT_UNROLL for (int p = 0; p < BT_PAIR_TILE; p++) tile.energy = bt_fma(sum[p], y[p], tile.energy);
    return tile;
  }
  bt_real derivative[BT_PAIR_TILE];
  BT_UNROLL for (int p = 0; p < BT_PAIR_TILE; p++) {
    derivative[p] = bt_splat(pairs[p].c[BT_PAIR_POLYNOMIAL_ORDER - 1]);
    sum[p] = derivative[p] * y[p] + bt_splat(pairs[p].c[BT_PAIR_POLYNOMIAL_ORDER - 2]);
  }
  BT_UNROLL for (int k = BT_PAIR_POLYNOMIAL_ORDER - 3; k >= 0; k--) {
    BT_UNROLL for (int p = 0; p < BT_PAIR_TILE; p++) {
      derivative[p] = bt_fma(derivative[p], y[p], sum[p]);
      sum[p] = bt_fma(sum[p], y[p], bt_splat(pairs[p].c[k]));
    }
  }
  BT_UNROLL for (int p = 0; p < BT_PAIR_TILE; p++) {
    tile.energy = bt_fma(sum[p], y[p], tile.energy);
    bt_real far = bt_fma(derivative[p], y[p], sum[p]) * (y[p] * y[p]); /* -dE/dr, since dy/dr = -y^2 */
    bt_real whole = bt_fma(bt_splat(hbond ? -10.0f : -6.0f), slope[p], bt_splat(0.0f) - far);
    tile.slope[p] = bt_max(whole, bt_splat(0.0f) - limit) * inverse_r[p];
  }
  return tile;
}

#endif
