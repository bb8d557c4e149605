/* rescore.c - scores the clusters of a docking by the re-scorers of --rescore. */
#include <berth/rescore.h>

#include "dock/state.h"
#include "grid/map_types.h"

bt_status dock_rescore(dock_state *state, bt_result *result, bt_error *opt_error) {
  const dock_settings *settings = &state->settings;
  if (settings->rescore[0] == '\0') return BT_OK;
  bool several = state->sites.count > 0;
  bt_grid_options grid = cli_maps_options(&settings->prepare, &settings->resolved_box, settings->search.threads,
                                          (bt_scoring)settings->scoring, settings->opt_parameters);
  const bt_rescore_setting setting = {.receptor = state->receptor.rigid,
                                      .opt_flexible = state->receptor.opt_flexible,
                                      .boxes = several ? state->sites.boxes : &settings->resolved_box,
                                      .n_boxes = several ? state->sites.count : 1,
                                      .grid = &grid,
                                      .opt_device = settings->search.opt_device,
                                      .threads = settings->search.threads};
  if (state->rescoring == NULL) BT_TRY(bt_rescoring_open(settings->rescore, &setting, &state->rescoring, opt_error));
  bt_error error;
  BT_TRY(bt_rescoring_apply(state->rescoring, &result, 1, (bt_rank_by)settings->rank_by, &error, opt_error));
  if (error.status != BT_OK && opt_error != NULL) *opt_error = error;
  return error.status;
}
