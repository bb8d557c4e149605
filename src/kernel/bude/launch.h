/* launch.h - the interface of host and device for the BUDE engine: kernels, data, memory.
 *
 * All memory is one buffer, the arena; the launch holds byte offsets into it, so the same bytes are valid on every
 * device. A ligand here is one rigid conformer; all ligands of an arena have the same population size.
 */
#ifndef BERTH_KERNEL_BUDE_LAUNCH_H
#define BERTH_KERNEL_BUDE_LAUNCH_H

typedef long bt_bude_offset; /* 64 bits on every host and device supported */

/* An atom as stored in deck files: 16 bytes. Angstrom. */
typedef struct bt_bude_atom {
  float x, y, z;
  int type; /* row of the force field */
} bt_bude_atom;

/* A receptor atom as the energy kernel reads it. Atoms of a run (below) are contiguous. */
typedef struct bt_bude_site {
  float x, y, z;
  float square; /* x^2 + y^2 + z^2 */
} __attribute__((aligned(16))) bt_bude_site;

/* Receptor atoms whose types behave alike. */
typedef struct bt_bude_run {
  int first, count;
} bt_bude_run;

/* Energy parameters of a ligand type with a run. With R the sum of radii and r the distance, each ramp is min(1, max(0,
 * offset - slope r)). kind says which terms are present. */
typedef struct bt_bude_pair {
  float reach;           /* R */
  float hardness, slope; /* steric: hardness * max(0, 1 - slope r), slope = 1/R */
  float charge, charge_slope, charge_offset;
  float desolvation, desolvation_slope, desolvation_offset;
  int kind; /* BT_BUDE_CHARGE | BT_BUDE_DESOLVATION */
  float unused[2];
} bt_bude_pair;

#define BT_BUDE_CHARGE 1
#define BT_BUDE_DESOLVATION 2

/* Atoms [first, first + count) are one ligand's. */
typedef struct bt_bude_extent {
  int first, count;
} bt_bude_extent;

/* Parameters of a type, for kernels that compute pairs on the fly (BT_BUDE_WITHOUT_TABLE). */
typedef struct bt_bude_parameters {
  float radius, hydrophobic, hardness, reach_nonpolar, reach_polar, charge;
  int class_code; /* bits BT_BUDE_FORMAL, BT_BUDE_EITHER */
  int unused;
} bt_bude_parameters;

#define BT_BUDE_FORMAL 1
#define BT_BUDE_EITHER 2

/* Optimizations that a variant of the energy kernel lacks, to measure what each is worth. */
#define BT_BUDE_WITHOUT_KINDS 1u    /* one general loop instead of a loop per kind of run */
#define BT_BUDE_WITHOUT_RUNS 2u     /* receptor atoms in file order, pair parameters read for every pair */
#define BT_BUDE_WITHOUT_TABLE 4u    /* likewise, pair parameters computed for every pair from those of the two types */
#define BT_BUDE_WITHOUT_SELECT 8u   /* likewise, and branches instead of ramps */
#define BT_BUDE_WITHOUT_LOCAL 16u   /* receptor atoms read from global memory */
#define BT_BUDE_WITHOUT_FAST 32u    /* full-precision square roots */
#define BT_BUDE_WITHOUT_SOA 64u     /* poses as an array of structures: float [stride][6] */
#define BT_BUDE_WITHOUT_SQUARE 256u /* sum of squared coordinate differences instead of squares and a dot product */
#define BT_BUDE_WITHOUT_CONSTANTS                                                                                   \
  512u                             /* what is equal for all types read from memory where it could be compiled in; a \
                                    * matter of compiling at run time, not of the kernel */
#define BT_BUDE_WITHOUT_PARTS 128u /* whole ligands per work-item; a matter of the launch, not of the kernel */

/* X(constant, entry): entries are the names of the device functions. Sums over receptor atoms, per part of a ligand: */
#define BT_BUDE_ENERGY_KERNELS(X) X(BT_BUDE_ENERGY, bt_bude_energy)
/* Kernels with a single variant. The launch chooses the group size; groups have local memory. */
#define BT_BUDE_SEARCH_KERNELS(X)                                                     \
  X(BT_BUDE_FOLD, bt_bude_fold)         /* sums over the parts */                     \
  X(BT_BUDE_PEAK, bt_bude_peak)         /* multiply-adds only: the device's peak */       \
  X(BT_BUDE_FIRST, bt_bude_first)       /* generation 0 */                            \
  X(BT_BUDE_SORT, bt_bude_sort)         /* energies of a bin of poses */              \
  X(BT_BUDE_BEST, bt_bude_best)         /* the parents: the best poses of all bins */ \
  X(BT_BUDE_CHILDREN, bt_bude_children) /* the next generation */
/* Maximum group size of either. */
#define BT_BUDE_ENERGY_ITEMS 256
#define BT_BUDE_SEARCH_ITEMS 1024

typedef enum bt_bude_kernel {
#define BT_BUDE_ENUM(constant, entry) constant,
  BT_BUDE_SEARCH_KERNELS(BT_BUDE_ENUM)
#undef BT_BUDE_ENUM
      BT_BUDE_KERNEL_COUNT
} bt_bude_kernel;

/* Additional data of the search kernels; byte offsets from bt_bude_launch.extra unless stated otherwise. */
typedef struct bt_bude_search {
  unsigned int seed[2];
  unsigned int generation;      /* the one that CHILDREN makes, from 1 */
  int parents;                  /* number of best poses kept and mutated, at least 1 */
  int distinct;                 /* 1: equal poses count once among the parents */
  int bin;                      /* poses sorted together, a power of 2 */
  int grid[6];                  /* values of each component: angles at most 512, translations at most 4096 */
  bt_bude_offset table;         /* float, the grids' values: [grid[0]], ..., [grid[5]] */
  bt_bude_offset ids;           /* unsigned int [n_ligands]: keys of their random numbers */
  bt_bude_offset codes;         /* unsigned long [n_ligands][stride]: poses as indices */
  bt_bude_offset keys;          /* unsigned long [n_ligands][bins][bin]: energy and pose */
  bt_bude_offset best;          /* unsigned long [n_ligands][parents]: codes, best first */
  bt_bude_offset best_energies; /* float [n_ligands][parents] */
  bt_bude_offset counts;        /* int [n_ligands]: number of parents */
} bt_bude_search;

/* Byte offsets into the arena. */
typedef struct bt_bude_launch {
  bt_bude_offset receptor; /* bt_bude_site [n_receptor] */
  bt_bude_offset unsorted; /* bt_bude_atom [n_receptor]: in file order; type is the run */
  bt_bude_offset runs;     /* bt_bude_run [n_runs] */
  bt_bude_offset pairs;    /* bt_bude_pair [n_types][n_runs] */
  bt_bude_offset types;    /* bt_bude_parameters [n_types], followed by those of the runs: [n_runs] */
  bt_bude_offset atoms;    /* bt_bude_atom, of all ligands */
  bt_bude_offset ligands;  /* bt_bude_extent [n_ligands] */
  bt_bude_offset poses;    /* float [n_ligands][6][stride]: three angles in radians, three translations in Angstrom */
  bt_bude_offset energies; /* float [n_ligands][stride]; never NaN */
  bt_bude_offset parts;    /* float [n_ligands][n_parts][stride] */
  bt_bude_offset extra;    /* the search's own memory */
  int n_receptor, n_runs, n_types, n_ligands;
  int tile;                /* receptor atoms in local memory at once; no run crosses a tile boundary */
  int zero;                /* 0, hidden from the compiler */
  float scale;             /* of the coordinates of sites: units per Angstrom */
  int n_poses;             /* of each ligand */
  int stride;              /* n_poses rounded up to a multiple of BT_BUDE_STRIDE; poses from n_poses on are padding */
  int n_parts, part_atoms; /* a ligand is evaluated in parts of part_atoms atoms; with one part no FOLD is needed */
  int count;               /* PEAK: repeats */
  bt_bude_search search;
} bt_bude_launch;

#define BT_BUDE_STRIDE 256

#endif
