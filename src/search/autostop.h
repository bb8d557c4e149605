/* autostop.h - AutoDock-GPU's criterion for ending a docking early (Santos-Martins et al. 2021), recomputed each time.
 *
 * All individuals of all runs are pooled by energy. The lowest energies are collected in bins below a moving threshold;
 * when their spread over the last four tests stays below the tolerance and the best energy has not moved, the search
 * has converged.
 */
#ifndef BERTH_SEARCH_AUTOSTOP_H
#define BERTH_SEARCH_AUTOSTOP_H

#include <berth/berth.h>

enum { BT_AUTOSTOP_WINDOW = 4 };

typedef struct bt_autostop_record {
  double sum, sum_squares, count, best;
} bt_autostop_record;

typedef struct bt_autostop {
  double tolerance;      /* kcal/mol */
  int population;
  double threshold, spread, bin_width;
  double mean, deviation, count; /* of the pooled lowest energies */
  bool started;
  int records;
  bt_autostop_record ring[BT_AUTOSTOP_WINDOW];
  double *bin_sum, *bin_squares, *bin_count; /* [population] */
} bt_autostop;

bt_status bt_autostop_create(double tolerance, int population, bt_autostop *ret_autostop, bt_error *opt_error)
    BT_MUST_USE;
void bt_autostop_destroy(bt_autostop *autostop);
/* One test on the energies of all runs; true when the search has converged. */
bool bt_autostop_test(bt_autostop *autostop, const float *energies, size_t count);

#endif
