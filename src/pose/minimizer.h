/* minimizer.h - quasi-Newton minimization of a pose in double precision: how poses are refined, and re-scored. */
#ifndef BERTH_POSE_MINIMIZER_H
#define BERTH_POSE_MINIMIZER_H

#include "pose/genotype.h"

/* Energy (kcal/mol) of the atoms' coordinates xyz[3 n_atoms] (A); gradient[3 n_atoms] is overwritten, kcal/mol/A. */
typedef double (*bt_objective_fn)(const void *user, const double *xyz, double *gradient);

typedef struct bt_minimizer_limits {
  int iterations;
  double gradient;  /* it ends when no degree of freedom has a larger gradient, kcal/mol/A or kcal/mol/rad */
  double decrease;  /* or when this many kcal/mol are less than two iterations in a row gain */
} bt_minimizer_limits;

/* Minimizes from the genotype by BFGS (Nocedal and Wright, Numerical Optimization, 2nd ed., algorithm 6.1) with
 * backtracking. Degrees of freedom: position, rotation vector about the ligand's center, torsions. genotype and
 * xyz[3 n_atoms] become the best pose found, never a worse one; *ret_energy is its energy. */
bt_status bt_minimize_pose(const bt_ligand *ligand, bt_objective_fn objective, const void *user,
                           const bt_minimizer_limits *limits, bt_genotype *genotype, double *xyz, double *ret_energy,
                           bt_error *opt_error) BT_MUST_USE;

#endif
