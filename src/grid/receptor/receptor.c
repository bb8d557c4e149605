/* receptor.c - types the atoms of a receptor and moves them into the frame of the box. */
#include "grid/receptor/receptor.h"

#include <stdlib.h>

#include "base/memory.h"
#include "grid/receptor/types.h"

static bt_status convert(const bt_molecule *molecule, const bt_ad4_table *table, const bt_grid_options *options,
                         bt_grid_receptor *receptor, bt_error *opt_error) {
  BT_TRY(bt_grid_receptor_type(receptor, molecule, table, options->stand_ins, opt_error));
  bool charged = false;
  for (int i = 0; i < molecule->n_atoms; i++) {
    const bt_atom *from = &molecule->atoms[i];
    bt_grid_atom *to = &receptor->atoms[i];
    for (int axis = 0; axis < 3; axis++) to->x[axis] = from->x[axis] - options->box.center[axis];
    to->charge = from->charge;
    charged = charged || from->charge != 0.0;
  }
  if (molecule->n_atoms == 0 || (!charged && !options->no_electrostatics))
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = molecule->path},
                   "prepare the receptor again with partial charges",
                   molecule->n_atoms == 0 ? "the receptor has no atoms" : "all charges of the receptor are zero");
  return BT_OK;
}

bt_status bt_grid_receptor_create(const bt_molecule *molecule, const bt_ad4_table *table,
                                  const bt_grid_options *options, bt_grid_receptor **ret_receptor,
                                  bt_error *opt_error) {
  *ret_receptor = NULL;
  bt_grid_receptor *receptor = calloc(1, sizeof *receptor);
  if (receptor == NULL) return bt_fail_memory(opt_error);
  receptor->n_atoms = molecule->n_atoms;
  receptor->atoms = bt_allocate((size_t)molecule->n_atoms, sizeof *receptor->atoms);
  receptor->types = bt_allocate((size_t)table->n_types, sizeof *receptor->types);
  bt_status status = receptor->atoms == NULL || receptor->types == NULL
                         ? bt_fail_memory(opt_error)
                         : convert(molecule, table, options, receptor, opt_error);
  if (status == BT_OK) bt_grid_bond_vectors(receptor, options->disorder_h);
  return BT_HAND_OVER(status, receptor, ret_receptor, bt_grid_receptor_destroy);
}

void bt_grid_receptor_destroy(bt_grid_receptor *opt_receptor) {
  if (opt_receptor == NULL) return;
  free(opt_receptor->atoms);
  free(opt_receptor->types);
  free(opt_receptor->opt_warning);
  free(opt_receptor);
}
