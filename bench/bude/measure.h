/* measure.h - the second engine's benchmark: decks of the public mini-app, energies proved before a speed is told.
 */
#ifndef BERTH_BENCH_BUDE_MEASURE_H
#define BERTH_BENCH_BUDE_MEASURE_H

#include <berth/berth.h>

/* How the energy kernel runs. Zeros: tuned on the device, kept in the cache. */
typedef struct bt_bude_bench_choice {
  int poses_per_item;   /* poses of a work-item; vectors of poses on a processor */
  int group;            /* work-items of a group */
  int part_atoms;       /* ligand atoms that a work-item evaluates */
  unsigned int without; /* optimisations that are left out: bits of bt_bude_bench_step */
} bt_bude_bench_choice;

/* Name and sentence of an optimisation and its bit, for index = 0, 1, ...; false behind the last. */
bool bt_bude_bench_step(int index, const char **ret_name, const char **ret_sentence, unsigned int *ret_bit);

/* One measurement. The mini-app's count of operations: W poses per work-item cost
 * 27 W + n_ligand (2 + 18 W + n_protein (10 + 30 W)) + W. */
typedef struct bt_bude_bench_result {
  bt_bude_bench_choice choice; /* as it was run */
  int lanes;                   /* poses side by side in a vector */
  double deviation;            /* largest, percent of the reference energy */
  size_t worst_pose;
  bool valid;     /* deviation < 0.025 */
  double seconds; /* one iteration: all poses once; mean of all iterations */
  double seconds_best;
  double interactions; /* per second; 0 if not valid */
  double operations;   /* per second by the mini-app's count, of W poses per work-item; 0 if not valid */
} bt_bude_bench_result;

typedef struct bt_bude_bench bt_bude_bench;

/* Reads a deck (forcefield.in, protein.in, ligand.in, poses.in, ref_energies.out) and opens the device. poses: the
 * first so many, 0 for all. BT_ERR_INPUT without reference energies. */
bt_status bt_bude_bench_open(const char *deck, const char *opt_device, int threads, size_t poses,
                             bt_bude_bench **ret_bench, bt_error *opt_error) BT_MUST_USE;
void bt_bude_bench_close(bt_bude_bench *opt_bench);
size_t bt_bude_bench_poses(const bt_bude_bench *bench);
size_t bt_bude_bench_protein_atoms(const bt_bude_bench *bench);
size_t bt_bude_bench_ligand_atoms(const bt_bude_bench *bench);
const char *bt_bude_bench_device(const bt_bude_bench *bench);
const char *bt_bude_bench_description(const bt_bude_bench *bench);

/* Scores all poses warm_up + iterations times. BT_ERR_LIMIT: this build or device has no such choice. */
bt_status bt_bude_bench_run(bt_bude_bench *bench, const bt_bude_bench_choice *choice, int warm_up, int iterations,
                            bt_bude_bench_result *ret_result, bt_error *opt_error) BT_MUST_USE;

/* Operations per second of a loop of multiply-adds alone, which is what the device can do; a multiply-add is two. */
bt_status bt_bude_bench_peak(bt_bude_bench *bench, double *ret_operations, bt_error *opt_error) BT_MUST_USE;

/* A search as `berth bude` does it, with n_ligands conformations of the deck's ligand at once, the deck's number of
 * poses, and the 100 best kept: seconds of a whole search, and of its energies alone. */
bt_status bt_bude_bench_search(bt_bude_bench *bench, const bt_bude_bench_choice *choice, int n_ligands, int generations,
                               double *ret_seconds, double *ret_energy_seconds, bt_error *opt_error) BT_MUST_USE;

#endif
