/* movers.h - groups of receptor atoms with alternative states. */
#ifndef BERTH_PREP_RECEPTOR_HYDROGENS_MOVERS_H
#define BERTH_PREP_RECEPTOR_HYDROGENS_MOVERS_H

#include "prep/receptor/receptor.h"

typedef enum bt_probe_role { BT_PROBE_OTHER, BT_PROBE_HYDROGEN, BT_PROBE_ACCEPTOR } bt_probe_role;

/* An atom as described to the hydrogen-bond energy. */
typedef struct bt_probe {
  double x[3], charge;
  double donor[3]; /* of a hydrogen: its parent atom */
  bt_probe_role role;
  int residue;
  bool backbone;
} bt_probe;

enum { BT_MOVER_PROBES = 8 };

typedef struct bt_mover_state {
  double turn;                 /* radians, rotation of hydrogens about the only bond of their parent */
  double water[2][3];          /* positions of a water's hydrogens */
  bool flipped, swapped;       /* by 180 degrees; the oxygens of an acid exchange names */
  const bt_template *template; /* of a histidine */
  double cost;                 /* kcal/mol, self-energy of the state */
  int n_probes;
  bt_probe probes[BT_MOVER_PROBES];
} bt_mover_state;

typedef enum bt_mover_kind {
  BT_MOVER_TURN,
  BT_MOVER_ACID,
  BT_MOVER_AMIDE,
  BT_MOVER_RING,
  BT_MOVER_WATER
} bt_mover_kind;

typedef struct bt_mover {
  bt_mover_kind kind;
  int residue, atom; /* the hydrogens' parent; for a side chain the atom it is attached to */
  double center[3];
  bool whole_side; /* the group is the end of a side chain, not only hydrogens */
  int n_states;
  bt_mover_state *states;
} bt_mover;

typedef struct bt_movers {
  int count;
  size_t room;
  bt_mover *items;
  int *of_residue; /* first mover of each residue, -1; the others of the residue follow it */
} bt_movers;

/* Finds all groups, with the probes of each of their states. Leaves the receptor unchanged. */
bt_status bt_movers_find(bt_receptor_work *prep, bt_movers *movers) BT_MUST_USE;
bt_status bt_movers_apply(bt_receptor_work *prep, const bt_movers *movers, const int *states) BT_MUST_USE;
void bt_movers_destroy(bt_movers *movers);
/* True if the atom belongs to a group. */
bool bt_movers_own(const bt_movers *movers, const bt_receptor_work *prep, int residue, int atom);
bt_probe bt_probe_of(const bt_receptor_work *prep, int residue, int atom);

#endif
