/* interaction_roles.h - what an atom can be in an interaction; bits of bt_interaction_atoms.roles. */
#ifndef BERTH_RESULTS_ANALYSIS_INTERACTION_ROLES_H
#define BERTH_RESULTS_ANALYSIS_INTERACTION_ROLES_H

#include "results/analysis/interactions.h"

enum {
  BT_ROLE_ACCEPTOR = 1,         /* of hydrogen bonds */
  BT_ROLE_HALOGEN_ACCEPTOR = 2, /* of halogen bonds; `neighbor` is its only one among C, N, P and S */
  BT_ROLE_HALOGEN = 4,          /* `neighbor` is its carbon */
  BT_ROLE_HYDROPHOBIC = 8,
  BT_ROLE_METAL = 16,
  BT_ROLE_BINDS_METAL = 32,
  BT_ROLE_WATER = 64 /* its oxygen */
};

#endif
