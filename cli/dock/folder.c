/* folder.c - the sink of `berth dock`: each ligand is written as soon as it is done. */
#include <berth/grid.h>
#include <berth/report.h>
#include <berth/rescore.h>
#include <limits.h>
#include <stdlib.h>

#include "base/folder_lock.h"
#include "dock/state.h"
#include "common/report.h"

/* An input pose outside the box is not an error, but often a sign of a misplaced box. Only the first few are reported.
 */
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
  cli_warning(state->program, "%s: the input pose extends %.1f Angstrom beyond the box; the search stays inside it%s",
              item->name, worst, state->warned_outside == 3 ? "; not reported for further ligands" : "");
}

static bt_status add_summary(dock_state *state, const cli_ligand *ligand, const bt_result *result, bt_error *error) {
  if (!BT_GROW(state->summaries, &state->summary_capacity, state->docked + 1)) return bt_fail_memory(error);
  state->summaries[state->docked++] = (dock_summary){.ligand = ligand->name,
                                                     .best = bt_result_ranked(result, 0),
                                                     .ranked_by = bt_result_ranks_ligands_by(result),
                                                     .rank_energy = bt_result_rank_energy(result, 0),
                                                     .runs = bt_result_run_count(result),
                                                     .clusters = bt_result_cluster_count(result),
                                                     .evaluations = bt_result_evaluations(result),
                                                     .seconds = bt_result_seconds(result)};
  BT_TRY(cli_lists_done(&state->lists, ligand->name, error));
  for (int k = 0; k < bt_result_rescored_count(result); k++)
    state->summaries[state->docked - 1].rescored[k] = bt_result_rescored(result, 0, k).energy.free_energy;
  return BT_OK;
}

/* Maps read from files name their receptor, which is expected next to them. */
static bt_status read_touched(dock_state *state, bt_error *error) {
  BT_SCOPED char *path = bt_maps_receptor_path(state->maps);
  if (path == NULL)
    return cli_fill_error(error, BT_ERR_USAGE, state->settings.receptor, "give the receptor, or leave --contacts out",
                          "the maps do not name their receptor");
  return bt_molecule_read(path, BT_MOLECULE_RECEPTOR, &state->touched, &state->n_touched, error);
}

static bt_status find_contacts(dock_state *state, bt_result *result, bt_error *error) {
  const double *distances = state->settings.contact_distances;
  const bt_contact_options options = {.reactive = distances[0], .hbond = distances[1], .vdw = distances[2]};
  const bt_molecule *receptor = state->receptor.rigid;
  return bt_result_find_contacts(result, receptor != NULL ? receptor : state->touched[0], &options, error);
}

/* Another process may have written a ligand of this name since it was checked: then this one is rejected. */
static bt_status write_locked(dock_state *state, dock_item *item, const bt_result *result, bt_error *error) {
  bt_folder_lock lock = bt_folder_lock_wait(state->settings.folder);
  bt_status status = dock_check_earlier(state, &item->from, error);
  if (status == BT_OK) {
    status = dock_write_files(state, &item->from, result, error);
  } else if (status == BT_ERR_USAGE) {
    item->docking.error = *error;
    status = dock_reject(state, item, error);
  }
  bt_folder_lock_release(&lock);
  return status;
}

static bt_status keep_result(dock_state *state, dock_item *item, bt_error *error) {
  const cli_ligand *ligand = &item->from;
  bt_result *result = item->docking.result;
  BT_TRY(dock_tell_notes(state, item, error));
  if (!ligand->raw && state->sites.count == 0) warn_outside(state, ligand); /* raw molecules may be anywhere */
  if (bt_result_warning(result)[0] != '\0')
    cli_warning(state->program, "%s: %s", ligand->name, bt_result_warning(result));
  if (state->settings.contacts) BT_TRY(find_contacts(state, result, error));
  BT_TRY(bt_result_judge_waters(result, state->receptor.rigid, error));
  if (state->settings.strain != DOCK_STRAIN_OFF)
    BT_TRY(bt_result_judge_strain(result, state->settings.strain == DOCK_STRAIN_ALL ? -1 : INT_MAX, error));
  BT_TRY(write_locked(state, item, result, error));
  if (item->docking.error.status != BT_OK) return BT_OK;
  BT_TRY(dock_print_result(state, ligand, result, error));
  return add_summary(state, ligand, result, error);
}

bool dock_done(void *user, bt_docking *docking) {
  dock_state *state = user;
  dock_item *item = (dock_item *)docking;
  bt_error error = docking->error;
  bt_status status = error.status;
  cli_progress_clear(&state->progress);
  state->done += item->ligand != NULL;
  if (status == BT_OK) status = dock_rescore(state, &item->from, docking->result, &error);
  if (status != BT_OK) docking->error = error;
  if (status == BT_OK)
    status = keep_result(state, item, &error);
  else if (bt_status_concerns_ligand(status))
    status = dock_reject(state, item, &error);
  if (status != BT_OK && state->failure.status == BT_OK) state->failure = error;
  dock_item_free(item);
  return status == BT_OK;
}

/* bt_progress_fn; counts the ligands docked with earlier maps. */
static bool show(void *user, double fraction, int64_t evaluations, double best_energy) {
  dock_state *state = user;
  cli_progress *progress = &state->progress;
  progress->total = state->given;
  progress->more = !state->last;
  progress->before = (double)state->tried / progress->total;
  progress->index = state->done < progress->total ? state->done + 1 : progress->total;
  fraction = (state->tried + fraction * (progress->total - state->tried)) / progress->total;
  return cli_progress_show(progress, fraction, evaluations, best_energy);
}

bt_status dock_all(dock_state *state, bt_error *opt_error) {
  if (state->sites.count > 0) return dock_sites_dock(state, opt_error);
  bt_dock_options options = state->settings.search;
  bt_engine *engine = NULL;
  options.opt_progress = show;
  options.opt_progress_user = state;
  if (state->settings.contacts && state->receptor.rigid == NULL && state->touched == NULL)
    BT_TRY(read_touched(state, opt_error));
  BT_TRY(bt_engine_open(state->maps, &options, &engine, opt_error));
  bool one = state->last && state->given + state->n_ahead == 1;
  if (state->given == 0) cli_progress_next(&state->progress, one ? state->ahead[0]->from.name : "ligands", 1, 0);
  state->progress.started = bt_seconds();
  state->tried = state->given;
  bt_docking_stream stream = {
      .count = state->last ? state->n_ahead : -1, .ahead = true, .next = dock_next, .done = dock_done, .user = state};
  bt_status status = bt_engine_dock_stream(engine, &stream, opt_error);
  bt_engine_close(engine);
  cli_progress_clear(&state->progress);
  const bt_error *own = state->failure.status != BT_OK ? &state->failure : &state->error; /* the cause of the stop */
  if (own->status == BT_OK || (status != BT_OK && status != BT_ERR_CANCELLED)) return status;
  if (opt_error != NULL) *opt_error = *own;
  return own->status;
}
