/* search.h - evolutionary Monte Carlo over the six degrees of freedom of rigid ligands, on an engine's device.
 *
 * Poses are points of a grid: angles -180 + step, ..., 180 degrees about fixed x, then y, then z, and translations that
 * are symmetric about 0. Generation 0 is uniform over it; every later one holds the best poses of the one before and
 * mutants of them (kernel/bude/search.h). All conformations of a batch are searched together, each by itself; only
 * their best poses come back.
 */
#ifndef BERTH_ENGINE_BUDE_SEARCH_H
#define BERTH_ENGINE_BUDE_SEARCH_H

#include "engine/bude/engine.h"

typedef struct bt_bude_grid {
  int n_angles;         /* of each angle, at most 512 */
  int n[3];             /* translations, at most 4096 */
  double step, spacing; /* degrees; Angstrom */
} bt_bude_grid;

/* The grid with translations within half of size (Angstrom) to both sides. BT_ERR_USAGE when a step is too small or
 * is no part of 360 degrees. */
bt_status bt_bude_grid_make(const double size[3], double spacing, double step, bt_bude_grid *ret_grid,
                            bt_error *opt_error) BT_MUST_USE;
/* The value of a component (0 .. 5): radians, Angstrom. */
float bt_bude_grid_value(const bt_bude_grid *grid, int component, int index);

typedef struct bt_bude_search_options {
  bt_bude_grid grid;
  int generations, population; /* generations that are scored; poses of each */
  int parents;                 /* kept and mutated, 1 .. population */
  bool distinct;
  uint64_t seed;
  double *opt_seconds; /* [2]: gets the time of energies and of all other kernels added, for which each is waited for */
  double *opt_taken;   /* gets the time added that it took without loading, tuning and uploads before it */
} bt_bude_search_options;

/* A pose that a search found. */
typedef struct bt_bude_found {
  int index[6];  /* into the grid, from 0 */
  float pose[6]; /* radians, Angstrom */
  float energy;
} bt_bude_found;

/* Asked between generations with the part that is done, 0 .. 1; false stops the search. */
typedef bool (*bt_bude_progress)(void *user, double part);

/* Searches for poses of n_ligands ligands at the engine's receptor; atoms and first as in bt_bude_engine_set_ligands.
 * ids[n_ligands] key the random numbers, so that a ligand's search is the same in every batch. ret_found[n_ligands]
 * [parents], ascending energies, ret_counts[n_ligands] of them each. BT_ERR_MEMORY: fewer ligands may fit. */
bt_status bt_bude_search_run(bt_bude_engine *engine, const bt_bude_search_options *options, const bt_bude_atom *atoms,
                             const size_t *first, size_t n_ligands, const uint32_t *ids, bt_bude_progress opt_progress,
                             void *user, bt_bude_found *ret_found, int *ret_counts, bt_error *opt_error) BT_MUST_USE;

#endif
