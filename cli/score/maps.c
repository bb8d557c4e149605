/* maps.c - the target in which poses are scored, and the maps for each of them. */
#include "common/report.h"
#include "score/state.h"

/* The smallest box around all poses and flexible residues, with the padding on every side. */
static bt_box box_around_poses(const score_state *state) {
  double middle[3], edges[3];
  for (int k = 0; k < 3; k++) {
    middle[k] = 0.5 * (state->low[k] + state->high[k]);
    edges[k] = state->high[k] - state->low[k] + 2.0 * state->box.padding;
  }
  return bt_box_from_size(middle, edges, state->box.spacing);
}

bt_status score_open_target(score_state *state, bt_error *opt_error) {
  bt_protocol protocol = bt_protocol_default();
  protocol.scoring = state->scoring;
  protocol.metals = state->default_scoring;
  protocol.rescore = "";
  protocol.search = state->search;
  const bt_target_options options = cli_target_options(&state->program, &state->receptor_file, &state->prepare,
                                                       state->opt_parameters, &protocol);
  BT_TRY(bt_target_open_with(&options, &state->target, opt_error));
  state->scoring = bt_target_protocol(state->target)->scoring;
  return BT_OK;
}

bt_status score_find_maps(score_state *state, const bt_ligand *ligand, bt_error *opt_error) {
  /* sums over the receptor need no maps of types */
  bool exact = bt_scoring_traits_of(state->scoring)->sums && !state->minimize && state->receptor_file.rigid != NULL;
  bt_box box = state->plan.recorded && state->own_grid ? state->plan.box
             : state->box_given                        ? state->resolved_box
                                                       : box_around_poses(state);
  return bt_target_maps_in(state->target, &box, state->scoring, exact ? NULL : ligand, &state->maps, opt_error);
}
