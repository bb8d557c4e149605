/* field.h - where voxels lie in a field. */
#ifndef BERTH_KERNEL_CNN_FIELD_H
#define BERTH_KERNEL_CNN_FIELD_H

#include "launch.h"

/* The first channel of a voxel, from (0, 0, 0) inside the border. */
BT_FUNCTION BT_GLOBAL float *bt_cnn_voxel(BT_GLOBAL char *arena, bt_cnn_field field, int pose, int x, int y, int z) {
  const int side = field.edge + 2;
  const long voxel = (((long)pose * side + x + 1) * side + y + 1) * side + z + 1;
  return (BT_GLOBAL float *)(arena + field.at) + voxel * field.stride;
}

/* Floats from one voxel to the next in z, y and x. */
typedef struct bt_cnn_steps {
  int z, y, x;
} bt_cnn_steps;
BT_FUNCTION bt_cnn_steps bt_cnn_steps_of(bt_cnn_field field) {
  const int side = field.edge + 2;
  bt_cnn_steps steps = {field.stride, side * field.stride, side * side * field.stride};
  return steps;
}

/* Which of 27 biases: by the edges that the voxel lies at. */
BT_FUNCTION int bt_cnn_edge_class(int edge, int x, int y, int z) {
  return ((x > 0) + (x == edge - 1)) * 9 + ((y > 0) + (y == edge - 1)) * 3 + (z > 0) + (z == edge - 1);
}

#endif
