/* receptor.c - types the atoms of a receptor and moves them into the frame of the box. */
#include "grid/receptor.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bt_where place(const bt_molecule *molecule, const bt_atom *atom) {
  return (bt_where){.file = molecule->path, .line = molecule->first_line + atom->line, .atom = atom->serial};
}

/* Index of a type in receptor->types, added at its first appearance; -1 if the library lacks it. */
static int type_index(bt_grid_receptor *receptor, const bt_ad4_library *library, const char *name) {
  for (int t = 0; t < receptor->n_types; t++)
    if (strcmp(receptor->types[t]->name, name) == 0) return t;
  const bt_ad4_type *type = bt_ad4_library_find(library, name);
  if (type == NULL) return -1;
  receptor->types[receptor->n_types] = type;
  return receptor->n_types++;
}

static bt_status convert(const bt_molecule *molecule, const bt_ad4_library *library, const double center[3],
                         bt_grid_receptor *receptor, bt_error *opt_error) {
  bool charged = false;
  for (int i = 0; i < molecule->n_atoms; i++) {
    const bt_atom *from = &molecule->atoms[i];
    bt_grid_atom *to = &receptor->atoms[i];
    to->type = type_index(receptor, library, from->type);
    if (to->type < 0)
      return bt_fail(opt_error, BT_ERR_PARAMETER, place(molecule, from),
                     "correct the type, or give its parameters in a parameter file",
                     "the receptor has an atom of type '%s', which has no parameters", from->type);
    for (int axis = 0; axis < 3; axis++) to->x[axis] = from->x[axis] - center[axis];
    to->charge = from->charge;
    charged = charged || from->charge != 0.0;
  }
  if (!charged)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = molecule->path},
                   "prepare the receptor again with partial charges",
                   molecule->n_atoms == 0 ? "the receptor has no atoms" : "all charges of the receptor are zero");
  return BT_OK;
}

bt_status bt_grid_receptor_create(const bt_molecule *molecule, const bt_ad4_library *library, const double center[3],
                                  bool disorder_h, bt_grid_receptor **ret_receptor, bt_error *opt_error) {
  *ret_receptor = NULL;
  bt_grid_receptor *receptor = calloc(1, sizeof *receptor);
  if (receptor == NULL) return bt_fail_memory(opt_error);
  receptor->n_atoms = molecule->n_atoms;
  receptor->atoms = bt_allocate((size_t)molecule->n_atoms, sizeof *receptor->atoms);
  receptor->types = bt_allocate((size_t)library->n_types, sizeof *receptor->types);
  bt_status status = receptor->atoms == NULL || receptor->types == NULL
                         ? bt_fail_memory(opt_error)
                         : convert(molecule, library, center, receptor, opt_error);
  if (status != BT_OK) {
    bt_grid_receptor_destroy(receptor);
    return status;
  }
  bt_grid_bond_vectors(receptor, disorder_h);
  *ret_receptor = receptor;
  return BT_OK;
}

void bt_grid_receptor_destroy(bt_grid_receptor *opt_receptor) {
  if (opt_receptor == NULL) return;
  free(opt_receptor->atoms);
  free(opt_receptor->types);
  free(opt_receptor);
}
