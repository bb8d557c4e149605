/* intra.h - energy between moving atoms: smoothed 12-6 or 12-10, electrostatics and desolvation.
 *
 * The closed forms of AutoDock 4.2 (Huey et al. 2007). Smoothing replaces r by x = r + h below the well, the well's
 * own distance within h of it, r - h above; h = 0.25 A. All terms use max(r, 0.5 A).
 */
#ifndef BERTH_KERNEL_AD4_INTRA_H
#define BERTH_KERNEL_AD4_INTRA_H

/* Pairs are evaluated BT_PAIR_TILE at a time, step by step, so that a processor finds independent work while one
 * pair's long chain of operations is under way. */
typedef struct bt_pair_tile {
  bt_real energy;               /* sum over the tile */
  bt_real slope[BT_PAIR_TILE];  /* dE/dr divided by r, so that slope * (dx, dy, dz) is the gradient of atom i */
} bt_pair_tile;

/* Squared distances r2 of the pairs of one tile. hbond: 12-10 instead of 12-6. Below 0.5 A the energy is constant and
 * the slope is the one at 0.5 A, which pushes apart. No pair repels with more than the limit (kcal/mol/A); what attracts
 * is weak and left alone. */
BT_FUNCTION bt_pair_tile bt_pair_evaluate(const bt_kernel_pair *pairs, const bt_real *r2, int hbond, bt_real limit,
                                          int with_gradient) {
  bt_pair_tile tile;
  bt_real inverse_r[BT_PAIR_TILE], r[BT_PAIR_TILE], inverse_x[BT_PAIR_TILE], y[BT_PAIR_TILE];
  bt_real sum[BT_PAIR_TILE], slope[BT_PAIR_TILE];
  bt_mask near[BT_PAIR_TILE];
  BT_UNROLL for (int p = 0; p < BT_PAIR_TILE; p++) {
    bt_real squared = bt_max(r2[p], bt_splat(BT_KERNEL_MIN_DISTANCE_SQUARED));
    inverse_r[p] = bt_rsqrt(squared); /* far quicker than a square root */
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
    bt_real far = bt_fma(derivative[p], y[p], sum[p]) * (y[p] * y[p]); /* -dE/dr, as dy/dr = -y^2 */
    bt_real whole = bt_fma(bt_splat(hbond ? -10.0f : -6.0f), slope[p], bt_splat(0.0f) - far);
    tile.slope[p] = bt_max(whole, bt_splat(0.0f) - limit) * inverse_r[p];
  }
  return tile;
}

/* Ring closures: 50 kcal/mol/A between a glue point and the carbon that it stands for. */
BT_FUNCTION bt_real bt_intra_glue(const bt_kernel_data *data, const BT_SCRATCH bt_real *xyz, BT_SCRATCH bt_real *atom_gradient,
                                  int with_gradient) {
  bt_real energy = bt_splat(0.0f);
  for (int k = 0; k < data->sizes.n_glue; k++) {
    int i = data->glue[k].i, j = data->glue[k].j;
    bt_real d[3], r2 = bt_splat(1e-12f);
    for (int c = 0; c < 3; c++) {
      d[c] = BT_AT(xyz, 3 * i + c) - BT_AT(xyz, 3 * j + c);
      r2 = r2 + d[c] * d[c];
    }
    bt_real r = bt_sqrt(r2);
    energy = energy + bt_splat(BT_KERNEL_GLUE) * r;
    if (!with_gradient) continue;
    bt_real slope = bt_splat(BT_KERNEL_GLUE) * bt_rcp(r);
    for (int c = 0; c < 3; c++) {
      BT_AT(atom_gradient, 3 * i + c) = BT_AT(atom_gradient, 3 * i + c) + slope * d[c];
      BT_AT(atom_gradient, 3 * j + c) = BT_AT(atom_gradient, 3 * j + c) - slope * d[c];
    }
  }
  return energy;
}

#if BT_TEAM_BLOCKS

#ifdef BT_LOAD_FLOAT4 /* three loads of 16 bytes */
BT_FUNCTION bt_kernel_pair bt_load_pair(const BT_GLOBAL bt_kernel_pair *from) {
  BT_FLOAT4 a = BT_LOAD_FLOAT4(from, 0), b = BT_LOAD_FLOAT4(from, 1), c = BT_LOAD_FLOAT4(from, 2);
  bt_kernel_pair pair = {BT_FLOAT_BITS(a.x), a.y, a.z, a.w, {b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w}};
  return pair;
}
#else
BT_FUNCTION bt_kernel_pair bt_load_pair(const BT_GLOBAL bt_kernel_pair *from) { return *from; }
#endif

/* One block of atoms i, held in registers, with all atoms j that it visits. */
BT_FUNCTION bt_real bt_intra_block(const bt_kernel_data *data, const bt_kernel_block *block, int hbond,
                                   const BT_SCRATCH bt_real *xyz, BT_SCRATCH bt_real *atom_gradient,
                                   bt_stream *stream, bt_real limit, int with_gradient) {
  bt_real energy = bt_splat(0.0f), x[BT_BLOCK_ATOMS], y[BT_BLOCK_ATOMS], z[BT_BLOCK_ATOMS];
  bt_real gx[BT_BLOCK_ATOMS], gy[BT_BLOCK_ATOMS], gz[BT_BLOCK_ATOMS];
  BT_UNROLL for (int p = 0; p < BT_BLOCK_ATOMS; p++) {
    int i = block->i[p];
    x[p] = BT_AT(xyz, 3 * i);
    y[p] = BT_AT(xyz, 3 * i + 1);
    z[p] = BT_AT(xyz, 3 * i + 2);
    gx[p] = gy[p] = gz[p] = bt_splat(0.0f);
  }
  int end = block->end;
  for (int first = block->first; first < end; first += BT_BLOCK_ATOMS) {
    bt_kernel_pair pairs[BT_BLOCK_ATOMS];
    bt_real dx[BT_BLOCK_ATOMS], dy[BT_BLOCK_ATOMS], dz[BT_BLOCK_ATOMS], r2[BT_BLOCK_ATOMS];
#ifdef BT_STREAM
    bt_stream_next(stream, pairs);
#else
    (void)stream;
    BT_UNROLL for (int p = 0; p < BT_BLOCK_ATOMS; p++) pairs[p] = bt_load_pair(&data->pairs[first + p]);
#endif
    int j = pairs[0].j;
    bt_real xj = BT_AT(xyz, 3 * j), yj = BT_AT(xyz, 3 * j + 1), zj = BT_AT(xyz, 3 * j + 2);
    BT_UNROLL for (int p = 0; p < BT_BLOCK_ATOMS; p++) {
      dx[p] = x[p] - xj;
      dy[p] = y[p] - yj;
      dz[p] = z[p] - zj;
      r2[p] = dx[p] * dx[p] + dy[p] * dy[p] + dz[p] * dz[p];
    }
    bt_pair_tile tile = bt_pair_evaluate(pairs, r2, hbond, limit, with_gradient);
    energy = energy + tile.energy;
    if (!with_gradient) continue;
    bt_real sx = bt_splat(0.0f), sy = sx, sz = sx;
    BT_UNROLL for (int p = 0; p < BT_BLOCK_ATOMS; p++) {
      gx[p] = bt_fma(dx[p], tile.slope[p], gx[p]);
      gy[p] = bt_fma(dy[p], tile.slope[p], gy[p]);
      gz[p] = bt_fma(dz[p], tile.slope[p], gz[p]);
      sx = bt_fma(dx[p], tile.slope[p], sx);
      sy = bt_fma(dy[p], tile.slope[p], sy);
      sz = bt_fma(dz[p], tile.slope[p], sz);
    }
    BT_AT(atom_gradient, 3 * j) = BT_AT(atom_gradient, 3 * j) - sx;
    BT_AT(atom_gradient, 3 * j + 1) = BT_AT(atom_gradient, 3 * j + 1) - sy;
    BT_AT(atom_gradient, 3 * j + 2) = BT_AT(atom_gradient, 3 * j + 2) - sz;
  }
  if (!with_gradient) return energy;
  BT_UNROLL for (int p = 0; p < BT_BLOCK_ATOMS; p++) { /* one after the other: padding repeats an atom */
    int i = block->i[p];
    BT_AT(atom_gradient, 3 * i) = BT_AT(atom_gradient, 3 * i) + gx[p];
    BT_AT(atom_gradient, 3 * i + 1) = BT_AT(atom_gradient, 3 * i + 1) + gy[p];
    BT_AT(atom_gradient, 3 * i + 2) = BT_AT(atom_gradient, 3 * i + 2) + gz[p];
  }
  return energy;
}

/* This rank's share of all pairs. In a phase no two ranks that use the same copy of the gradients touch the same atom,
 * so nothing is atomic and the order of sums is fixed. Coordinates and gradients must be visible to all ranks. */
BT_FUNCTION bt_real bt_intra_energy(const bt_kernel_data *data, bt_pose_scratch scratch, bt_stream *stream,
                                    bt_real limit, int with_gradient) {
  bt_real energy = bt_splat(0.0f);
  int copy = scratch.rank & (data->sizes.n_gradients - 1); /* a power of two */
  BT_SCRATCH bt_real *atom_gradient = &BT_AT(scratch.atom_gradient, 3 * data->sizes.n_atoms * copy);
  const BT_GLOBAL bt_kernel_block *blocks = data->blocks + (data->sizes.n_phases > 0 ? data->slots[scratch.rank].block : 0);
  bt_kernel_block next = *blocks; /* asked for while the one before is under way */
  for (int phase = 0; phase < data->sizes.n_phases; phase++) {
    while (next.phase == phase) {
      bt_kernel_block block = next;
      next = *++blocks;
      if (block.hbond)
        energy = energy + bt_intra_block(data, &block, 1, scratch.xyz, atom_gradient, stream, limit, with_gradient);
      else
        energy = energy + bt_intra_block(data, &block, 0, scratch.xyz, atom_gradient, stream, limit, with_gradient);
    }
    if (with_gradient) BT_SYNC();
  }
  if (data->sizes.n_glue > 0 && scratch.rank == 0)
    energy = energy + bt_intra_glue(data, scratch.xyz, scratch.atom_gradient, with_gradient);
  if (data->sizes.n_glue > 0 && with_gradient) BT_SYNC();
  return energy;
}

#else

/* Adds to atom_gradient[3 n_atoms] when asked for. */
BT_FUNCTION bt_real bt_intra_rows(const bt_kernel_data *data, int first_row, int end_row, int hbond,
                                  const BT_SCRATCH bt_real *xyz, BT_SCRATCH bt_real *atom_gradient, bt_real limit,
                                  int with_gradient) {
  bt_real energy = bt_splat(0.0f);
  for (int row = first_row; row < end_row; row++) {
    int i = data->rows[row].i;
    bt_real xi = BT_AT(xyz, 3 * i), yi = BT_AT(xyz, 3 * i + 1), zi = BT_AT(xyz, 3 * i + 2);
    bt_real gx = bt_splat(0.0f), gy = gx, gz = gx;
    if (!hbond) bt_map_prefetch(data, i, xi, yi, zi);
    for (int first = data->rows[row].first; first < data->rows[row].end; first += BT_PAIR_TILE) {
      const bt_kernel_pair *pairs = &data->pairs[first];
      bt_real dx[BT_PAIR_TILE], dy[BT_PAIR_TILE], dz[BT_PAIR_TILE], r2[BT_PAIR_TILE];
      BT_UNROLL for (int p = 0; p < BT_PAIR_TILE; p++) {
        int j = pairs[p].j;
        dx[p] = xi - BT_AT(xyz, 3 * j);
        dy[p] = yi - BT_AT(xyz, 3 * j + 1);
        dz[p] = zi - BT_AT(xyz, 3 * j + 2);
        r2[p] = dx[p] * dx[p] + dy[p] * dy[p] + dz[p] * dz[p];
      }
      bt_pair_tile tile = bt_pair_evaluate(pairs, r2, hbond, limit, with_gradient);
      energy = energy + tile.energy;
      if (!with_gradient) continue;
      BT_UNROLL for (int p = 0; p < BT_PAIR_TILE; p++) {
        int j = pairs[p].j;
        bt_real sx = dx[p] * tile.slope[p], sy = dy[p] * tile.slope[p], sz = dz[p] * tile.slope[p];
        gx = gx + sx;
        gy = gy + sy;
        gz = gz + sz;
        BT_AT(atom_gradient, 3 * j) = BT_AT(atom_gradient, 3 * j) - sx;
        BT_AT(atom_gradient, 3 * j + 1) = BT_AT(atom_gradient, 3 * j + 1) - sy;
        BT_AT(atom_gradient, 3 * j + 2) = BT_AT(atom_gradient, 3 * j + 2) - sz;
      }
    }
    if (with_gradient) {
      BT_AT(atom_gradient, 3 * i) = BT_AT(atom_gradient, 3 * i) + gx;
      BT_AT(atom_gradient, 3 * i + 1) = BT_AT(atom_gradient, 3 * i + 1) + gy;
      BT_AT(atom_gradient, 3 * i + 2) = BT_AT(atom_gradient, 3 * i + 2) + gz;
    }
  }
  return energy;
}

BT_FUNCTION bt_real bt_intra_energy(const bt_kernel_data *data, bt_pose_scratch scratch, bt_stream *stream,
                                    bt_real limit, int with_gradient) {
  (void)stream;
  int middle = data->n_rows_12_6, end = middle + data->n_rows_12_10;
  bt_real energy = bt_intra_rows(data, 0, middle, 0, scratch.xyz, scratch.atom_gradient, limit, with_gradient);
  energy = energy + bt_intra_rows(data, middle, end, 1, scratch.xyz, scratch.atom_gradient, limit, with_gradient);
  if (data->sizes.n_glue > 0)
    energy = energy + bt_intra_glue(data, scratch.xyz, scratch.atom_gradient, with_gradient);
  return energy;
}

#endif

#endif
