/* vina_field.h - sums over the receptor from tables, for refinement, which needs many of them.
 *
 * Tables hold the energy of a pair and its slope against distance, 256 steps per Angstrom, and are interpolated:
 * within 1e-5 kcal/mol of the closed form, 1e-3 next to a corner of a ramp. Reported energies never come from here.
 */
#ifndef BERTH_GRID_VINA_FIELD_H
#define BERTH_GRID_VINA_FIELD_H

#include "grid/vina_receptor.h"

typedef struct bt_vina_field {
  const bt_vina_receptor *receptor; /* borrowed */
  float (*tables[BT_VINA_CLASSES][BT_VINA_CLASSES])[2]; /* [moving][receptor's]: energy and slope; NULL: not needed */
  bt_arena arena;
} bt_vina_field;

/* For moving atoms of no class. */
bt_status bt_vina_field_create(const bt_vina_receptor *receptor, bt_vina_field **ret_field,
                               bt_error *opt_error) BT_MUST_USE;
/* Tables for moving atoms of a class, unless it has them. */
bt_status bt_vina_field_add(bt_vina_field *field, const bt_vina_class *moving, bt_error *opt_error) BT_MUST_USE;
void bt_vina_field_destroy(bt_vina_field *opt_field);

/* Energy of an atom of one of the classes at a point, kcal/mol; its gradient is added, kcal/mol/A. */
double bt_vina_field_sum(const bt_vina_field *field, const bt_vina_class *class, const double point[3],
                         double gradient[3]);

#endif
