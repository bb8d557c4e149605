/* potential.h - the potential of far atoms: node positions of a cube and interpolation between them. */
#ifndef BERTH_GRID_POTENTIAL_H
#define BERTH_GRID_POTENTIAL_H

#include "grid/job.h"

/* Interpolation weights of one axis: row i gives the value at the i-th of n targets. */
typedef struct bt_grid_weights {
  double w[BT_GRID_PART][BT_GRID_NODES];
} bt_grid_weights;

/* From the nodes of a cube to the nodes of its lower (0) or upper (1) half, a cube of half as many points. */
void bt_grid_weights_to_half(int edge, int half, bt_grid_weights *ret_weights);
/* From the nodes of a cube to its points; edge <= BT_GRID_PART. */
void bt_grid_weights_to_points(int edge, bt_grid_weights *ret_weights);

/* Values at n^3 targets, x fastest. */
void bt_grid_interpolate(const bt_grid_weights *x, const bt_grid_weights *y, const bt_grid_weights *z, int n,
                         const double potential[BT_GRID_NODE_COUNT], double *ret_values);

/* Positions of the nodes relative to the center of a cube. */
void bt_grid_place_nodes(const bt_grid_cube *cube, bt_grid_nodes *ret_nodes);

#endif
