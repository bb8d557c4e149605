/* as_docked.c - the pose that an SDF record of Berth carries as PDBQT, for records whose preparation would give another
 * one.
 *
 * The item is used only if it agrees with the record on the position of every heavy atom.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/glue.h"
#include "formats/pdbqt/pdbqt.h"
#include "prep/ligand/ligand.h"

static const double same_place = 0.01; /* Angstrom; records have four decimals, PDBQT has three */

static bool is_near(const double *x, const double (*all)[3], int count) {
  for (int i = 0; i < count; i++)
    if (fabs(x[0] - all[i][0]) < same_place && fabs(x[1] - all[i][1]) < same_place &&
        fabs(x[2] - all[i][2]) < same_place)
      return true;
  return false;
}

static bool is_of_record(const char *type) { return bt_glue_point(type) < 0 && !bt_is_hydration_water(type); }

static bt_status check_places(const bt_molecule *pose, const bt_rdmol *mol, bt_where where, bt_error *opt_error) {
  int n = bt_rdmol_atom_count(mol);
  BT_SCOPED double(*x)[3] = bt_allocate((size_t)n + 1, sizeof *x);
  if (x == NULL) return bt_fail_memory(opt_error);
  if (bt_rdmol_conformer_count(mol) > 0) bt_rdmol_coordinates(mol, 0, x);
  for (int i = 0; i < pose->n_atoms; i++)
    if (is_of_record(pose->atoms[i].type) && !is_near(pose->atoms[i].x, (const double(*)[3])x, n))
      return bt_fail(opt_error, BT_ERR_INPUT, where, "remove the data item " BT_POSE_ITEM ", or ignore the docking",
                     "the record's atoms are not where its data item " BT_POSE_ITEM
                     " has them: it was changed after the docking");
  return BT_OK;
}

bt_status bt_ligand_as_docked(const bt_rdmol *mol, bt_where where, const char *name, bt_molecule **ret_molecule,
                              bt_error *opt_error) {
  *ret_molecule = NULL;
  const char *text = bt_rdmol_item(mol, BT_POSE_ITEM);
  if (text == NULL) return BT_OK;
  bt_molecule **list;
  int count;
  bt_error reason;
  if (bt_molecule_from_memory(where.file, text, strlen(text), BT_MOLECULE_LIGAND, &list, &count, &reason) != BT_OK)
    return bt_fail(opt_error, reason.status, where, "remove the data item, or write the pose again",
                   "data item " BT_POSE_ITEM ": %s", reason.message);
  bt_molecule *pose = list[0];
  list[0] = NULL;
  bt_molecule_list_destroy(list, count);
  free(pose->name);
  pose->name = bt_copy_text(name, strlen(name));
  bt_status status = pose->name != NULL ? check_places(pose, mol, where, opt_error) : bt_fail_memory(opt_error);
  return BT_HAND_OVER(status, pose, ret_molecule, bt_molecule_destroy);
}
