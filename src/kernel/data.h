/* data.h - what a kernel knows about a ligand and its box: flat arrays, the same for every pose.
 *
 * Lengths are in Angstrom relative to the box's lower corner, energies in kcal/mol, angles in radians. Atoms are
 * sorted by rigid body (depth first), so a body's own atoms and everything below a torsion are contiguous.
 */
#ifndef BERTH_KERNEL_DATA_H
#define BERTH_KERNEL_DATA_H

/* Electrostatics plus desolvation of a pair is one polynomial  E = sum_k c_k y^k, k = 1..ORDER, in
 * y = 1 / (r + SHIFT); c_k = 332.06 w_el q_i q_j * a_k + w_ds S_ij * b_k with a_k, b_k fitted to 1/(r eps(r)) and
 * exp(-r^2/(2 sigma^2)) (tools/fit_pair_polynomial.py; errors in docs/accuracy.md). */
#define BT_PAIR_POLYNOMIAL_ORDER 8
#define BT_PAIR_POLYNOMIAL_SHIFT 3.0f

#define BT_KERNEL_CUTOFF 8.0f             /* van der Waals and hydrogen bonds */
#define BT_KERNEL_SMOOTH_HALF 0.25f       /* half of the smoothing window */
#define BT_KERNEL_MIN_DISTANCE_SQUARED 0.25f
#define BT_KERNEL_GLUE 50.0f              /* kcal/mol/A between ring-closure atoms */
#define BT_KERNEL_OUTSIDE_STIFFNESS 100.0f /* kcal/mol/A^2 outside the box */

typedef struct bt_kernel_atom {
  float x, y, z; /* reference position relative to its body's axis_from atom (to the center in body 0) */
  int map;       /* index of its folded map, -1: feels none */
} bt_kernel_atom;

typedef struct bt_kernel_body {
  int parent;    /* -1: the ligand's root (body 0) or the immobile body */
  int torsion;   /* gene, -1 for a root */
  int axis_from, axis_to;   /* atoms */
  int first_atom, end_atom; /* own atoms */
  float ux, uy, uz;         /* axis in the reference frame, unit length */
  float inverse_length;     /* 1 / |axis_to - axis_from| */
  int immobile;             /* atoms hold absolute positions */
} bt_kernel_body;

typedef struct bt_kernel_pair {
  int j;
  float distance; /* of the well, A */
  float a, b;     /* V = a x^-12 - b x^-n */
  float c[BT_PAIR_POLYNOMIAL_ORDER]; /* c[k-1] multiplies y^k */
} bt_kernel_pair;

/* Pairs of atom i of one kind: pairs [first, end), a multiple of BT_PAIR_TILE; the padding has j = i and parameters
 * that give zero. */
#ifndef BT_PAIR_TILE
#define BT_PAIR_TILE 8
#endif

typedef struct bt_kernel_row {
  int i, first, end;
} bt_kernel_row;

typedef struct bt_kernel_glue {
  int i, j;
} bt_kernel_glue;

typedef struct bt_kernel_data {
  int n_atoms, n_ligand_atoms, n_bodies, n_torsions;
  int n_rows_12_6, n_rows_12_10, n_glue;
  const bt_kernel_atom *atoms;
  const bt_kernel_body *bodies;
  const bt_kernel_row *rows;   /* first the 12-6 rows, then the 12-10 rows */
  const bt_kernel_pair *pairs;
  const bt_kernel_glue *glue;
  /* Folded maps: affinity + q electrostatics + |q| desolvation of one (type, charge) class. Point (i, j, k) stands at
   * i stride_x + j stride_y + k stride_z. In the packed layout each point is followed by its neighbours in y, in z and
   * in both (corner_y = 1, corner_z = 2, corner_yz = 3, stride_x = 4), so that a cell is 32 contiguous bytes. */
  const float *maps;
  long map_stride;             /* floats from one map to the next */
  int stride_x, stride_y, stride_z;
  int corner_y, corner_z, corner_yz;
  float inverse_spacing;
  float size_x, size_y, size_z;     /* of the box, A */
  float cells_x, cells_y, cells_z;  /* npts - 1: the highest lower corner of a cell */
} bt_kernel_data;

/* A pose in memory: position (A), quaternion (x, y, z, w), torsions (rad). */
#define BT_GENE_POSITION 0
#define BT_GENE_QUATERNION 3
#define BT_GENE_TORSION 7
#define BT_GENES(n_torsions) (7 + (n_torsions))
/* Degrees of freedom of a step: position, rotation vector, torsions. */
#define BT_DOF_ROTATION 3
#define BT_DOF_TORSION 6
#define BT_DOFS(n_torsions) (6 + (n_torsions))

#endif
