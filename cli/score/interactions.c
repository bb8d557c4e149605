/* interactions.c - `berth score --contacts`, `--interactions`: what the poses touch. */
#include "common/report.h"
#include "score/state.h"

bool score_interactions_fit(const score_state *state, bool maps) {
  bool wanted = state->contacts || state->interactions.opt_table != NULL;
  const char *option = state->contacts ? "contacts" : "interactions";
  if (wanted && state->minimize)
    return cli_refuse(state->program, "--%s is for the input pose; remove it or --minimize", option);
  if (wanted && maps)
    return cli_refuse(state->program, "--%s needs the receptor's atoms; use a .pdb, .cif or .pdbqt receptor", option);
  return true;
}

bt_status score_open_interactions(score_state *state, bt_error *opt_error) {
  if (!state->contacts && state->interactions.opt_table == NULL) return BT_OK;
  const char *files[] = {state->receptor, state->prepare.opt_flex, state->opt_parameters, state->opt_reference};
  BT_ENDED_BY(bt_file_set_destroy) bt_file_set inputs = {0};
  BT_TRY(cli_guard_add(&inputs, files, CLI_COUNT(files), opt_error));
  BT_TRY(cli_guard_add_library(&inputs, &state->words, true, opt_error));
  BT_TRY(cli_interactions_check(&state->interactions, &inputs, opt_error));
  return cli_interactions_open(&state->interactions, state->receptor_file.rigid, state->reference, state->scoring,
                               opt_error);
}

bt_status score_find_interactions(score_state *state, const bt_ligand *ligand, bt_interactions **ret_found,
                                  score_line *line, bt_error *opt_error) {
  if (state->interactions.site == NULL) return BT_OK;
  BT_TRY(bt_interactions_find(state->interactions.site, ligand, NULL, ret_found, opt_error));
  if (state->contacts) line->opt_contacts = *ret_found;
  return cli_interactions_add(&state->interactions, line->ligand, line->pose, *ret_found, opt_error);
}
