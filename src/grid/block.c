/* block.c - all maps of one block of 16^3 points: selects atoms for ever smaller cubes, then calls the kernels. */
#include <math.h>
#include <string.h>

#include "grid/scratch.h"

enum { PART_POINTS = BT_GRID_PART * BT_GRID_PART * BT_GRID_PART };

/* ---------------------------------------------------------------------------------------------------------
 * Potential of far atoms
 * --------------------------------------------------------------------------------------------------------- */

static void sum_far(const bt_grid_job *job, bt_grid_far_atoms *far, bt_grid_nodes *nodes) {
  job->kernels->far(&job->tables, far->n, far->x, far->y, far->z, far->charge, nodes);
  far->n = 0;
}

static void add_far(const bt_grid_job *job, bt_grid_far_atoms *far, const bt_grid_cube *cube, int atom,
                    bt_grid_nodes *nodes) {
  const double *x = job->x[atom];
  far->x[far->n] = (float)(x[0] - 0.5 * (cube->low[0] + cube->high[0]));
  far->y[far->n] = (float)(x[1] - 0.5 * (cube->low[1] + cube->high[1]));
  far->z[far->n] = (float)(x[2] - 0.5 * (cube->low[2] + cube->high[2]));
  far->charge[far->n] = job->atoms[atom].charge;
  far->n++;
  if (far->n == BT_GRID_FAR_BATCH) sum_far(job, far, nodes);
}

static void index_of(int index, const int counts[3], int ret_index[3]) {
  ret_index[0] = index % counts[0];
  ret_index[1] = index / counts[0] % counts[1];
  ret_index[2] = index / counts[0] / counts[1];
}

static bt_grid_cube coarse_cube(const bt_grid_job *job, const int at[3]) {
  return bt_grid_cube_at(job, at[0] * BT_GRID_COARSE, at[1] * BT_GRID_COARSE, at[2] * BT_GRID_COARSE, BT_GRID_COARSE);
}

void bt_grid_coarse_cube(bt_grid_job *job, bt_grid_scratch *scratch, int index) {
  int at[3];
  index_of(index, job->coarse_cubes, at);
  bt_grid_cube cube = coarse_cube(job, at);
  bt_grid_nodes nodes = {.potential = {0.0}};
  bt_grid_place_nodes(&cube, &nodes);
  double far = bt_grid_far(job, BT_GRID_COARSE), far2 = far * far;
  for (int i = 0; i < job->n_atoms; i++)
    if (bt_grid_cube_distance2(&cube, job->x[i]) >= far2) add_far(job, &scratch->far, &cube, i, &nodes);
  sum_far(job, &scratch->far, &nodes);
  memcpy(job->coarse[index], nodes.potential, sizeof nodes.potential);
}

/* ---------------------------------------------------------------------------------------------------------
 * Selecting atoms
 * --------------------------------------------------------------------------------------------------------- */

/* Splits a list into atoms nearer to a cube than a limit (selected) and the rest; both keep the order. */
static void split(bt_grid_scratch *s, const bt_grid_atom_list *list, const bt_grid_cube *cube, double limit) {
  float low[3], high[3], limit2 = (float)(limit * limit);
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = (float)(cube->low[axis] - s->leaf.origin[axis]);
    high[axis] = (float)(cube->high[axis] - s->leaf.origin[axis]);
  }
  int count = list->count;
  float *restrict distance2 = s->distance2;
  for (int i = 0; i < count; i++) { /* simple enough for the compiler to vectorize */
    float below_x = low[0] - list->x[i], above_x = list->x[i] - high[0];
    float below_y = low[1] - list->y[i], above_y = list->y[i] - high[1];
    float below_z = low[2] - list->z[i], above_z = list->z[i] - high[2];
    float dx = below_x > above_x ? below_x : above_x;
    float dy = below_y > above_y ? below_y : above_y;
    float dz = below_z > above_z ? below_z : above_z;
    dx = dx > 0.0f ? dx : 0.0f;
    dy = dy > 0.0f ? dy : 0.0f;
    dz = dz > 0.0f ? dz : 0.0f;
    distance2[i] = dx * dx + dy * dy + dz * dz;
  }
  int n_selected = 0, n_rest = 0;
  for (int i = 0; i < count; i++) {
    int near = distance2[i] < limit2;
    s->selected.items[n_selected] = i;
    s->rest.items[n_rest] = i;
    n_selected += near;
    n_rest += !near;
  }
  s->selected.count = n_selected;
  s->rest.count = n_rest;
}

/* ---------------------------------------------------------------------------------------------------------
 * Closest hydrogens
 * --------------------------------------------------------------------------------------------------------- */

/* Keeps the hydrogens that are the closest one of some point of the cube: those whose nearest distance to it is not
 * beyond the smallest of all largest distances. */
static void filter_hydrogens(const bt_grid_job *job, const bt_grid_cube *cube, const int *from, int count,
                             bt_grid_index_list *ret_list) {
  double limit = INFINITY;
  for (int i = 0; i < count; i++) {
    const double *x = job->receptor_x[from[i]];
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
      double middle = 0.5 * (cube->low[axis] + cube->high[axis]);
      double largest = fabs(x[axis] - middle) + 0.5 * (cube->high[axis] - cube->low[axis]);
      sum += largest * largest;
    }
    if (sum < limit) limit = sum;
  }
  ret_list->count = 0;
  for (int i = 0; i < count; i++)
    if (bt_grid_cube_distance2(cube, job->receptor_x[from[i]]) <= limit + 1e-6)
      ret_list->items[ret_list->count++] = from[i];
}

/* ---------------------------------------------------------------------------------------------------------
 * Leaves
 * --------------------------------------------------------------------------------------------------------- */

static void place_points(const bt_grid_job *job, const bt_grid_cube *cube, bt_grid_leaf *leaf) {
  for (int axis = 0; axis < 3; axis++) {
    int left = job->points[axis] - cube->first[axis];
    leaf->extent[axis] = left < BT_GRID_LEAF ? left : BT_GRID_LEAF;
    for (int i = 0; i < BT_GRID_LEAF; i++)
      leaf->x[axis][i] = (cube->first[axis] + i - job->box.npts[axis] / 2) * job->box.spacing;
  }
  float local[3][BT_GRID_LEAF];
  for (int axis = 0; axis < 3; axis++)
    for (int i = 0; i < BT_GRID_LEAF; i++) local[axis][i] = (float)(leaf->x[axis][i] - leaf->origin[axis]);
  for (int i = 0; i < BT_GRID_LEAF_POINTS; i++) {
    leaf->local[0][i] = local[0][i % BT_GRID_LEAF];
    leaf->local[1][i] = local[1][i / BT_GRID_LEAF % BT_GRID_LEAF];
    leaf->local[2][i] = local[2][i / (BT_GRID_LEAF * BT_GRID_LEAF)];
  }
}

static void select_atoms(const bt_grid_job *job, bt_grid_scratch *s, const bt_grid_cube *cube) {
  bt_grid_leaf *leaf = &s->leaf;
  split(s, &s->part, cube, BT_AD4_CUTOFF + 1e-3);
  int n_near = 0, n_charges = 0, kind = 0;
  for (int i = 0; i < s->selected.count; i++) {
    int slot = s->part.items[s->selected.items[i]], atom_kind = job->kinds[s->block.items[slot]];
    if (atom_kind == BT_GRID_CHARGE) { /* the last kind */
      s->charges[n_charges++] = s->local[slot];
      continue;
    }
    while (kind < atom_kind) leaf->end[kind++] = n_near;
    s->near[n_near++] = s->local[slot];
  }
  while (kind < BT_GRID_KINDS) leaf->end[kind++] = n_near;
  for (int i = 0; i < s->rest.count; i++) s->charges[n_charges++] = s->local[s->part.items[s->rest.items[i]]];
  leaf->near = s->near;
  leaf->charges = s->charges;
  leaf->n_charges = n_charges;
}

/* potential: of far atoms, at the first point of the leaf. */
static void copy_potential(bt_grid_leaf *leaf, const double *potential) {
  for (int k = 0; k < BT_GRID_LEAF; k++)
    for (int j = 0; j < BT_GRID_LEAF; j++)
      memcpy(&leaf->far[(k * BT_GRID_LEAF + j) * BT_GRID_LEAF], &potential[(k * BT_GRID_PART + j) * BT_GRID_PART],
             BT_GRID_LEAF * sizeof *potential);
}

static void store_map(const bt_grid_job *job, const bt_grid_leaf *leaf, const bt_grid_cube *cube,
                      const float values[BT_GRID_LEAF_POINTS], float *map) {
  size_t width = (size_t)job->points[0], height = (size_t)job->points[1];
  for (int k = 0; k < leaf->extent[2]; k++)
    for (int j = 0; j < leaf->extent[1]; j++) {
      size_t row = ((size_t)(cube->first[2] + k) * height + (size_t)(cube->first[1] + j)) * width;
      float *to = map + row + (size_t)cube->first[0];
      const float *from = values + (k * BT_GRID_LEAF + j) * BT_GRID_LEAF;
      if (leaf->extent[0] == BT_GRID_LEAF) { /* a compile-time size */
        memcpy(to, from, BT_GRID_LEAF * sizeof *to);
        continue;
      }
      for (int i = 0; i < leaf->extent[0]; i++) to[i] = from[i];
    }
}

static void store_leaf(const bt_grid_job *job, const bt_grid_leaf *leaf, const bt_grid_cube *cube) {
  store_map(job, leaf, cube, leaf->electrostatic, job->electrostatic);
  store_map(job, leaf, cube, leaf->desolvation, job->desolvation);
  for (int p = 0; p < job->tables.n_probes; p++) store_map(job, leaf, cube, leaf->affinity[p], job->probe_values[p]);
}

static bool beyond_grid(const bt_grid_job *job, const int first[3]) {
  return first[0] >= job->points[0] || first[1] >= job->points[1] || first[2] >= job->points[2];
}

/* ---------------------------------------------------------------------------------------------------------
 * Parts and blocks
 * --------------------------------------------------------------------------------------------------------- */

static void part_maps(const bt_grid_job *job, bt_grid_scratch *s, const bt_grid_cube *part,
                      const double inherited[BT_GRID_NODE_COUNT]) {
  bt_grid_nodes nodes;
  memcpy(nodes.potential, inherited, sizeof nodes.potential);
  bt_grid_place_nodes(part, &nodes);
  split(s, &s->block, part, bt_grid_far(job, BT_GRID_PART));
  for (int i = 0; i < s->rest.count; i++) add_far(job, &s->far, part, s->block.items[s->rest.items[i]], &nodes);
  s->part.count = s->selected.count;
  for (int i = 0; i < s->selected.count; i++) {
    int slot = s->selected.items[i];
    s->part.items[i] = slot;
    s->part.x[i] = s->block.x[slot];
    s->part.y[i] = s->block.y[slot];
    s->part.z[i] = s->block.z[slot];
  }
  sum_far(job, &s->far, &nodes);
  double potential[PART_POINTS];
  bt_grid_interpolate(&s->points, &s->points, &s->points, BT_GRID_PART, nodes.potential, potential);
  filter_hydrogens(job, part, s->block_hydrogens.items, s->block_hydrogens.count, &s->part_hydrogens);

  for (int octant = 0; octant < 8; octant++) {
    int offset[3] = {octant % 2 * BT_GRID_LEAF, octant / 2 % 2 * BT_GRID_LEAF, octant / 4 * BT_GRID_LEAF};
    bt_grid_cube cube = bt_grid_cube_at(job, part->first[0] + offset[0], part->first[1] + offset[1],
                                        part->first[2] + offset[2], BT_GRID_LEAF);
    if (beyond_grid(job, cube.first)) continue;
    place_points(job, &cube, &s->leaf);
    select_atoms(job, s, &cube);
    filter_hydrogens(job, &cube, s->part_hydrogens.items, s->part_hydrogens.count, &s->leaf_hydrogens);
    s->leaf.hydrogens = s->leaf_hydrogens.items;
    s->leaf.n_hydrogens = s->leaf_hydrogens.count;
    copy_potential(&s->leaf, potential + (offset[2] * BT_GRID_PART + offset[1]) * BT_GRID_PART + offset[0]);
    job->kernels->leaf(&job->scene, &s->leaf, s->workspace);
    store_leaf(job, &s->leaf, &cube);
  }
}

/* Splits the atoms that are not far from the coarse cube into far ones, which act through nodes, and near ones. */
static void gather_block(const bt_grid_job *job, bt_grid_scratch *s, const bt_grid_cube *block,
                         const bt_grid_cube *coarse, bt_grid_nodes *nodes) {
  double coarse_far = bt_grid_far(job, BT_GRID_COARSE), coarse_far2 = coarse_far * coarse_far;
  double far = bt_grid_far(job, BT_GRID_BLOCK), far2 = far * far;
  int n = 0;
  for (int i = 0; i < job->n_atoms; i++) {
    const double *x = job->x[i];
    if (bt_grid_cube_distance2(coarse, x) >= coarse_far2) continue;
    if (bt_grid_cube_distance2(block, x) >= far2) {
      add_far(job, &s->far, block, i, nodes);
      continue;
    }
    s->block.x[n] = (float)(x[0] - s->leaf.origin[0]);
    s->block.y[n] = (float)(x[1] - s->leaf.origin[1]);
    s->block.z[n] = (float)(x[2] - s->leaf.origin[2]);
    s->local[n] = job->atoms[i];
    s->local[n].x = s->block.x[n];
    s->local[n].y = s->block.y[n];
    s->local[n].z = s->block.z[n];
    s->block.items[n++] = i;
  }
  s->block.count = n;
  sum_far(job, &s->far, nodes);
}

void bt_grid_block(const bt_grid_job *job, bt_grid_scratch *s, int index) {
  int at[3], parent[3];
  index_of(index, job->blocks, at);
  for (int axis = 0; axis < 3; axis++) parent[axis] = at[axis] / 2;
  bt_grid_cube coarse = coarse_cube(job, parent);
  bt_grid_cube block =
      bt_grid_cube_at(job, at[0] * BT_GRID_BLOCK, at[1] * BT_GRID_BLOCK, at[2] * BT_GRID_BLOCK, BT_GRID_BLOCK);
  for (int axis = 0; axis < 3; axis++) s->leaf.origin[axis] = 0.5 * (block.low[axis] + block.high[axis]);

  const bt_grid_weights *coarse_halves[2] = {&s->coarse_lower, &s->coarse_upper};
  size_t coarse_index = ((size_t)parent[2] * (size_t)job->coarse_cubes[1] + (size_t)parent[1]) *
                            (size_t)job->coarse_cubes[0] +
                        (size_t)parent[0];
  bt_grid_nodes nodes;
  bt_grid_place_nodes(&block, &nodes);
  bt_grid_interpolate(coarse_halves[at[0] % 2], coarse_halves[at[1] % 2], coarse_halves[at[2] % 2], BT_GRID_NODES,
                      job->coarse[coarse_index], nodes.potential);
  gather_block(job, s, &block, &coarse, &nodes);
  filter_hydrogens(job, &block, job->hydrogens, job->n_hydrogens, &s->block_hydrogens);

  const bt_grid_weights *halves[2] = {&s->lower, &s->upper};
  for (int octant = 0; octant < 8; octant++) {
    int half[3] = {octant % 2, octant / 2 % 2, octant / 4};
    bt_grid_cube part = bt_grid_cube_at(job, block.first[0] + half[0] * BT_GRID_PART,
                                        block.first[1] + half[1] * BT_GRID_PART,
                                        block.first[2] + half[2] * BT_GRID_PART, BT_GRID_PART);
    if (beyond_grid(job, part.first)) continue;
    double inherited[BT_GRID_NODE_COUNT];
    bt_grid_interpolate(halves[half[0]], halves[half[1]], halves[half[2]], BT_GRID_NODES, nodes.potential, inherited);
    part_maps(job, s, &part, inherited);
  }
}
