/* pair_tables.c - AutoDock 4.2.6's arithmetic between moving atoms.
 *
 * A pair at r has the energy of the table's node r_k = sqrt(k/32), k = floor(32 max(r, 0.5)^2). The table of van der
 * Waals and hydrogen-bond energies is smoothed: each entry is the lowest raw entry within 0.25 A of it.
 */
#include "forcefield/pair_tables.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- tables that ligands share ---- */

enum { CHAINS = 64 };

typedef struct shared_table {
  bt_ad4_pair law;
  struct shared_table *older; /* of the same chain */
  double entries[BT_TABLE_SIZE];
} shared_table;

struct bt_pair_tables {
  _Atomic(shared_table *) newest[CHAINS]; /* tables are added, never changed or removed */
};

bt_pair_tables *bt_pair_tables_create(void) { return calloc(1, sizeof(bt_pair_tables)); }

void bt_pair_tables_destroy(bt_pair_tables *opt_tables) {
  for (int c = 0; opt_tables != NULL && c < CHAINS; c++)
    for (shared_table *table = atomic_load(&opt_tables->newest[c]), *older; table != NULL; table = older) {
      older = table->older;
      free(table);
    }
  free(opt_tables);
}

static int chain_of(const bt_ad4_pair *law) {
  uint64_t bits[2];
  memcpy(&bits[0], &law->a, sizeof bits[0]);
  memcpy(&bits[1], &law->b, sizeof bits[1]);
  return (int)((bits[0] + 31 * bits[1]) * 0x9e3779b97f4a7c15u >> 58);
}

static bool same_law(const bt_ad4_pair *x, const bt_ad4_pair *y) {
  return !(x->a < y->a || x->a > y->a || x->b < y->b || x->b > y->b) && x->m == y->m && x->n == y->n;
}

/* From a table to the end of its chain. */
static const shared_table *find_from(const shared_table *table, const bt_ad4_pair *law) {
  while (table != NULL && !same_law(&table->law, law)) table = table->older;
  return table;
}

const double *bt_pair_tables_find(bt_pair_tables *tables, const bt_ad4_pair *law) {
  _Atomic(shared_table *) *newest = &tables->newest[chain_of(law)];
  shared_table *seen = atomic_load_explicit(newest, memory_order_acquire);
  const shared_table *found = find_from(seen, law);
  if (found != NULL) return found->entries;
  shared_table *mine = malloc(sizeof *mine);
  if (mine == NULL) return NULL;
  mine->law = *law;
  bt_table_fill(law, mine->entries);
  do {
    found = find_from(seen, law); /* another thread may have been faster */
    if (found != NULL) {
      free(mine);
      return found->entries;
    }
    mine->older = seen;
  } while (!atomic_compare_exchange_weak_explicit(newest, &seen, mine, memory_order_acq_rel, memory_order_acquire));
  return mine->entries;
}
