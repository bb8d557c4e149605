/* fold.h - maps as kernels read them: folded, one per (type, charge), or packed unchanged. */
#ifndef BERTH_KERNEL_LGA_FOLD_H
#define BERTH_KERNEL_LGA_FOLD_H

/* affinity + q e + |q| d at grid point at (linear index, x fastest). */
BT_FUNCTION float bt_fold_value(const BT_GLOBAL float *affinity, const BT_GLOBAL float *electrostatic,
                                  const BT_GLOBAL float *desolvation, float charge, long at) {
  float magnitude = charge < 0.0f ? -charge : charge;
  return affinity[at] + charge * electrostatic[at] + magnitude * desolvation[at];
}

/* The point's four values in the packed layout (see bt_kernel_box): itself, its neighbors in y, in z, and in both. The
 * last points of a row or plane repeat themselves: no cell starts there. */
BT_FUNCTION void bt_fold_packed(const BT_GLOBAL float *affinity, const BT_GLOBAL float *electrostatic,
                                  const BT_GLOBAL float *desolvation, float charge, long points_x, long points_xy,
                                  long points, long at, BT_GLOBAL float *folded) {
  long y = at + points_x < points ? points_x : 0, z = at + points_xy < points ? points_xy : 0;
  long yz = at + y + z < points ? y + z : 0;
  folded[4 * at] = bt_fold_value(affinity, electrostatic, desolvation, charge, at);
  folded[4 * at + 1] = bt_fold_value(affinity, electrostatic, desolvation, charge, at + y);
  folded[4 * at + 2] = bt_fold_value(affinity, electrostatic, desolvation, charge, at + z);
  folded[4 * at + 3] = bt_fold_value(affinity, electrostatic, desolvation, charge, at + yz);
}

/* The same for one unfolded map: value[4]. */
BT_FUNCTION void bt_pack_point(const BT_GLOBAL float *map, long points_x, long points_xy, long points, long at,
                               BT_GLOBAL float *value) {
  long y = at + points_x < points ? points_x : 0, z = at + points_xy < points ? points_xy : 0;
  long yz = at + y + z < points ? y + z : 0;
  value[0] = map[at];
  value[1] = map[at + y];
  value[2] = map[at + z];
  value[3] = map[at + yz];
}

#endif
