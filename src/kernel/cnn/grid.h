/* grid.h - the densities of atoms at points 0.5 A apart, pooled by twos into the first field of a network.
 *
 * On a CPU a group has one plane of pooled voxels, that is two planes of points, and goes through the channels: it adds
 * the atoms of a channel to a slab of its own, in vectors along z, then pools the slab. For groups with local memory see
 * grid_cubes.h.
 */
#ifndef BERTH_KERNEL_CNN_GRID_H
#define BERTH_KERNEL_CNN_GRID_H

#include "field.h"

/* The density at a squared distance over a squared radius: a Gaussian, and from 1 on a parabola that ends at 1.5. */
BT_FUNCTION bt_real bt_cnn_density(bt_real square) {
  const bt_real tail = bt_fma(bt_splat(4.0f), square, bt_fma(bt_splat(-12.0f), bt_sqrt(square), bt_splat(9.0f)));
  const bt_real inner = bt_exp_minus(square + square), outer = bt_splat(0.135335283236613f) * tail;
  const bt_mask within = bt_lt(square, bt_splat(BT_CNN_REACH * BT_CNN_REACH));
  return bt_select_zero(within, bt_select(bt_lt(bt_splat(1.0f), square), outer, inner));
}

BT_FUNCTION float bt_cnn_point(int index) {
  return ((float)index - 0.5f * (BT_CNN_POINTS - 1)) * BT_CNN_SPACING;
}

#if BT_LOCAL_MEMORY
#include "grid_cubes.h"
#else

/* Points from `low` on to `high` lie within reach of a coordinate. */
BT_FUNCTION void bt_cnn_range(float x, float reach, int *ret_low, int *ret_high) {
  const float middle = 0.5f * (BT_CNN_POINTS - 1), inverse = 1.0f / BT_CNN_SPACING;
  float low = (x - reach) * inverse + middle, high = (x + reach) * inverse + middle;
  low = low < -1.0f ? -1.0f : low > (float)BT_CNN_POINTS ? (float)BT_CNN_POINTS : low;
  high = high < -1.0f ? -1.0f : high > (float)(BT_CNN_POINTS - 1) ? (float)(BT_CNN_POINTS - 1) : high;
  /* from -1 on, adding 1 makes truncation rounding down; a point at exactly that distance has a density of 0 */
  *ret_low = (int)(low + 1.0f);
  *ret_high = (int)(high + 1.0f) - 1;
}

/* Adds one atom to the two planes of points. */
BT_FUNCTION void bt_cnn_add_atom(BT_GLOBAL float *slab, bt_cnn_atom atom, int plane) {
  const float reach = BT_CNN_REACH * atom.radius, inverse = 1.0f / (atom.radius * atom.radius);
  int y0, y1, z0, z1;
  bt_cnn_range(atom.y, reach, &y0, &y1);
  bt_cnn_range(atom.z, reach, &z0, &z1);
  for (int k = 0; k < 2; k++) {
    const float dx = bt_cnn_point(2 * plane + k) - atom.x;
    if (dx * dx >= reach * reach) continue;
    for (int y = y0; y <= y1; y++) {
      const float dy = bt_cnn_point(y) - atom.y, across = dx * dx + dy * dy;
      if (across >= reach * reach) continue;
      for (int z = z0; z <= z1; z += BT_LANES) {
        BT_GLOBAL float *to = slab + (k * BT_CNN_POINTS + y) * BT_CNN_ROW + z;
        const bt_real dz = bt_fma(bt_splat(BT_CNN_SPACING), bt_to_real(bt_lane_index()),
                                  bt_splat(bt_cnn_point(z) - atom.z));
        bt_store(to, bt_load(to) + bt_cnn_density(bt_fma(dz, dz, bt_splat(across)) * bt_splat(inverse)));
      }
    }
  }
}

/* The mean and the maximum of 2 x 2 x 2 points. */
BT_FUNCTION void bt_cnn_pool_slab(const BT_GLOBAL float *slab, BT_GLOBAL char *arena, const bt_cnn_launch *launch,
                                  int pose, int plane, int channel, int empty) {
  for (int i = 0; i < BT_CNN_EDGE * BT_CNN_EDGE; i++) {
    const int y = i / BT_CNN_EDGE, z = i - y * BT_CNN_EDGE;
    const BT_GLOBAL float *from = slab + 2 * y * BT_CNN_ROW + 2 * z;
    float sum = 0.0f, peak = 0.0f;
    if (!empty) {
      BT_UNROLL for (int k = 0; k < 8; k++) {
        const float value = from[(k / 4 * BT_CNN_POINTS + k / 2 % 2) * BT_CNN_ROW + k % 2];
        sum += value;
        peak = value > peak ? value : peak;
      }
    }
    if (launch->to.at >= 0) bt_cnn_voxel(arena, launch->to, pose, plane, y, z)[channel] = 0.125f * sum;
    if (launch->peak.at >= 0) bt_cnn_voxel(arena, launch->peak, pose, plane, y, z)[channel] = peak;
  }
}

/* Adds the atoms of a channel; false: none reaches the slab, which is then as it was. */
BT_FUNCTION int bt_cnn_fill_slab(BT_GLOBAL float *slab, const BT_GLOBAL bt_cnn_atom *atoms, int count, int plane) {
  const float low = bt_cnn_point(2 * plane), high = bt_cnn_point(2 * plane + 1);
  int filled = 0;
  for (int i = 0; i < count; i++) {
    const bt_cnn_atom atom = atoms[i];
    const float reach = BT_CNN_REACH * atom.radius;
    if (atom.x + reach <= low || atom.x - reach >= high) continue;
    for (int k = 0; k < BT_CNN_SLAB && !filled; k += BT_LANES) bt_store(slab + k, bt_splat(0.0f));
    filled = 1;
    bt_cnn_add_atom(slab, atom, plane);
  }
  return filled;
}

/* Groups are [pose][plane of pooled voxels]. */
BT_FUNCTION void bt_cnn_grid_body(BT_GLOBAL char *arena, BT_GLOBAL float *weights, const bt_cnn_launch *launch,
                                  BT_SCRATCH float *memory) {
  const int pose = BT_GROUP / BT_CNN_EDGE, plane = BT_GROUP - pose * BT_CNN_EDGE;
  BT_GLOBAL float *slab = (BT_GLOBAL float *)(arena + launch->slabs) + (long)BT_GROUP * BT_CNN_SLAB;
  (void)weights, (void)memory;
  for (int channel = 0; channel < launch->n_in; channel++) {
    const bt_cnn_extent extent =
        ((const BT_GLOBAL bt_cnn_extent *)(arena + launch->extents))[pose * launch->n_in + channel];
    const BT_GLOBAL bt_cnn_atom *atoms = (const BT_GLOBAL bt_cnn_atom *)(arena + launch->atoms) + extent.first;
    const int filled = bt_cnn_fill_slab(slab, atoms, extent.count, plane);
    bt_cnn_pool_slab(slab, arena, launch, pose, plane, channel, !filled);
  }
}

#endif

#endif
