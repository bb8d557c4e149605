/* score.h - double-precision energies and gradients: the oracle of every kernel. */
#ifndef BERTH_SCORE_SCORE_H
#define BERTH_SCORE_SCORE_H

#include <berth/score.h>

#include "grid/maps/maps.h"
#include "pose/genotype.h"

/* Closed form, atoms outside the box: the maps are taken at the nearest point of the box, d away, and
 * BT_OUTSIDE_STIFFNESS * d^2 is added. The kernels use the same law. kcal/mol/A^2. */
#define BT_OUTSIDE_STIFFNESS 100.0
/* AutoDock 4's penalty per map (there are two) and squared distance from the middle of the box, kcal/mol/A^2. */
#define BT_AD4_OUTSIDE_PENALTY 500.0
/* Constant force between a glue atom and its carbon, kcal/mol/A. */
#define BT_GLUE_FORCE 50.0
/* In a search it is F (sqrt(r^2 + w^2) - w): nearly harmonic within this width w, A. Reported energies do not. */
#define BT_CLOSURE_WIDTH 1.0

/* Scorer of one ligand in one set of maps: the map of each type, the tables of each pair of types. */
typedef struct bt_scorer bt_scorer;

/* A ligand of Vina or Vinardo is scored by exact sums over the receptor of computed maps, of which there may then be
 * none (but a search needs them), or on the maps if these were read. AutoDock 4, and every search, uses the maps.
 * BT_ERR_USAGE when ligand and maps are of different scoring functions; BT_ERR_PARAMETER, naming file, line and atom,
 * if a type that interacts with the maps has none. */
bt_status bt_scorer_create(const bt_ligand *ligand, const bt_maps *maps, bt_energy_form form,
                           bt_torsional_count torsional, bt_scorer **ret_scorer, bt_error *opt_error) BT_MUST_USE;
void bt_scorer_destroy(bt_scorer *scorer);

/* xyz[3 n_atoms] in Angstrom; opt_atoms[n_atoms]. */
void bt_score_coordinates(const bt_scorer *scorer, const double *xyz, bt_energy *ret_energy, bt_atom_energy *opt_atoms);

/* Vina: inter + intra on exact sums in closed form, with curl, and with the pull of ring closures, which no reported
 * energy contains (of width BT_CLOSURE_WIDTH); outside the box with the restraint of the search. What a refinement minimizes. opt_gradient[3
 * n_atoms] is overwritten. */
double bt_score_exact(const bt_scorer *scorer, const double *xyz, double *opt_gradient);

/* Energy of ligand->pairs[pair] in the scorer's form. */
bt_pair_energy bt_score_pair(const bt_scorer *scorer, const double *xyz, int pair);

/* How a search departs from plain energies and gradients. */
typedef struct bt_search_law {
  double wall;        /* kcal/mol for each atom of bt_score_confined outside the box; 0: none */
  double force_limit; /* kcal/mol/A: of each component of an atom's gradient in the maps, and of a pair's repulsion */
} bt_search_law;

/* The atoms [0, n) that must stay in the box: all; or, if a flexible side chain of the input extends beyond it, only
 * the ligand's, since it is not known whether that side chain can move in. */
int bt_score_confined(const bt_ligand *ligand, const bt_maps *maps);
/* Distance of the farthest of them from the box, A; not above zero if all are inside. */
double bt_score_excess(const bt_ligand *ligand, const bt_maps *maps, const double *xyz);

/* What the search minimizes: maps + all pairs, in closed form whatever the scorer's form, with the kernels'
 * quadratic restraint for atoms outside the box and their ring closures of width BT_CLOSURE_WIDTH. opt_gradient[3 n_atoms], kcal/mol/A, is overwritten. */
double bt_score_objective(const bt_scorer *scorer, const double *xyz, double *opt_gradient);

/* The same as a search with this law sees it; where a force reaches the limit the gradient is not that of any function.
 */
double bt_score_search(const bt_scorer *scorer, const double *xyz, const bt_search_law *law, double *opt_gradient);

#endif
