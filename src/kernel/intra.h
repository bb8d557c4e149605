/* intra.h - energy between moving atoms: smoothed 12-6 or 12-10, electrostatics and desolvation.
 *
 * The closed forms of AutoDock 4.2 (Huey et al. 2007). Smoothing replaces r by x = r + h below the well, the well's
 * own distance within h of it, r - h above; h = 0.25 A. All terms use max(r, 0.5 A).
 */
#ifndef BERTH_KERNEL_INTRA_H
#define BERTH_KERNEL_INTRA_H

typedef struct bt_pair_value {
  bt_real energy;
  bt_real slope; /* dE/dr divided by r, so that slope * (dx, dy, dz) is the gradient of atom i */
} bt_pair_value;

/* hbond: 12-10 instead of 12-6. Below 0.5 A the slope is the one at 0.5 A, which pushes apart. */
BT_FUNCTION bt_pair_value bt_pair_evaluate(const BT_UNIFORM bt_kernel_pair *pair, bt_real r2, int hbond,
                                           int with_gradient) {
  bt_pair_value value;
  bt_real half = bt_splat(BT_KERNEL_SMOOTH_HALF);
  bt_real r = bt_sqrt(bt_max(r2, bt_splat(BT_KERNEL_MIN_DISTANCE_SQUARED)));

  bt_real well = r - bt_splat(pair->distance);
  bt_real x = r - bt_min(bt_max(well, bt_splat(-BT_KERNEL_SMOOTH_HALF)), half);
  bt_real inverse = bt_rcp(x), i2 = inverse * inverse, i4 = i2 * i2;
  bt_real a = bt_splat(pair->a), b = bt_splat(pair->b);
  bt_mask near = bt_lt(r, bt_splat(BT_KERNEL_CUTOFF));
  bt_real low, vdw; /* x^-n and A x^-12 - B x^-n */
  if (hbond) {
    low = i4 * i4 * i2;
    vdw = low * (a * i2 - b);
  } else {
    low = i4 * i2;
    vdw = low * (a * low - b);
  }
  bt_real energy = bt_select_zero(near, vdw);

  bt_real y = bt_rcp_fast(r + bt_splat(BT_PAIR_POLYNOMIAL_SHIFT));
  bt_real sum = bt_splat(pair->c[BT_PAIR_POLYNOMIAL_ORDER - 1]);
  if (!with_gradient) {
    BT_UNROLL for (int k = BT_PAIR_POLYNOMIAL_ORDER - 2; k >= 0; k--) sum = sum * y + bt_splat(pair->c[k]);
    value.energy = energy + sum * y;
    return value;
  }
  bt_real slope = bt_splat(0.0f); /* of sum, by Horner's rule */
  BT_UNROLL for (int k = BT_PAIR_POLYNOMIAL_ORDER - 2; k >= 0; k--) {
    slope = slope * y + sum;
    sum = sum * y + bt_splat(pair->c[k]);
  }
  value.energy = energy + sum * y;
  bt_real far_slope = (slope * y + sum) * y * y; /* -dE/dr of the polynomial */
  bt_real near_slope = hbond ? low * inverse * (bt_splat(12.0f) * a * i2 - bt_splat(10.0f) * b)
                             : low * inverse * (bt_splat(12.0f) * a * low - bt_splat(6.0f) * b);
  value.slope = -(bt_select_zero(near, near_slope) + far_slope) * bt_rcp(r);
  return value;
}

/* Adds to atom_gradient[3 n_atoms] when asked for. */
BT_FUNCTION bt_real bt_intra_rows(const BT_UNIFORM bt_kernel_data *data, int first_row, int end_row, int hbond,
                                  const bt_real *xyz, bt_real *atom_gradient, int with_gradient) {
  bt_real energy = bt_splat(0.0f);
  for (int row = first_row; row < end_row; row++) {
    int i = data->rows[row].i;
    bt_real xi = BT_AT(xyz, 3 * i), yi = BT_AT(xyz, 3 * i + 1), zi = BT_AT(xyz, 3 * i + 2);
    bt_real gx = bt_splat(0.0f), gy = gx, gz = gx;
    for (int p = data->rows[row].first; p < data->rows[row].end; p++) {
      const BT_UNIFORM bt_kernel_pair *pair = &data->pairs[p];
      int j = pair->j;
      bt_real dx = xi - BT_AT(xyz, 3 * j), dy = yi - BT_AT(xyz, 3 * j + 1), dz = zi - BT_AT(xyz, 3 * j + 2);
      bt_pair_value value = bt_pair_evaluate(pair, dx * dx + dy * dy + dz * dz, hbond, with_gradient);
      energy = energy + value.energy;
      if (with_gradient) {
        dx = dx * value.slope;
        dy = dy * value.slope;
        dz = dz * value.slope;
        gx = gx + dx;
        gy = gy + dy;
        gz = gz + dz;
        BT_AT(atom_gradient, 3 * j) = BT_AT(atom_gradient, 3 * j) - dx;
        BT_AT(atom_gradient, 3 * j + 1) = BT_AT(atom_gradient, 3 * j + 1) - dy;
        BT_AT(atom_gradient, 3 * j + 2) = BT_AT(atom_gradient, 3 * j + 2) - dz;
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

/* Ring closures: 50 kcal/mol/A between a glue point and the carbon that it stands for. */
BT_FUNCTION bt_real bt_intra_glue(const BT_UNIFORM bt_kernel_data *data, const bt_real *xyz, bt_real *atom_gradient,
                                  int with_gradient) {
  bt_real energy = bt_splat(0.0f);
  for (int k = 0; k < data->n_glue; k++) {
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

BT_FUNCTION bt_real bt_intra_energy(const BT_UNIFORM bt_kernel_data *data, const bt_real *xyz, bt_real *atom_gradient,
                                    int with_gradient) {
  int middle = data->n_rows_12_6, end = middle + data->n_rows_12_10;
  bt_real energy = bt_intra_rows(data, 0, middle, 0, xyz, atom_gradient, with_gradient);
  energy = energy + bt_intra_rows(data, middle, end, 1, xyz, atom_gradient, with_gradient);
  if (data->n_glue > 0) energy = energy + bt_intra_glue(data, xyz, atom_gradient, with_gradient);
  return energy;
}

#endif
