/* intra.h - energy between moving atoms: all pairs of a ligand, by their kind, and ring closures. */
#ifndef BERTH_KERNEL_LGA_INTRA_H
#define BERTH_KERNEL_LGA_INTRA_H

/* A tile of one kind, a compile-time constant. */
BT_FUNCTION bt_pair_tile bt_pair_evaluate_kind(int kind, const bt_kernel_pair *pairs, const bt_real *r2, bt_real limit,
                                               int with_gradient) {
  if (kind == BT_PAIR_KIND_VINA) return bt_pair_evaluate_vina(pairs, r2, limit, with_gradient);
  return bt_pair_evaluate(pairs, r2, kind == BT_PAIR_KIND_12_10, limit, with_gradient);
}

/* Ring closures: 50 kcal/mol/A between a glue atom and the carbon that it stands for, F (sqrt(r^2 + w^2) - w). Without
 * the width w a closed ring cannot move: every step pays the full force (decision 023). Reported energies have F r. */
BT_FUNCTION bt_real bt_intra_glue(const bt_kernel_data *data, const BT_SCRATCH bt_real *xyz, BT_SCRATCH bt_real *atom_gradient,
                                  int with_gradient) {
  bt_real energy = bt_splat(0.0f);
  for (int k = 0; k < data->sizes.n_glue; k++) {
    int i = data->glue[k].i, j = data->glue[k].j;
    bt_real d[3], r2 = bt_splat(BT_KERNEL_CLOSURE_WIDTH * BT_KERNEL_CLOSURE_WIDTH);
    for (int c = 0; c < 3; c++) {
      d[c] = BT_AT(xyz, 3 * i + c) - BT_AT(xyz, 3 * j + c);
      r2 = r2 + d[c] * d[c];
    }
    bt_real r = bt_sqrt(r2);
    energy = energy + bt_splat(BT_KERNEL_GLUE) * (r - bt_splat(BT_KERNEL_CLOSURE_WIDTH));
    if (!with_gradient) continue;
    bt_real slope = bt_splat(BT_KERNEL_GLUE) * bt_rcp(r);
    for (int c = 0; c < 3; c++) {
      BT_AT(atom_gradient, 3 * i + c) = BT_AT(atom_gradient, 3 * i + c) + slope * d[c];
      BT_AT(atom_gradient, 3 * j + c) = BT_AT(atom_gradient, 3 * j + c) - slope * d[c];
    }
  }
  return energy;
}

#if BT_TEAM_TILES

#ifdef BT_LOAD_FLOAT4 /* three 16-byte loads */
BT_FUNCTION bt_kernel_pair bt_load_pair(const BT_GLOBAL bt_kernel_pair *from) {
  BT_FLOAT4 a = BT_LOAD_FLOAT4(from, 0), b = BT_LOAD_FLOAT4(from, 1), c = BT_LOAD_FLOAT4(from, 2);
  bt_kernel_pair pair = {BT_FLOAT_BITS(a.x), a.y, a.z, a.w, {b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w}};
  return pair;
}
#else
BT_FUNCTION bt_kernel_pair bt_load_pair(const BT_GLOBAL bt_kernel_pair *from) { return *from; }
#endif

/* One tile of atoms i, held in registers, with all atoms j that it visits. */
BT_FUNCTION bt_real bt_intra_tile(const bt_kernel_data *data, const bt_kernel_tile *tile, int kind,
                                   const BT_SCRATCH bt_real *xyz, BT_SCRATCH bt_real *atom_gradient,
                                   bt_stream *stream, bt_real limit, int with_gradient) {
  bt_real energy = bt_splat(0.0f), x[BT_TILE_ATOMS], y[BT_TILE_ATOMS], z[BT_TILE_ATOMS];
  bt_real gx[BT_TILE_ATOMS], gy[BT_TILE_ATOMS], gz[BT_TILE_ATOMS];
  BT_UNROLL for (int p = 0; p < BT_TILE_ATOMS; p++) {
    int i = tile->i[p];
    x[p] = BT_AT(xyz, 3 * i);
    y[p] = BT_AT(xyz, 3 * i + 1);
    z[p] = BT_AT(xyz, 3 * i + 2);
    gx[p] = gy[p] = gz[p] = bt_splat(0.0f);
  }
  int end = tile->end;
  for (int first = tile->first; first < end; first += BT_TILE_ATOMS) {
    bt_kernel_pair pairs[BT_TILE_ATOMS];
    bt_real dx[BT_TILE_ATOMS], dy[BT_TILE_ATOMS], dz[BT_TILE_ATOMS], r2[BT_TILE_ATOMS];
#ifdef BT_STREAM
    bt_stream_next(stream, pairs);
#else
    (void)stream;
    BT_UNROLL for (int p = 0; p < BT_TILE_ATOMS; p++) pairs[p] = bt_load_pair(&data->pairs[first + p]);
#endif
    int j = pairs[0].j;
    bt_real xj = BT_AT(xyz, 3 * j), yj = BT_AT(xyz, 3 * j + 1), zj = BT_AT(xyz, 3 * j + 2);
    BT_UNROLL for (int p = 0; p < BT_TILE_ATOMS; p++) {
      dx[p] = x[p] - xj;
      dy[p] = y[p] - yj;
      dz[p] = z[p] - zj;
      r2[p] = dx[p] * dx[p] + dy[p] * dy[p] + dz[p] * dz[p];
    }
    bt_pair_tile sums = bt_pair_evaluate_kind(kind, pairs, r2, limit, with_gradient);
    energy = energy + sums.energy;
    if (!with_gradient) continue;
    bt_real sx = bt_splat(0.0f), sy = sx, sz = sx;
    BT_UNROLL for (int p = 0; p < BT_TILE_ATOMS; p++) {
      gx[p] = bt_fma(dx[p], sums.slope[p], gx[p]);
      gy[p] = bt_fma(dy[p], sums.slope[p], gy[p]);
      gz[p] = bt_fma(dz[p], sums.slope[p], gz[p]);
      sx = bt_fma(dx[p], sums.slope[p], sx);
      sy = bt_fma(dy[p], sums.slope[p], sy);
      sz = bt_fma(dz[p], sums.slope[p], sz);
    }
    BT_AT(atom_gradient, 3 * j) = BT_AT(atom_gradient, 3 * j) - sx;
    BT_AT(atom_gradient, 3 * j + 1) = BT_AT(atom_gradient, 3 * j + 1) - sy;
    BT_AT(atom_gradient, 3 * j + 2) = BT_AT(atom_gradient, 3 * j + 2) - sz;
  }
  if (!with_gradient) return energy;
  BT_UNROLL for (int p = 0; p < BT_TILE_ATOMS; p++) { /* sequential: padding repeats an atom */
    int i = tile->i[p];
    BT_AT(atom_gradient, 3 * i) = BT_AT(atom_gradient, 3 * i) + gx[p];
    BT_AT(atom_gradient, 3 * i + 1) = BT_AT(atom_gradient, 3 * i + 1) + gy[p];
    BT_AT(atom_gradient, 3 * i + 2) = BT_AT(atom_gradient, 3 * i + 2) + gz[p];
  }
  return energy;
}

/* This rank's tiles of all phases; vina: those of the Vina family, else AutoDock's. */
BT_FUNCTION bt_real bt_intra_tiles(const bt_kernel_data *data, int vina, bt_pose_scratch scratch, bt_stream *stream,
                                   bt_real limit, int with_gradient) {
  bt_real energy = bt_splat(0.0f);
  int copy = scratch.rank & (data->sizes.n_gradients - 1); /* a power of two */
  BT_SCRATCH bt_real *gradient = &BT_AT(scratch.atom_gradient, 3 * data->sizes.n_atoms * copy);
  const BT_GLOBAL bt_kernel_tile *tiles = data->tiles + (data->sizes.n_phases > 0 ? data->slots[scratch.rank].tile : 0);
  bt_kernel_tile next = *tiles; /* loaded while the previous tile is processed */
  for (int phase = 0; phase < data->sizes.n_phases; phase++) {
    while (next.phase == phase) {
      bt_kernel_tile tile = next;
      next = *++tiles;
      if (vina) /* constant kinds let the compiler specialize */
        energy = energy + bt_intra_tile(data, &tile, BT_PAIR_KIND_VINA, scratch.xyz, gradient, stream, limit,
                                        with_gradient);
      else if (tile.kind == BT_PAIR_KIND_12_10)
        energy = energy + bt_intra_tile(data, &tile, BT_PAIR_KIND_12_10, scratch.xyz, gradient, stream, limit,
                                        with_gradient);
      else
        energy = energy + bt_intra_tile(data, &tile, BT_PAIR_KIND_12_6, scratch.xyz, gradient, stream, limit,
                                        with_gradient);
    }
    if (with_gradient) BT_SYNC();
  }
  return energy;
}

/* This rank's share of all pairs. In a phase no two ranks that share a copy of the gradients touch the same atom, so no
 * atomics are needed and the order of summation is fixed. Coordinates and gradients must be visible to all ranks. A
 * ligand's pairs are all of one family: branching once, outside the loops, costs AutoDock's kernels nothing. */
BT_FUNCTION bt_real bt_intra_energy(const bt_kernel_data *data, bt_pose_scratch scratch, bt_stream *stream,
                                    bt_real limit, int with_gradient) {
  bt_real energy = data->sizes.vina ? bt_intra_tiles(data, 1, scratch, stream, limit, with_gradient)
                                    : bt_intra_tiles(data, 0, scratch, stream, limit, with_gradient);
  if (data->sizes.n_glue > 0 && scratch.rank == 0)
    energy = energy + bt_intra_glue(data, scratch.xyz, scratch.atom_gradient, with_gradient);
  if (data->sizes.n_glue > 0 && with_gradient) BT_SYNC();
  return energy;
}

#else

/* Adds to atom_gradient[3 n_atoms] on request. */
BT_FUNCTION bt_real bt_intra_rows(const bt_kernel_data *data, int first_row, int end_row, int kind,
                                  const BT_SCRATCH bt_real *xyz, BT_SCRATCH bt_real *atom_gradient, bt_real limit,
                                  int with_gradient) {
  bt_real energy = bt_splat(0.0f);
  for (int row = first_row; row < end_row; row++) {
    int i = data->rows[row].i;
    bt_real xi = BT_AT(xyz, 3 * i), yi = BT_AT(xyz, 3 * i + 1), zi = BT_AT(xyz, 3 * i + 2);
    bt_real gx = bt_splat(0.0f), gy = gx, gz = gx;
    if (kind != BT_PAIR_KIND_12_10) bt_map_prefetch(data, i, xi, yi, zi);
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
      bt_pair_tile tile = bt_pair_evaluate_kind(kind, pairs, r2, limit, with_gradient);
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
  bt_real energy = bt_splat(0.0f);
  int first = 0, end = 0;
#define BT_ROWS_OF(kind)                                                                                           \
  first = end;                                                                                                     \
  end += data->n_rows[kind];                                                                                       \
  energy = energy + bt_intra_rows(data, first, end, kind, scratch.xyz, scratch.atom_gradient, limit, with_gradient)
  BT_ROWS_OF(BT_PAIR_KIND_12_6); /* constant kinds let the compiler specialize */
  BT_ROWS_OF(BT_PAIR_KIND_12_10);
  BT_ROWS_OF(BT_PAIR_KIND_VINA);
#undef BT_ROWS_OF
  if (data->sizes.n_glue > 0)
    energy = energy + bt_intra_glue(data, scratch.xyz, scratch.atom_gradient, with_gradient);
  return energy;
}

#endif

#endif
