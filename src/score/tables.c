/* tables.c - AutoDock 4.2.6's arithmetic between moving atoms.
 *
 * A pair at r has the energy of the table's node r_k = sqrt(k/32), k = floor(32 max(r, 0.5)^2). The table of van der
 * Waals and hydrogen-bond energies is smoothed: each entry is the lowest raw entry within 0.25 A of it.
 */
#include "score/tables.h"

#include <math.h>

int bt_table_index(double r2) {
  const double floor2 = BT_AD4_MIN_DISTANCE * BT_AD4_MIN_DISTANCE;
  double position = BT_TABLE_PER_SQUARE_ANGSTROM * (r2 > floor2 ? r2 : floor2);
  return position < BT_TABLE_FAR_SIZE - 1 ? (int)position : BT_TABLE_FAR_SIZE - 1;
}

double bt_table_square(int index) { return index / BT_TABLE_PER_SQUARE_ANGSTROM; }

static int clamp_index(int index, int low, int high) { return index < low ? low : index > high ? high : index; }

/* x^n for small n; pow() would dominate ligand preparation. */
static double power(double x, int n) {
  double result = 1.0;
  for (int k = 0; k < n; k++) result *= x;
  return result;
}

/* The pair's energy at a squared distance; exponents of force fields are even. */
static double energy_at_square(const bt_ad4_pair *law, double square) {
  if (law->m % 2 != 0 || law->n % 2 != 0) return bt_ad4_pair_energy(law, sqrt(square));
  return law->a / power(square, law->m / 2) - law->b / power(square, law->n / 2);
}

void bt_table_fill(const bt_ad4_pair *law, double table[BT_TABLE_SIZE]) {
  double raw[BT_TABLE_SIZE];
  int lowest = 0;
  raw[0] = BT_AD4_CLAMP;
  for (int k = 1; k < BT_TABLE_SIZE; k++) {
    raw[k] = fmin(BT_AD4_CLAMP, energy_at_square(law, bt_table_square(k)));
    if (raw[k] < raw[lowest]) lowest = k;
  }
  /* the curve has one well, so the lowest entry of a window is the one nearest to the bottom */
  const double half = 0.5 * BT_AD4_SMOOTH;
  table[0] = raw[0];
  table[BT_TABLE_SIZE - 1] = raw[BT_TABLE_SIZE - 1];
  for (int k = 1; k < BT_TABLE_SIZE - 1; k++) {
    double r = sqrt(bt_table_square(k));
    int from = (int)((r - half) * (r - half) * BT_TABLE_PER_SQUARE_ANGSTROM);
    int to = (int)((r + half) * (r + half) * BT_TABLE_PER_SQUARE_ANGSTROM);
    table[k] = raw[clamp_index(lowest, from, clamp_index(to, 0, BT_TABLE_SIZE - 1))];
  }
}
