/* potential.c - tensor products of one-dimensional interpolation. */
#include "grid/potential.h"

#include "grid/tables/chebyshev.h"

void bt_grid_weights_to_half(int edge, int half, bt_grid_weights *ret_weights) {
  int child = edge / 2;
  for (int i = 0; i < BT_GRID_NODES; i++) {
    /* positions in units of the spacing: the cube reaches from 0 to edge - 1, the half from first on */
    double first = half * child, position = first + 0.5 * (child - 1) * (1.0 + bt_chebyshev_node(i, BT_GRID_NODES));
    bt_chebyshev_weights(2.0 * position / (edge - 1) - 1.0, BT_GRID_NODES, ret_weights->w[i]);
  }
}

void bt_grid_weights_to_points(int edge, bt_grid_weights *ret_weights) {
  for (int i = 0; i < edge; i++) bt_chebyshev_weights(2.0 * i / (edge - 1) - 1.0, BT_GRID_NODES, ret_weights->w[i]);
}

static double weighted(const double w[BT_GRID_NODES], const double *values, int stride) {
  return w[0] * values[0] + w[1] * values[stride] + w[2] * values[2 * stride] + w[3] * values[3 * stride];
}

void bt_grid_interpolate(const bt_grid_weights *x, const bt_grid_weights *y, const bt_grid_weights *z, int n,
                         const double potential[BT_GRID_NODE_COUNT], double *ret_values) {
  double along_x[BT_GRID_NODES * BT_GRID_NODES * BT_GRID_PART], along_y[BT_GRID_NODES * BT_GRID_PART * BT_GRID_PART];
  for (int line = 0; line < BT_GRID_NODES * BT_GRID_NODES; line++)
    for (int i = 0; i < n; i++) along_x[line * n + i] = weighted(x->w[i], &potential[line * BT_GRID_NODES], 1);
  for (int plane = 0; plane < BT_GRID_NODES; plane++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        along_y[(plane * n + j) * n + i] = weighted(y->w[j], &along_x[plane * BT_GRID_NODES * n + i], n);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n * n; i++) ret_values[k * n * n + i] = weighted(z->w[k], &along_y[i], n * n);
}

void bt_grid_place_nodes(const bt_grid_cube *cube, bt_grid_nodes *ret_nodes) {
  for (int i = 0; i < BT_GRID_NODE_COUNT; i++) {
    int index[3] = {i % BT_GRID_NODES, i / BT_GRID_NODES % BT_GRID_NODES, i / (BT_GRID_NODES * BT_GRID_NODES)};
    for (int axis = 0; axis < 3; axis++) {
      double half_edge = 0.5 * (cube->high[axis] - cube->low[axis]);
      ret_nodes->x[axis][i] = (float)(half_edge * bt_chebyshev_node(index[axis], BT_GRID_NODES));
    }
  }
}
