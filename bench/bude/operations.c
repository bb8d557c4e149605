/* operations.c - floating-point operations that the energy kernels execute, counted in their source. */
#include "bench/bude/bude.h"

#include <math.h>
#include <string.h>

static bool starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

bude_arithmetic bude_arithmetic_of(const char *device) {
  /* a lower limit, an estimate of the reciprocal root, two multiplies, a multiply-add (src/backend/cpu/lane.h) */
  if (starts_with(device, "cpu/avx512")) return (bude_arithmetic){.root = 6};
  if (starts_with(device, "cpu") || starts_with(device, "omp-target")) return (bude_arithmetic){.root = 2};
  return (bude_arithmetic){.root = 1, .saturate = true};
}

/* bt_bude_distance: squares need three multiply-adds and an addition, differences three subtractions, a multiply and
 * two multiply-adds. Full-precision roots are preceded by a limit at 0. */
static int distance(unsigned int without, bude_arithmetic arithmetic) {
  return (without & BT_BUDE_WITHOUT_SQUARE ? 8 : 7) + (without & BT_BUDE_WITHOUT_FAST ? 2 : arithmetic.root);
}

/* bt_bude_terms: two multiply-adds per term where clamps are free. Otherwise a maximum, a subtraction and a
 * multiply-add for the steric term, two multiply-adds and a maximum for each of the others. */
static int terms(int kind, bude_arithmetic arithmetic) {
  int others = ((kind & BT_BUDE_CHARGE) != 0) + ((kind & BT_BUDE_DESOLVATION) != 0);
  return 4 + others * (arithmetic.saturate ? 4 : 5);
}

double bude_operations(const bt_bude_tables *tables, const bt_bude_atom *ligand, size_t n_ligand, unsigned int without,
                       bude_arithmetic arithmetic) {
  double sum = 0, pairs = 0;
  if (without & (BT_BUDE_WITHOUT_RUNS | BT_BUDE_WITHOUT_TABLE | BT_BUDE_WITHOUT_SELECT)) return NAN;
  for (size_t l = 0; l < n_ligand; l++) {
    const bt_bude_pair *of = tables->pairs + (size_t)ligand[l].type * (size_t)tables->n_runs;
    for (int r = 0; r < tables->n_runs; r++) {
      int kind = without & BT_BUDE_WITHOUT_KINDS ? BT_BUDE_CHARGE | BT_BUDE_DESOLVATION : of[r].kind;
      sum += (double)tables->runs[r].count * terms(kind, arithmetic);
      pairs += tables->runs[r].count;
    }
  }
  return distance(without, arithmetic) + sum / pairs;
}
