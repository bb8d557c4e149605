/* data.h - a ligand and its box as the kernels see them: flat arrays, the same for every pose.
 *
 * Lengths are in Angstrom relative to the box's lower corner, energies in kcal/mol, angles in radians. Atoms are sorted
 * by rigid body (depth first), so a body's own atoms and everything below a torsion are contiguous.
 */
#ifndef BERTH_KERNEL_LGA_DATA_H
#define BERTH_KERNEL_LGA_DATA_H

/* Electrostatics plus desolvation of a pair is one polynomial  E = sum_k c_k y^k, k = 1..ORDER, in y = 1 / (r + SHIFT);
 * c_k = 332.06 w_el q_i q_j * a_k + w_ds S_ij * b_k with a_k, b_k fitted to 1/(r eps(r)) and exp(-r^2/(2 sigma^2))
 * (tools/fit_pair_polynomial.py; errors in docs/accuracy.md). */
#define BT_PAIR_POLYNOMIAL_ORDER 8
#define BT_PAIR_POLYNOMIAL_SHIFT 3.0f

#define BT_KERNEL_CUTOFF 8.0f             /* van der Waals and hydrogen bonds */
#define BT_KERNEL_SMOOTH_HALF 0.25f       /* half the smoothing window */
#define BT_KERNEL_MIN_DISTANCE_SQUARED 0.25f
#define BT_KERNEL_GLUE 50.0f              /* kcal/mol/A between ring-closure atoms */
#define BT_KERNEL_CLOSURE_WIDTH 1.0f      /* A: their pull is nearly harmonic within it */
#define BT_KERNEL_RESTRAINT_WIDTH 0.5f     /* A: a restraint is nearly harmonic within it */
#define BT_KERNEL_OUTSIDE_STIFFNESS 100.0f /* kcal/mol/A^2 outside the box */
#define BT_KERNEL_WALL 16777216.0f        /* kcal/mol per atom outside the box: more than any clash inside costs */
#define BT_KERNEL_NO_LIMIT 3.0e38f

/* Address space of the data that all poses share; empty for host code. */
#ifndef BT_GLOBAL
#define BT_GLOBAL
#endif

/* Loaded 16 bytes at a time where the hardware can. */
#define BT_ALIGNED __attribute__((aligned(16)))

typedef struct BT_ALIGNED bt_kernel_atom {
  float x, y, z; /* reference position relative to its body's axis_from atom (to the center in body 0) */
  int map;       /* index of its map class; -1: in no map */
} bt_kernel_atom;

typedef struct BT_ALIGNED bt_kernel_body {
  int parent;    /* -1 for a root: the ligand's (body 0), the immobile body, or a sliding root */
  int torsion;   /* gene, -1 for a root */
  int axis_from, axis_to;   /* atoms */
  int first_atom, end_atom; /* own atoms */
  int end_body;             /* bodies [itself, end_body) move with this one */
  int immobile;             /* its atoms hold absolute positions */
  float ux, uy, uz;         /* axis in the reference frame, unit length */
  float inverse_length;     /* 1 / |axis_to - axis_from| */
  int first_fragment, end_fragment; /* fragments that move with this body, its own first */
  float x, y, z;            /* axis_from in the parent's reference frame; 0 in a root */
  int slide; /* first of the three position genes of a sliding root, which does not rotate; 0: none */
  int unused[2];
} bt_kernel_body;

/* Some of the atoms of one body: the unit of work of a rank that builds coordinates. */
typedef struct BT_ALIGNED bt_kernel_fragment {
  int body, first_atom, end_atom;
  int scratch; /* where the fragment's 6 scratch numbers lie, see bt_pose_scratch */
} bt_kernel_fragment;

/* Pair kinds. Each has its own rows and tiles, so the branch on the kind is taken once for many pairs. */
#define BT_PAIR_KIND_12_6 0
#define BT_PAIR_KIND_12_10 1
#define BT_PAIR_KIND_VINA 2
#define BT_PAIR_KINDS 3

/* 48 bytes: three 16-byte loads, spelled out in bt_load_pair (intra.h) and bt_stream_next (CUDA's lane.h); see
 * BT_STREAM_BYTES. */
typedef struct BT_ALIGNED bt_kernel_pair {
  int j;
  float distance; /* of the well, A */
  float a, b;     /* V = a x^-12 - b x^-n */
  float c[BT_PAIR_POLYNOMIAL_ORDER]; /* c[k-1] multiplies y^k */
} bt_kernel_pair;

/* A pair of kind VINA keeps its parameters in the same 48 bytes; distance is the sum of both radii, A. See vina.h. */
#define BT_VINA_SHARPNESS1(pair) ((pair).a) /* 1 / width^2 of the first Gaussian, A^-2 */
#define BT_VINA_GAUSS1(pair) ((pair).b)     /* kcal/mol */
#define BT_VINA_GAUSS2(pair) ((pair).c[0])
#define BT_VINA_OFFSET2(pair) ((pair).c[1]) /* A */
#define BT_VINA_SHARPNESS2(pair) ((pair).c[2])
#define BT_VINA_REPULSION(pair) ((pair).c[3])  /* kcal/mol/A^2 */
#define BT_VINA_RAMP(pair) ((pair).c[4])       /* kcal/mol/A: weight divided by width */
#define BT_VINA_RAMP_TOP(pair) ((pair).c[5])   /* A: zero from here on */
#define BT_VINA_RAMP_WIDTH(pair) ((pair).c[6]) /* A */
#define BT_VINA_OFFSET1(pair) ((pair).c[7])

/* Pairs of atom i of one kind: pairs [first, end), padded to a multiple of BT_PAIR_TILE; padding has j = i and
 * parameters that evaluate to zero. */
#ifndef BT_PAIR_TILE
#define BT_PAIR_TILE 8
#endif

typedef struct bt_kernel_row {
  int i, first, end;
} bt_kernel_row;

/* For teams: BT_TILE_ATOMS atoms i that a rank holds in registers while it visits atoms j. A visit is BT_TILE_ATOMS
 * pairs with the same j, from pairs [first, end). Padding has parameters that evaluate to zero. */
#define BT_TILE_ATOMS 3

typedef struct BT_ALIGNED bt_kernel_tile {
  int i[BT_TILE_ATOMS];
  int kind; /* BT_PAIR_KIND_... */
  int first, end;
  int phase; /* when to process it; a sentinel with a phase that never comes ends each rank's tiles */
} bt_kernel_tile;

/* Start of a rank's tiles, ordered by phase, and of their pairs. */
typedef struct bt_kernel_slot {
  int tile, pair;
} bt_kernel_slot;

typedef struct bt_kernel_glue {
  int i, j;
} bt_kernel_glue;

/* A restraint (restrain.h): of contacts [first, end), by atom, the one that is nearest to being least to most A long. */
typedef struct BT_ALIGNED bt_kernel_restraint {
  int first, end;
  float force; /* kcal/mol/A */
  float least, most;
  int unused[3];
} bt_kernel_restraint;

/* An atom and a point; end: behind the last contact of the same atom, so that ranks can skip the atoms of others. */
typedef struct BT_ALIGNED bt_kernel_contact {
  int atom;
  float x, y, z;
  int end;
  int unused[3];
} bt_kernel_contact;

/* Map class, the map felt by atoms of one type and charge: affinity + charge * electrostatic + |charge| * desolvation.
 */
typedef struct bt_kernel_class {
  int affinity; /* index into the grid's affinity maps */
  float charge;
} bt_kernel_class;

typedef struct bt_kernel_sizes {
  int n_atoms, n_ligand_atoms, n_bodies, n_torsions, n_glue, n_classes;
  int n_fragments;
  int n_single;    /* fragments of one atom */
  int n_phases;    /* of the team schedule */
  int n_gradients; /* copies of the atom gradients, so that ranks need not wait for each other */
  int n_confined;  /* atoms [0, n_confined) must stay in the box */
  int vina;        /* all pairs are of kind VINA; otherwise none is */
  int n_slides;    /* trailing torsions that are in fact positions, A, of sliding roots */
  int n_restraints;
} bt_kernel_sizes;

/* Folded or shared maps: point (i, j, k) of a class is at i stride_x + j stride_y + k stride_z. In the packed layout
 * each point is followed by its neighbors in y, in z and in both (corner_y = 1, corner_z = 2, corner_yz = 3, stride_x
 * = 4), so a cell is 32 contiguous bytes. */
typedef struct bt_kernel_box {
  long map_stride;             /* floats from one class to the next */
  int stride_x, stride_y, stride_z;
  int corner_y, corner_z, corner_yz;
  float inverse_spacing;
  float size_x, size_y, size_z;     /* of the box, A */
  float cells_x, cells_y, cells_z;  /* npts - 1: the highest lower corner of a cell */
} bt_kernel_box;

/* The maps as AutoGrid writes them; host only. */
typedef struct bt_kernel_grid {
  int points_x, points_y, points_z;
  int n_affinity;
  int charged;                  /* atoms feel electrostatics and desolvation; else class c is affinity c */
  const float *const *affinity; /* [n_affinity][points] */
  const float *electrostatic, *desolvation;
} bt_kernel_grid;

typedef struct bt_kernel_data {
  bt_kernel_sizes sizes;
  bt_kernel_box box;
  int n_rows[BT_PAIR_KINDS];
  const BT_GLOBAL bt_kernel_atom *atoms;
  const BT_GLOBAL bt_kernel_body *bodies;
  const BT_GLOBAL bt_kernel_fragment *fragments; /* in body order, from the root on */
  const BT_GLOBAL int *torsion_bodies; /* [n_torsions] the body that each torsion rotates */
  const BT_GLOBAL bt_kernel_row *rows; /* one lane per pose: kind after kind */
  const BT_GLOBAL bt_kernel_fragment *by_depth;  /* teams: the fragments, deepest in the torsion tree first */
  const BT_GLOBAL bt_kernel_slot *slots;   /* teams: [team] */
  const BT_GLOBAL bt_kernel_tile *tiles;
  const BT_GLOBAL bt_kernel_pair *pairs; /* of the rows, or of the tiles */
  const BT_GLOBAL bt_kernel_glue *glue;
  const BT_GLOBAL bt_kernel_restraint *restraints;
  const BT_GLOBAL bt_kernel_contact *contacts;
  const BT_GLOBAL float *maps;             /* built from classes and grid: one per class, or shared (see charged) */
  const BT_GLOBAL float *charged; /* NULL: maps are folded. Otherwise maps holds one map per affinity, and this the
                                   * other two, packed: four electrostatic and four desolvation values where a map has
                                   * four values */
  const BT_GLOBAL bt_kernel_class *classes;
  const bt_kernel_grid *grid;          /* host only */
} bt_kernel_data;

/* Teams of at least this many ranks sum each body's subtree cooperatively, see bt_pose_scratch.subtrees. */
#define BT_SUBTREES_TEAM 8

/* A pose in memory: position (A), quaternion (x, y, z, w), torsions (rad). When several ligands are docked together,
 * each further one hangs from a sliding root through three rotations about axes through its center; their angles count
 * as torsions, and so do the positions, which follow all torsions. */
#define BT_GENE_POSITION 0
#define BT_GENE_QUATERNION 3
#define BT_GENE_TORSION 7
#define BT_GENES(n_torsions) (7 + (n_torsions))
/* Degrees of freedom of a step: position, rotation vector, torsions. */
#define BT_DOF_ROTATION 3
#define BT_DOFS(n_torsions) (6 + (n_torsions))

#endif
