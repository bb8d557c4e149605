/* rows.h - sums of tabulated pair energies at the points of a leaf: what depends on types and distance alone.
 *
 * A table row holds the energies of all probes at one distance side by side, so a pair costs two loads and one
 * multiply-add for eight maps, without a gather.
 */
#ifndef BERTH_GRID_KERNEL_ROWS_H
#define BERTH_GRID_KERNEL_ROWS_H

#include "grid/kernel/job.h"
#include "grid/kernel/lanes.h"

typedef float probes __attribute__((vector_size(4 * BT_GRID_ROW_WIDTH)));

BT_FUNCTION probes load_probes(const float *from) {
  probes value;
  memcpy(&value, from, sizeof value);
  return value;
}

/* Steps of the table from the atom to each point, and what is left of each. */
BT_FUNCTION void measure(const bt_grid_rows_leaf *leaf, const bt_grid_rows_atom *atom, int *steps, float *rest) {
  bt_real last = bt_splat((float)leaf->last), scale = bt_splat(leaf->steps_per_angstrom);
  for (int first = 0; first < BT_GRID_LEAF_POINTS; first += BT_LANES) {
    bt_real dx = bt_load(&leaf->x[0][first]) - bt_splat(atom->x[0]);
    bt_real dy = bt_load(&leaf->x[1][first]) - bt_splat(atom->x[1]);
    bt_real dz = bt_load(&leaf->x[2][first]) - bt_splat(atom->x[2]);
    bt_real at = bt_min(root(dx * dx + dy * dy + dz * dz) * scale, last);
    bt_int step = bt_to_int(at);
    memcpy(&steps[first], &step, sizeof step);
    bt_store(&rest[first], at - bt_to_real(step));
  }
}

static void row_sums(bt_grid_rows_leaf *leaf) {
  int steps[BT_GRID_LEAF_POINTS], width = leaf->groups * BT_GRID_ROW_WIDTH;
  float rest[BT_GRID_LEAF_POINTS];
  for (int a = 0; a < leaf->n_atoms; a++) {
    measure(leaf, &leaf->atoms[a], steps, rest);
    for (int p = 0; p < BT_GRID_LEAF_POINTS; p++) {
      if (steps[p] >= leaf->last) continue;
      const float *at = leaf->atoms[a].rows + (size_t)steps[p] * (size_t)width;
      float *sum_at = leaf->sums + (size_t)p * (size_t)width;
      for (int g = 0; g < width; g += BT_GRID_ROW_WIDTH) {
        probes low = load_probes(at + g), high = load_probes(at + width + g);
        probes sum = load_probes(sum_at + g) + (low + rest[p] * (high - low));
        memcpy(sum_at + g, &sum, sizeof sum);
      }
    }
  }
}

#endif
