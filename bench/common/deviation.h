/* deviation.h - deviation of a kernel's energies and gradients from double precision, in units of the tolerances that
 * all benchmarks use: 0.005 kcal/mol + 5e-6 per interacting pair (energies cancel in the sum, errors do not) + 0.00025
 * |E|, and for a component of the gradient 0.02 + 0.0006 of the largest one + 1e-4 of the sum of |force| |distance from
 * the center| over atoms: a kernel's reciprocals are accurate to 2^-14, and the torsional components of a large ligand
 * are small differences of large moments. */
#ifndef BERTH_BENCH_COMMON_DEVIATION_H
#define BERTH_BENCH_COMMON_DEVIATION_H

#include "score/score.h"
#include "engine/lga/device/kernel_data.h"

/* Largest deviations so far; valid when both are at most 1. */
typedef struct bench_deviation {
  double energy, gradient;
} bench_deviation;

/* One pose in double precision; the arrays share the allocation of xyz. */
typedef struct bench_pose {
  const bt_ligand *ligand;
  const bt_maps *maps;
  const bt_scorer *scorer;
  bt_search_law law;
  bt_genotype genotype;
  double *xyz, *atom_gradient; /* [3 n_atoms] */
  double *gradient;            /* [6 + n_torsions] */
  double energy, largest;      /* without the wall; largest component of the plain gradient */
  double excess;               /* distance outside the box, largest of the atoms that must stay inside, Angstrom */
  double moment;               /* sum of |force| |distance from the center| over atoms, kcal/mol */
  bool on_cell_face; /* the gradient of a trilinear map is discontinuous there: rounding may pick the other cell */
} bench_pose;

/* Tolerance of an energy, kcal/mol. */
double bench_energy_tolerance(int n_pairs, double energy);
/* law: that of the job whose energies and gradients are compared. */
bt_status bench_pose_create(const bt_ligand *ligand, const bt_maps *maps, const bt_scorer *scorer, bt_search_law law,
                            bench_pose *ret_pose, bt_error *opt_error) BT_MUST_USE;
void bench_pose_destroy(bench_pose *pose);
/* Evaluates genes[BT_GENES]. */
void bench_pose_set(bench_pose *pose, const bt_dock_data *data, const float *genes);
/* The shortest distance between two interacting atoms of the ligand, Angstrom; infinite if there are none. Below
 * BENCH_NEAR the kernels' polynomial for electrostatics and desolvation is coarse by design, since the repulsion
 * dominates there (tools/fit_pair_polynomial.py: the error allowed grows as (2 Angstrom / r)^12); attraction elsewhere
 * can hide such a pair in a negative sum. */
#define BENCH_NEAR 1.5
double bench_pose_nearest(const bench_pose *pose);
/* Compares a kernel's energy of the pose. */
void bench_deviation_add_energy(const bench_pose *pose, float energy, bench_deviation *deviation);
/* Compares a kernel's energy and gradient[BT_DOFS] of the pose. */
void bench_deviation_add(const bench_pose *pose, float energy, const float *gradient, bench_deviation *deviation);

#endif
