/* network.h - the choice of one state for each of many groups whose states feel each other. */
#ifndef BERTH_PREP_NETWORK_H
#define BERTH_PREP_NETWORK_H

#include "base/status.h"

typedef struct bt_network bt_network;

/* n groups; group i has n_states[i] states. All energies are zero at first. */
bt_status bt_network_create(int n, const int *n_states, bt_network **ret_network, bt_error *opt_error) BT_MUST_USE;
void bt_network_destroy(bt_network *opt_network);

/* Energy of a state by itself; INFINITY forbids it. */
void bt_network_set(bt_network *network, int group, int state, double energy);
/* Energies of two groups together: energy[a * n_states[j] + b], copied. */
bt_status bt_network_join(bt_network *network, int i, int j, const double *energy, bt_error *opt_error) BT_MUST_USE;

/* Finds states of low energy, the lowest for groups that few others touch; the same input gives the same answer. */
bt_status bt_network_solve(const bt_network *network, int *ret_states, bt_error *opt_error) BT_MUST_USE;
/* What group i adds to the energy in a state, the others being in the given ones. */
double bt_network_energy(const bt_network *network, const int *states, int group, int state);

#endif
