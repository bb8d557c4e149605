/* selection.h - which ligands of a ranking are exported: those whose poses have contacts, those unlike the ones before.
 */
#ifndef BERTH_STORE_EXPORT_SELECTION_H
#define BERTH_STORE_EXPORT_SELECTION_H

#include "store/stored_result.h"

typedef struct bt_selector bt_selector;

/* Opens the screen's receptor, if it is needed; BT_ERR_USAGE where poses are not AutoDock's, or the screen was run on
 * maps without a receptor. options are borrowed. */
bt_status bt_selector_create(bt_store *store, const bt_screen_selection *options, bt_selector **ret_selector,
                             bt_error *opt_error) BT_MUST_USE;
void bt_selector_destroy(bt_selector *opt_selector);

/* Judges the next ligand of the ranking: *ret_taken, whether any of its poses has the contacts, and whether it is
 * unlike those that were taken. *ret_bonds false: it cannot be compared, as its bonds are not known, and is not taken.
 */
bt_status bt_selector_judge(bt_selector *selector, const bt_store_row *row, bt_stored_result *stored, bool *ret_taken,
                            bool *ret_bonds, bt_error *opt_error) BT_MUST_USE;
/* Adds the poses of a ligand that was taken to the table of interactions. */
bt_status bt_selector_note(bt_selector *selector, const bt_store_row *row, const bt_stored_result *stored,
                           bt_error *opt_error) BT_MUST_USE;
/* Does pose k meet the filter of contacts? */
bt_status bt_selector_takes_pose(const bt_selector *selector, const bt_stored_result *stored, int k, bool *ret_takes,
                                 bt_error *opt_error) BT_MUST_USE;
/* Writes the table of interactions, if it is wanted. */
bt_status bt_selector_write(const bt_selector *selector, bt_error *opt_error) BT_MUST_USE;

#endif
