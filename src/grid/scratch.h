/* scratch.h - memory of one thread: the atoms selected for ever smaller cubes, and the current leaf. */
#ifndef BERTH_GRID_SCRATCH_H
#define BERTH_GRID_SCRATCH_H

#include "grid/job.h"
#include "grid/potential.h"

enum { BT_GRID_FAR_BATCH = 512 };

/* Atoms that wait for their potential to be summed, relative to the center of the cube. */
typedef struct bt_grid_far_atoms {
  float x[BT_GRID_FAR_BATCH], y[BT_GRID_FAR_BATCH], z[BT_GRID_FAR_BATCH], charge[BT_GRID_FAR_BATCH];
  int n;
} bt_grid_far_atoms;

typedef struct bt_grid_index_list {
  int *items;
  int count;
} bt_grid_index_list;

/* Atoms near a cube, sorted by kind: indices of an enclosing list, and positions relative to the block's center. */
typedef struct bt_grid_atom_list {
  int *items;
  float *x, *y, *z;
  int count;
} bt_grid_atom_list;

struct bt_grid_scratch {
  bt_arena arena; /* of all arrays but the workspace */
  bt_grid_far_atoms far;
  bt_grid_atom_list block;                   /* near the block; items are indices of the job's sorted atoms */
  bt_grid_atom_list part;                    /* near the part; items are indices of the block's list */
  bt_grid_index_list selected, rest;         /* of the list being split */
  bt_grid_index_list block_hydrogens, part_hydrogens, leaf_hydrogens; /* indices of receptor atoms */
  float *distance2;
  bt_grid_near_atom *local;          /* the block's atoms in the kernels' layout */
  bt_grid_near_atom *near, *charges; /* of the leaf */
  bt_grid_weights lower, upper, coarse_lower, coarse_upper, points;
  bt_grid_leaf leaf;
  void *workspace;
};

#endif
