/* refine.c - poses on the exact sums of their scoring function. */
#include "engine/ad4/refine.h"

#include "pose/minimizer.h"

static const bt_minimizer_limits limits = {.iterations = 300, .gradient = 1e-3, .decrease = 1e-4};

static double objective(const void *user, const double *xyz, double *gradient) {
  return bt_score_exact(user, xyz, gradient);
}

bt_status bt_refine(const bt_scorer *scorer, const bt_ligand *ligand, bt_genotype *genotype, double *xyz,
                    bt_error *opt_error) {
  double energy;
  if (ligand->scoring == BT_SCORING_AD4) return BT_OK;
  return bt_minimize_pose(ligand, objective, scorer, &limits, genotype, xyz, &energy, opt_error);
}

void bt_refine_affinities(bt_result *result) {
  const bt_run *best = &result->runs[0];
  if (result->ligand->scoring == BT_SCORING_AD4) return;
  for (int run = 1; run < result->n_runs; run++) {
    const bt_energy *e = &result->runs[run].energy;
    if (e->inter + e->intra < best->energy.inter + best->energy.intra) best = &result->runs[run];
  }
  double unbound = best->energy.intra;
  for (int run = 0; run < result->n_runs; run++)
    bt_score_set_unbound(result->ligand, &result->runs[run].energy, unbound);
}
