/* maps.c - the maps for scoring: read, or computed around all poses. */

#include "grid/map_types.h"
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

static bool same_box(const bt_box *a, const bt_box *b) {
  bool same = a->spacing == b->spacing;
  for (int k = 0; k < 3; k++) same = same && a->center[k] == b->center[k] && a->npts[k] == b->npts[k];
  return same;
}

static bt_status compute_maps(score_state *state, const bt_box *box, bt_error *opt_error) {
  BT_SCOPED const char **types = cli_types_list(&state->types);
  if (types == NULL)
    return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "score fewer poses at a time", "out of memory");
  bool exact = state->scoring != BT_SCORING_AD4 && !state->minimize; /* sums over the receptor need no maps */
  bt_grid_options options =
      cli_maps_options(&state->prepare, box, state->search.threads, state->scoring, state->opt_parameters);
  bool first = state->maps == NULL;
  bt_maps_destroy(state->maps);
  state->maps = NULL;
  state->box_of_maps = *box;
  /* poses of types without parameters are rejected later */
  BT_TRY(cli_maps_compute(state->receptor_file.rigid, types, exact ? 0 : state->types.count, &options, &state->maps,
                          opt_error));
  if (first) cli_maps_warn(state->program, state->maps);
  return BT_OK;
}

static bt_status read_maps(score_state *state, bt_error *opt_error) {
  BT_SCOPED const char **types = cli_types_list(&state->types);
  if (types == NULL)
    return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "score fewer poses at a time", "out of memory");
  return cli_maps_read(state->receptor, types, state->types.count, state->scoring, &state->maps, opt_error);
}

bt_status score_prepare_maps(score_state *state, bt_error *opt_error) {
  if (state->receptor_file.rigid == NULL) return state->maps != NULL ? BT_OK : read_maps(state, opt_error);
  bt_box box = state->plan.recorded && state->own_grid ? state->plan.box
             : state->box_given                        ? state->resolved_box
                                                       : box_around_poses(state);
  if (state->maps != NULL && same_box(&box, &state->box_of_maps)) return BT_OK;
  return compute_maps(state, &box, opt_error);
}
