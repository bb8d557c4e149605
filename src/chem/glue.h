/* glue.h - the ring-closure types of opened macrocycles.
 *
 * A broken ring bond leaves two carbons CGn and two invisible points Gn (n = 0..9), each Gn standing where the
 * partner of its own carbon should be. Forli and Botta, J. Chem. Inf. Model. 47, 1481 (2007); the numbered names
 * are Meeko's and AutoDock-GPU's. AutoDock 4's plain G, GA, J and Q are ordinary carbon-like types.
 */
#ifndef BERTH_CHEM_GLUE_H
#define BERTH_CHEM_GLUE_H

/* The data item of a pose in SDF that says which ring bonds its docking opened: two atoms of the record, from 1, for
 * each bond, or "none". */
#define BT_OPENED_ITEM "berth_opened"
/* And of a covalent ligand: the residue, and the place of its alpha carbon among the record's atoms, from 1. */
#define BT_COVALENT_ITEM "berth_covalent"
/* And the pose as PDBQT, with its flexible residues, where preparing the record again would give something else: waters,
 * residues, charges and torsions of its own. */
#define BT_POSE_ITEM "berth_pose"

/* The number n of a type CGn, -1 for any other type. */
static inline int bt_glue_carbon(const char *type) {
  return type[0] == 'C' && type[1] == 'G' && type[2] >= '0' && type[2] <= '9' && type[3] == '\0' ? type[2] - '0' : -1;
}

/* The number n of a type Gn, -1 for any other type. */
static inline int bt_glue_point(const char *type) {
  return type[0] == 'G' && type[1] >= '0' && type[1] <= '9' && type[2] == '\0' ? type[1] - '0' : -1;
}

/* Water of hydrated docking: never bonded, no partner of moving atoms. */
static inline int bt_is_hydration_water(const char *type) { return type[0] == 'W' && type[1] == '\0'; }

#endif
