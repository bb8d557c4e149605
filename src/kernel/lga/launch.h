/* launch.h - the interface of host and device for running whole generations on a device: kernels, tables, memory.
 *
 * All memory of a job except the maps is one buffer, the arena. Tables hold byte offsets into it, so the same bytes are
 * valid on every device. A block has poses x team work-items; a table assigns poses of ligands to blocks.
 */
#ifndef BERTH_KERNEL_LGA_LAUNCH_H
#define BERTH_KERNEL_LGA_LAUNCH_H

#include "data.h"
#include "memory.h"
#include "parameters.h"

typedef long bt_offset; /* 64 bits on every host and device supported */

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
  X(BT_LAUNCH_AUTOSTOP, bt_entry_autostop) /* one ligand per block: convergence test */                        \
  X(BT_LAUNCH_ENERGY, bt_entry_energy)     /* energies of given genes */                                       \
  X(BT_LAUNCH_GRADIENT, bt_entry_gradient) /* energies and gene gradients of given genes */                    \
  X(BT_LAUNCH_DRAW, bt_entry_draw)         /* random words */                                                  \
  X(BT_LAUNCH_CYCLES, bt_entry_cycles)     /* ADADELTA, timed; does nothing without BT_STUDY */                \
  X(BT_LAUNCH_PARTIALS, bt_entry_partials) /* a team's summands and sums; likewise */

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

/* The pairs as distributed over the ranks of one team size; offsets as in bt_launch_ligand. */
typedef struct bt_launch_schedule {
  bt_offset slots, tiles, pairs;
  bt_offset rows; /* used instead of slots and tiles */
  int bytes;      /* of slots, tiles and pairs, which are contiguous from slots on */
  int n_phases, n_gradients;
  int n_rows[BT_PAIR_KINDS];
} bt_launch_schedule;

#define BT_LAUNCH_SCHEDULES 8 /* distinct team sizes per job */

/* A local search runs in rounds: in each, a lane does a number of iterations of a search and then saves its state, so
 * that the unfinished searches can be compacted into full blocks. Counters of one ligand: */
#define BT_LAUNCH_ROUNDS 16

typedef struct bt_launch_rounds {
  int taken[BT_LAUNCH_ROUNDS];    /* searches claimed by lanes in a round */
  int left[BT_LAUNCH_ROUNDS + 1]; /* unfinished searches at the start of a round; unused for round 0 */
  int unused[31];
} bt_launch_rounds;

/* One ligand of a job; byte offsets into the arena unless stated otherwise. */
typedef struct bt_launch_ligand {
  bt_search_parameters parameters;
  bt_kernel_sizes sizes;
  bt_kernel_box box;
  bt_offset atoms, bodies, fragments, by_depth, torsion_bodies, classes, glue, restraints, contacts;
  int table_bytes; /* of atoms .. classes, which are contiguous from atoms on */
  bt_launch_schedule schedules[BT_LAUNCH_SCHEDULES];
  bt_offset maps;                  /* its maps: float offset into the maps buffer */
  bt_offset charged;               /* likewise, with shared maps (bt_kernel_data); 0: they are folded */
  bt_offset genes[2], energies[2]; /* present and next population swap roles every generation */
  bt_offset cumulative;            /* float [runs * population] */
  bt_offset worst;                 /* float [runs * window] */
  bt_offset costs;                 /* int [runs * population]: evaluations of this generation */
  bt_offset runs;                  /* bt_launch_run [runs] */
  bt_offset autostop;              /* bt_autostop_state */
  bt_offset bins;                  /* bt_autostop_bin [population]; first used as float [BT_LAUNCH_BIN_FLOATS] */
  bt_offset converged;             /* int */
  bt_offset rounds;                /* bt_launch_rounds */
  bt_offset lists;                 /* int [2][runs * population]: unfinished searches of even and odd rounds */
  bt_offset saved;                 /* float [runs * population][BT_SAVED_REALS] */
} bt_launch_ligand;

#define BT_LAUNCH_BIN_FLOATS 1024 /* maximum number of work-items per block */

/* The work of a block: the poses (or runs, or the class) of one ligand from first on. */
typedef struct bt_launch_block {
  int ligand, first;
} bt_launch_block;

typedef struct bt_launch {
  bt_offset ligands; /* bt_launch_ligand [] */
  bt_offset blocks;  /* bt_launch_block [blocks of this launch] */
  bt_offset state;   /* scratch floats of all blocks, state_floats each */
  bt_offset state_floats;
  int stream_at;                        /* byte offset into local memory: BT_STREAM_BYTES per rank */
  int state_at;                         /* likewise, of the state; 0: it is in the arena */
  int tables_at;                        /* likewise, of the copy of the ligand's tables (BT_TABLES_LOCAL) */
  int schedule_at;                      /* likewise, of its schedule (BT_SCHEDULE_MAY_BE_LOCAL); 0: it stays in the
                                         * arena */
  int repeats;                          /* GRADIENT, for timing: evaluations per pose; 0: one */
  bt_offset genes, energies, gradients; /* of given poses: ENERGY, GRADIENT; DRAW: words from genes on */
  bt_offset electrostatic, desolvation; /* FOLD: float offsets into the maps buffer */
  unsigned int generation;
  int count;    /* given poses; PREPARE, FINISH: runs per block; FOLD: blocks per class; local search: if > 0, searches
                 * individuals 0 .. count - 1 as given */
  int schedule; /* index into the ligands' schedules */
  int round;    /* of a local search, and the iterations per lane in it; 0: unlimited */
  int round_iterations;
  int present;                     /* index of the present population; the other one is next */
  unsigned int purpose, run, step; /* DRAW */
} bt_launch;

/* What PARTIALS writes per pose. */
#define BT_LAUNCH_PARTIALS_REALS(n_atoms, n_bodies, team) ((team) + 6 * (n_atoms) + 6 * (n_bodies) + 1)
/* Per streaming rank: the pairs of eight visits. */
#define BT_STREAM_BYTES (8 * BT_TILE_ATOMS * (int)sizeof(bt_kernel_pair))

#endif
