/* bude.h - decks of the public mini-app on the second engine: energies are proved before a speed is told. */
#ifndef BERTH_BENCH_BUDE_BUDE_H
#define BERTH_BENCH_BUDE_BUDE_H

#include "engine/bude/deck.h"
#include "engine/bude/engine.h"

/* One measurement. The mini-app's count of operations: W poses per work-item cost
 * 27 W + n_ligand (2 + 18 W + n_protein (10 + 30 W)) + W. */
typedef struct bude_result {
  bt_bude_engine_options used;
  int lanes;        /* poses side by side in a vector */
  double deviation; /* largest, percent of the reference energy */
  size_t worst_pose;
  bool valid;     /* deviation < 0.025 */
  double seconds; /* one iteration: all poses once; mean of all iterations */
  double seconds_best, seconds_worst;
  double interactions; /* per second; 0 if not valid */
  double operations;   /* per second by the mini-app's count, of W poses per work-item; 0 if not valid */
} bude_result;

/* Starts with the device's name alone. */
typedef struct bude_bench {
  const char *device; /* borrowed */
  bt_bude_deck *deck;
  bt_bude_engine *engine; /* of the last choice */
  bt_bude_engine_options choice;
  float *energies; /* [n_poses] */
} bude_bench;

/* Reads a deck (forcefield.in, protein.in, ligand.in, poses.in, ref_energies.out) and opens the device. poses: the
 * first so many, 0 for all. BT_ERR_INPUT without reference energies. Close it also after a failure. */
bt_status bude_bench_open(bude_bench *bench, const char *folder, int threads, size_t poses,
                          bt_error *opt_error) BT_MUST_USE;
void bude_bench_close(bude_bench *bench);

/* Scores all poses warm_up + iterations times; zeros of choice are tuned on the device. BT_ERR_LIMIT: this build or
 * device has no such choice. */
bt_status bude_bench_run(bude_bench *bench, const bt_bude_engine_options *choice, int warm_up, int iterations,
                         bude_result *ret_result, bt_error *opt_error) BT_MUST_USE;

/* Whether the device's kernels have an optimisation (BT_BUDE_WITHOUT_...) of a choice, so that leaving it out makes a
 * difference: without it the same code would be timed twice. */
bool bude_bench_has(const bude_bench *bench, const bt_bude_engine_options *choice, unsigned int optimisation);

/* Operations per second of a loop of multiply-adds alone, which is what the device can do; a multiply-add is two. */
bt_status bude_bench_peak(bude_bench *bench, double *ret_operations, bt_error *opt_error) BT_MUST_USE;

/* A search as `berth bude` does it, with n_ligands conformations of the deck's ligand at once, the deck's number of
 * poses, and the 100 best kept: seconds of a whole search, and of its energies alone. */
bt_status bude_bench_search(bude_bench *bench, const bt_bude_engine_options *choice, int n_ligands, int generations,
                            double *ret_seconds, double *ret_energy_seconds, bt_error *opt_error) BT_MUST_USE;

#endif
