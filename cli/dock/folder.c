/* folder.c - the sink of `berth dock`: each ligand is written as soon as it is done. */
#include <berth/grid.h>
#include <berth/report.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/folder_lock.h"
#include "dock/state.h"
#include "common/report.h"
#include "output/outputs.h"
#include "signals/interrupt.h"

/* An input pose outside the box is not an error, but often a sign of a misplaced box. Only the first few are reported.
 */
static void warn_outside(dock_state *state, const cli_ligand *item) {
  double low[3], high[3], worst = 0.0;
  if (bt_molecule_extent(item->molecule, NULL, low, high, NULL) != BT_OK) return;
  bt_box box = bt_target_box(state->target, 0);
  for (int k = 0; k < 3; k++) {
    double half = 0.5 * box.npts[k] * box.spacing;
    if (box.center[k] - half - low[k] > worst) worst = box.center[k] - half - low[k];
    if (high[k] - (box.center[k] + half) > worst) worst = high[k] - (box.center[k] + half);
  }
  if (worst <= 0.0 || state->settings.quiet || ++state->warned_outside > 3) return;
  cli_warning(state->program, "%s: the input pose extends %.1f Angstrom beyond the box; the search stays inside it%s",
              item->name, worst, state->warned_outside == 3 ? "; not reported for further ligands" : "");
}

/* opt_scores NULL: only counts. Returns how many numbers. */
static int list_scores(const bt_result *result, double *opt_scores) {
  int n = 0;
  for (int k = 0; k < bt_result_rescored_count(result); k++) {
    bt_rescored of = bt_result_rescored(result, 0, k);
    if (opt_scores != NULL) opt_scores[n] = of.score;
    n++;
    for (int v = 0; v < of.n_values; v++, n++)
      if (opt_scores != NULL) opt_scores[n] = of.values[v];
  }
  return n;
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
  dock_summary *of = &state->summaries[state->docked - 1];
  of->scores = calloc((size_t)list_scores(result, NULL) + 1, sizeof *of->scores);
  of->parent = strdup(bt_ligand_parent(bt_result_ligand(result)));
  if (of->scores == NULL || of->parent == NULL) return bt_fail_memory(error);
  list_scores(result, of->scores);
  return BT_OK;
}

/* Maps read from files name their receptor, which is expected next to them. */
static bt_status read_touched(dock_state *state, bt_error *error) {
  BT_SCOPED char *path = bt_maps_receptor_path(bt_target_maps(state->target, 0));
  if (path == NULL)
    return cli_fill_error(error, BT_ERR_USAGE, state->settings.receptor,
                          "provide the receptor, or remove --contacts, --interactions and --must-contact",
                          "the maps do not name their receptor");
  return bt_molecule_read(path, BT_MOLECULE_RECEPTOR, &state->touched, &state->n_touched, error);
}

static bt_status find_contacts(dock_state *state, bt_result *result, bt_error *error) {
  const double *distances = state->settings.contact_distances;
  const bt_contact_options options = {.reactive = distances[0], .hbond = distances[1], .vdw = distances[2]};
  const bt_molecule *receptor = state->receptor.rigid;
  return bt_result_find_contacts(result, receptor != NULL ? receptor : state->touched[0], &options, error);
}

static bt_status reject(dock_state *state, const dock_item *item, bt_error *opt_error) {
  if (!state->single) return cli_lists_reject(&state->lists, item->from.name, &item->docking.error, opt_error);
  if (item->docking.error.status == BT_ERR_FILTERED) {
    cli_message(state->program, "%s is left out by the filter: %s", item->from.name, item->docking.error.message);
    state->single_exit_code = CLI_EXIT_OK;
    return BT_OK;
  }
  state->single_exit_code = cli_fail(state->program, &item->docking.error);
  return BT_OK;
}

/* Another process may have written a ligand of this name since it was checked: then this one is rejected. */
static bt_status write_locked(dock_state *state, dock_item *item, const bt_result *result, bt_error *error) {
  bt_folder_lock lock = bt_folder_lock_wait(state->settings.folder);
  bt_status status = dock_check_earlier(state, &item->from, error);
  if (status == BT_OK) {
    status = dock_write_files(state, &item->from, result, error);
  } else if (status == BT_ERR_USAGE) {
    item->docking.error = *error;
    status = reject(state, item, error);
  }
  bt_folder_lock_release(&lock);
  return status;
}

static bt_status keep_result(dock_state *state, dock_item *item, bt_error *error) {
  const cli_ligand *ligand = &item->from;
  bt_result *result = item->docking.result;
  BT_TRY(cli_lists_note(&state->lists, ligand->name, ligand->molecule, error));
  /* raw molecules may be anywhere */
  if (!ligand->raw && bt_target_box_count(state->target) == 1) warn_outside(state, ligand);
  if (bt_result_warning(result)[0] != '\0')
    cli_warning(state->program, "%s: %s", ligand->name, bt_result_warning(result));
  if (state->settings.contacts) BT_TRY(find_contacts(state, result, error));
  if (dock_require_contacts(state, ligand, result, &item->docking.error) != BT_OK) {
    if (item->docking.error.status == BT_ERR_FILTERED) return reject(state, item, error);
    *error = item->docking.error;
    return error->status;
  }
  BT_TRY(write_locked(state, item, result, error));
  if (item->docking.error.status != BT_OK) return BT_OK;
  BT_TRY(dock_add_interactions(state, ligand, result, error));
  BT_TRY(dock_print_result(state, ligand, result, error));
  return add_summary(state, ligand, result, error);
}

/* bt_target_stream.done */
static bool done(void *user, bt_target_ligand *ligand) {
  dock_state *state = user;
  dock_item *item = (dock_item *)ligand;
  bt_error error = ligand->error;
  bt_status status = error.status;
  cli_progress_clear(&state->progress);
  if (status == BT_OK)
    status = keep_result(state, item, &error);
  else if (status != BT_ERR_CANCELLED && (ligand->molecule == NULL || bt_status_concerns_ligand(status)))
    status = reject(state, item, &error);
  if (status != BT_OK && status != BT_ERR_CANCELLED && state->error.status == BT_OK) state->error = error;
  dock_item_free(item);
  return status == BT_OK;
}

bt_status dock_open_folder(dock_state *state, bt_error *opt_error) {
  BT_TRY(cli_folder_make(state->settings.folder, opt_error));
  if (!state->single) BT_TRY(dock_check_earlier_summary(state, opt_error));
  bt_folder_lock lock = bt_folder_lock_wait(state->settings.folder);
  bt_status status = dock_write_receptor(state, opt_error);
  bt_folder_lock_release(&lock);
  return status;
}

static bt_status write_maps(dock_state *state, bt_error *opt_error) {
  const dock_settings *settings = &state->settings;
  free(state->fld_path);
  state->fld_path = dock_settings_computes_maps(settings) ? NULL : strdup(settings->receptor);
  if (settings->opt_write_maps == NULL) return BT_OK;
  if ((state->fld_path = cli_format("%s.maps.fld", settings->opt_write_maps)) == NULL) return bt_fail_memory(opt_error);
  BT_SCOPED char *folder = bt_path_folder(settings->opt_write_maps);
  if (folder == NULL) return bt_fail_memory(opt_error);
  BT_TRY(cli_folder_make(folder, opt_error));
  return cli_guard_write_maps(&state->inputs, settings->opt_write_maps, bt_target_maps(state->target, 0),
                              settings->receptor, settings->overwrite, opt_error);
}

/* bt_target_stream.opt_started: nothing is written for a single ligand that cannot be docked. */
static bt_status started(void *user, int ligands, bool more, bt_error *error) {
  dock_state *state = user;
  const dock_settings *settings = &state->settings;
  if (state->single && !state->started) BT_TRY(dock_open_folder(state, error));
  bool touched = settings->contacts || dock_interacts(settings);
  if (touched && state->receptor.rigid == NULL && state->touched == NULL) BT_TRY(read_touched(state, error));
  if (dock_interacts(settings) && settings->interactions.site == NULL) BT_TRY(dock_open_interactions(state, error));
  BT_TRY(write_maps(state, error));
  if (!state->started && settings->protocol.opt_ad4_option != NULL && !settings->quiet)
    cli_message(state->program, "note: --%s selects AutoDock 4's scoring function; --scoring overrides this",
                settings->protocol.opt_ad4_option);
  if (!state->started) {
    cli_interrupt_watch("\nberth dock: stopped; all files written so far are complete\n");
    dock_print_header(state, ligands, more);
    cli_progress_next(&state->progress, state->single ? state->only : "ligands", 1, 0);
  }
  state->progress.started = bt_seconds();
  state->started = true;
  return BT_OK;
}

/* bt_target_stream.opt_progress */
static bool show(void *user, const bt_target_progress *at) {
  dock_state *state = user;
  cli_progress *progress = &state->progress;
  progress->total = at->given;
  progress->more = at->more;
  progress->index = at->done < at->given ? at->done + 1 : at->given;
  return cli_progress_show(progress, at->fraction, at->evaluations, at->best_energy);
}

bt_status dock_all(dock_state *state, bt_error *opt_error) {
  const bt_target_stream stream = {
      .next = dock_next, .done = done, .opt_started = started, .opt_progress = show, .user = state};
  bt_status status = bt_target_dock_stream(state->target, &stream, opt_error);
  cli_progress_clear(&state->progress);
  const bt_error *own = &state->error; /* the cause of the stop */
  if (own->status == BT_OK || (status != BT_OK && status != BT_ERR_CANCELLED))
    return status == BT_OK ? cli_check_interrupt(opt_error) : status;
  if (opt_error != NULL) *opt_error = *own;
  return own->status;
}
