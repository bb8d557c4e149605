/* network.h - chooses a state for each of many groups whose states interact. */
#ifndef BERTH_PREP_NETWORK_H
#define BERTH_PREP_NETWORK_H

#include "base/status.h"

typedef struct bt_network bt_network;

/* n groups; group i has n_states[i] states. All energies are zero at first. */
bt_status bt_network_create(int n, const int *n_states, bt_network **ret_network, bt_error *opt_error) BT_MUST_USE;
void bt_network_destroy(bt_network *opt_network);

/* Self-energy of a state; INFINITY forbids it. */
void bt_network_set(bt_network *network, int group, int state, double energy);
/* Interaction energies of two groups: energy[a * n_states[j] + b], copied. */
bt_status bt_network_join(bt_network *network, int i, int j, const double *energy, bt_error *opt_error) BT_MUST_USE;

/* Finds states of low energy, the global minimum for small clusters of interacting groups; deterministic. */
bt_status bt_network_solve(const bt_network *network, int *ret_states, bt_error *opt_error) BT_MUST_USE;
/* The contribution of a group in a given state to the energy, with the others in states. */
double bt_network_energy(const bt_network *network, const int *states, int group, int state);

#endif
