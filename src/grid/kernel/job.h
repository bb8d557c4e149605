/* job.h - what the grid kernels read and write: tables of the job, atoms near a leaf, sums at its points.
 *
 * A leaf is a cube of 4 x 4 x 4 grid points. Everything that it needs is gathered by the driver (grid/block.c), so that
 * the kernels, which are compiled once per instruction set, hold only arithmetic.
 */
#ifndef BERTH_GRID_KERNEL_JOB_H
#define BERTH_GRID_KERNEL_JOB_H

#include <stddef.h>

enum {
  BT_GRID_LEAF = 4,                 /* points per edge */
  BT_GRID_LEAF_POINTS = 64,
  BT_GRID_NODES = 4,                /* nodes per edge that carry the far electrostatic potential of a cube */
  BT_GRID_NODE_COUNT = 64,
  BT_GRID_ROWS = 802,               /* distances 0.00 ... 8.00 A, and a last row of zeros for what is farther */
  BT_GRID_OUTSIDE = 801,
  BT_GRID_ROW_WIDTH = 8,            /* probes side by side in a row */
  BT_GRID_DISTANCE_ROWS = 16384,    /* of what has no cut-off */
  BT_GRID_FAR_DEGREE = 10,
  BT_GRID_RAMP_DEGREE = 9
};

/* How a receptor atom takes part. Those that no probe sees as directional are plain. */
typedef enum bt_grid_kind {
  BT_GRID_PLAIN,
  BT_GRID_HYDROGEN,           /* directional donor */
  BT_GRID_SPHERICAL_DONOR,
  BT_GRID_NITROGEN,           /* one lone pair */
  BT_GRID_OXYGEN,             /* two lone pairs */
  BT_GRID_HYDROXYL,           /* oxygen whose hydrogen may be anywhere (disorder_h) */
  BT_GRID_SPHERICAL_ACCEPTOR,
  BT_GRID_CHARGE,             /* electrostatics only */
  BT_GRID_KINDS
} bt_grid_kind;

typedef struct bt_grid_near_atom {
  float x, y, z;   /* relative to the origin of the block */
  float charge;    /* e */
  float volume;    /* V, A^3 */
  float solvation; /* S + c_q |q| */
  int first_row;   /* of its type in the pair tables */
  int atom;        /* index in the receptor */
} bt_grid_near_atom;

/* Directions of one receptor atom, in single precision. */
typedef struct bt_grid_direction {
  float axis[3], normal[3];
  float defect;  /* 1 - |normal|^2: 1 for an atom without a normal, otherwise 0 */
  float quartic; /* 1: the hydrogen's factor is cos^4; 0: cos^2 */
} bt_grid_direction;

/* Probes of one hydrogen-bonding behavior towards donors or acceptors. */
typedef struct bt_grid_probe_list {
  int count;
  int *probes;
} bt_grid_probe_list;

typedef struct bt_grid_tables {
  int n_probes, n_groups, n_types;
  float *rows;        /* [group][type][BT_GRID_ROWS][BT_GRID_ROW_WIDTH]: pair energies without directional ones */
  float *directional; /* [probe][type][BT_GRID_ROWS]: pair energies of directional pairs */
  double *probe_volume, *probe_solvation; /* [probe]: V and S */
  double solvation_charge;                /* c_q */
  float (*by_distance)[2]; /* [BT_GRID_DISTANCE_ROWS]: w_el 332 / epsilon, and the Gaussian of desolvation */
  float far[BT_GRID_FAR_DEGREE + 1];   /* w_el 332 / epsilon(r) as a polynomial in z = far_scale / r - 1 */
  float far_scale;
  float ramp[BT_GRID_RAMP_DEGREE + 1]; /* polynomial in z = 2 cos(angle / 2) - 1 */
  bt_grid_probe_list acceptors; /* codes 3 and 5: each hydrogen counts, weakened next to a nearer one */
  bt_grid_probe_list nitrogens; /* code 4: the best and the worst donor count */
  bt_grid_probe_list donors;    /* codes 1 and 2: the best and the worst acceptor count */
} bt_grid_tables;

typedef struct bt_grid_leaf {
  /* Points: coordinates in the frame of the box (exact) and relative to the origin of the block. */
  double x[3][BT_GRID_LEAF];
  float local[3][BT_GRID_LEAF_POINTS]; /* per point, x fastest */
  double origin[3];                    /* of the block, in the frame of the box */
  int extent[3];                       /* points of the leaf that belong to the grid, 1..4 per axis */
  const bt_grid_near_atom *near;       /* atoms within 8 A of the leaf, sorted by kind */
  int end[BT_GRID_KINDS];              /* of each kind in near */
  const bt_grid_near_atom *charges;    /* atoms farther away, and those that count electrostatically only */
  int n_charges;
  const int *hydrogens;                /* candidates for the closest hydrogen, in ascending order */
  int n_hydrogens;
  double far[BT_GRID_LEAF_POINTS];     /* electrostatic potential of all other atoms */
  /* The maps at these points, per point, rounded as AutoGrid writes them. */
  float electrostatic[BT_GRID_LEAF_POINTS];
  float desolvation[BT_GRID_LEAF_POINTS];
  float (*affinity)[BT_GRID_LEAF_POINTS]; /* [probe] */
} bt_grid_leaf;

/* Three decimals: floor(1000 v + 1/2) / 1000, and 0 below 0.0001. Free of branches, so that loops of it become
 * vectors. */
static inline float bt_grid_rounded(double value) {
  const double shift = 0x1.8p52; /* adding and subtracting it rounds to an integer */
  double scaled = value * 1000.0 + 0.5;
  double whole = (scaled + shift) - shift;
  whole -= whole > scaled ? 1.0 : 0.0;
  double quotient = whole * 0.001;
  quotient += (whole - quotient * 1000.0) * 0.001;
  return value < 0.0001 && value > -0.0001 ? 0.0f : (float)quotient;
}

/* The part of the receptor that kernels see. */
typedef struct bt_grid_scene {
  const bt_grid_tables *tables;
  const double (*x)[3];                 /* exact positions of the receptor's atoms, by index */
  const bt_grid_direction *directions;  /* by index */
  float certain; /* a distance in steps of 0.01 A is certain to be cut right this near to the middle of its step */
} bt_grid_scene;

/* Nodes of a cube relative to its center, and the potential there. */
typedef struct bt_grid_nodes {
  float x[3][BT_GRID_NODE_COUNT];
  double potential[BT_GRID_NODE_COUNT];
} bt_grid_nodes;

/* For maps that are sums of one energy per pair of types and distance (grid/vina/vina_maps.c). */
typedef struct bt_grid_rows_atom {
  float x[3];        /* in the frame of the leaf */
  const float *rows; /* [last + 1][groups][BT_GRID_ROW_WIDTH]: of its type; nothing is added from the last on */
} bt_grid_rows_atom;

typedef struct bt_grid_rows_leaf {
  float x[3][BT_GRID_LEAF_POINTS];
  float steps_per_angstrom;
  int last, groups, n_atoms;
  const bt_grid_rows_atom *atoms;
  float *sums; /* [BT_GRID_LEAF_POINTS][groups][BT_GRID_ROW_WIDTH] */
} bt_grid_rows_leaf;

/* For sums of Vina's and Vinardo's terms in closed form (forcefield/vina.h), one lane a pair. Arrays are filled up to a
 * multiple of BT_GRID_PADDING by pairs that are too far apart to have an energy. */
enum { BT_GRID_PADDING = 16 };
#define BT_GRID_FAR_AWAY 1e3F /* A: where what fills up is */

static inline int bt_grid_padded(int count) {
  return (count + BT_GRID_PADDING - 1) / BT_GRID_PADDING * BT_GRID_PADDING;
}

typedef struct bt_grid_vina_law {
  float weight[2], offset[2], sharpness[2]; /* Gaussians; sharpness: 1 / width^2 */
  float repulsion, cutoff, curl;            /* curl: of bt_vina_curl */
} bt_grid_vina_law;

typedef struct bt_grid_vina_pairs {
  int count;          /* with those that fill up */
  float *radii;       /* [count] their sum, A */
  float *ramp;        /* [count] its slope, kcal/mol/A; 0: none */
  float *top, *width; /* [count] where it ends, and how far below it begins, A beyond the radii */
} bt_grid_vina_pairs;

/* An atom and those that it meets. */
typedef struct bt_grid_vina_point {
  int count;                 /* with those that fill up */
  const float *x[3];         /* [count] A, from the same origin as the atom's */
  float radius;              /* A: of the atom, or 0 */
  const float *radii, *ramp; /* [count] radii of the others, or sums; ramp as above */
  const float *top, *width;  /* as above, [count step], or [BT_GRID_PADDING] of equal numbers */
  int step;                  /* 1 or 0 */
} bt_grid_vina_point;

typedef struct bt_grid_kernels {
  const char *name;
  size_t workspace; /* bytes that leaf() needs for a number of probes: workspace + n_probes * workspace_per_probe */
  size_t workspace_per_probe;
  /* All maps at the points of a leaf. */
  void (*leaf)(const bt_grid_scene *scene, bt_grid_leaf *leaf, void *workspace);
  /* Adds the potential of n point charges (relative to the center, at least 8 A from every node) to the nodes. */
  void (*far)(const bt_grid_tables *tables, int n, const float *x, const float *y, const float *z,
              const float *charge, bt_grid_nodes *nodes);
  /* Adds the rows of all atoms to the sums, interpolated between two steps. */
  void (*rows)(bt_grid_rows_leaf *leaf);
  /* Energy of an atom at a point, and its gradient. */
  void (*vina_point)(const bt_grid_vina_law *law, const bt_grid_vina_point *of, const float point[3],
                     float *ret_energy, float ret_gradient[3]);
  /* Sum of the curled energies of pairs with these squares of distances, and the slope of each divided by its distance. */
  float (*vina_pairs)(const bt_grid_vina_law *law, const bt_grid_vina_pairs *of, const float *squares,
                      float *ret_slopes);
} bt_grid_kernels;

/* Distance in double precision, operation by operation as AutoGrid computes it: whether it is cut to one step of 0.01 A
 * or to the next can depend on the last bit. Compiled without fused multiplication and addition. */
double bt_grid_exact_distance(const bt_grid_scene *scene, const bt_grid_leaf *leaf, int atom, int point);

/* The kernels of a named instruction set ("avx512", "avx2", "base"), the best that this CPU has for NULL; NULL if the
 * CPU or the build lacks it. */
const bt_grid_kernels *bt_grid_kernels_find(const char *opt_isa);

#endif
