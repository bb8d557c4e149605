/* receptor.h - heavy atoms of a receptor, typed, nearest to the box first. */
#ifndef BERTH_ENGINE_BUDE_RECEPTOR_H
#define BERTH_ENGINE_BUDE_RECEPTOR_H

#include "engine/bude/compound.h"
#include "chem/molecule.h"

typedef struct bt_bude_receptor {
  int n_atoms;
  bt_bude_atom *atoms; /* about the middle of the box, Angstrom, by distance from the box */
  double *xyz;         /* [3 n_atoms] the same in double precision */
  int *types;          /* [n_atoms] */
  double *distance;    /* [n_atoms] from the box of the ligand's middle, ascending, Angstrom */
  double reach;        /* beyond this distance no pair of the force field interacts, Angstrom */
} bt_bude_receptor;

/* Gives one of the two. half[3]: half of the box's edges. notes get lines on atoms that were typed by what is near. */
bt_status bt_bude_receptor_create(const char *opt_mol2_path, const bt_molecule *opt_molecule,
                                  const bt_bude_typing *typing, bt_bude_rules rules, const double center[3],
                                  const double half[3], bt_bude_receptor **ret_receptor,
                                  bt_error *opt_error) BT_MUST_USE;
void bt_bude_receptor_destroy(bt_bude_receptor *opt_receptor);
/* Atoms that a ligand of this radius (from its middle) can feel: the first so many. */
int bt_bude_receptor_near(const bt_bude_receptor *receptor, double radius);

#endif
