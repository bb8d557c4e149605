/* ensemble.h - which networks score together, and what their outputs mean. */
#ifndef BERTH_RESCORE_CNN_ENSEMBLE_H
#define BERTH_RESCORE_CNN_ENSEMBLE_H

#include "rescore/cnn/scorer.h"

typedef struct bt_cnn_ensemble {
  bt_cnn_weights **networks; /* [count] */
  int count;
  int of_all_poses; /* the first networks score all poses of a ligand, the others those that may be the best */
} bt_cnn_ensemble;

/* names: a list, separated by commas, of networks, of files (.pt, .btn) and of the ensembles "staged", "fast" and
 * "gnina"; NULL: bt_networks_default(). Only with "staged" alone do not all networks score all poses. A network named
 * twice is BT_ERR_USAGE. */
bt_status bt_cnn_ensemble_open(const char *opt_names, bt_cnn_ensemble *ret_ensemble, bt_error *opt_error) BT_MUST_USE;
void bt_cnn_ensemble_close(bt_cnn_ensemble *ensemble);

/* The probability that a pose is right, 0 to 1, by one network. */
double bt_cnn_score(const bt_cnn_output *output);
/* The means over an ensemble of the score and of the affinity, pK. */
void bt_cnn_means(const bt_cnn_output *outputs, int count, double *ret_score, double *ret_affinity);
/* -ln(p / (1 - p)), the lower the better. */
double bt_cnn_log_odds_against(double score);

#endif
