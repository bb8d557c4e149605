/* reduction.h - team reductions by matrix products: energy, and force and moment of everything that moves with each
 * body.
 *
 * Used where the compat header defines BT_TEAM_MATRIX; elsewhere pose.h sums body by body. With v the six numbers of an
 * atom (its energy gradient g, and (r - c) x g about the ligand's center c) and M[b][a] = 1 where atom a moves with
 * body b, else 0,
 *
 *   S[b] = sum over a of M[b][a] v[a]
 *
 * holds what every torsion needs, and in body 0 six of the seven sums of Schieffer and Peng (2023): net force and
 * torque. The seventh, the energy, is one more product with a row of ones. The data are the right-hand operand, so no
 * column is computed twice; M is built in registers from the atom ranges.
 *
 * The compat header supplies, for the lanes of one wave (BT_WAVE of them), products of 16 rows and 8 columns:
 *   BT_MATRIX_DEPTH         atoms summed per product, of which a lane holds BT_MATRIX_SHARE
 *   bt_matrix_row/column/depth(lane[, k])  row (and row + 8) and column that a lane contributes to, its k-th atom
 *   bt_matrix_sum, bt_matrix_zero()
 *   bt_matrix_add(sum, upper, lower, value)  adds one product: whether the lane's atoms are members of its two rows,
 *                           and their values in its column
 *   bt_matrix_result(sum, result)  rows row, row, row + 8, row + 8; columns bt_matrix_result_column(lane), + 1, again
 *   bt_matrix_across(value) sum over the lanes that hold the same row of a result
 *
 * One operand is 0 or 1, so the products are exact; but 0 times infinity is NaN, so values are made finite first.
 */
#ifndef BERTH_KERNEL_LGA_REDUCTION_H
#define BERTH_KERNEL_LGA_REDUCTION_H

#if BT_TEAM_MATRIX

#define BT_MATRIX_ROWS 16
#define BT_MATRIX_COLUMNS 8
#define BT_FINITE_LIMIT 1e30f /* sums of such values stay finite */

/* NaN becomes a limit, too: of a NaN and a number bt_min and bt_max return the number. */
BT_FUNCTION bt_real bt_finite(bt_real x) {
  return bt_max(bt_min(x, bt_splat(BT_FINITE_LIMIT)), bt_splat(-BT_FINITE_LIMIT));
}

/* Components 0..2 are an atom's gradient, 3..5 its moment; 6 and 7 are unused columns. */
BT_FUNCTION bt_real bt_matrix_value(const BT_STATE bt_real *genes, bt_pose_scratch scratch, int atom, int component) {
  if (component < 3) return BT_AT(scratch.atom_gradient, 3 * atom + component);
  if (component >= 6) return bt_splat(0.0f);
  int u = component == 5 ? 0 : component - 2, v = component == 3 ? 2 : component - 4; /* the next two axes, cyclically
                                                                                       */
  bt_real gu = BT_AT(scratch.atom_gradient, 3 * atom + u), gv = BT_AT(scratch.atom_gradient, 3 * atom + v);
  bt_real ru = BT_AT(scratch.xyz, 3 * atom + u) - BT_AT(genes, u), rv = BT_AT(scratch.xyz, 3 * atom + v) - BT_AT(genes, v);
  return bt_finite(bt_fma(ru, gv, bt_splat(0.0f) - rv * gu));
}

/* Bodies [16 tile, 16 tile + 16) by one wave. */
BT_FUNCTION void bt_matrix_bodies(const bt_kernel_data *data, const BT_STATE bt_real *genes, int tile, int lane,
                                  bt_pose_scratch scratch) {
  int n = data->sizes.n_atoms, n_bodies = data->sizes.n_bodies, column = bt_matrix_column(lane);
  int b0 = BT_MATRIX_ROWS * tile + bt_matrix_row(lane), b1 = b0 + BT_MATRIX_ROWS / 2;
  int first0 = 0, end0 = 0, first1 = 0, end1 = 0; /* rows past the last body are empty */
  if (b0 < n_bodies) {
    first0 = data->bodies[b0].first_atom;
    end0 = data->bodies[data->bodies[b0].end_body - 1].end_atom;
  }
  if (b1 < n_bodies) {
    first1 = data->bodies[b1].first_atom;
    end1 = data->bodies[data->bodies[b1].end_body - 1].end_atom;
  }
  bt_matrix_sum sum = bt_matrix_zero();
  for (int first = 0; first < n; first += BT_MATRIX_DEPTH) {
    bt_real value[BT_MATRIX_SHARE];
    int upper[BT_MATRIX_SHARE], lower[BT_MATRIX_SHARE];
    BT_UNROLL for (int k = 0; k < BT_MATRIX_SHARE; k++) {
      int atom = first + bt_matrix_depth(lane, k);
      value[k] = atom < n ? bt_matrix_value(genes, scratch, atom, column) : bt_splat(0.0f);
      upper[k] = atom >= first0 && atom < end0;
      lower[k] = atom >= first1 && atom < end1;
    }
    bt_matrix_add(&sum, upper, lower, value);
  }
  bt_real result[4];
  bt_matrix_result(&sum, result);
  column = bt_matrix_result_column(lane);
  if (column >= 6) return;
  if (b0 < n_bodies) {
    BT_AT(scratch.subtrees, 6 * b0 + column) = result[0];
    BT_AT(scratch.subtrees, 6 * b0 + column + 1) = result[1];
  }
  if (b1 < n_bodies) {
    BT_AT(scratch.subtrees, 6 * b1 + column) = result[2];
    BT_AT(scratch.subtrees, 6 * b1 + column + 1) = result[3];
  }
}

/* Sum of scratch.sums[BT_TEAM], left in its first element, by one wave. */
BT_FUNCTION void bt_matrix_energy(int lane, bt_pose_scratch scratch) {
  bt_matrix_sum sum = bt_matrix_zero();
  for (int first = 0; first < BT_TEAM; first += BT_MATRIX_DEPTH * BT_MATRIX_COLUMNS) {
    bt_real value[BT_MATRIX_SHARE];
    int ones[BT_MATRIX_SHARE];
    BT_UNROLL for (int k = 0; k < BT_MATRIX_SHARE; k++) {
      int r = first + bt_matrix_depth(lane, k) * BT_MATRIX_COLUMNS + bt_matrix_column(lane);
      value[k] = r < BT_TEAM ? BT_AT(scratch.sums, r) : bt_splat(0.0f);
      ones[k] = 1;
    }
    bt_matrix_add(&sum, ones, ones, value);
  }
  bt_real result[4];
  bt_matrix_result(&sum, result);
  bt_real energy = bt_matrix_across(result[0] + result[1]); /* every lane of the wave has read its values by now */
  if (lane == 0) BT_AT(scratch.sums, 0) = energy;
}

/* Returns the team's energy; leaves each body's subtree sums in scratch.subtrees, visible to all ranks. Atom gradients
 * must be visible to all ranks; the first copy becomes their sum. */
BT_FUNCTION bt_real bt_team_matrix_sums(const bt_kernel_data *data, const BT_STATE bt_real *genes, bt_real energy,
                                        bt_pose_scratch scratch) {
  int n = data->sizes.n_atoms, tiles = (data->sizes.n_bodies + BT_MATRIX_ROWS - 1) / BT_MATRIX_ROWS;
  int lane = scratch.rank % BT_WAVE;
  BT_TEAM_FOR(i, 3 * n, scratch.rank) {
    bt_real g = BT_AT(scratch.atom_gradient, i);
    for (int copy = 1; copy < data->sizes.n_gradients; copy++) g = g + BT_AT(scratch.atom_gradient, i + 3 * n * copy);
    BT_AT(scratch.atom_gradient, i) = bt_finite(g);
  }
  BT_AT(scratch.sums, scratch.rank) = bt_finite(energy);
  BT_SYNC();
  for (int work = scratch.rank / BT_WAVE; work <= tiles; work += BT_TEAM / BT_WAVE) {
    if (work < tiles)
      bt_matrix_bodies(data, genes, work, lane, scratch);
    else
      bt_matrix_energy(lane, scratch);
  }
  BT_SYNC();
  return BT_AT(scratch.sums, 0);
}

#endif

#ifdef BT_STUDY

/* The summands of the reduction: [BT_TEAM] energies of the ranks, [n_atoms][6] gradient and moment of each atom. */
BT_FUNCTION void bt_study_partials(const bt_kernel_data *data, const BT_STATE bt_real *genes, bt_real energy,
                                   bt_pose_scratch scratch) {
  BT_GLOBAL float *to = scratch.study.partials;
  int n = data->sizes.n_atoms;
  if (to == 0) return;
  to[scratch.rank] = energy;
  to += BT_TEAM;
  BT_TEAM_FOR(i, n, scratch.rank) {
    float g[3], r[3];
    for (int c = 0; c < 3; c++) {
      g[c] = BT_AT(scratch.atom_gradient, 3 * i + c);
      for (int copy = 1; copy < data->sizes.n_gradients; copy++)
        g[c] = g[c] + BT_AT(scratch.atom_gradient, 3 * (i + n * copy) + c);
      r[c] = BT_AT(scratch.xyz, 3 * i + c) - BT_AT(genes, c);
      to[6 * i + c] = g[c];
    }
    for (int c = 0; c < 3; c++) {
      int u = (c + 1) % 3, v = (c + 2) % 3;
      to[6 * i + 3 + c] = bt_fma(r[u], g[v], bt_splat(0.0f) - r[v] * g[u]);
    }
  }
  BT_SYNC(); /* before the sums overwrite the gradients */
}
#define BT_STUDY_PARTIALS(data, genes, energy, scratch) bt_study_partials(data, genes, energy, scratch)

#else

#define BT_STUDY_PARTIALS(data, genes, energy, scratch) ((void)0)

#endif

#endif
