/* launch.h - what host and device agree on when whole generations run on a device: kernels, their tables, their memory.
 *
 * All memory of a job but the maps is one buffer, the arena; tables hold byte offsets into it, so the same bytes are
 * right on every device. Blocks are poses x team work-items; a table says which poses of which ligand are whose.
 */
#ifndef BERTH_KERNEL_AD4_LAUNCH_H
#define BERTH_KERNEL_AD4_LAUNCH_H

#include "data.h"
#include "memory.h"
#include "parameters.h"

typedef long bt_offset; /* 64 bits on every host and device that we build for */

/* X(constant, entry): entries are the names of the device functions. */
#define BT_LAUNCH_KERNELS(X)                                                                                   \
  X(BT_LAUNCH_FOLD, bt_entry_fold)           /* maps of one class: blocks[].first is the class */              \
  X(BT_LAUNCH_INITIAL, bt_entry_initial)     /* random individuals, evaluated */                               \
  X(BT_LAUNCH_PREPARE, bt_entry_prepare)     /* one run per work-item: elite, roulette wheel */                \
  X(BT_LAUNCH_OFFSPRING, bt_entry_offspring) /* selection, crossover, mutation, evaluated */                   \
  X(BT_LAUNCH_ADADELTA, bt_entry_adadelta)   /* local searches */                                              \
  X(BT_LAUNCH_SOLIS_WETS, bt_entry_solis_wets)                                                                 \
  X(BT_LAUNCH_ADAM, bt_entry_adam)                                                                             \
  X(BT_LAUNCH_FINISH, bt_entry_finish)     /* one run per work-item: counts evaluations, finds the best */     \
  X(BT_LAUNCH_AUTOSTOP, bt_entry_autostop) /* one ligand per block: whether its search has converged */        \
  X(BT_LAUNCH_ENERGY, bt_entry_energy)     /* energies of given genes */                                       \
  X(BT_LAUNCH_GRADIENT, bt_entry_gradient) /* energies and gene gradients of given genes */                    \
  X(BT_LAUNCH_DRAW, bt_entry_draw)         /* random words */                                                  \
  X(BT_LAUNCH_CYCLES, bt_entry_cycles)     /* ADADELTA, counting cycles; nothing where they are not counted */ \
  X(BT_LAUNCH_PARTIALS, bt_entry_partials) /* what a team adds up, and its sums; likewise */

typedef enum bt_launch_kernel {
#define BT_LAUNCH_ENUM(constant, entry) constant,
  BT_LAUNCH_KERNELS(BT_LAUNCH_ENUM)
#undef BT_LAUNCH_ENUM
      BT_LAUNCH_KERNEL_COUNT
} bt_launch_kernel;

/* The state of one run that the host reads after a generation. */
typedef struct bt_launch_run {
  bt_offset evaluations;
  float best_energy;
  int best; /* individual */
} bt_launch_run;

/* The pairs as shared out among the ranks of one team size; offsets as in bt_launch_ligand. */
typedef struct bt_launch_schedule {
  bt_offset slots, tiles, pairs;
  bt_offset rows; /* in the place of slots and tiles */
  int bytes;      /* slots, tiles and pairs are one piece of so many bytes, from slots on */
  int n_phases, n_gradients;
  int n_rows[BT_PAIR_KINDS];
} bt_launch_schedule;

#define BT_LAUNCH_SCHEDULES 8 /* team sizes that one job may use */

/* A local search runs in rounds: in each one a lane does some iterations of a search and then saves its state, so that
 * the searches that go on are gathered in full blocks again. Counters and lists of one ligand: */
#define BT_LAUNCH_ROUNDS 16

typedef struct bt_launch_rounds {
  int taken[BT_LAUNCH_ROUNDS];    /* searches that lanes have taken up in a round */
  int left[BT_LAUNCH_ROUNDS + 1]; /* searches to be gone on with in a round; of round 0: unused */
  int unused[31];
} bt_launch_rounds;

/* One ligand of a job; offsets in bytes into the arena unless said otherwise. */
typedef struct bt_launch_ligand {
  bt_search_parameters parameters;
  bt_kernel_sizes sizes;
  bt_kernel_box box;
  bt_offset atoms, bodies, fragments, by_depth, torsion_bodies, classes, glue;
  int table_bytes; /* atoms .. classes are one piece of so many bytes, from atoms on */
  bt_launch_schedule schedules[BT_LAUNCH_SCHEDULES];
  bt_offset maps;                  /* its maps: floats into the maps buffer */
  bt_offset charged;               /* likewise, of shared maps (bt_kernel_data); 0: they are folded */
  bt_offset genes[2], energies[2]; /* present and next population change by_depth every generation */
  bt_offset cumulative;            /* float [runs * population] */
  bt_offset worst;                 /* float [runs * window] */
  bt_offset costs;                 /* int [runs * population]: evaluations of this generation */
  bt_offset runs;                  /* bt_launch_run [runs] */
  bt_offset autostop;              /* bt_autostop_state */
  bt_offset bins;                  /* bt_autostop_bin [population]; float [BT_LAUNCH_BIN_FLOATS] before */
  bt_offset converged;             /* int */
  bt_offset rounds;                /* bt_launch_rounds */
  bt_offset lists;                 /* int [2][runs * population]: searches to go on with, of even and odd rounds */
  bt_offset saved;                 /* float [runs * population][BT_SAVED_REALS] */
} bt_launch_ligand;

#define BT_LAUNCH_BIN_FLOATS 1024 /* work-items of a block at most */

/* What a block works on: the poses (or runs) from first on, the class, ... of one ligand. */
typedef struct bt_launch_block {
  int ligand, first;
} bt_launch_block;

typedef struct bt_launch {
  bt_offset ligands; /* bt_launch_ligand [] */
  bt_offset blocks;  /* bt_launch_block [blocks of this launch] */
  bt_offset state;   /* scratch floats of all blocks, state_floats each */
  bt_offset state_floats;
  int stream_at;                        /* bytes into local memory: BT_STREAM_BYTES per rank */
  int state_at;                         /* likewise, where the state lies there; 0: in the arena */
  int tables_at;                        /* likewise, where the ligand's tables are copied to (BT_TABLES_LOCAL) */
  int schedule_at;                      /* likewise its schedule (BT_SCHEDULE_MAY_BE_LOCAL); 0: it stays in the arena */
  int repeats;                          /* GRADIENT, to time it: how often each pose is evaluated; 0: once */
  bt_offset genes, energies, gradients; /* of given poses: ENERGY, GRADIENT; DRAW: words from genes on */
  bt_offset electrostatic, desolvation; /* FOLD: floats into the maps buffer */
  unsigned int generation;
  int count;    /* given poses; PREPARE, FINISH: runs of a block; FOLD: blocks of a class; local search: > 0
                 * searches individuals 0 .. count - 1 as given */
  int schedule; /* of the ligands' schedules */
  int round;    /* of a local search, and how many iterations a lane does in it; 0: all */
  int round_iterations;
  int present;                     /* which of the two populations is the present one; the other one is next */
  unsigned int purpose, run, step; /* DRAW */
} bt_launch;

/* What PARTIALS writes per pose. */
#define BT_LAUNCH_PARTIALS_REALS(n_atoms, n_bodies, team) ((team) + 6 * (n_atoms) + 6 * (n_bodies) + 1)
/* Of a rank that reads ahead: the pairs of eight visits. */
#define BT_STREAM_BYTES (8 * BT_TILE_ATOMS * (int)sizeof(bt_kernel_pair))

#endif
