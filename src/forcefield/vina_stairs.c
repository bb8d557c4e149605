/* vina_stairs.c - see vina_stairs.h. */
#include "forcefield/vina_stairs.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { STEPS = (int)(BT_VINA_CUTOFF * BT_VINA_CUTOFF * BT_VINA_STEPS) };

struct bt_vina_stairs {
  const bt_vina_law *law;
  _Atomic(double *) steps[BT_VINA_CLASSES][BT_VINA_CLASSES]; /* [STEPS], or NULL; those below the diagonal are unused */
};

bt_vina_stairs *bt_vina_stairs_create(const bt_vina_law *law) {
  bt_vina_stairs *stairs = calloc(1, sizeof *stairs);
  if (stairs != NULL) stairs->law = law;
  return stairs;
}

void bt_vina_stairs_destroy(bt_vina_stairs *opt_stairs) {
  for (int a = 0; opt_stairs != NULL && a < BT_VINA_CLASSES; a++)
    for (int b = a; b < BT_VINA_CLASSES; b++) free(atomic_load(&opt_stairs->steps[a][b]));
  free(opt_stairs);
}

static double *fill(const bt_vina_law *law, const bt_vina_class *first, const bt_vina_class *second) {
  double *steps = malloc(STEPS * sizeof *steps);
  bt_vina_pair pair = bt_vina_pair_of(law, first, second);
  for (int k = 0; steps != NULL && k < STEPS; k++) steps[k] = bt_vina_pair_staircase(law, &pair, k / BT_VINA_STEPS);
  return steps;
}

const double *bt_vina_stairs_find(bt_vina_stairs *stairs, const bt_vina_class *first, const bt_vina_class *second) {
  if (first->index > second->index) return bt_vina_stairs_find(stairs, second, first);
  _Atomic(double *) *at = &stairs->steps[first->index][second->index];
  double *steps = atomic_load_explicit(at, memory_order_acquire), *others = NULL;
  if (steps != NULL) return steps;
  steps = fill(stairs->law, first, second);
  if (steps == NULL ||
      atomic_compare_exchange_strong_explicit(at, &others, steps, memory_order_acq_rel, memory_order_acquire))
    return steps;
  free(steps); /* another thread was faster */
  return others;
}
