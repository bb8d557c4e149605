/* bude.h - BUDE's energy of a pose in plain double precision: the oracle of src/kernel/bude/energy.h. */
#ifndef BERTH_SCORE_BUDE_H
#define BERTH_SCORE_BUDE_H

#include <stddef.h>

#include "forcefield/bude.h"

/* Terms of one pose, kcal/mol. */
typedef struct bt_bude_energy {
  double steric, charge, desolvation, total;
} bt_bude_energy;

/* p' = R p + t with R = Rz(c) Ry(b) Rx(a): about the fixed x axis first. pose: a, b, c in radians, t in Angstrom. */
void bt_bude_transform(const double pose[6], const double from[3], double ret_to[3]);

/* One pair at distance r (Angstrom). */
bt_bude_energy bt_bude_pair_energy(const bt_bude_law *law, double r);

/* Sum over all pairs of the ligand in that pose with the receptor; xyz[3 n], types[n] are rows of the force field. */
bt_bude_energy bt_bude_score(const bt_bude_forcefield *forcefield, bt_bude_rules rules, size_t n_receptor,
                             const double *receptor_xyz, const int *receptor_types, size_t n_ligand,
                             const double *ligand_xyz, const int *ligand_types, const double pose[6]);

#endif
