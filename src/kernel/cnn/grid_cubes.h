/* grid_cubes.h - the grid of grid.h by groups of work-items with local memory.
 *
 * A group has a cube of 4 x 4 x 4 pooled voxels; a work-item has one of them, whose 2 x 2 x 2 points it sums in
 * registers. The group goes through the atoms of the pose, which are sorted by channel: as many at a time as there are
 * work-items, of which those that reach the cube are listed in their order, so that sums are the same in every run. When
 * the channel changes, means and maxima go to local memory, and in the end from there to the fields, voxel by voxel.
 */
#ifndef BERTH_KERNEL_CNN_GRID_CUBES_H
#define BERTH_KERNEL_CNN_GRID_CUBES_H

#include "field.h"

/* Of one cube, in local memory; rows of voxels are one word longer than there are channels, for the banks. */
#define BT_CNN_CUBE_ROW (BT_CNN_CHANNELS + 1)

/* Does an atom reach the cube? low: its first point, on all axes. */
BT_FUNCTION int bt_cnn_reaches(bt_cnn_atom atom, const float low[3]) {
  const float reach = BT_CNN_REACH * atom.radius, size = (2 * BT_CNN_CUBE - 1) * BT_CNN_SPACING;
  const float x[3] = {atom.x - low[0], atom.y - low[1], atom.z - low[2]};
  float sum = 0.0f;
  BT_UNROLL for (int k = 0; k < 3; k++) {
    const float out = x[k] < 0.0f ? x[k] : x[k] > size ? x[k] - size : 0.0f;
    sum += out * out;
  }
  return sum < reach * reach;
}

/* Adds an atom to the points of one voxel. place: the first of them. */
BT_FUNCTION void bt_cnn_add_points(float points[8], bt_cnn_atom atom, const float place[3]) {
  const float inverse = 1.0f / (atom.radius * atom.radius);
  float x[2], y[2], z[2];
  BT_UNROLL for (int k = 0; k < 2; k++) {
    const float dx = place[0] + k * BT_CNN_SPACING - atom.x, dy = place[1] + k * BT_CNN_SPACING - atom.y;
    const float dz = place[2] + k * BT_CNN_SPACING - atom.z;
    x[k] = dx * dx * inverse, y[k] = dy * dy * inverse, z[k] = dz * dz * inverse;
  }
  BT_UNROLL for (int k = 0; k < 8; k++) {
    const float square = x[k / 4] + y[k / 2 % 2] + z[k % 2];
    if (square < BT_CNN_REACH * BT_CNN_REACH) points[k] += bt_cnn_density(square);
  }
}

/* Means and maxima of the points, which start again from zero. */
BT_FUNCTION void bt_cnn_keep_points(float points[8], BT_SCRATCH float *means, BT_SCRATCH float *peaks, int channel) {
  float sum = 0.0f, peak = 0.0f;
  BT_UNROLL for (int k = 0; k < 8; k++) {
    sum += points[k];
    peak = points[k] > peak ? points[k] : peak;
    points[k] = 0.0f;
  }
  means[BT_ITEM * BT_CNN_CUBE_ROW + channel] = 0.125f * sum;
  peaks[BT_ITEM * BT_CNN_CUBE_ROW + channel] = peak;
}

/* Lists which of the atoms from `first` on reach the cube, in their order; returns how many. */
BT_FUNCTION int bt_cnn_list_atoms(BT_SCRATCH int *list, BT_SCRATCH int *flags, const BT_GLOBAL bt_cnn_atom *atoms,
                                  int first, int end, const float low[3]) {
  const int mine = first + BT_ITEM;
  const int reaches = mine < end && bt_cnn_reaches(atoms[mine], low);
  int before = 0, all = 0;
  flags[BT_ITEM] = reaches;
  BT_SYNC();
  for (int k = 0; k < BT_CNN_CUBE_ITEMS; k++) {
    before += k < BT_ITEM ? flags[k] : 0;
    all += flags[k];
  }
  if (reaches) list[before] = mine;
  BT_SYNC();
  return all;
}

BT_FUNCTION void bt_cnn_write_cube(BT_GLOBAL char *arena, bt_cnn_field field, const BT_SCRATCH float *from, int pose,
                                   const int first[3], int n_in) {
  for (int i = BT_ITEM; i < BT_CNN_CUBE_ITEMS * n_in; i += BT_CNN_CUBE_ITEMS) {
    const int voxel = i / n_in, channel = i - voxel * n_in;
    const int x = voxel / (BT_CNN_CUBE * BT_CNN_CUBE), y = voxel / BT_CNN_CUBE % BT_CNN_CUBE, z = voxel % BT_CNN_CUBE;
    bt_cnn_voxel(arena, field, pose, first[0] + x, first[1] + y, first[2] + z)[channel] =
        from[voxel * BT_CNN_CUBE_ROW + channel];
  }
}

/* Groups are [pose][cube], of BT_CNN_CUBE_ITEMS work-items. */
BT_FUNCTION void bt_cnn_grid_body(BT_GLOBAL char *arena, BT_GLOBAL float *weights, const bt_cnn_launch *launch,
                                  BT_SCRATCH float *memory) {
  const int side = BT_CNN_EDGE / BT_CNN_CUBE, pose = BT_GROUP / (side * side * side);
  const int cube = BT_GROUP - pose * side * side * side;
  const int first[3] = {cube / (side * side) * BT_CNN_CUBE, cube / side % side * BT_CNN_CUBE, cube % side * BT_CNN_CUBE};
  const BT_GLOBAL bt_cnn_extent *extents =
      (const BT_GLOBAL bt_cnn_extent *)(arena + launch->extents) + pose * launch->n_in;
  const BT_GLOBAL bt_cnn_atom *atoms = (const BT_GLOBAL bt_cnn_atom *)(arena + launch->atoms);
  BT_SCRATCH float *means = memory, *peaks = means + BT_CNN_CUBE_ITEMS * BT_CNN_CUBE_ROW;
  BT_SCRATCH int *list = (BT_SCRATCH int *)(peaks + BT_CNN_CUBE_ITEMS * BT_CNN_CUBE_ROW);
  BT_SCRATCH int *flags = list + BT_CNN_CUBE_ITEMS;
  const int mine[3] = {BT_ITEM / (BT_CNN_CUBE * BT_CNN_CUBE), BT_ITEM / BT_CNN_CUBE % BT_CNN_CUBE,
                       BT_ITEM % BT_CNN_CUBE};
  float low[3], place[3], points[8];
  BT_UNROLL for (int k = 0; k < 3; k++) {
    low[k] = bt_cnn_point(2 * first[k]);
    place[k] = bt_cnn_point(2 * ((int)first[k] + (int)mine[k]));
  }
  BT_UNROLL for (int k = 0; k < 8; k++) points[k] = 0.0f;
  for (int k = 0; k < launch->n_in; k++) bt_cnn_keep_points(points, means, peaks, k);
  (void)weights;
  const int end = extents[launch->n_in - 1].first + extents[launch->n_in - 1].count;
  int channel = 0;
  for (int from = extents[0].first; from < end; from += BT_CNN_CUBE_ITEMS) {
    const int count = bt_cnn_list_atoms(list, flags, atoms, from, end, low);
    for (int i = 0; i < count; i++) {
      const int atom = list[i];
      if (atom >= extents[channel].first + extents[channel].count) {
        bt_cnn_keep_points(points, means, peaks, channel);
        while (atom >= extents[channel].first + extents[channel].count) channel++;
      }
      bt_cnn_add_points(points, atoms[atom], place);
    }
    BT_SYNC();
  }
  bt_cnn_keep_points(points, means, peaks, channel);
  BT_SYNC();
  if (launch->to.at >= 0) bt_cnn_write_cube(arena, launch->to, means, pose, first, launch->n_in);
  if (launch->peak.at >= 0) bt_cnn_write_cube(arena, launch->peak, peaks, pose, first, launch->n_in);
}

#endif
