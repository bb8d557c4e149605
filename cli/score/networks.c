/* networks.c - `berth score --scoring cnn`, `--cnn`: what networks say of the poses. */
#include <stdio.h>
#include <stdlib.h>

#include "score/state.h"

/* For the first pose. What is wrong is no pose's fault. */
bt_status score_open_networks(score_state *state, bt_error *error) {
  char processor[64];
  snprintf(processor, sizeof processor, "cpu/%.40s", state->search.opt_isa != NULL ? state->search.opt_isa : "");
  const bt_network_setting setting = {
      .opt_names = state->opt_networks,
      .receptor = state->receptor_file.rigid,
      .opt_flexible = state->plan.opt_flexible,
      .opt_device = state->search.opt_isa != NULL ? processor : state->search.opt_device,
      .threads = state->search.threads};
  if (state->opt_networks == NULL || state->networks != NULL) return BT_OK;
  return bt_networks_open(&setting, &state->networks, error);
}

/* What the networks say of the pose. */
bt_status score_ask_networks(score_state *state, const bt_ligand *ligand, bt_network_score **ret_each, score_line *line,
                             bt_error *error) {
  if (state->networks == NULL) return BT_OK;
  *ret_each = calloc((size_t)bt_networks_count(state->networks), sizeof **ret_each);
  if (*ret_each == NULL) return bt_fail_memory(error);
  line->opt_each = *ret_each;
  return bt_networks_score(state->networks, ligand, NULL, &line->network, *ret_each, error);
}
