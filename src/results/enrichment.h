/* enrichment.h - how well a ranking separates actives from decoys.
 *
 * ROC AUC is the probability that an active has a lower score than a decoy, equal scores counting half. The enrichment
 * factor at x % is the share of actives among the first x % of all ligands over their share in all. Truchon and Bayly,
 * J. Chem. Inf. Model. 47 (2007) 488.
 */
#ifndef BERTH_RESULTS_ENRICHMENT_H
#define BERTH_RESULTS_ENRICHMENT_H

#include "base/status.h"

/* A value and the interval that holds 95 % of resamplings. */
typedef struct bt_interval {
  double value, low, high;
} bt_interval;

enum { BT_ROC_POINTS = 201 };

typedef struct bt_enrichment {
  int64_t actives, decoys;
  bt_interval auc, ef1, ef5;
  double roc[BT_ROC_POINTS][2]; /* shares of decoys and of actives found, from (0, 0) to (1, 1) */
  int n_roc;
} bt_enrichment;

/* scores[n]: lower is better; INFINITY: not docked, which comes last. Actives and decoys are resampled separately,
 * `resamplings` times, from the seed. BT_ERR_USAGE without an active or without a decoy. */
bt_status bt_enrichment_measure(const double *scores, const bool *active, size_t n, int resamplings, uint64_t seed,
                                bt_enrichment *ret_enrichment, bt_error *opt_error) BT_MUST_USE;

#endif
