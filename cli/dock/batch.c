/* batch.c - docks the ligands of a batch and writes each one as soon as it is done. */
#include <berth/grid.h>
#include <berth/report.h>
#include <stdlib.h>

#include "dock/state.h"
#include "common/report.h"

/* An input pose outside the box is no error, but often a sign of a box in the wrong place. A whole library of them
 * is told of by its first few. */
static void warn_outside(dock_state *state, const cli_ligand *item) {
  double low[3], high[3], worst = 0.0;
  if (bt_molecule_extent(item->molecule, NULL, low, high, NULL) != BT_OK) return;
  bt_box box = bt_maps_box(state->maps);
  for (int k = 0; k < 3; k++) {
    double half = 0.5 * box.npts[k] * box.spacing;
    if (box.center[k] - half - low[k] > worst) worst = box.center[k] - half - low[k];
    if (high[k] - (box.center[k] + half) > worst) worst = high[k] - (box.center[k] + half);
  }
  if (worst <= 0.0 || state->settings.quiet || ++state->warned_outside > 3) return;
  cli_warning(state->program, "%s: the input pose reaches %.1f Angstrom out of the box; poses are sought inside it%s",
              item->name, worst, state->warned_outside == 3 ? "; this is not told again" : "");
}

static bt_status add_summary(dock_state *state, const cli_ligand *ligand, const bt_result *result, bt_error *error) {
  if (!CLI_GROW(state->summaries, state->docked, &state->summary_capacity)) return cli_no_memory(error);
  state->summaries[state->docked++] = (dock_summary){.ligand = ligand->name,
                                                     .best = bt_result_ranked(result, 0),
                                                     .runs = bt_result_run_count(result),
                                                     .clusters = bt_result_cluster_count(result),
                                                     .evaluations = bt_result_evaluations(result),
                                                     .seconds = bt_result_seconds(result)};
  return BT_OK;
}

/* Maps that were read name their receptor, which lies beside them. */
static bt_status read_touched(dock_state *state, bt_error *error) {
  CLI_SCOPED char *path = bt_maps_receptor_path(state->maps);
  if (path == NULL)
    return cli_fill_error(error, BT_ERR_USAGE, state->settings.receptor, "give the receptor, or leave --contacts out",
                          "the maps do not say which receptor they are of");
  return bt_molecule_read(path, BT_MOLECULE_RECEPTOR, &state->touched, &state->n_touched, error);
}

static bt_status find_contacts(dock_state *state, bt_result *result, bt_error *error) {
  const double *distances = state->settings.contact_distances;
  const bt_contact_options options = {.reactive = distances[0], .hbond = distances[1], .vdw = distances[2]};
  const bt_molecule *receptor = state->receptor.rigid;
  return bt_result_find_contacts(result, receptor != NULL ? receptor : state->touched[0], &options, error);
}

static bt_status keep_result(dock_state *state, const cli_ligand *ligand, bt_result *result, bt_error *error) {
  if (!ligand->raw) warn_outside(state, ligand); /* libraries of raw molecules lie anywhere */
  if (bt_result_warning(result)[0] != '\0')
    cli_warning(state->program, "%s: %s", ligand->name, bt_result_warning(result));
  if (state->settings.contacts) CLI_TRY(find_contacts(state, result, error));
  CLI_TRY(dock_write_files(state, ligand, result, error));
  CLI_TRY(dock_print_result(state, ligand, result, error));
  return add_summary(state, ligand, result, error);
}

/* bt_docked_fn: writes what is done. */
static bool docked(void *user, int index) {
  dock_state *state = user;
  dock_batch *batch = state->batch;
  dock_item *item = &batch->items[index];
  bt_docking *docking = &batch->dockings[index];
  cli_progress_clear(&state->progress);
  if (docking->error.status == BT_OK) {
    batch->status = keep_result(state, &item->from, docking->result, &batch->error);
  } else if (bt_status_concerns_ligand(docking->error.status)) {
    if (dock_reject(state, item, &docking->error) != BT_OK) batch->status = cli_no_memory(&batch->error);
  } else {
    batch->status = (batch->error = docking->error).status;
  }
  bt_result_destroy(docking->result);
  docking->result = NULL;
  if (state->progress.index < state->progress.total) state->progress.index++;
  return batch->status == BT_OK;
}

/* bt_progress_fn over all batches. */
static bool show(void *user, double fraction, int64_t evaluations, double best_energy) {
  dock_state *state = user;
  cli_progress *progress = &state->progress;
  int left = progress->total - state->tried;
  return cli_progress_show(progress, (state->tried + fraction * left) / progress->total, evaluations, best_energy);
}

/* With the maps as they are now. */
static bt_status open_engine(dock_state *state, bt_error *opt_error) {
  bt_dock_options options = state->settings.search;
  options.opt_progress = show;
  options.opt_docked = docked;
  options.opt_progress_user = state;
  if (state->engine != NULL) return BT_OK;
  if (state->settings.contacts && state->receptor.rigid == NULL && state->touched == NULL)
    CLI_TRY(read_touched(state, opt_error));
  return bt_engine_open_ad4(state->maps, &options, &state->engine, opt_error);
}

bt_status dock_all(dock_state *state, bt_error *opt_error) {
  dock_batch *batch = state->batch;
  cli_progress *progress = &state->progress;
  CLI_TRY(open_engine(state, opt_error));
  const char *first = NULL;
  for (int i = batch->count - 1; i >= 0; i--) {
    bool rejected = batch->items[i].rejected;
    batch->dockings[i] =
        (bt_docking){.opt_ligand = rejected ? NULL : batch->items[i].ligand, .opt_reference = state->reference};
    if (!rejected) first = batch->items[i].from.name;
  }
  if (progress->total == 0) cli_progress_next(progress, "ligands", 1, 0);
  progress->more = !batch->last;
  progress->total = state->tried + dock_left(state);
  progress->name = progress->total == 1 && !progress->more ? first : "ligands";
  bt_status status = bt_engine_dock(state->engine, batch->dockings, batch->count, opt_error);
  cli_progress_clear(progress);
  for (int i = 0; i < batch->count; i++) bt_result_destroy(batch->dockings[i].result);
  state->tried = progress->total;
  if (batch->status == BT_OK) return status;
  if (opt_error != NULL) *opt_error = batch->error; /* our own reason to stop */
  return batch->status;
}
