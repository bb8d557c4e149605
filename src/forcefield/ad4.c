/* ad4.c - tables generated from the CSV files of data/forcefield, and the laws that combine them. */
#include "forcefield/ad4.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static const bt_ad4_type type_table[] = {
#include "ad4_types.inc"
};
enum { TYPE_COUNT = sizeof type_table / sizeof type_table[0] };

static const bt_ad4_stand_in stand_in_table[] = {
#include "ad4_stand_ins.inc"
};
enum { STAND_IN_COUNT = sizeof stand_in_table / sizeof stand_in_table[0] };

static const struct {
  int class1, class2;
  double low, high;
} bond_table[] = {
#include "ad4_bonds.inc"
};
enum { BOND_COUNT = sizeof bond_table / sizeof bond_table[0] };

const bt_ad4_type *bt_ad4_find(const char *name) {
  for (int i = 0; i < TYPE_COUNT; i++)
    if (strcmp(type_table[i].name, name) == 0) return &type_table[i];
  return NULL;
}

const bt_ad4_stand_in *bt_ad4_stand_in_find(const char *element) {
  for (int i = 0; i < STAND_IN_COUNT; i++)
    if (strcasecmp(stand_in_table[i].element, element) == 0) return &stand_in_table[i];
  return NULL;
}

const bt_ad4_stand_in *bt_ad4_stand_ins(int *ret_count) {
  *ret_count = STAND_IN_COUNT;
  return stand_in_table;
}

const bt_ad4_type *bt_ad4_types(int *ret_count) {
  *ret_count = TYPE_COUNT;
  return type_table;
}

bt_ad4_weights bt_ad4_default_weights(void) {
  return (bt_ad4_weights){BT_AD4_WEIGHT_VDW, BT_AD4_WEIGHT_HBOND, BT_AD4_WEIGHT_ELECTROSTATIC,
                          BT_AD4_WEIGHT_DESOLVATION, BT_AD4_WEIGHT_TORSIONAL};
}

bt_ad4_pair bt_ad4_pair_from_well(double distance, double depth, int m, int n) {
  bt_ad4_pair pair = {.distance = distance, .depth = depth, .m = m, .n = n};
  double scale = depth / (m - n);
  pair.a = scale * pow(distance, m) * n;
  pair.b = scale * pow(distance, n) * m;
  return pair;
}

static const bt_ad4_type *acceptor_of(const bt_ad4_type *first, const bt_ad4_type *second) {
  return bt_ad4_donates(first->hbond) && bt_ad4_accepts(second->hbond)   ? second
         : bt_ad4_donates(second->hbond) && bt_ad4_accepts(first->hbond) ? first
                                                                         : NULL;
}

bool bt_ad4_hydrogen_bonded(const bt_ad4_type *first, const bt_ad4_type *second) {
  return acceptor_of(first, second) != NULL;
}

bt_ad4_pair bt_ad4_weighted_pair_law(const bt_ad4_weights *weights, const bt_ad4_type *first,
                                     const bt_ad4_type *second) {
  const bt_ad4_type *acceptor = acceptor_of(first, second);
  if (acceptor != NULL) { /* the hydrogen's own radius and depth play no part */
    bt_ad4_pair pair =
        bt_ad4_pair_from_well(acceptor->hbond_distance, weights->hbond * acceptor->hbond_epsilon, 12, 10);
    pair.hbond = true;
    return pair;
  }
  double depth = sqrt(weights->vdw * first->epsilon * weights->vdw * second->epsilon);
  return bt_ad4_pair_from_well(0.5 * (first->radius_sum + second->radius_sum), depth, 12, 6);
}

bt_ad4_pair bt_ad4_pair_law(const bt_ad4_type *first, const bt_ad4_type *second) {
  bt_ad4_weights weights = bt_ad4_default_weights();
  return bt_ad4_weighted_pair_law(&weights, first, second);
}

double bt_ad4_pair_energy(const bt_ad4_pair *pair, double r) {
  return pair->a / pow(r, pair->m) - pair->b / pow(r, pair->n);
}

double bt_ad4_dielectric(double r) {
  const double a = -8.5525, b = 78.4 - a, k = 7.7839, lambda = 0.003627;
  return a + b / (1.0 + k * exp(-lambda * b * r));
}

double bt_ad4_dielectric_slope(double r) {
  const double a = -8.5525, b = 78.4 - a, lambda = 0.003627;
  double part = bt_ad4_dielectric(r) - a; /* b / (1 + k exp(-lambda b r)) */
  return lambda * part * (b - part);
}

bool bt_ad4_bond_range(int class1, int class2, double *ret_low, double *ret_high) {
  for (int i = 0; i < BOND_COUNT; i++) {
    bool same = bond_table[i].class1 == class1 && bond_table[i].class2 == class2;
    bool swapped = bond_table[i].class1 == class2 && bond_table[i].class2 == class1;
    if (!same && !swapped) continue;
    *ret_low = bond_table[i].low;
    *ret_high = bond_table[i].high;
    return true;
  }
  return false;
}
