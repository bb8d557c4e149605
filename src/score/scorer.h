/* scorer.h - what a scorer holds; score.c scores AutoDock 4's ligands, vina.c those of Vina and Vinardo. */
#ifndef BERTH_SCORE_SCORER_H
#define BERTH_SCORE_SCORER_H

#include "base/memory.h"
#include "score/score.h"

struct bt_scorer {
  const bt_ligand *ligand; /* borrowed */
  const bt_maps *maps;     /* borrowed */
  bt_energy_form form;
  bt_torsional_count torsional;
  const float **map;        /* [n_types] affinity map of a type; NULL if no atom of the type interacts with it */
  bt_ad4_pair *laws;        /* AutoDock 4, [n_types^2], of types in ascending order */
  const double **tables;    /* [n_types^2] tabulated form: smoothed tables of those pairs of types that occur */
  const bt_vina_law *vina;  /* NULL: AutoDock 4 */
  bt_vina_pair *vina_pairs; /* [n_types^2] */
  double closure_width;     /* A: of bt_scorer_closure; BT_CLOSURE_WIDTH unless a refinement narrows it */
  bt_arena arena;           /* of them all */
};

/* Nearest point of the box to x, and the vector from there to x; true if x is outside (or NaN). */
bool bt_scorer_nearest(const bt_maps *maps, const double x[3], double ret_nearest[3], double ret_away[3]);
/* Adds the restraint that pulls an atom into the box to an energy and to a gradient. */
double bt_scorer_spring(const double away[3], double *opt_gradient);
/* Square of the distance of a pair; ret_difference is i - j. */
double bt_scorer_distance2(const double *xyz, const bt_pair *pair, double ret_difference[3]);
/* Pull of a ring closure, F (sqrt(r^2 + w^2) - w) for a width w, which is F r for w = 0; opt_slope becomes (dE/dr) / r,
 * 0 where it is undefined. */
double bt_scorer_closure(const bt_scorer *scorer, double r2, double *opt_slope);

/* ---- Vina's and Vinardo's ligands ---- */

bt_status bt_scorer_fill_vina(bt_scorer *scorer, bt_error *opt_error) BT_MUST_USE;
/* Atom i at x in the receptor, or without one in the maps; curled. In closed form when the gradient is wanted. */
bt_atom_energy bt_scorer_vina_atom(const bt_scorer *scorer, int i, const double x[3], bool *ret_outside,
                                   double *opt_gradient);
const bt_vina_pair *bt_scorer_vina_constants(const bt_scorer *scorer, const bt_pair *pair);
/* Curled, in the scorer's form. */
double bt_scorer_vina_pair(const bt_scorer *scorer, const bt_pair *pair, double r2);
/* Closed form without curl, constant below 0.5 A as in the kernels; opt_slope becomes (dE/dr) / r. */
double bt_scorer_vina_search_pair(const bt_scorer *scorer, const bt_pair *pair, double r2, double *opt_slope);
/* A pair's share of bt_score_exact; its gradient is added. */
double bt_scorer_vina_exact_pair(const bt_scorer *scorer, const double *xyz, const bt_pair *pair, double *opt_gradient);

#endif
