/* pair.h - energy of a pair of moving atoms, tabulated or in closed form. */
#ifndef BERTH_SCORE_PAIR_H
#define BERTH_SCORE_PAIR_H

#include "forcefield/ad4.h"

/* Energy parameters of a pair, all but the distance. */
typedef struct bt_pair_constants {
  const bt_ad4_pair *law;
  double coulomb;     /* 332.06 w_el q_i q_j, kcal A/mol */
  double desolvation; /* w_ds (V_j (S_i + c|q_i|) + V_i (S_j + c|q_j|)), kcal/mol */
} bt_pair_constants;

typedef struct bt_pair_parts {
  double vdw_hbond, electrostatic, desolvation; /* kcal/mol */
} bt_pair_parts;

bt_pair_constants bt_pair_prepare(const bt_ad4_pair *law, const bt_ad4_type *type1, double charge1,
                                  const bt_ad4_type *type2, double charge2);
/* AutoDock 4.2.6's own arithmetic; table is that of the two types. */
bt_pair_parts bt_pair_tabulated(const bt_pair_constants *pair, const double *table, double r2);
/* Closed form; opt_slope becomes (dE/dr)/r, which multiplies the vector between the atoms. */
bt_pair_parts bt_pair_continuous(const bt_pair_constants *pair, double r2, double *opt_slope);

#endif
