/* score_maps.c - the maps in which poses are scored: read, or computed around all of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map_types.h"
#include "report.h"
#include "score_state.h"

static bt_status out_of_memory(bt_error *opt_error) {
  return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "score fewer poses at a time", "out of memory");
}

/* The smallest box around all poses, and the residues that move, with the padding on every side. */
static bt_status box_around_poses(score_state *state, bt_box *ret_box, bt_error *opt_error) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  bt_status status = BT_OK;
  for (int i = -1; status == BT_OK && i < state->ligands.count; i++) {
    const bt_molecule *molecule = state->n_flexible > 0 ? state->flexible[0] : NULL;
    double from[3], to[3];
    if (i < 0 ? molecule == NULL : state->ligands.items[i].rejected) continue;
    if (i >= 0) status = cli_ligands_molecule(&state->ligands, &state->ligands.items[i], &molecule, opt_error);
    if (status == BT_OK) status = bt_molecule_extent(molecule, NULL, from, to, opt_error);
    for (int k = 0; status == BT_OK && k < 3; k++) {
      low[k] = fmin(low[k], from[k]);
      high[k] = fmax(high[k], to[k]);
    }
  }
  if (status != BT_OK) return status;
  double middle[3], edges[3];
  for (int k = 0; k < 3; k++) {
    middle[k] = 0.5 * (low[k] + high[k]);
    edges[k] = high[k] - low[k] + 2.0 * state->box.padding;
  }
  *ret_box = bt_box_from_size(middle, edges, state->box.spacing);
  return BT_OK;
}

static bt_status compute_maps(score_state *state, const char **types, int count, bt_error *opt_error) {
  bt_grid_options options = bt_grid_options_default();
  options.box = state->resolved_box;
  options.threads = state->threads;
  options.opt_parameter_file = state->opt_parameters;
  if (!state->box_given) {
    bt_status status = box_around_poses(state, &options.box, opt_error);
    if (status != BT_OK) return status;
  }
  /* poses of types without parameters are rejected later */
  return cli_maps_compute(state->rigid[0], types, count, &options, &state->maps, opt_error);
}

bt_status score_prepare_maps(score_state *state, bt_error *opt_error) {
  const char **types = calloc((size_t)state->ligands.n_types + 1, sizeof *types);
  if (types == NULL) return out_of_memory(opt_error);
  int count = state->ligands.n_types;
  for (int i = 0; i < count; i++) types[i] = state->ligands.types[i];
  bt_status status = state->n_rigid > 0 ? compute_maps(state, types, count, opt_error)
                                        : cli_maps_read(state->receptor, types, count, &state->maps, opt_error);
  free(types);
  return status;
}
