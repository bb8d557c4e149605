/* vina.h - Vina's and Vinardo's terms for pairs of moving atoms: two Gaussians, repulsion, one ramp.
 *
 * Trott and Olson 2010; Quiroga and Villarreal 2016. With d = r - R, R the sum of both radii:
 *   E = g1 exp(-a1 (d - o1)^2) + g2 exp(-a2 (d - o2)^2) + k min(d, 0)^2 + s min(max(top - d, 0), width),  r < 8 A.
 * All parameters come with the pair (BT_VINA_... of data.h), so both functions, and others of their form, share this
 * code. A pair is hydrophobic or hydrogen-bonding, never both, so one ramp is enough.
 */
#ifndef BERTH_KERNEL_LGA_VINA_H
#define BERTH_KERNEL_LGA_VINA_H

/* Energy and slope of a tile, as bt_pair_evaluate. */
BT_FUNCTION bt_pair_tile bt_pair_evaluate_vina(const bt_kernel_pair *pairs, const bt_real *r2, bt_real limit,
                                               int with_gradient) {
  bt_pair_tile tile;
  bt_real inverse_r[BT_PAIR_TILE], d[BT_PAIR_TILE], near1[BT_PAIR_TILE], near2[BT_PAIR_TILE];
  bt_mask near[BT_PAIR_TILE];
  bt_real zero = bt_splat(0.0f);
  BT_UNROLL for (int p = 0; p < BT_PAIR_TILE; p++) {
    bt_real squared = bt_max(r2[p], bt_splat(BT_KERNEL_MIN_DISTANCE_SQUARED));
    inverse_r[p] = bt_rsqrt(squared);
    bt_real r = squared * inverse_r[p];
    near[p] = bt_lt(r, bt_splat(BT_KERNEL_CUTOFF));
    d[p] = r - bt_splat(pairs[p].distance);
  }
  BT_UNROLL for (int p = 0; p < BT_PAIR_TILE; p++) {
    bt_real from1 = d[p] - bt_splat(BT_VINA_OFFSET1(pairs[p])), from2 = d[p] - bt_splat(BT_VINA_OFFSET2(pairs[p]));
    near1[p] =
        bt_splat(BT_VINA_GAUSS1(pairs[p])) * bt_exp_minus(bt_splat(BT_VINA_SHARPNESS1(pairs[p])) * from1 * from1);
    near2[p] =
        bt_splat(BT_VINA_GAUSS2(pairs[p])) * bt_exp_minus(bt_splat(BT_VINA_SHARPNESS2(pairs[p])) * from2 * from2);
  }
  tile.energy = zero;
  BT_UNROLL for (int p = 0; p < BT_PAIR_TILE; p++) {
    bt_real overlap = bt_min(d[p], zero), spring = bt_splat(BT_VINA_REPULSION(pairs[p])) * overlap;
    bt_real below = bt_splat(BT_VINA_RAMP_TOP(pairs[p])) - d[p], width = bt_splat(BT_VINA_RAMP_WIDTH(pairs[p]));
    bt_real ramp = bt_splat(BT_VINA_RAMP(pairs[p]));
    bt_real sum = bt_fma(ramp, bt_min(bt_max(below, zero), width), bt_fma(spring, overlap, near1[p] + near2[p]));
    tile.energy = tile.energy + bt_select_zero(near[p], sum);
    if (!with_gradient) continue;
    bt_real from1 = d[p] - bt_splat(BT_VINA_OFFSET1(pairs[p])), from2 = d[p] - bt_splat(BT_VINA_OFFSET2(pairs[p]));
    bt_real halved = bt_fma(bt_splat(0.0f - BT_VINA_SHARPNESS1(pairs[p])) * from1, near1[p],
                          bt_fma(bt_splat(0.0f - BT_VINA_SHARPNESS2(pairs[p])) * from2, near2[p], spring));
    bt_real slope = halved + halved - bt_select_zero(bt_and(bt_lt(zero, below), bt_lt(below, width)), ramp);
    tile.slope[p] = bt_max(bt_select_zero(near[p], slope), zero - limit) * inverse_r[p];
  }
  return tile;
}

#endif
