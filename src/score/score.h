/* score.h - double-precision AutoDock 4 energies and gradients: the oracle of every kernel. */
#ifndef BERTH_SCORE_SCORE_H
#define BERTH_SCORE_SCORE_H

#include "grid/maps.h"
#include "pose/genotype.h"

/* Scorer of one ligand in one set of maps: the map of each type, the tables of each pair of types. */
typedef struct bt_scorer bt_scorer;

/* Fails with BT_ERR_PARAMETER, naming file, line and atom, when a type that feels the maps has none. */
bt_status bt_scorer_create(const bt_ligand *ligand, const bt_maps *maps, bt_energy_form form,
                           bt_torsional_count torsional, bt_scorer **ret_scorer, bt_error *opt_error) BT_MUST_USE;
void bt_scorer_destroy(bt_scorer *scorer);

/* Per-atom map energies, kcal/mol, as AutoDock prints them beside each atom. */
typedef struct bt_atom_energy {
  double vdw_hbond, electrostatic, desolvation;
} bt_atom_energy;

/* xyz[3 n_atoms] in Angstrom; opt_atoms[n_atoms]. */
void bt_score_coordinates(const bt_scorer *scorer, const double *xyz, bt_energy *ret_energy,
                          bt_atom_energy *opt_atoms);

/* What the search minimises: maps + all pairs, in closed form whatever the scorer's form, with the kernels'
 * quadratic restraint for atoms outside the box. opt_gradient[3 n_atoms], kcal/mol/A, is overwritten. */
double bt_score_objective(const bt_scorer *scorer, const double *xyz, double *opt_gradient);

#endif
