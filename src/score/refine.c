/* refine.c - local minimisation of poses in their scoring function. */
#include "score/refine.h"

#include "pose/minimizer.h"

/* Enough for a pose that was docked in another function. */
static const bt_minimizer_limits limits = {.iterations = 300, .gradient = 1e-3, .decrease = 1e-4};

static double on_receptor(const void *user, const double *xyz, double *gradient) {
  return bt_score_exact(user, xyz, gradient);
}

static double on_maps(const void *user, const double *xyz, double *gradient) {
  return bt_score_objective(user, xyz, gradient);
}

bt_status bt_refine(const bt_scorer *scorer, const bt_ligand *ligand, bt_genotype *genotype, double *xyz,
                    bt_error *opt_error) {
  double energy;
  return bt_minimize_pose(ligand, ligand->scoring == BT_SCORING_AD4 ? on_maps : on_receptor, scorer, &limits, genotype,
                          xyz, &energy, opt_error);
}

void bt_refine_affinities(const bt_ligand *ligand, bt_energy *first, int count, size_t stride) {
  if (ligand->scoring == BT_SCORING_AD4) return;
  char *at = (char *)first;
  const bt_energy *best = first;
  for (int i = 1; i < count; i++) {
    const bt_energy *e = (const bt_energy *)(at + (size_t)i * stride);
    if (e->inter + e->intra < best->inter + best->intra) best = e;
  }
  double unbound = best->intra;
  for (int i = 0; i < count; i++) bt_score_set_unbound(ligand, (bt_energy *)(at + (size_t)i * stride), unbound);
}
