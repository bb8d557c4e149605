/* inter.h - energy of the moving atoms in the receptor's maps: trilinear interpolation of folded maps.
 *
 * Outside the box the maps are read at the nearest point of the box, and a quadratic restraint pulls back.
 */
#ifndef BERTH_KERNEL_INTER_H
#define BERTH_KERNEL_INTER_H

/* Where a point lies in the grid. */
typedef struct bt_map_cell {
  bt_int at;           /* index of the lower corner */
  bt_real f, g, h;     /* position within the cell, 0..1 */
  bt_real dx, dy, dz;  /* from the nearest point of the box, A; zero inside */
} bt_map_cell;

/* (x, y, z) in A from the lower corner of the box. */
BT_FUNCTION bt_map_cell bt_map_locate(const BT_UNIFORM bt_kernel_data *data, bt_real x, bt_real y, bt_real z) {
  bt_map_cell cell;
  bt_real zero = bt_splat(0.0f), scale = bt_splat(data->inverse_spacing);
  bt_real px = bt_min(bt_max(x, zero), bt_splat(data->size_x));
  bt_real py = bt_min(bt_max(y, zero), bt_splat(data->size_y));
  bt_real pz = bt_min(bt_max(z, zero), bt_splat(data->size_z));
  cell.dx = x - px;
  cell.dy = y - py;
  cell.dz = z - pz;
  bt_real u = px * scale, v = py * scale, w = pz * scale;
  bt_int iu = bt_to_int(bt_min(u, bt_splat(data->cells_x)));
  bt_int iv = bt_to_int(bt_min(v, bt_splat(data->cells_y)));
  bt_int iw = bt_to_int(bt_min(w, bt_splat(data->cells_z)));
  cell.f = u - bt_to_real(iu);
  cell.g = v - bt_to_real(iv);
  cell.h = w - bt_to_real(iw);
  cell.at = iu * bt_splat_int(data->stride_x) + iv * bt_splat_int(data->stride_y) + iw * bt_splat_int(data->stride_z);
  return cell;
}

/* Asks for the memory that bt_map_interpolate will read for atom i, so that it comes while pairs are evaluated. */
BT_FUNCTION void bt_map_prefetch(const BT_UNIFORM bt_kernel_data *data, int i, bt_real x, bt_real y, bt_real z) {
  if (data->atoms[i].map < 0) return;
  const BT_GLOBAL float *map = data->maps + data->map_stride * data->atoms[i].map;
  bt_int at = bt_map_locate(data, x, y, z).at;
  bt_prefetch(map, at);
  bt_prefetch(map + data->stride_x + data->corner_yz, at);
}

typedef struct bt_map_value {
  bt_real energy, gx, gy, gz; /* gradient only where asked for */
} bt_map_value;

/* One folded map at one point. */
BT_FUNCTION bt_map_value bt_map_interpolate(const BT_UNIFORM bt_kernel_data *data, const BT_GLOBAL float *map,
                                            bt_real x, bt_real y, bt_real z, int with_gradient) {
  bt_map_value value;
  bt_map_cell cell = bt_map_locate(data, x, y, z);
  bt_int at = cell.at;
  bt_real f = cell.f, g = cell.g, h = cell.h, dx = cell.dx, dy = cell.dy, dz = cell.dz;
  bt_real zero = bt_splat(0.0f), scale = bt_splat(data->inverse_spacing);
  const BT_GLOBAL float *next = map + data->stride_x;
  bt_real v000 = bt_gather(map, at), v100 = bt_gather(next, at);
  bt_real v010 = bt_gather(map + data->corner_y, at), v110 = bt_gather(next + data->corner_y, at);
  bt_real v001 = bt_gather(map + data->corner_z, at), v101 = bt_gather(next + data->corner_z, at);
  bt_real v011 = bt_gather(map + data->corner_yz, at), v111 = bt_gather(next + data->corner_yz, at);
  bt_real d00 = v100 - v000, d10 = v110 - v010, d01 = v101 - v001, d11 = v111 - v011;
  bt_real e00 = v000 + f * d00, e10 = v010 + f * d10, e01 = v001 + f * d01, e11 = v011 + f * d11;
  bt_real e0 = e00 + g * (e10 - e00), e1 = e01 + g * (e11 - e01);
  bt_real stiffness = bt_splat(BT_KERNEL_OUTSIDE_STIFFNESS);
  value.energy = e0 + h * (e1 - e0) + stiffness * (dx * dx + dy * dy + dz * dz);
  if (with_gradient) {
    bt_real d0 = d00 + g * (d10 - d00), d1 = d01 + g * (d11 - d01);
    bt_real g0 = e10 - e00, g1 = e11 - e01;
    bt_real twice = stiffness + stiffness;
    /* along an axis on which the point was moved into the box the map is constant */
    value.gx = bt_select(bt_eq(dx, zero), scale * (d0 + h * (d1 - d0)), twice * dx);
    value.gy = bt_select(bt_eq(dy, zero), scale * (g0 + h * (g1 - g0)), twice * dy);
    value.gz = bt_select(bt_eq(dz, zero), scale * (e1 - e0), twice * dz);
  }
  return value;
}

/* Sum over all atoms; adds to atom_gradient[3 n_atoms] when asked for. */
BT_FUNCTION bt_real bt_inter_energy(const BT_UNIFORM bt_kernel_data *data, const bt_real *xyz, bt_real *atom_gradient,
                                    int with_gradient) {
  bt_real energy = bt_splat(0.0f);
  for (int i = 0; i < data->n_atoms; i++) {
    if (data->atoms[i].map < 0) continue;
    bt_map_value value =
        bt_map_interpolate(data, data->maps + data->map_stride * data->atoms[i].map, BT_AT(xyz, 3 * i),
                           BT_AT(xyz, 3 * i + 1), BT_AT(xyz, 3 * i + 2), with_gradient);
    energy = energy + value.energy;
    if (with_gradient) {
      BT_AT(atom_gradient, 3 * i) = BT_AT(atom_gradient, 3 * i) + value.gx;
      BT_AT(atom_gradient, 3 * i + 1) = BT_AT(atom_gradient, 3 * i + 1) + value.gy;
      BT_AT(atom_gradient, 3 * i + 2) = BT_AT(atom_gradient, 3 * i + 2) + value.gz;
    }
  }
  return energy;
}

#endif
