/* vina_sums.h - Vina's and Vinardo's exact sums in single precision and vectors: what a refinement minimizes.
 *
 * Equal to bt_score_exact within 1e-5 kcal/mol per atom. Each moving atom meets the receptor's atoms near its cell
 * (grid/vina/vina_cells.h), or, where cells do not help, those of a list that lasts until it has moved by an Angstrom.
 * Reported energies never come from here.
 */
#ifndef BERTH_SCORE_VINA_SUMS_H
#define BERTH_SCORE_VINA_SUMS_H

#include "score/score.h"

typedef struct bt_vina_sums bt_vina_sums;

/* For the ligand of a scorer of Vina's or Vinardo's whose maps were computed for a receptor. opt_isa: as of
 * bt_grid_kernels_find, which must know it. */
bt_status bt_vina_sums_create(const bt_scorer *scorer, const char *opt_isa, bt_vina_sums **ret_sums,
                              bt_error *opt_error) BT_MUST_USE;
void bt_vina_sums_destroy(bt_vina_sums *opt_sums);

/* As bt_score_exact, by any scorer of the same ligand; without memory for a list, not a number. */
double bt_vina_sums_energy(bt_vina_sums *sums, const bt_scorer *scorer, const double *xyz, double *gradient);
/* BT_ERR_MEMORY if an energy so far was not a number for that reason. */
bt_status bt_vina_sums_status(const bt_vina_sums *opt_sums, bt_error *opt_error) BT_MUST_USE;

#endif
