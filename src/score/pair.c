/* pair.c - energy of two moving atoms: the AutoDock 4.2 force field.
 *
 * Huey, Morris, Olson, Goodsell, J. Comput. Chem. 28, 1145 (2007). With A, B of the pair law and R its well,
 *   E = A x^-12 - B x^-n  (r < 8 A)  +  C q_i q_j / (r eps(r))  +  S_ij exp(-r^2 / (2 sigma^2)),
 * where smoothing sets x = r + h below the well, x = R within h of it, x = r - h above; h = 0.25 A. Below
 * 0.5 A the energy is constant, but the slope is that at 0.5 A, so that a search pushes overlapping atoms apart (the
 * kernels do the same).
 */
#include "score/pair.h"

#include <math.h>

#include "forcefield/pair_tables.h"

static const double two_sigma_squared = 2 * BT_AD4_SOLVATION_SIGMA * BT_AD4_SOLVATION_SIGMA;

bt_pair_constants bt_pair_prepare(const bt_ad4_pair *law, const bt_ad4_type *type1, double charge1,
                                  const bt_ad4_type *type2, double charge2) {
  double solvation1 = type1->solvation + BT_AD4_SOLVATION_CHARGE * fabs(charge1);
  double solvation2 = type2->solvation + BT_AD4_SOLVATION_CHARGE * fabs(charge2);
  return (bt_pair_constants){
      .law = law,
      .coulomb = BT_AD4_COULOMB * BT_AD4_WEIGHT_ELECTROSTATIC * charge1 * charge2,
      .desolvation = BT_AD4_WEIGHT_DESOLVATION * (type2->volume * solvation1 + type1->volume * solvation2)};
}

bt_pair_parts bt_pair_tabulated(const bt_pair_constants *pair, const double *table, double r2) {
  int k = bt_table_index(r2);
  double square = bt_table_square(k), r = sqrt(square);
  return (bt_pair_parts){.vdw_hbond = k < BT_TABLE_SIZE ? table[k] : 0.0,
                         .electrostatic = pair->coulomb / (r * bt_ad4_dielectric(r)),
                         .desolvation = pair->desolvation * exp(-square / two_sigma_squared)};
}

/* Smoothed 12-n and its slope dE/dr. */
static double well(const bt_ad4_pair *law, double r, double *ret_slope) {
  const double half = 0.5 * BT_AD4_SMOOTH;
  double x = r - fmin(fmax(r - law->distance, -half), half);
  double inverse = 1 / x, i2 = inverse * inverse, i6 = i2 * i2 * i2;
  double low = law->n == 10 ? i6 * i2 * i2 : i6, high = i6 * i6;
  /* within the smoothing window x is the well itself, where the exact slope vanishes */
  *ret_slope = fabs(r - law->distance) < half ? 0.0 : inverse * (law->n * law->b * low - law->m * law->a * high);
  return law->a * high - law->b * low;
}

bt_pair_parts bt_pair_continuous(const bt_pair_constants *pair, double r2, double *opt_slope) {
  const double floor2 = BT_AD4_MIN_DISTANCE * BT_AD4_MIN_DISTANCE;
  double square = r2 < floor2 ? floor2 : r2, r = sqrt(square), slope = 0.0;
  bt_pair_parts parts = {0};
  if (r < BT_AD4_CUTOFF) parts.vdw_hbond = well(pair->law, r, &slope);
  double dielectric = bt_ad4_dielectric(r);
  parts.electrostatic = pair->coulomb / (r * dielectric);
  parts.desolvation = pair->desolvation * exp(-square / two_sigma_squared);
  if (opt_slope == NULL) return parts;
  slope -= parts.electrostatic * (1 / r + bt_ad4_dielectric_slope(r) / dielectric);
  slope -= parts.desolvation * 2 * r / two_sigma_squared;
  *opt_slope = slope / r;
  return parts;
}
