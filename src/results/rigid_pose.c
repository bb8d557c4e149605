/* rigid_pose.c - see rigid_pose.h. */
#include "results/rigid_pose.h"

#include <berth/prepare.h>
#include <stdlib.h>

#include "base/memory.h"
#include "prep/ligand/preparer.h"

static bt_status prepare_record(const char *text, const bt_molecule *docked, bt_molecule **ret_molecule,
                                bt_error *opt_error) {
  const bt_record record = {.format = &bt_format_sdf,
                            .path = docked->path,
                            .name = docked->name,
                            .text = text,
                            .size = strlen(text),
                            .line = 1,
                            .number = 1};
  bt_prepare_options options = bt_prepare_options_default();
  bt_preparer *preparer;
  BT_ENDED_BY(bt_molecules_destroy) bt_molecules made = {0};
  options.as_drawn = true;
  BT_TRY(bt_preparer_create(&options, NULL, &preparer, opt_error));
  bt_status status = bt_preparer_run(preparer, &record, &made, opt_error);
  bt_preparer_destroy(preparer);
  if (status != BT_OK) return status;
  if (made.count != 1)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = docked->path}, "leave this ligand out",
                   "the pose is not one molecule");
  *ret_molecule = made.items[0];
  made.count = 0;
  return BT_OK;
}

bt_status bt_rigid_pose_prepare(const bt_result *result, int cluster, bt_molecule **ret_molecule, bt_error *opt_error) {
  const bt_molecule *docked = result->ligand->molecule;
  const double(*x)[3] = (const double(*)[3])(const void *)result->runs[result->clusters[cluster].leader].xyz;
  BT_SCOPED char *record = NULL;
  if (!bt_molecule_has_chemistry(docked)) {
    if (opt_error != NULL) *opt_error = *result->opt_rigid->no_bonds;
    return result->opt_rigid->no_bonds->status;
  }
  BT_TRY(bt_molecule_sdf(docked, x, NULL, 0, &record, opt_error));
  return prepare_record(record, docked, ret_molecule, opt_error);
}
