/* further.h - distinct minima in the final populations of all runs, beside the best pose of each run. */
#ifndef BERTH_ENGINE_LGA_SEARCH_FURTHER_H
#define BERTH_ENGINE_LGA_SEARCH_FURTHER_H

#include "engine/lga/search/task.h"

/* Some more than the poses that are wanted, since some turn out to be the same; twice as many where similar poses are
 * asked for; 0 for a single one. */
int bt_further_most(const bt_dock_options *options);

/* Individuals whose poses are a rmsd_tolerance or more from each other and from those of best[runs], the best
 * individual of every run; behind them, where the options ask for similar poses, others that are half as far apart. Both
 * parts are in the order of their energies, at most energy_range above the lowest, and together at most
 * bt_further_most(). Individuals are numbered run by run, ret_individuals[bt_further_most()]. */
bt_status bt_further_find(const bt_dock_task *task, const size_t *best, size_t *ret_individuals, int *ret_count,
                          bt_error *opt_error) BT_MUST_USE;

#endif
