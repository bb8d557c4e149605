/* inter.h - energy of the moving atoms in the receptor's maps: trilinear interpolation of folded or shared maps.
 *
 * Outside the box the maps are sampled at the nearest point of the box, and a quadratic restraint pulls the atom back;
 * a wall lifts such a pose above all those inside. Without it the clash-free space around the box dominates the first
 * generations, and closed pockets are never entered (docs/decisions/013-wall.md).
 */
#ifndef BERTH_KERNEL_LGA_INTER_H
#define BERTH_KERNEL_LGA_INTER_H

/* Clamps value to [-limit, limit]. */
BT_FUNCTION bt_real bt_limited(bt_real value, bt_real limit) {
  return bt_max(bt_min(value, limit), bt_splat(0.0f) - limit);
}

/* Location of a point in the grid. */
typedef struct bt_map_cell {
  bt_int at;           /* index of the lower corner */
  bt_real f, g, h;     /* position within the cell, 0..1 */
  bt_real dx, dy, dz;  /* offset from the nearest point of the box, A; zero inside */
} bt_map_cell;

/* (x, y, z) in A from the lower corner of the box. */
BT_FUNCTION bt_map_cell bt_map_locate(const bt_kernel_data *data, bt_real x, bt_real y, bt_real z) {
  bt_map_cell cell;
  bt_real zero = bt_splat(0.0f), scale = bt_splat(data->box.inverse_spacing);
  bt_real px = bt_min(bt_max(x, zero), bt_splat(data->box.size_x));
  bt_real py = bt_min(bt_max(y, zero), bt_splat(data->box.size_y));
  bt_real pz = bt_min(bt_max(z, zero), bt_splat(data->box.size_z));
  cell.dx = x - px;
  cell.dy = y - py;
  cell.dz = z - pz;
  bt_real u = px * scale, v = py * scale, w = pz * scale;
  bt_int iu = bt_to_int(bt_min(u, bt_splat(data->box.cells_x)));
  bt_int iv = bt_to_int(bt_min(v, bt_splat(data->box.cells_y)));
  bt_int iw = bt_to_int(bt_min(w, bt_splat(data->box.cells_z)));
  cell.f = u - bt_to_real(iu);
  cell.g = v - bt_to_real(iv);
  cell.h = w - bt_to_real(iw);
  cell.at = iu * bt_splat_int(data->box.stride_x) + iv * bt_splat_int(data->box.stride_y) + iw * bt_splat_int(data->box.stride_z);
  return cell;
}

/* The map of a class, or of its affinity if maps are shared. */
BT_FUNCTION const BT_GLOBAL float *bt_map_of(const bt_kernel_data *data, int map) {
  return data->maps + data->box.map_stride * (data->charged ? data->classes[map].affinity : map);
}

/* Prefetches what bt_map_interpolate will read for atom i, so that the load overlaps with pair evaluation. */
BT_FUNCTION void bt_map_prefetch(const bt_kernel_data *data, int i, bt_real x, bt_real y, bt_real z) {
  if (data->atoms[i].map < 0) return;
  const BT_GLOBAL float *map = bt_map_of(data, data->atoms[i].map);
  bt_int at = bt_map_locate(data, x, y, z).at;
  bt_prefetch(map, at);
  bt_prefetch(map + data->box.stride_x + data->box.corner_yz, at);
}

/* The four corners of a cell that share an x: v<y><z>. */
typedef struct bt_map_edge {
  bt_real v00, v10, v01, v11;
} bt_map_edge;

BT_FUNCTION bt_map_edge bt_gather_edge(const BT_GLOBAL float *map, const bt_kernel_box *box, bt_int at) {
  bt_map_edge edge;
#ifdef BT_GATHER4 /* packed maps: one 16-byte load */
  BT_GATHER4(map, at, edge.v00, edge.v10, edge.v01, edge.v11);
  (void)box;
#else
  edge.v00 = bt_gather(map, at);
  edge.v10 = bt_gather(map + box->corner_y, at);
  edge.v01 = bt_gather(map + box->corner_z, at);
  edge.v11 = bt_gather(map + box->corner_yz, at);
#endif
  return edge;
}

typedef struct bt_map_value {
  bt_real energy, gx, gy, gz; /* gradient only on request */
} bt_map_value;

/* The eight corners of a cell. */
typedef struct bt_map_corners {
  bt_map_edge low, high; /* in x */
} bt_map_corners;

/* Adds the charge terms to an edge, in the same order of operations as folding (fold.h). */
BT_FUNCTION void bt_fold_edge(bt_map_edge *edge, bt_real charge, bt_real magnitude, bt_map_edge e, bt_map_edge d) {
  edge->v00 = edge->v00 + charge * e.v00 + magnitude * d.v00;
  edge->v10 = edge->v10 + charge * e.v10 + magnitude * d.v10;
  edge->v01 = edge->v01 + charge * e.v01 + magnitude * d.v01;
  edge->v11 = edge->v11 + charge * e.v11 + magnitude * d.v11;
}

BT_FUNCTION bt_map_corners bt_map_gather(const bt_kernel_data *data, int map, bt_int at) {
  const BT_GLOBAL float *base = bt_map_of(data, map);
  bt_map_corners corners;
  corners.low = bt_gather_edge(base, &data->box, at);
  corners.high = bt_gather_edge(base + data->box.stride_x, &data->box, at);
  if (data->charged) {
    float charge = data->classes[map].charge, magnitude = charge < 0.0f ? -charge : charge;
    const BT_GLOBAL float *low = data->charged, *high = low + 2 * data->box.stride_x;
    bt_int both = at + at;
    bt_fold_edge(&corners.low, bt_splat(charge), bt_splat(magnitude), bt_gather_edge(low, &data->box, both),
                 bt_gather_edge(low + 4, &data->box, both));
    bt_fold_edge(&corners.high, bt_splat(charge), bt_splat(magnitude), bt_gather_edge(high, &data->box, both),
                 bt_gather_edge(high + 4, &data->box, both));
  }
  return corners;
}

/* Interpolates one map at one point; wall is the penalty for being outside, on top of the restraint; limit caps each
 * component of the gradient. */
BT_FUNCTION bt_map_value bt_map_interpolate(const bt_kernel_data *data, bt_map_cell cell, bt_map_corners corners,
                                            float wall, bt_real limit, int with_gradient) {
  bt_map_value value;
  bt_real f = cell.f, g = cell.g, h = cell.h, dx = cell.dx, dy = cell.dy, dz = cell.dz;
  bt_real zero = bt_splat(0.0f), scale = bt_splat(data->box.inverse_spacing);
  bt_map_edge low = corners.low, high = corners.high;
  bt_real d00 = high.v00 - low.v00, d10 = high.v10 - low.v10, d01 = high.v01 - low.v01, d11 = high.v11 - low.v11;
  bt_real e00 = low.v00 + f * d00, e10 = low.v10 + f * d10, e01 = low.v01 + f * d01, e11 = low.v11 + f * d11;
  bt_real e0 = e00 + g * (e10 - e00), e1 = e01 + g * (e11 - e01);
  bt_real stiffness = bt_splat(BT_KERNEL_OUTSIDE_STIFFNESS);
  bt_real outside = dx * dx + dy * dy + dz * dz;
  value.energy = e0 + h * (e1 - e0) + stiffness * outside + bt_select_zero(bt_lt(zero, outside), bt_splat(wall));
  if (with_gradient) {
    bt_real d0 = d00 + g * (d10 - d00), d1 = d01 + g * (d11 - d01);
    bt_real g0 = e10 - e00, g1 = e11 - e01;
    bt_real twice = stiffness + stiffness;
    /* along an axis on which the point was clamped, the map is constant */
    value.gx = bt_select(bt_eq(dx, zero), scale * (d0 + h * (d1 - d0)), twice * dx);
    value.gy = bt_select(bt_eq(dy, zero), scale * (g0 + h * (g1 - g0)), twice * dy);
    value.gz = bt_select(bt_eq(dz, zero), scale * (e1 - e0), twice * dz);
    value.gx = bt_limited(value.gx, limit);
    value.gy = bt_limited(value.gy, limit);
    value.gz = bt_limited(value.gz, limit);
  }
  return value;
}

/* Accumulates the value at one atom. */
BT_FUNCTION bt_real bt_inter_add(const bt_map_value *value, BT_SCRATCH bt_real *atom_gradient, int i, bt_real energy,
                                 int with_gradient) {
  if (with_gradient) {
    BT_AT(atom_gradient, 3 * i) = BT_AT(atom_gradient, 3 * i) + value->gx;
    BT_AT(atom_gradient, 3 * i + 1) = BT_AT(atom_gradient, 3 * i + 1) + value->gy;
    BT_AT(atom_gradient, 3 * i + 2) = BT_AT(atom_gradient, 3 * i + 2) + value->gz;
  }
  return energy + value->energy;
}

/* Atoms that a rank looks up at a time, to hide memory latency. */
#ifndef BT_MAP_TILE
#define BT_MAP_TILE 2
#endif

/* Sum over this rank's atoms; adds to atom_gradient[3 n_atoms] on request. */
BT_FUNCTION bt_real bt_inter_energy(const bt_kernel_data *data, const BT_GLOBAL bt_search_parameters *parameters,
                                    bt_real limit, bt_pose_scratch scratch, int with_gradient) {
  bt_real energy = bt_splat(0.0f);
  float wall = parameters->wall;
  int n = data->sizes.n_classes > 0 ? data->sizes.n_atoms : 0, confined = data->sizes.n_confined;
  for (int first = scratch.rank; first < n; first += BT_MAP_TILE * BT_TEAM) {
    int maps[BT_MAP_TILE];
    bt_map_cell cells[BT_MAP_TILE];
    bt_map_corners corners[BT_MAP_TILE];
    BT_UNROLL for (int p = 0; p < BT_MAP_TILE; p++) {
      int i = first + p * BT_TEAM < n ? first + p * BT_TEAM : first;
      maps[p] = data->atoms[i].map;
      cells[p] = bt_map_locate(data, BT_AT(scratch.xyz, 3 * i), BT_AT(scratch.xyz, 3 * i + 1),
                               BT_AT(scratch.xyz, 3 * i + 2));
      corners[p] = bt_map_gather(data, maps[p] < 0 ? 0 : maps[p], cells[p].at);
    }
    BT_UNROLL for (int p = 0; p < BT_MAP_TILE; p++) {
      if (maps[p] < 0 || first + p * BT_TEAM >= n) continue;
      int i = first + p * BT_TEAM;
      bt_map_value value =
          bt_map_interpolate(data, cells[p], corners[p], i < confined ? wall : 0.0f, limit, with_gradient);
      energy = bt_inter_add(&value, scratch.atom_gradient, i, energy, with_gradient);
    }
  }
  return energy;
}

/* Whether any confined atom is outside the box. The coordinates must be visible to all ranks. All ranks get the same
 * answer; callers sync before the next call. */
BT_FUNCTION bt_mask bt_pose_outside(const bt_kernel_data *data, bt_pose_scratch scratch) {
  bt_real zero = bt_splat(0.0f), outside = zero, one = bt_splat(1.0f);
  int n = data->sizes.n_classes > 0 ? data->sizes.n_confined : 0;
  BT_TEAM_FOR(i, n, scratch.rank) {
    bt_real x = BT_AT(scratch.xyz, 3 * i), y = BT_AT(scratch.xyz, 3 * i + 1), z = BT_AT(scratch.xyz, 3 * i + 2);
    if (data->atoms[i].map < 0) continue;
    bt_mask low = bt_or(bt_or(bt_lt(x, zero), bt_lt(y, zero)), bt_lt(z, zero));
    bt_mask high = bt_or(bt_or(bt_lt(bt_splat(data->box.size_x), x), bt_lt(bt_splat(data->box.size_y), y)),
                         bt_lt(bt_splat(data->box.size_z), z));
    outside = bt_max(outside, bt_select_zero(bt_or(low, high), one));
  }
  return bt_lt(zero, bt_team_sum(outside, scratch));
}

#endif
