/* job.h - one map computation: the receptor in the order and form that blocks need, and where results go.
 *
 * The grid is cut into cubes: coarse cubes of 32^3 points, blocks of 16^3, parts of 8^3, leaves of 4^3. Atoms far from
 * a cube act on it through the electrostatic potential at 4^3 Chebyshev nodes, which is interpolated; only what is
 * near is handed to the next smaller cubes. "Far" is twice the cube's edge and never less than 8 A, so that the
 * interpolated potential is good to 1e-4 kcal/mol/e, and so that distances cut to 0.01 A need not be reproduced.
 */
#ifndef BERTH_GRID_JOB_H
#define BERTH_GRID_JOB_H

#include "grid/kernel/job.h"
#include "grid/maps/maps.h"
#include "grid/receptor/receptor.h"
#include "grid/tables/tables.h"

enum { BT_GRID_COARSE = 32, BT_GRID_BLOCK = 16, BT_GRID_PART = 8 }; /* points per edge */

typedef struct bt_grid_job {
  bt_box box;
  int points[3];                     /* of the grid */
  int coarse_cubes[3], blocks[3];
  const bt_grid_receptor *receptor;
  bt_grid_tables tables;
  bt_grid_scene scene;
  const bt_grid_kernels *kernels;
  bt_arena *arena;                   /* of all arrays below and of the tables */
  float **probe_values;              /* [tables.n_probes]: the probes' maps */
  float *electrostatic, *desolvation;

  /* atoms sorted by kind, then by type, then by index */
  int n_atoms;
  double (*x)[3];
  bt_grid_near_atom *atoms;          /* without coordinates */
  unsigned char *kinds;

  /* receptor atoms by index */
  double (*receptor_x)[3];
  bt_grid_direction *directions;
  int *hydrogens;                    /* that compete as closest hydrogen */
  int n_hydrogens;

  double (*coarse)[BT_GRID_NODE_COUNT]; /* potentials of the coarse cubes */
} bt_grid_job;

/* An axis-aligned cube of points: index of its first point, points per edge, extent in the frame of the box. */
typedef struct bt_grid_cube {
  int first[3], edge;
  double low[3], high[3];
} bt_grid_cube;

bt_grid_cube bt_grid_cube_at(const bt_grid_job *job, int x, int y, int z, int edge);
/* Squared distance of a position to the cube, 0 inside. */
static inline double bt_grid_cube_distance2(const bt_grid_cube *cube, const double x[3]) {
  double sum = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    double below = cube->low[axis] - x[axis], above = x[axis] - cube->high[axis];
    double distance = below > above ? below : above;
    sum += distance > 0.0 ? distance * distance : 0.0;
  }
  return sum;
}
/* From which distance on atoms are far from a cube of that edge. */
double bt_grid_far(const bt_grid_job *job, int edge);

/* Fills job from the receptor; the tables must be built. */
bt_status bt_grid_job_prepare(bt_grid_job *job, bt_error *opt_error) BT_MUST_USE;

/* Scratch memory of one thread. */
typedef struct bt_grid_scratch bt_grid_scratch;
bt_grid_scratch *bt_grid_scratch_create(const bt_grid_job *job);
void bt_grid_scratch_destroy(bt_grid_scratch *opt_scratch);

/* Potential of one coarse cube due to atoms far from it; then one block of all maps. Independent of each other. */
void bt_grid_coarse_cube(bt_grid_job *job, bt_grid_scratch *scratch, int index);
void bt_grid_block(const bt_grid_job *job, bt_grid_scratch *scratch, int index);

#endif
