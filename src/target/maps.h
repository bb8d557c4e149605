/* maps.h - the maps of a target, computed for atom types as they turn up. */
#ifndef BERTH_TARGET_MAPS_H
#define BERTH_TARGET_MAPS_H

#include <berth/target.h>

#include "pose/ligand.h"

/* Atom types that need maps. */
typedef struct bt_type_list {
  char (*names)[8]; /* [count] */
  int count;
  size_t capacity;
} bt_type_list;

/* Adds a type unless it is listed. */
bt_status bt_type_list_add(bt_type_list *list, const char *type, bt_error *opt_error) BT_MUST_USE;
/* Those that the ligand's atoms feel: carbons of opened rings need the map of C, ring-closure points none. */
bt_status bt_type_list_add_ligand(bt_type_list *list, const bt_ligand *ligand, bt_error *opt_error) BT_MUST_USE;
/* All that ligands are likely to have. */
bt_status bt_type_list_add_likely(bt_type_list *list, bt_scoring scoring, bool waters, bt_error *opt_error) BT_MUST_USE;
void bt_type_list_clear(bt_type_list *list);

/* The maps of the target's receptor in a box; types without parameters are left out. */
bt_status bt_target_compute_maps(const bt_target *target, const bt_box *box, bt_scoring scoring,
                                 const bt_type_list *types, bt_maps **ret_maps, bt_error *opt_error) BT_MUST_USE;
/* From the files of the receptor; BT_ERR_USAGE if they are for another scoring function. */
bt_status bt_target_read_maps(const bt_target *target, bt_scoring scoring, const bt_type_list *types,
                              bt_maps **ret_maps, bt_error *opt_error) BT_MUST_USE;
bt_grid_options bt_target_grid_options(const bt_target *target, const bt_box *box, bt_scoring scoring);
/* Makes target->maps those of all types so far, and of boxes around pockets for the longest ligand so far. */
bt_status bt_target_fit_maps(bt_target *target, bt_error *opt_error) BT_MUST_USE;
void bt_target_drop_maps(bt_target *target);

#endif
