/* pair_table.c - AutoGrid's pair energies at distances k/100 A: clamped, then smoothed by a running minimum. */
#include <string.h>

#include "grid/tables/tables.h"

enum { LAST = BT_GRID_PAIR_ROWS - 1 };

static void law(const bt_ad4_pair *pair, double energy[BT_GRID_PAIR_ROWS]) {
  for (int k = 1; k < LAST; k++) {
    double r = k / 100.0, value;
    if (pair->m == 12 && (pair->n == 6 || pair->n == 10)) { /* much faster than pow() */
      double r2 = r * r, r6 = r2 * r2 * r2;
      value = pair->a / (r6 * r6) - pair->b / (pair->n == 6 ? r6 : r6 * r2 * r2);
    } else {
      value = bt_ad4_pair_energy(pair, r);
    }
    energy[k] = value < BT_AD4_CLAMP ? value : BT_AD4_CLAMP;
  }
  energy[0] = BT_AD4_CLAMP;
  energy[LAST] = 0.0;
}

void bt_grid_pair_table(const bt_ad4_pair *pair, double smooth, double ret_energy[BT_GRID_PAIR_ROWS]) {
  law(pair, ret_energy);
  int half = smooth < 2.0 * BT_GRID_PAIR_ROWS / 100.0 ? (int)(smooth * 100.0 / 2.0) : LAST;
  if (half <= 0) return;
  double raw[BT_GRID_PAIR_ROWS];
  memcpy(raw, ret_energy, sizeof raw);
  for (int shift = 1; shift <= half; shift++) {
    for (int k = shift; k <= LAST; k++) ret_energy[k] = ret_energy[k] < raw[k - shift] ? ret_energy[k] : raw[k - shift];
    for (int k = 0; k <= LAST - shift; k++)
      ret_energy[k] = ret_energy[k] < raw[k + shift] ? ret_energy[k] : raw[k + shift];
  }
}
