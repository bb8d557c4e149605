/* joints.h - how two fragments are joined: length of the bond and torsions to try. */
#ifndef BERTH_CHEM_BUILDER_JOINTS_H
#define BERTH_CHEM_BUILDER_JOINTS_H

#include "chem/builder/fragments.h"
#include "chem/builder/shapes.h"

/* A cut bond as one of its two fragments has it. Rows are those of the fragment's coordinates. */
typedef struct bt_joint {
  int bond;            /* of the molecule */
  int inside, outside; /* atoms of the molecule */
  int row, cap;        /* of the atom, and of what stands for the one outside */
  int reference;       /* another neighbor of the atom, for torsions; -1: none */
  bool exact;          /* the cap is of the outside atom's kind, so that its distance is the bond's length */
} bt_joint;

/* All joints of a fragment. False when memory is exhausted. */
bool bt_joints_find(const bt_fragmentation *c, int fragment, bt_arena *arena, bt_joint **ret_joints,
                    int *ret_count) BT_MUST_USE;

/* The smallest fragment that has the bond, whose two rows are its atoms. False: it has an atom of no known kind. */
bool bt_joint_bond(const bt_fragmentation *c, int bond, bt_fragment_atom ret_atoms[2],
                   bt_fragment_bond *ret_bond) BT_MUST_USE;

/* Torsions reference-atom-atom-reference to try, radians, the usual ones first. Returns how many. */
enum { BT_JOINT_TORSIONS = 12 };
int bt_joint_torsions(const bt_fragmentation *c, int a, int b, double ret_torsions[BT_JOINT_TORSIONS]);

#endif
