/* maps.h - the maps of a target, computed for atom types as they turn up. */
#ifndef BERTH_TARGET_MAPS_H
#define BERTH_TARGET_MAPS_H

#include <berth/target.h>

#include "base/text/text.h"
#include "pose/ligand.h"

/* Adds the types of the maps that the ligand's atoms feel: carbons of opened rings need that of C, ring-closure points
 * none. */
bt_status bt_types_of_ligand(bt_text_list *list, const bt_ligand *ligand, bt_error *opt_error) BT_MUST_USE;
/* All that ligands are likely to have. */
bt_status bt_types_likely(bt_text_list *list, bt_scoring scoring, bool waters, bt_error *opt_error) BT_MUST_USE;

/* The maps of one of the target's receptors in a box; types without parameters are left out. */
bt_status bt_target_compute_maps(const bt_target *target, const bt_receptor *receptor, const bt_box *box,
                                 bt_scoring scoring, const bt_text_list *types, bt_maps **ret_maps, bt_error *opt_error) BT_MUST_USE;
/* From the files of the receptor; BT_ERR_USAGE if they are for another scoring function. */
bt_status bt_target_read_maps(const bt_target *target, bt_scoring scoring, const bt_text_list *types,
                              bt_maps **ret_maps, bt_error *opt_error) BT_MUST_USE;
bt_grid_options bt_target_grid_options(const bt_target *target, const bt_box *box, bt_scoring scoring);
/* Makes target->maps those of all types so far, and of boxes around pockets for the longest ligand so far. */
bt_status bt_target_fit_maps(bt_target *target, bt_error *opt_error) BT_MUST_USE;
void bt_target_drop_maps(bt_target *target);

#endif
