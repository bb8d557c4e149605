/* batch.c - docks the ligands of a batch and writes each one as soon as it is done. */
#include <berth/grid.h>
#include <berth/report.h>
#include <stdlib.h>

#include "dock/state.h"
#include "common/report.h"

typedef struct work {
  dock_state *state;
  int count; /* of the ligands that are docked */
  dock_item *items[DOCK_BATCH];
  bt_docking dockings[DOCK_BATCH];
  bt_status status; /* what stops everything */
  bt_error error;
} work;

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
  if (state->docked == state->summary_capacity) {
    int capacity = state->summary_capacity > 0 ? 2 * state->summary_capacity : 64;
    dock_summary *summaries = realloc(state->summaries, (size_t)capacity * sizeof *summaries);
    if (summaries == NULL) return cli_fill_error(error, BT_ERR_MEMORY, NULL, "", "out of memory");
    state->summaries = summaries;
    state->summary_capacity = capacity;
  }
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
  char *path = bt_maps_receptor_path(state->maps);
  if (path == NULL)
    return cli_fill_error(error, BT_ERR_USAGE, state->settings.receptor, "give the receptor, or leave --contacts out",
                          "the maps do not say which receptor they are of");
  bt_status status =
      bt_molecule_read(path, BT_MOLECULE_RECEPTOR, &state->touched, &state->n_touched, error);
  free(path);
  return status;
}

static bt_status find_contacts(dock_state *state, bt_result *result, bt_error *error) {
  const double *distances = state->settings.contact_distances;
  const bt_contact_options options = {.reactive = distances[0], .hbond = distances[1], .vdw = distances[2]};
  const bt_molecule *receptor = state->receptor.rigid;
  return bt_result_find_contacts(result, receptor != NULL ? receptor : state->touched[0], &options, error);
}

static bt_status keep_result(work *w, int index, bt_error *error) {
  dock_state *state = w->state;
  const cli_ligand *ligand = &w->items[index]->from;
  bt_result *result = w->dockings[index].result;
  if (!ligand->raw) warn_outside(state, ligand); /* libraries of raw molecules lie anywhere */
  if (bt_result_warning(result)[0] != '\0')
    cli_warning(state->program, "%s: %s", ligand->name, bt_result_warning(result));
  if (state->settings.contacts) {
    bt_status found = find_contacts(state, result, error);
    if (found != BT_OK) return found;
  }
  bt_status status = dock_write_files(state, ligand, result, error);
  if (status == BT_OK) status = dock_print_result(state, ligand, result, error);
  return status == BT_OK ? add_summary(state, ligand, result, error) : status;
}

/* bt_docked_fn: writes what is done. */
static bool docked(void *user, int index) {
  work *w = user;
  dock_state *state = w->state;
  bt_docking *docking = &w->dockings[index];
  cli_progress_clear(&state->progress);
  if (docking->error.status == BT_OK) {
    w->status = keep_result(w, index, &w->error);
  } else if (bt_status_concerns_ligand(docking->error.status)) {
    w->status = dock_reject(state, w->items[index], &docking->error);
    if (w->status != BT_OK) cli_fill_error(&w->error, w->status, NULL, "", "out of memory");
  } else {
    w->status = (w->error = docking->error).status;
  }
  bt_result_destroy(docking->result);
  docking->result = NULL;
  if (state->progress.index < state->progress.total) state->progress.index++;
  return w->status == BT_OK;
}

/* bt_progress_fn over all batches. */
static bool show(void *user, double fraction, int64_t evaluations, double best_energy) {
  work *w = user;
  cli_progress *progress = &w->state->progress;
  return cli_progress_show(progress, (w->state->tried + fraction * w->count) / progress->total, evaluations,
                           best_energy);
}

static void gather(work *w) {
  dock_batch *batch = w->state->batch;
  for (int i = 0; i < batch->count; i++) {
    if (batch->items[i].rejected) continue;
    w->items[w->count] = &batch->items[i];
    w->dockings[w->count++] = (bt_docking){.opt_ligand = batch->items[i].ligand, .opt_reference = w->state->reference};
  }
}

bt_status dock_all(dock_state *state, bt_error *opt_error) {
  if (state->settings.contacts && state->receptor.rigid == NULL && state->touched == NULL) {
    bt_status found = read_touched(state, opt_error);
    if (found != BT_OK) return found;
  }
  work *w = calloc(1, sizeof *w);
  if (w == NULL) return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
  w->state = state;
  gather(w);
  cli_progress *progress = &state->progress;
  if (progress->total == 0) cli_progress_next(progress, "ligands", 1, 0);
  progress->more = !state->batch->last;
  progress->total = state->tried + w->count;
  progress->name = progress->total == 1 && !progress->more ? w->items[0]->from.name : "ligands";
  bt_dock_options options = state->settings.search;
  options.opt_progress = show;
  options.opt_docked = docked;
  options.opt_progress_user = w;
  bt_engine *engine = NULL;
  bt_status status = bt_engine_open_ad4(state->maps, &options, &engine, opt_error);
  if (status == BT_OK) status = bt_engine_dock(engine, w->dockings, w->count, opt_error);
  bt_engine_close(engine);
  cli_progress_clear(progress);
  for (int i = 0; i < w->count; i++) bt_result_destroy(w->dockings[i].result);
  state->tried += w->count;
  if (w->status != BT_OK) {
    status = w->status; /* our own reason to stop */
    if (opt_error != NULL) *opt_error = w->error;
  }
  free(w);
  return status;
}
