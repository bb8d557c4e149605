/* contact_groups.h - aromatic rings and charged groups, for pi stacking and salt bridges. */
#ifndef BERTH_RESULTS_ANALYSIS_CONTACT_GROUPS_H
#define BERTH_RESULTS_ANALYSIS_CONTACT_GROUPS_H

#include "pose/ligand.h"

typedef struct bt_group {
  int atoms[6], n; /* in the order of the ring; or those that carry the charge */
  int sign;        /* of the charge; 0: an aromatic ring */
} bt_group;

typedef struct bt_groups {
  bt_group *rings, *charged;
  size_t n_rings, n_charged, ring_room, charged_room;
} bt_groups;

/* Of a receptor or of flexible residues: by the names of residues and atoms. Histidine is charged when both of its
 * nitrogens carry hydrogens, aspartate and glutamate when their oxygens carry none. */
bt_status bt_groups_of_receptor(const bt_molecule *receptor, bt_groups *ret_groups, bt_error *opt_error) BT_MUST_USE;
/* Of a ligand: rings of 5 or 6 atoms whose carbons all have type A; carboxylates, phosphates, sulfonates; ammonium,
 * guanidinium, amidinium, formamidinium, pyridinium, imidazolium. Without bond orders, so a group in a rare form is
 * missed. */
bt_status bt_groups_of_ligand(const bt_molecule *ligand, bt_groups *ret_groups, bt_error *opt_error) BT_MUST_USE;
void bt_groups_clear(bt_groups *groups);

#endif
