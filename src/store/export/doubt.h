/* doubt.h - good ranks that the networks do not share.
 *
 * In the screens of docs/decisions/041-doubtful-hits.md, ligands among the best 5 % whose score by the networks was worse
 * than that of 30 % of all ligands were half as often active as the others there.
 */
#ifndef BERTH_STORE_EXPORT_DOUBT_H
#define BERTH_STORE_EXPORT_DOUBT_H

#include "store/store.h"

typedef struct bt_doubt {
  double *scores; /* [count] of all ligands by the networks, the best first; NULL: they did not score */
  size_t count;
} bt_doubt;

bt_status bt_doubt_open(bt_store *store, bt_doubt *ret_doubt, bt_error *opt_error) BT_MUST_USE;
void bt_doubt_close(bt_doubt *doubt);
/* The share of ligands with a better score by the networks, in percent, of a ligand whose rank is in doubt; else -1. */
int bt_doubt_of(const bt_doubt *doubt, int64_t rank, const bt_store_row *row);

#endif
