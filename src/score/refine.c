/* refine.c - local minimization of poses in their scoring function. */
#include "score/refine.h"

#include "pose/minimizer.h"
#include "score/scorer.h"

/* Enough for a pose that was docked in another function. */
static const bt_minimizer_limits limits = {.iterations = 300, .gradient = 1e-3, .decrease = 1e-4};

/* Widths of closures that are much narrower than other terms make progress slow. */
static const bt_minimizer_limits stiff = {.iterations = 300, .gradient = 1e-3, .decrease = 1e-7};

static double on_receptor(const void *user, const double *xyz, double *gradient) {
  return bt_score_exact(user, xyz, gradient);
}

static double on_maps(const void *user, const double *xyz, double *gradient) {
  return bt_score_objective(user, xyz, gradient);
}

static bt_objective_fn objective_of(const bt_ligand *ligand) {
  return bt_scoring_traits_of(ligand->scoring)->sums ? on_receptor : on_maps;
}

/* At distance zero a ring closure pulls with its full force in every direction, so no step from a closed ring goes
 * downhill, and a minimizer stops where it begins. Closures of some width let the ring move; the narrower they are, the
 * closer they come to the energy itself, that of width 0. */
static bt_status refine_closures(const bt_scorer *scorer, const bt_ligand *ligand, const double *widths, int n,
                                 bt_genotype *genotype, double *xyz, double *energy, bt_error *opt_error) {
  bt_scorer wide = *scorer;
  for (int k = 0; k < n; k++) {
    wide.closure_width = widths[k];
    BT_TRY(bt_minimize_pose(ligand, objective_of(ligand), &wide, &stiff, genotype, xyz, energy, opt_error));
  }
  return BT_OK;
}

/* The lower of two minima: of the energy itself, and by way of wide closures. */
static bt_status refine_opened(const bt_scorer *scorer, const bt_ligand *ligand, bt_genotype *genotype, double *xyz,
                               bt_error *opt_error) {
  static const double widths[] = {BT_CLOSURE_WIDTH, 0.3, 0.1, 0.03, 0.01, 0}, none[] = {0}; /* A */
  BT_ENDED_BY(bt_genotype_destroy) bt_genotype moved = {0};
  BT_TRY(bt_genotype_create(ligand->n_torsions, &moved, opt_error));
  bt_genotype_copy(genotype, ligand->n_torsions, &moved);
  double energy, relaxed;
  BT_TRY(refine_closures(scorer, ligand, none, 1, genotype, xyz, &energy, opt_error));
  BT_TRY(refine_closures(scorer, ligand, widths, sizeof widths / sizeof *widths, &moved, xyz, &relaxed, opt_error));
  if (relaxed < energy) bt_genotype_copy(&moved, ligand->n_torsions, genotype);
  bt_genotype_coordinates(ligand, genotype, xyz);
  return BT_OK;
}

bt_status bt_refine(const bt_scorer *scorer, const bt_ligand *ligand, bt_genotype *genotype, double *xyz,
                    bt_error *opt_error) {
  double energy;
  if (bt_ligand_has_closures(ligand)) return refine_opened(scorer, ligand, genotype, xyz, opt_error);
  return bt_minimize_pose(ligand, objective_of(ligand), scorer, &limits, genotype, xyz, &energy, opt_error);
}

void bt_refine_affinities(const bt_ligand *ligand, bt_energy *first, int count, size_t stride) {
  if (!bt_scoring_traits_of(ligand->scoring)->affinity) return;
  char *at = (char *)first;
  const bt_energy *best = first;
  for (int i = 1; i < count; i++) {
    const bt_energy *e = (const bt_energy *)(at + (size_t)i * stride);
    if (e->inter + e->intra < best->inter + best->intra) best = e;
  }
  double unbound = best->intra;
  for (int i = 0; i < count; i++) bt_score_set_unbound(ligand, (bt_energy *)(at + (size_t)i * stride), unbound);
}
