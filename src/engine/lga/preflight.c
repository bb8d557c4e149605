/* preflight.c - see preflight.h. */
#include "engine/lga/preflight.h"

#include <berth/place.h>
#include <string.h>

static bt_status refuse_water(const bt_ligand *ligand, bt_error *opt_error) {
  for (int i = 0; ligand->vina != NULL && i < ligand->n_ligand_atoms; i++) {
    const bt_molecule *molecule = NULL;
    const bt_atom *atom = bt_ligand_atom(ligand, i, &molecule);
    if (strcmp(atom->type, "W") == 0)
      return bt_fail(opt_error, BT_ERR_PARAMETER, bt_atom_where(molecule, atom),
                     "provide the ligand without its waters, or dock with AutoDock 4 (--scoring ad4)",
                     "Vina's scoring functions do not support hydration water (type W)");
  }
  return BT_OK;
}

/* A covalent ligand cannot go anywhere else. */
static bt_status check_tether(const bt_ligand *ligand, const bt_maps *maps, bt_error *opt_error) {
  static const double REACH = 5; /* Angstrom outside of the box, from where the ligand may still reach in */
  for (int c = 0; ligand->tethered && c < 3; c++) {
    const double x = ligand->xyz[c];
    if (x < maps->low[c] - REACH || x > maps->high[c] + REACH)
      return bt_fail(opt_error, BT_ERR_BOX, (bt_where){.file = ligand->molecule->path},
                     "place the box around that residue, in the receptor that the ligand was prepared with",
                     "the ligand is bonded to %s, which is outside the box", ligand->molecule->tether);
  }
  return BT_OK;
}

bt_status bt_preflight(const bt_ligand *ligand, const bt_maps *maps, bt_error *opt_error) {
  BT_TRY(refuse_water(ligand, opt_error));
  BT_TRY(check_tether(ligand, maps, opt_error));
  return bt_box_fits(&maps->box, ligand, opt_error);
}
