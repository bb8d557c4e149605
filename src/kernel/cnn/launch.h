/* launch.h - the interface of host and device for convolutional networks that score poses: kernels, data, memory.
 *
 * Activations are voxel-major with the channels of a voxel side by side, and every field has a border of one voxel of
 * zeros: a convolution needs no test for the edge, and its lanes are output channels. The arena holds atoms and
 * activations, the second buffer (maps) the weights. The networks are those of gnina 1.0: McNutt et al., J. Cheminform.
 * 13, 43 (2021); the density of an atom: Sunseri and Koes, J. Chem. Inf. Model. 60, 1079 (2020).
 */
#ifndef BERTH_KERNEL_CNN_LAUNCH_H
#define BERTH_KERNEL_CNN_LAUNCH_H

typedef long bt_cnn_offset; /* 64 bits on every host and device supported */

/* The grid: points along an edge, 0.5 A apart, and the edge of the first field, for which 2 x 2 x 2 points are pooled. */
#define BT_CNN_POINTS 48
#define BT_CNN_SPACING 0.5f
#define BT_CNN_EDGE 24
/* Channels of 14 types of receptor and of ligand atoms, and the stride of the first field. */
#define BT_CNN_CHANNELS 28
#define BT_CNN_FIRST_STRIDE 32
/* The density of an atom ends at this multiple of its radius. */
#define BT_CNN_REACH 1.5f

/* An atom, relative to the center of the grid, in Angstrom. */
typedef struct bt_cnn_atom {
  float x, y, z;
  float radius;
} __attribute__((aligned(16))) bt_cnn_atom;

/* Atoms [first, first + count) of a pose, which belong to one channel; or inputs. */
typedef struct bt_cnn_extent {
  int first, count;
} bt_cnn_extent;

/* float [n_poses][edge + 2][edge + 2][edge + 2][stride], at an offset into the arena; the border is zero. */
typedef struct bt_cnn_field {
  bt_cnn_offset at; /* -1: none */
  int edge, stride;
} bt_cnn_field;

/* X(constant, entry): entries are the names of the device functions. */
#define BT_CNN_KERNELS(X)                                                         \
  X(BT_CNN_GRID, bt_cnn_grid)         /* densities, pooled: means and maxima */   \
  X(BT_CNN_POOL, bt_cnn_pool)         /* 2 x 2 x 2 voxels into one */             \
  X(BT_CNN_CONVOLVE, bt_cnn_convolve) /* 3 x 3 x 3 or 1 x 1 x 1, bias, ReLU */    \
  X(BT_CNN_OUTPUT, bt_cnn_output)     /* the three outputs of a network */

typedef enum bt_cnn_kernel {
#define BT_CNN_ENUM(constant, entry) constant,
  BT_CNN_KERNELS(BT_CNN_ENUM)
#undef BT_CNN_ENUM
      BT_CNN_KERNEL_COUNT
} bt_cnn_kernel;

/* Maximum group size. */
#define BT_CNN_ITEMS 256
/* GRID on a CPU: one plane of pooled voxels, that is two planes of points; rows have room for a vector past their end. */
#define BT_CNN_ROW 64
#define BT_CNN_SLAB (2 * BT_CNN_POINTS * BT_CNN_ROW)
/* GRID of groups with local memory: a cube of pooled voxels, one for each work-item, and what it takes of local memory. */
#define BT_CNN_CUBE 4
#define BT_CNN_CUBE_ITEMS (BT_CNN_CUBE * BT_CNN_CUBE * BT_CNN_CUBE)
#define BT_CNN_CUBE_BYTES (BT_CNN_CUBE_ITEMS * (2 * (BT_CNN_CHANNELS + 1) + 2) * 4)
/* Output channels whose weights lie side by side. */
#define BT_CNN_GROUP 16
/* Outputs: two logits of the pose, the affinity in pK. */
#define BT_CNN_OUTPUTS 3

/* BT_CNN_PRODUCTS: how the products of convolutions are computed. Others than single precision need tensor cores:
 * convolve_matrix.h. */
#define BT_CNN_SINGLE 0
#define BT_CNN_TF32_EC 1
#define BT_CNN_BF16_3 2
#define BT_CNN_TF32 3
#define BT_CNN_FP16 4
#define BT_CNN_KINDS 5

/* On tensor cores a group has a brick of these sides, of at most BT_CNN_ITEMS voxels; local memory holds it with a
 * border of one voxel, at most BT_CNN_STAGED of them, with at most BT_CNN_STAGED_BYTES for each. */
#define BT_CNN_BRICK(edge, side)                                                                       \
  ((side)[0] = (edge) == 24 ? 4 : 6, (side)[1] = (edge) == 24 ? 8 : (edge) == 12 ? 3 : 6, \
   (side)[2] = (edge) == 24 ? 8 : (edge) == 12 ? 12 : 6)
#define BT_CNN_STAGED 600
#define BT_CNN_STAGED_BYTES 80

typedef struct bt_cnn_launch {
  bt_cnn_field from, to;
  int n_poses;
  /* GRID: groups are [pose][plane] or [pose][cube]; channel c of the fields is the c-th of the n_in channels that have atoms. */
  bt_cnn_field peak;      /* of maxima; to: of means */
  bt_cnn_offset atoms;    /* bt_cnn_atom, of all poses */
  bt_cnn_offset extents;  /* bt_cnn_extent [n_poses][n_in] */
  bt_cnn_offset slabs;    /* float [n_poses][BT_CNN_EDGE][BT_CNN_SLAB], where groups have no local memory */
  /* CONVOLVE: groups are [pose][plane], on tensor cores [pose][brick][channels]. Offsets into the second buffer, in
   * floats. */
  bt_cnn_offset weights;  /* float [n_out / 16][taps^3][all_in][16]; for tensor cores as rescore/cnn/plan_matrix.c says */
  bt_cnn_offset bias;     /* float [n_biases][n_out] */
  bt_cnn_offset channels; /* int [n_in] in the arena: of which inputs the first field has the channels; -1: all */
  bt_cnn_offset ranges;   /* bt_cnn_extent [n_ranges] in the second buffer: inputs that are not skipped */
  int n_ranges;           /* 0: none of the n_in inputs is skipped */
  int n_in, all_in, n_out;
  int first_out;          /* channel of to that receives the first output */
  int taps;               /* 3 or 1 */
  int n_biases;           /* 1, or 27: for voxels at the edge the bias differs, by (x, y, z) being 0, inside, last */
  int maximum;            /* POOL: the maximum instead of the mean; OUTPUT: of each channel, over all voxels */
  bt_cnn_offset outputs;  /* float [n_poses][BT_CNN_OUTPUTS] in the arena; weights: float [3][voxels][n_in] */
} bt_cnn_launch;

#endif
