/* rescore.c - rescores the clusters of a docking with the functions of --rescore. */
#include <berth/rescore.h>
#include <stdlib.h>

#include "dock/state.h"
#include "grid/map_types.h"

/* Vina and Vinardo need only the receptor's atoms; AutoDock 4 needs a map for each type, recomputed for new types. */
static bt_status prepare_maps(dock_state *state, dock_rescore_maps *in, bt_scoring scoring, const bt_ligand *ligand,
                              bt_error *opt_error) {
  const dock_settings *settings = &state->settings;
  int known = in->types.count;
  if (scoring == BT_SCORING_AD4) BT_TRY(cli_types_add_ligand(&in->types, ligand, opt_error));
  if (in->maps != NULL && in->types.count == known) return BT_OK;
  bt_grid_options options = cli_maps_options(&settings->prepare, &settings->resolved_box, settings->search.threads,
                                             scoring, settings->opt_parameters);
  bt_maps_destroy(in->maps);
  in->maps = NULL;
  if (scoring != BT_SCORING_AD4) return bt_maps_compute(state->receptor.rigid, NULL, 0, &options, &in->maps, opt_error);
  BT_SCOPED const char **types = cli_types_list(&in->types);
  if (types == NULL) return bt_fail_memory(opt_error);
  return cli_maps_compute(state->receptor.rigid, types, in->types.count, &options, &in->maps, opt_error);
}

bt_status dock_rescore(dock_state *state, const cli_ligand *from, bt_result *result, bt_error *opt_error) {
  const dock_settings *settings = &state->settings;
  for (int k = 0; k < settings->rescore.count; k++) {
    bt_ligand *ligand = NULL;
    dock_rescore_maps *in = &state->rescore_maps[k];
    BT_TRY(bt_ligand_create_as(from->molecule, state->receptor.opt_flexible, settings->rescore.functions[k], &ligand,
                               opt_error));
    bt_status status = prepare_maps(state, in, settings->rescore.functions[k], ligand, opt_error);
    if (status == BT_OK) status = bt_result_rescore(result, ligand, in->maps, settings->search.threads, opt_error);
    bt_ligand_destroy(ligand);
    if (status != BT_OK) return status;
  }
  return bt_result_rank(result, (bt_rank_by)settings->rank_by, opt_error);
}

void dock_rescore_free(dock_state *state) {
  for (int k = 0; k < CLI_RESCORE; k++) {
    bt_maps_destroy(state->rescore_maps[k].maps);
    state->rescore_maps[k].maps = NULL;
    cli_types_free(&state->rescore_maps[k].types);
  }
}
