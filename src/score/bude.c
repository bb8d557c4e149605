/* bude.c - BUDE's energies exactly as in its paper, unoptimized. */
#include "score/bude.h"

#include <math.h>

void bt_bude_transform(const double pose[6], const double from[3], double ret_to[3]) {
  double sa = sin(pose[0]), ca = cos(pose[0]), sb = sin(pose[1]), cb = cos(pose[1]), sc = sin(pose[2]),
         cc = cos(pose[2]);
  double x = from[0], y = from[1], z = from[2], t;
  t = ca * y - sa * z, z = sa * y + ca * z, y = t; /* about x */
  t = cb * x + sb * z, z = cb * z - sb * x, x = t; /* about y */
  t = cc * x - sc * y, y = sc * x + cc * y, x = t; /* about z */
  ret_to[0] = x + pose[3];
  ret_to[1] = y + pose[4];
  ret_to[2] = z + pose[5];
}

/* A function of the gap between the surfaces: 1 in the core, falling to 0 at the reach. */
static double ramp(double gap, double reach) {
  if (gap < 0) return 1;
  return gap < reach ? 1 - gap / reach : 0;
}

bt_bude_energy bt_bude_pair_energy(const bt_bude_law *law, double r) {
  double gap = r - law->radii;
  bt_bude_energy e = {.steric = gap < 0 ? law->hardness * (1 - r / law->radii) : 0,
                      .charge = law->charge * ramp(gap, law->charge_reach),
                      .desolvation = law->desolvation * ramp(gap, law->desolvation_reach)};
  e.total = e.steric + e.charge + e.desolvation;
  return e;
}

bt_bude_energy bt_bude_score(const bt_bude_forcefield *forcefield, bt_bude_rules rules, size_t n_receptor,
                             const double *receptor_xyz, const int *receptor_types, size_t n_ligand,
                             const double *ligand_xyz, const int *ligand_types, const double pose[6]) {
  bt_bude_energy sum = {0};
  for (size_t l = 0; l < n_ligand; l++) {
    double at[3];
    bt_bude_transform(pose, ligand_xyz + 3 * l, at);
    for (size_t p = 0; p < n_receptor; p++) {
      const double *xyz = receptor_xyz + 3 * p;
      double dx = at[0] - xyz[0], dy = at[1] - xyz[1], dz = at[2] - xyz[2];
      bt_bude_law law =
          bt_bude_law_of(&forcefield->types[receptor_types[p]], &forcefield->types[ligand_types[l]], rules);
      bt_bude_energy e = bt_bude_pair_energy(&law, sqrt(dx * dx + dy * dy + dz * dz));
      sum.steric += e.steric;
      sum.charge += e.charge;
      sum.desolvation += e.desolvation;
    }
  }
  sum.total = sum.steric + sum.charge + sum.desolvation;
  return sum;
}
