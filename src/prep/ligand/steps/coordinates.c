/* coordinates.c - coordinates of a molecule from those of its fragments. */
#include "base/memory.h"
#include "chem/builder/builder.h"
#include "prep/ligand/steps/steps.h"

bt_status bt_prep_build_coordinates(bt_rdmol *mol, bt_shapes *opt_shapes, int conformers, bool *ret_built,
                                    bt_error *opt_error) {
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  bt_build_structure structure = {.n_atoms = bt_rdmol_atom_count(mol), .n_bonds = bt_rdmol_bond_count(mol)};
  double(*x)[3];
  *ret_built = false;
  if (opt_shapes == NULL) return BT_OK;
  BT_NEW(&arena, structure.atoms, structure.n_atoms);
  BT_NEW(&arena, structure.bonds, structure.n_bonds);
  BT_NEW(&arena, x, structure.n_atoms);
  BT_TRY(bt_arena_status(&arena, opt_error));
  bt_rdmol_structure(mol, &structure);
  for (int c = 0; c < conformers; c++) {
    bool right;
    BT_TRY(bt_build_coordinates(opt_shapes, &structure, c, x, &right, opt_error));
    if (right) BT_TRY(bt_rdmol_set_built(mol, (const double(*)[3])x, c > 0, &right, opt_error));
    if (c == 0) *ret_built = right;
    if (!*ret_built) break;
  }
  return BT_OK;
}
