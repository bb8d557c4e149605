/* refine.c - local minimization of poses in their scoring function. */
#include "score/refine.h"

#include "pose/minimizer.h"
#include "pose/restraints.h"
#include "score/scorer.h"
#include "score/vina_sums.h"

/* Enough for a pose that was docked in another function. */
static const bt_minimizer_limits plain = {.iterations = 300, .gradient = 1e-3, .decrease = 1e-3};

/* Widths of closures that are much narrower than other terms make progress slow. */
static const bt_minimizer_limits stiff = {.iterations = 300, .gradient = 1e-3, .decrease = 1e-7};

typedef struct objective {
  const bt_scorer *scorer;
  bt_vina_sums *opt_sums; /* over the receptor of computed maps; NULL: there is none, or the function has no sums */
} objective;

/* In Vina's form a search has no curl, and closures are wide; a refinement minimizes what is reported. */
static double energy_of(const void *user, const double *xyz, double *gradient) {
  const objective *o = user;
  if (o->scorer->vina == NULL) return bt_score_objective(o->scorer, xyz, gradient);
  double energy = o->opt_sums != NULL ? bt_vina_sums_energy(o->opt_sums, o->scorer, xyz, gradient)
                                      : bt_score_exact(o->scorer, xyz, gradient);
  return energy + bt_restraints_energy(o->scorer->ligand->restraints, xyz, gradient);
}

static bt_status minimize(const objective *o, const bt_ligand *ligand, const bt_minimizer_limits *limits,
                          bt_genotype *genotype, double *xyz, double *ret_energy, bt_error *opt_error) {
  BT_TRY(bt_minimize_pose(ligand, energy_of, o, limits, genotype, xyz, ret_energy, opt_error));
  return bt_vina_sums_status(o->opt_sums, opt_error);
}

/* At distance zero a ring closure pulls with its full force in every direction, so no step from a closed ring goes
 * downhill, and a minimizer stops where it begins. Closures of some width let the ring move; the narrower they are, the
 * closer they come to the energy itself, that of width 0. */
static bt_status refine_closures(const objective *o, const bt_ligand *ligand, const double *widths, int n,
                                 bt_genotype *genotype, double *xyz, double *energy, bt_error *opt_error) {
  bt_scorer wide = *o->scorer;
  const objective widened = {&wide, o->opt_sums};
  for (int k = 0; k < n; k++) {
    wide.closure_width = widths[k];
    BT_TRY(minimize(&widened, ligand, &stiff, genotype, xyz, energy, opt_error));
  }
  return BT_OK;
}

/* The lower of two minima: of the energy itself, and by way of wide closures. */
static bt_status refine_opened(const objective *o, const bt_ligand *ligand, bt_genotype *genotype, double *xyz,
                               bt_error *opt_error) {
  static const double widths[] = {BT_CLOSURE_WIDTH, 0.3, 0.1, 0.03, 0.01, 0}, none[] = {0}; /* A */
  BT_ENDED_BY(bt_genotype_destroy) bt_genotype moved = {0};
  BT_TRY(bt_genotype_create(ligand->n_torsions, &moved, opt_error));
  bt_genotype_copy(genotype, ligand->n_torsions, &moved);
  double energy, relaxed;
  BT_TRY(refine_closures(o, ligand, none, 1, genotype, xyz, &energy, opt_error));
  BT_TRY(refine_closures(o, ligand, widths, sizeof widths / sizeof *widths, &moved, xyz, &relaxed, opt_error));
  if (relaxed < energy) bt_genotype_copy(&moved, ligand->n_torsions, genotype);
  bt_genotype_coordinates(ligand, genotype, xyz);
  return BT_OK;
}

bt_status bt_refine(const bt_scorer *scorer, const bt_ligand *ligand, bt_genotype *genotype, double *xyz,
                    bt_error *opt_error) {
  double energy;
  objective o = {.scorer = scorer};
  if (scorer->vina != NULL && scorer->maps->receptor != NULL)
    BT_TRY(bt_vina_sums_create(scorer, NULL, &o.opt_sums, opt_error));
  bt_status status = bt_ligand_has_closures(ligand) ? refine_opened(&o, ligand, genotype, xyz, opt_error)
                                                    : minimize(&o, ligand, &plain, genotype, xyz, &energy, opt_error);
  bt_vina_sums_destroy(o.opt_sums);
  return status;
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
