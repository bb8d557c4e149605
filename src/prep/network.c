/* network.c - exhaustive search in small clusters of groups, descent from several starts in large ones. */
#include "prep/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

typedef struct bt_network_pair {
  int i, j;
  int next_i, next_j; /* the next pair of group i, of group j; -1 */
  double *energy;     /* [n_states[i]][n_states[j]] */
} bt_network_pair;

struct bt_network {
  int n;
  int *n_states, *first; /* first[i]: offset of the energies of group i */
  double *energy;
  int *head; /* first pair of each group, -1; the rest by next_i and next_j */
  int n_pairs;
  size_t room;
  bt_network_pair *pairs;
  bt_arena arena; /* of all other arrays */
};

static int next_pair(const bt_network *network, int group, int p) {
  return network->pairs[p].i == group ? network->pairs[p].next_i : network->pairs[p].next_j;
}

static const double MOST_COMBINATIONS = 2e5; /* for an exhaustive search */

bt_status bt_network_create(int n, const int *n_states, bt_network **ret_network, bt_error *opt_error) {
  *ret_network = NULL;
  bt_network *network = bt_allocate(1, sizeof *network);
  if (network == NULL) return bt_fail_memory(opt_error);
  bt_arena *arena = &network->arena;
  network->n = n;
  BT_NEW(arena, network->n_states, n);
  BT_NEW(arena, network->first, n + 1);
  BT_NEW(arena, network->head, n);
  for (int i = 0; i < n && !arena->failed; i++) {
    network->head[i] = -1;
    network->n_states[i] = n_states[i];
    network->first[i + 1] = network->first[i] + n_states[i];
  }
  if (!arena->failed) BT_NEW(arena, network->energy, network->first[n]);
  bt_status status = bt_arena_status(arena, opt_error);
  return BT_HAND_OVER(status, network, ret_network, bt_network_destroy);
}

void bt_network_destroy(bt_network *opt_network) {
  if (opt_network == NULL) return;
  bt_arena_destroy(&opt_network->arena);
  free(opt_network->pairs);
  free(opt_network);
}

void bt_network_set(bt_network *network, int group, int state, double energy) {
  network->energy[network->first[group] + state] = energy;
}

bt_status bt_network_join(bt_network *network, int i, int j, const double *energy, bt_error *opt_error) {
  if (!BT_GROW(network->pairs, &network->room, network->n_pairs + 1)) return bt_fail_memory(opt_error);
  size_t count = (size_t)network->n_states[i] * (size_t)network->n_states[j];
  double *copy;
  if (BT_NEW(&network->arena, copy, count) == NULL) return bt_fail_memory(opt_error);
  memcpy(copy, energy, count * sizeof *copy);
  int p = network->n_pairs++;
  network->pairs[p] =
      (bt_network_pair){.i = i, .j = j, .next_i = network->head[i], .next_j = network->head[j], .energy = copy};
  network->head[i] = network->head[j] = p;
  return BT_OK;
}

double bt_network_energy(const bt_network *network, const int *states, int group, int state) {
  double sum = network->energy[network->first[group] + state];
  for (int p = network->head[group]; p >= 0; p = next_pair(network, group, p)) {
    const bt_network_pair *pair = &network->pairs[p];
    if (pair->i == group)
      sum += pair->energy[state * network->n_states[pair->j] + states[pair->j]];
    else
      sum += pair->energy[states[pair->i] * network->n_states[pair->j] + state];
  }
  return sum;
}

/* -------------------------------------------------------------------------- One cluster of interacting groups --- */

typedef struct bt_cluster {
  const bt_network *network;
  int count;
  int *groups; /* [count] */
  int *states; /* of all groups of the network */
} bt_cluster;

static double total(const bt_cluster *c) {
  const bt_network *network = c->network;
  double sum = 0.0;
  for (int k = 0; k < c->count; k++) {
    int group = c->groups[k];
    sum += network->energy[network->first[group] + c->states[group]];
    for (int p = network->head[group]; p >= 0; p = next_pair(network, group, p)) {
      const bt_network_pair *pair = &network->pairs[p];
      if (pair->i == group) sum += pair->energy[c->states[group] * network->n_states[pair->j] + c->states[pair->j]];
    }
  }
  return sum;
}

static bt_status try_all(bt_cluster *c, bt_error *opt_error) {
  const bt_network *network = c->network;
  BT_SCOPED int *best = bt_allocate((size_t)c->count, sizeof *best);
  if (best == NULL) return bt_fail_memory(opt_error);
  double lowest = INFINITY;
  for (int k = 0; k < c->count; k++) c->states[c->groups[k]] = 0;
  for (;;) {
    double energy = total(c);
    if (energy < lowest) {
      lowest = energy;
      for (int k = 0; k < c->count; k++) best[k] = c->states[c->groups[k]];
    }
    int k = 0;
    while (k < c->count && ++c->states[c->groups[k]] == network->n_states[c->groups[k]]) c->states[c->groups[k++]] = 0;
    if (k == c->count) break;
  }
  for (int k = 0; k < c->count; k++) c->states[c->groups[k]] = isfinite(lowest) ? best[k] : 0;
  return BT_OK;
}

/* Each group in turn takes its best state until none changes. */
static void descend(bt_cluster *c, bool backwards) {
  const bt_network *network = c->network;
  for (int round = 0; round < 100; round++) {
    bool changed = false;
    for (int k = 0; k < c->count; k++) {
      int group = c->groups[backwards ? c->count - 1 - k : k];
      double lowest = bt_network_energy(network, c->states, group, c->states[group]);
      for (int s = 0; s < network->n_states[group]; s++) {
        double energy = bt_network_energy(network, c->states, group, s);
        if (energy >= lowest - 1e-9) continue;
        lowest = energy;
        c->states[group] = s;
        changed = true;
      }
    }
    if (!changed) return;
  }
}

static int best_alone(const bt_network *network, int group) {
  int best = 0;
  for (int s = 1; s < network->n_states[group]; s++)
    if (network->energy[network->first[group] + s] < network->energy[network->first[group] + best]) best = s;
  return best;
}

static double two_energy(bt_cluster *c, const bt_network_pair *pair, int a, int b) {
  c->states[pair->i] = a;
  c->states[pair->j] = b;
  return bt_network_energy(c->network, c->states, pair->i, a) + bt_network_energy(c->network, c->states, pair->j, b) -
         pair->energy[a * c->network->n_states[pair->j] + b];
}

/* Moves two groups together, to leave minima that single moves cannot. */
static void move_two(bt_cluster *c, const bt_network_pair *pair) {
  const bt_network *network = c->network;
  int a_best = c->states[pair->i], b_best = c->states[pair->j], width = network->n_states[pair->j];
  double lowest = two_energy(c, pair, a_best, b_best);
  for (int a = 0; a < network->n_states[pair->i]; a++)
    for (int b = 0; b < width; b++) {
      double energy = two_energy(c, pair, a, b);
      if (energy >= lowest - 1e-9) continue;
      lowest = energy;
      a_best = a;
      b_best = b;
    }
  c->states[pair->i] = a_best;
  c->states[pair->j] = b_best;
}

/* Starts: the states of lowest self-energy, descended in both orders; then pair moves. */
static bt_status descend_from_starts(bt_cluster *c, bt_error *opt_error) {
  const bt_network *network = c->network;
  BT_SCOPED int *best = bt_allocate((size_t)c->count, sizeof *best);
  if (best == NULL) return bt_fail_memory(opt_error);
  double lowest = INFINITY;
  for (int start = 0; start < 2; start++) {
    for (int k = 0; k < c->count; k++) c->states[c->groups[k]] = best_alone(network, c->groups[k]);
    descend(c, start == 1);
    double energy = total(c);
    if (energy >= lowest) continue;
    lowest = energy;
    for (int k = 0; k < c->count; k++) best[k] = c->states[c->groups[k]];
  }
  for (int k = 0; k < c->count; k++) c->states[c->groups[k]] = best[k];
  for (int k = 0; k < c->count; k++)
    for (int p = network->head[c->groups[k]]; p >= 0; p = next_pair(network, c->groups[k], p))
      if (network->pairs[p].i == c->groups[k]) move_two(c, &network->pairs[p]);
  descend(c, false);
  return BT_OK;
}

static bt_status solve_cluster(bt_cluster *c, bt_error *opt_error) {
  double combinations = 1.0;
  for (int k = 0; k < c->count; k++) combinations *= c->network->n_states[c->groups[k]];
  return combinations * c->count <= MOST_COMBINATIONS ? try_all(c, opt_error) : descend_from_starts(c, opt_error);
}

bt_status bt_network_solve(const bt_network *network, int *ret_states, bt_error *opt_error) {
  BT_SCOPED int *groups = bt_allocate((size_t)network->n, sizeof *groups);
  BT_SCOPED bool *seen = bt_allocate((size_t)network->n, sizeof *seen);
  if (groups == NULL || seen == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < network->n; i++) ret_states[i] = 0;
  for (int i = 0; i < network->n; i++) {
    if (seen[i]) continue;
    bt_cluster cluster = {.network = network, .groups = groups, .states = ret_states};
    groups[cluster.count++] = i;
    seen[i] = true;
    for (int k = 0; k < cluster.count; k++)
      for (int p = network->head[groups[k]]; p >= 0; p = next_pair(network, groups[k], p)) {
        int other = network->pairs[p].i == groups[k] ? network->pairs[p].j : network->pairs[p].i;
        if (seen[other]) continue;
        seen[other] = true;
        groups[cluster.count++] = other;
      }
    BT_TRY(solve_cluster(&cluster, opt_error));
  }
  return BT_OK;
}
