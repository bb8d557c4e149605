/* revive.h - a ligand of a database with its poses, as it was docked. */
#ifndef BERTH_STORE_REVIVE_H
#define BERTH_STORE_REVIVE_H

#include "results/result.h"
#include "store/store.h"

typedef struct bt_revived {
  bt_molecule **list; /* the ligand is list[0] */
  int count;
  bt_ligand *ligand;
  bt_result *result; /* one run per kept pose, the best first */
} bt_revived;

/* The row brings poses and molecule. With maps, the energies of atoms and all terms come back too; their sums must be what
 * they were (BT_ERR_INPUT). Clear it also after a failure. */
bt_status bt_revive(const bt_store_row *row, const bt_molecule *opt_flexible, const bt_maps *opt_maps,
                    bt_revived *ret_revived, bt_error *opt_error) BT_MUST_USE;
void bt_revived_clear(bt_revived *revived);

/* The flexible residues of the screen; NULL: it has none. Destroy them. */
bt_status bt_store_flexible(bt_store *store, bt_molecule **ret_flexible, bt_error *opt_error) BT_MUST_USE;

#endif
