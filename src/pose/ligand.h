/* ligand.h - the moving parts, set up for scoring and docking.
 *
 * Atoms: the ligand's in file order, then the flexible residues'. Bodies are rigid fragments in the order of
 * their ROOT and BRANCH records, parents first. Body 0 is the ligand's ROOT (it translates and rotates); the
 * ROOTs of all flexible residues are one immobile body; every other body turns about one torsion axis. The ROOT of a
 * covalent ligand is immobile as well: position and orientation are genes without effect then.
 * Several ligands in a joined molecule are parts that move freely: the first one by position and orientation, each
 * further one by six genes behind the torsions, three turns and the position of its center.
 * Kinematics: docs/architecture.md, "The walk of a genotype"; pair rules: AutoDock 4.2.6, or pose/vina.h.
 */
#ifndef BERTH_POSE_LIGAND_H
#define BERTH_POSE_LIGAND_H

#include "base/memory.h"
#include "chem/molecule.h"
#include "forcefield/ad4.h"
#include "forcefield/vina.h"

typedef struct bt_body {
  int parent;               /* -1: a ligand's ROOT or the immobile body */
  bool immobile;            /* the ROOT of a covalent ligand, or of the flexible residues */
  int torsion;              /* gene index 0.., -1 for a root */
  int axis_from, axis_to;   /* atoms, from outside to inside; -1 for a root */
  int first_atom, end_atom; /* atoms turned by the torsion: [first, end), nested bodies included */
} bt_body;

typedef enum bt_pair_group {
  BT_PAIR_LIGAND,      /* both in the same ligand */
  BT_PAIR_LIGAND_FLEX, /* ligand with a flexible residue, or with another ligand */
  BT_PAIR_FLEX         /* both in flexible residues */
} bt_pair_group;

typedef struct bt_pair {
  int i, j; /* atoms, i < j */
  bt_pair_group group;
  bool glue; /* G-CG of one ring closure: 50 kcal/mol/A * r in addition */
} bt_pair;

/* One of several ligands docked simultaneously. */
typedef struct bt_part {
  int root; /* its body */
  int first_atom, end_atom;
  double center[3]; /* arithmetic mean of its atoms, Angstrom */
  /* Among the torsions: angles of its turns about the axes x, y, z (the last one first), and the position of its
   * center, Angstrom. -1: of the first part, which has position and quaternion. */
  int turn, position;
} bt_part;

enum { BT_PART_GENES = 6 }; /* of each further part */

struct bt_ligand {
  bt_scoring scoring;
  const bt_molecule *molecule;     /* borrowed */
  const bt_molecule *opt_flexible; /* borrowed */
  int n_atoms, n_ligand_atoms;
  int n_bodies, n_ligand_torsions;
  int n_torsions;    /* genes after position and orientation: torsions, then those of further parts */
  int n_parts;       /* 1, or the number of ligands */
  bt_part *parts;    /* [n_parts] */
  bool tethered;     /* a covalent ligand, with an immobile ROOT; it is the only part */
  double center[3];  /* of the first part: the origin of its reference frame, Angstrom */
  double *xyz;       /* [3 n_atoms] input coordinates, Angstrom, absolute */
  double *charge;    /* [n_atoms] e; Vina: 0 */
  int *type;         /* [n_atoms] index into types */
  int *body;         /* [n_atoms] */
  bool *feels_maps;  /* [n_atoms] false for the atoms of a residue that do not move, glue atoms, those without class */
  int n_types;
  char (*types)[8]; /* distinct types (Vina: classes) of all atoms, in order of appearance */
  int n_map_types;
  char (*map_types)[8];           /* distinct maps that the atoms feel: types without glue, CGn as C */
  const bt_ad4_type **parameters; /* [n_types]; Vina: NULL */
  const bt_vina_class **vina;     /* [n_types]; AutoDock 4: NULL */
  double n_rot;                   /* Vina's number of rotors, whole or half; AutoDock 4: 0 */
  bt_body *bodies;                /* [n_bodies] */
  int n_pairs;
  bt_pair *pairs; /* groups in the order ligand, ligand-flex, flex */
  bt_arena arena; /* of all arrays */
  bt_ligand **conformers; /* [n_conformers] of the molecule's further conformers: other coordinates, all else equal */
  int n_conformers;
  const struct bt_restraints *restraints; /* of a constrained ligand, the same for all conformers; NULL: none */
  struct bt_restraints *own_restraints;   /* to be destroyed with it */
  int torsdof;    /* TORSDOF record; number of ligand BRANCHes without one */
};

/* One rigid body without types and pairs: for poses that are found without maps. The molecule is borrowed. */
bt_status bt_ligand_create_rigid(const bt_molecule *molecule, bt_ligand **ret_ligand, bt_error *opt_error) BT_MUST_USE;

/* The ligand in one of its conformers; 0: itself. */
static inline const bt_ligand *bt_ligand_conformer(const bt_ligand *ligand, int conformer) {
  return conformer > 0 ? ligand->conformers[conformer - 1] : ligand;
}

/* The name of the map that atoms of a type feel. */
static inline const char *bt_ligand_map_type(const bt_ligand *ligand, int type) {
  return ligand->vina != NULL ? ligand->vina[type]->map : ligand->types[type];
}

/* The part that an atom belongs to; n_parts: a flexible residue. */
static inline int bt_ligand_part(const bt_ligand *ligand, int atom) {
  int part = 0;
  while (part < ligand->n_parts && atom >= ligand->parts[part].end_atom) part++;
  return part;
}

/* Hands over the restraints of the ligand, which it has in all conformers, instead of those that it had. */
void bt_ligand_set_restraints(bt_ligand *ligand, struct bt_restraints *opt_restraints);

/* Whether an opened ring has to be closed. */
bool bt_ligand_has_closures(const bt_ligand *ligand);

/* The atom's line number and serial in its file, for messages. */
const bt_atom *bt_ligand_atom(const bt_ligand *ligand, int atom, const bt_molecule **opt_ret_molecule);

#endif
