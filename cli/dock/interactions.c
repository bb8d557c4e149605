/* interactions.c - `berth dock --interactions` and `--must-contact`: what the written poses touch. */
#include <stdio.h>

#include "common/report.h"
#include "dock/state.h"

bool dock_interacts(const dock_settings *settings) {
  return settings->interactions.opt_table != NULL || settings->interactions.opt_must != NULL;
}

bt_status dock_open_interactions(dock_state *state, bt_error *opt_error) {
  cli_interactions *interactions = &state->settings.interactions;
  const bt_molecule *receptor = state->receptor.rigid != NULL ? state->receptor.rigid : state->touched[0];
  BT_TRY(cli_interactions_check(interactions, &state->inputs, opt_error));
  return cli_interactions_open(interactions, receptor, state->reference, (bt_scoring)state->settings.protocol.scoring,
                               opt_error);
}

bt_status dock_require_contacts(dock_state *state, const cli_ligand *ligand, bt_result *result, bt_error *opt_error) {
  const cli_interactions *interactions = &state->settings.interactions;
  const char *missed = NULL;
  int kept;
  if (interactions->filter == NULL) return BT_OK;
  BT_TRY(bt_result_require_contacts(result, interactions->site, interactions->filter, &kept, &missed, opt_error));
  if (kept == 0)
    return cli_fill_error(opt_error, BT_ERR_FILTERED, ligand->name, "use other contacts, or more --poses",
                          "must-contact: no pose meets %s", missed);
  if (!state->settings.quiet && !state->settings.json && state->single)
    cli_message(state->program, "%d of %d poses meet --must-contact %s", kept, bt_result_written(result),
                interactions->opt_must);
  return BT_OK;
}

bt_status dock_add_interactions(dock_state *state, const cli_ligand *ligand, const bt_result *result,
                                bt_error *opt_error) {
  cli_interactions *interactions = &state->settings.interactions;
  for (int k = 0; interactions->table != NULL && k < bt_result_pose_count(result); k++) {
    bt_run_summary pose = bt_result_ranked(result, k);
    bt_interactions *found;
    if (pose.rank_in_cluster != 1 || pose.cluster > bt_result_written(result)) continue;
    if (bt_result_leaves_out(result, pose.cluster)) continue;
    BT_TRY(bt_interactions_find(interactions->site, bt_result_ligand(result), bt_result_coordinates(result, k), &found,
                                opt_error));
    bt_status status = cli_interactions_add(interactions, ligand->name, pose.cluster, found, opt_error);
    bt_interactions_destroy(found);
    if (status != BT_OK) return status;
  }
  return BT_OK;
}
