/* bude.h - runs decks of miniBUDE on the BUDE engine; energies are validated before a speed is reported. */
#ifndef BERTH_BENCH_BUDE_BUDE_H
#define BERTH_BENCH_BUDE_BUDE_H

#include "engine/bude/deck.h"
#include "engine/bude/engine.h"
#include "engine/bude/engine_internal.h"
#include "engine/bude/search.h"

/* One measurement. miniBUDE's count of operations for W poses per work-item:
 * 27 W + n_ligand (2 + 18 W + n_protein (10 + 30 W)) + W. */
typedef struct bude_result {
  bt_bude_engine_options used;
  int lanes;        /* poses per vector */
  double deviation; /* largest, percent of the reference energy */
  size_t worst_pose;
  bool valid;     /* deviation < 0.025 */
  double seconds; /* per iteration (all poses once), mean */
  double seconds_best, seconds_worst;
  double interactions; /* per second; 0 if not valid */
  double operations;   /* per second by miniBUDE's count, for W poses per work-item; 0 if not valid */
  double executed;     /* operations that the kernel executes per interaction (bude_operations); may be NAN */
} bude_result;

/* A whole search. */
typedef struct bude_search {
  double seconds, energy_seconds; /* of all, and of as many energies alone */
  double deviation; /* largest, percent, of the energy of a pose that was found from that of the pose scored by itself */
  bool valid;       /* deviation < 0.025 */
} bude_search;

/* What kernel/bude/energy.h leaves to the back end. */
typedef struct bude_arithmetic {
  int root;      /* operations of bt_root */
  bool saturate; /* BT_SATURATE: a clamp to [0, 1] costs nothing */
} bude_arithmetic;

/* device: as named by the engine, "cpu/avx2". */
bude_arithmetic bude_arithmetic_of(const char *device);

/* Mean number of floating-point operations that the innermost loop of the energy kernel executes for a pair of a ligand
 * atom and a receptor atom. Multiplies, additions, limits, roots and their estimates count as one operation, a
 * multiply-add as two, as in the paper on BUDE; what is done once per ligand atom and pose is not counted. NAN for
 * kernels without runs of receptor atoms, which compute parameters of pairs, or branch, in that loop. */
double bude_operations(const bt_bude_tables *tables, const bt_bude_atom *ligand, size_t n_ligand, unsigned int without,
                       bude_arithmetic arithmetic);

/* Zeroed but for the name of the device before bude_bench_open. */
typedef struct bude_bench {
  const char *device; /* borrowed */
  bt_bude_deck *deck;
  bt_bude_engine *engine; /* for the last choice */
  bt_bude_engine_options choice;
  float *energies; /* [n_poses] */
} bude_bench;

/* Reads a deck (forcefield.in, protein.in, ligand.in, poses.in, ref_energies.out) and opens the device. poses: use
 * the first so many; 0: all. BT_ERR_INPUT if the deck has no reference energies. Close it also after a failure. */
bt_status bude_bench_open(bude_bench *bench, const char *folder, int threads, size_t poses,
                          bt_error *opt_error) BT_MUST_USE;
void bude_bench_close(bude_bench *bench);

/* Scores all poses warm_up + iterations times; members of choice that are 0 are tuned on the device. BT_ERR_LIMIT: the
 * choice is not available in this build or on this device. */
bt_status bude_bench_run(bude_bench *bench, const bt_bude_engine_options *choice, int warm_up, int iterations,
                         bude_result *ret_result, bt_error *opt_error) BT_MUST_USE;

/* Whether the device's kernels for a choice use an optimization (BT_BUDE_WITHOUT_...); if not, switching it off would
 * only time the same code twice. */
bool bude_bench_has(const bude_bench *bench, const bt_bude_engine_options *choice, unsigned int optimization);

/* Peak of the device, measured: operations per second of a loop of multiply-adds, each counted as two. */
bt_status bude_bench_peak(bude_bench *bench, double *ret_operations, bt_error *opt_error) BT_MUST_USE;

/* Raises *ret_deviation to the largest deviation, percent, of the energies of found[count], as a search reports them,
 * from those of the same poses of the deck's ligand alone, which bude_bench_run compares with the reference. */
bt_status bude_bench_compare(bude_bench *bench, const bt_bude_found *found, size_t count, double *ret_deviation,
                             bt_error *opt_error) BT_MUST_USE;

/* A search as in `berth bude`: n_ligands conformations of the deck's ligand at once, as many poses as the deck has, the
 * 100 best kept. *ret_search starts as zeros. */
bt_status bude_bench_search(bude_bench *bench, const bt_bude_engine_options *choice, int n_ligands, int generations,
                            bude_search *ret_search, bt_error *opt_error) BT_MUST_USE;

#endif
