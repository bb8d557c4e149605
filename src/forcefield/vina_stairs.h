/* vina_stairs.h - Vina's staircase of energies, tabulated once per pair of classes.
 *
 * The numbers are those of bt_vina_pair_staircase, to the last bit.
 */
#ifndef BERTH_FORCEFIELD_VINA_STAIRS_H
#define BERTH_FORCEFIELD_VINA_STAIRS_H

#include <berth/types.h>

#include "forcefield/vina.h"

typedef struct bt_vina_stairs bt_vina_stairs;

bt_vina_stairs *bt_vina_stairs_create(const bt_vina_law *law); /* NULL: out of memory */
void bt_vina_stairs_destroy(bt_vina_stairs *opt_stairs);

/* Energies of two classes by step, for bt_vina_stairs_at; filled when first wanted, by any thread. NULL: out of memory.
 */
const double *bt_vina_stairs_find(bt_vina_stairs *stairs, const bt_vina_class *first, const bt_vina_class *second);

/* kcal/mol at a squared distance, A^2. */
static inline double bt_vina_stairs_at(const double *steps, double r2) {
  return r2 < BT_VINA_CUTOFF * BT_VINA_CUTOFF ? steps[(int)(BT_VINA_STEPS * r2)] : 0.0;
}

#endif
