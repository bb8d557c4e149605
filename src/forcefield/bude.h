/* bude.h - BUDE's empirical free-energy force field: types of heavy atoms, their parameters, and the law of a pair.
 *
 * Sources: McIntosh-Smith, Price, Sessions, Int. J. High Perform. Comput. Appl. (the engine of this name), the decks of
 * the public mini-app, the force-field files (.bhff) that come with them.
 */
#ifndef BERTH_FORCEFIELD_BUDE_H
#define BERTH_FORCEFIELD_BUDE_H

#include "base/status.h"

/* Class of electrostatics: the letter of the files. */
typedef enum bt_bude_class {
  BT_BUDE_CLASS_NONE = '-',
  BT_BUDE_CLASS_DIPOLE = 'D',
  BT_BUDE_CLASS_EITHER = 'E', /* donor or acceptor: never repulsive */
  BT_BUDE_CLASS_FORMAL = 'F',
  BT_BUDE_CLASS_PI = 'P' /* aromatic carbon */
} bt_bude_class;

/* Rules by which parameters become energies.
 * A: hardness and reaches are means of the two types' columns; every charge takes part.
 * B: as A, but class - has no charge term and class P only one with class F.
 * DECK: the benchmark's: hardness 38, reaches 5.5 and 1.0 for all; classes - and P like D. */
typedef enum bt_bude_rules { BT_BUDE_RULES_A, BT_BUDE_RULES_B, BT_BUDE_RULES_DECK } bt_bude_rules;

typedef struct bt_bude_type {
  char name[8];       /* "C.3", "CA"; "" in decks */
  int group;          /* residue, index of bt_bude_forcefield.groups; -1 in decks */
  int class;          /* bt_bude_class */
  double radius;      /* Angstrom, with the scale of its column folded in */
  double hydrophobic; /* < 0: non-polar, > 0: polar */
  double hardness;
  double reach_nonpolar; /* Angstrom, of two non-polar types */
  double reach_polar;    /* Angstrom, of a polar and a non-polar type */
  double charge;
} bt_bude_type;

/* Rows of one residue; "WLD": names that match in any residue. */
typedef struct bt_bude_group {
  char name[12];
  int first, count; /* types */
} bt_bude_group;

/* Types in the order of the file: the index is what bt_bude_atom.type holds. */
typedef struct bt_bude_forcefield {
  bt_bude_type *types;
  int n_types;
  bt_bude_group *groups; /* none in decks */
  int n_groups;
  uint32_t hash; /* of all parameters, for libraries of ligands that were typed with it */
  bool complete; /* false: the file had no END */
} bt_bude_forcefield;

/* Reads a .bhff text. BT_ERR_IO, BT_ERR_INPUT with the line. */
bt_status bt_bude_forcefield_read(const char *path, bt_bude_forcefield **ret_forcefield,
                                  bt_error *opt_error) BT_MUST_USE;
bt_status bt_bude_forcefield_parse(const char *text, size_t size, const char *label,
                                   bt_bude_forcefield **ret_forcefield, bt_error *opt_error) BT_MUST_USE;
/* Reads a deck's forcefield.in: records of int32 class, float32 radius, hydrophobic potential, charge. Hardness and
 * reaches get the values of rules DECK. */
bt_status bt_bude_forcefield_read_deck(const char *path, bt_bude_forcefield **ret_forcefield,
                                       bt_error *opt_error) BT_MUST_USE;
/* The values of the public table "by-atom 2017": one group, keyed by Tripos type (bude_builtin.c). */
bt_status bt_bude_forcefield_builtin(bt_bude_forcefield **ret_forcefield, bt_error *opt_error) BT_MUST_USE;
void bt_bude_forcefield_destroy(bt_bude_forcefield *opt_forcefield);

/* The row of an atom or Tripos type: of that group, else of WLD. opt_group NULL: of any group, the one-group files'
 * case. -1: there is none. Names are case-sensitive. */
int bt_bude_type_find(const bt_bude_forcefield *forcefield, const char *opt_group, const char *name);

/* The law of a receptor type and a ligand type. A ramp of reach L is 1 for gaps d = r - radii < 0, 1 - d/L up to L,
 * then 0. E = hardness (1 - r/radii) for d < 0, + charge ramp(charge_reach) + desolvation ramp(desolvation_reach). */
typedef struct bt_bude_law {
  double radii, hardness;
  double charge, charge_reach;           /* charge 0: no such term */
  double desolvation, desolvation_reach; /* likewise */
} bt_bude_law;

bt_bude_law bt_bude_law_of(const bt_bude_type *receptor, const bt_bude_type *ligand, bt_bude_rules rules);

#endif
