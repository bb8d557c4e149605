/* stored_result.h - a ligand of a database with its poses, restored as a result. */
#ifndef BERTH_STORE_STORED_RESULT_H
#define BERTH_STORE_STORED_RESULT_H

#include <berth/constrain.h>

#include "results/result.h"
#include "store/store.h"

typedef struct bt_stored_result {
  bt_molecule **list; /* the ligand is list[0] */
  int count;
  bt_ligand *ligand;
  bt_result *result; /* one run per kept pose, the best first */
} bt_stored_result;

/* Of the screen; databases that do not say it are AutoDock 4's. */
bt_status bt_store_scoring(bt_store *store, bt_scoring *ret_scoring, bt_error *opt_error) BT_MUST_USE;

/* What ranks its ligands: a scoring function, "blend", or an engine; free() it. */
bt_status bt_store_ranked_by(bt_store *store, char **ret_name, bt_error *opt_error) BT_MUST_USE;

/* The row brings poses and molecule. With maps, the energies of atoms and all terms come back too; their sums must be
 * what they were (BT_ERR_INPUT). Clear it also after a failure. */
bt_status bt_store_result(const bt_store_row *row, bt_scoring scoring, const bt_molecule *opt_flexible,
                          const bt_maps *opt_maps, bt_stored_result *ret_stored, bt_error *opt_error) BT_MUST_USE;
void bt_stored_result_clear(bt_stored_result *stored);

/* The receptor of the screen as a list of one molecule (bt_molecule_list_destroy); empty: it was run on maps. */
bt_status bt_store_receptor(bt_store *store, bt_molecule ***ret_list, int *ret_count, bt_error *opt_error) BT_MUST_USE;

/* The flexible residues of the screen; NULL: it has none. Destroy them. */
bt_status bt_store_flexible(bt_store *store, bt_molecule **ret_flexible, bt_error *opt_error) BT_MUST_USE;

/* The constraints of the screen; NULL: it has none, or this version does not understand them. A core that an earlier
 * version did not keep is missing. */
bt_status bt_store_constraints(bt_store *store, const bt_molecule *opt_receptor, bt_constraints **ret_constraints,
                               bt_error *opt_error) BT_MUST_USE;

/* What poses are judged by. */
typedef struct bt_pose_judges {
  const bt_constraints *opt_constraints;
  const bt_molecule *const *receptor; /* [n_receptor] 0 or 1: without it, contacts are not tested */
  int n_receptor;
} bt_pose_judges;

/* Judges constraints, checks, and the strain of the best pose. The chemistry of the ligand is known. */
bt_status bt_stored_result_judge(bt_stored_result *stored, const bt_pose_judges *judges,
                                 bt_error *opt_error) BT_MUST_USE;

#endif
