/* dock_batch.c - docks the ligands of `berth dock` batch by batch and writes each one as soon as it is done. */
#include <stdlib.h>

#include "dock_state.h"
#include "interrupt.h"
#include "report.h"

/* Enough to keep several GPUs busy; molecules of one batch are in memory together. */
enum { BATCH = 2048 };

typedef struct batch {
  dock_state *state;
  int first, count, total; /* of the ligands that are docked */
  cli_ligand *items[BATCH];
  bt_ligand *ligands[BATCH];
  const bt_molecule *molecules[BATCH], *references[BATCH];
  bt_result *results[BATCH];
  bt_error errors[BATCH];
  bt_status status; /* what stops everything */
  bt_error error;
} batch;

/* Does the failure concern this ligand alone? */
static bool is_ligand_fault(bt_status status) {
  return status == BT_ERR_INPUT || status == BT_ERR_PARAMETER || status == BT_ERR_BOX || status == BT_ERR_LIMIT;
}

/* An input pose outside the box is no error, but often a sign of a box in the wrong place. A whole library of them
 * is told of by its first few. */
static void warn_outside(dock_state *state, const cli_ligand *item, const bt_molecule *molecule) {
  double low[3], high[3], worst = 0.0;
  if (bt_molecule_extent(molecule, NULL, low, high, NULL) != BT_OK) return;
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

/* Rejects a ligand; what stops everything is noted. */
static void reject(batch *b, cli_ligand *item, const bt_error *error) {
  b->status = dock_reject(b->state, item, error);
  if (b->status != BT_OK) cli_fill_error(&b->error, b->status, NULL, "", "out of memory");
}

static bt_status keep_result(batch *b, int index, bt_error *error) {
  dock_state *state = b->state;
  const cli_ligand *item = b->items[index];
  const bt_result *result = b->results[index];
  warn_outside(state, item, b->molecules[index]);
  if (bt_result_warning(result)[0] != '\0')
    cli_warning(state->program, "%s: %s", item->name, bt_result_warning(result));
  bt_status status = dock_write_files(state, item, result, error);
  if (status == BT_OK) status = dock_print_result(state, item, result, error);
  if (status != BT_OK) return status;
  state->summaries[state->docked++] = (dock_summary){.ligand = item->name,
                                                     .best = bt_result_ranked(result, 0),
                                                     .runs = bt_result_run_count(result),
                                                     .clusters = bt_result_cluster_count(result),
                                                     .evaluations = bt_result_evaluations(result),
                                                     .seconds = bt_result_seconds(result)};
  return BT_OK;
}

/* bt_docked_fn: writes what is done. */
static bool docked(void *user, int index) {
  batch *b = user;
  dock_state *state = b->state;
  cli_progress_clear(&state->progress);
  if (b->errors[index].status == BT_OK)
    b->status = keep_result(b, index, &b->error);
  else if (is_ligand_fault(b->errors[index].status))
    reject(b, b->items[index], &b->errors[index]);
  else
    b->status = (b->error = b->errors[index]).status;
  bt_result_destroy(b->results[index]);
  b->results[index] = NULL;
  if (state->progress.index < b->total) state->progress.index++;
  return b->status == BT_OK;
}

/* bt_progress_fn over all batches. */
static bool show(void *user, double fraction, int64_t evaluations, double best_energy) {
  batch *b = user;
  return cli_progress_show(&b->state->progress, (b->first + fraction * b->count) / b->total, evaluations, best_energy);
}

/* Reads the next ligands; one that cannot be read any more is rejected. Returns the position behind them. */
static int fill(batch *b, int next) {
  dock_state *state = b->state;
  cli_ligands *ligands = &state->ligands;
  const bt_molecule *flexible = state->n_flexible > 0 ? state->flexible[0] : NULL;
  b->first += b->count;
  b->count = 0;
  cli_ligands_hold(ligands);
  for (; next < ligands->count && b->count < BATCH && b->status == BT_OK; next++) {
    cli_ligand *item = &ligands->items[next];
    if (item->rejected) continue;
    const bt_molecule *molecule;
    bt_ligand *ligand = NULL;
    bt_error error;
    bt_status status = cli_ligands_molecule(ligands, item, &molecule, &error);
    if (status == BT_OK) status = bt_ligand_create(molecule, flexible, &ligand, &error);
    if (is_ligand_fault(status)) {
      reject(b, item, &error);
      b->first++;
    } else if (status != BT_OK) {
      b->status = (b->error = error).status;
    } else {
      b->items[b->count] = item;
      b->molecules[b->count] = molecule;
      b->references[b->count] = state->n_reference > 0 ? state->reference[0] : NULL;
      b->ligands[b->count++] = ligand;
    }
  }
  return next;
}

static bt_status dock_batch(batch *b, bt_error *error) {
  bt_dock_options options = b->state->settings.search;
  options.opt_progress = show;
  options.opt_docked = docked;
  options.opt_progress_user = b;
  bt_status status = bt_dock_batch((const bt_ligand *const *)b->ligands, b->count, b->state->maps, b->references,
                                   &options, b->results, b->errors, error);
  cli_progress_clear(&b->state->progress);
  for (int i = 0; i < b->count; i++) {
    bt_result_destroy(b->results[i]);
    bt_ligand_destroy(b->ligands[i]);
  }
  cli_ligands_release(&b->state->ligands);
  if (b->status == BT_OK) return status;
  *error = b->error; /* our own reason to stop */
  return b->status;
}

bt_status dock_all(dock_state *state, bt_error *error) {
  int total = 0;
  for (int i = 0; i < state->ligands.count; i++) total += !state->ligands.items[i].rejected;
  batch *b = calloc(1, sizeof *b);
  state->summaries = calloc((size_t)total + 1, sizeof *state->summaries);
  bt_status status = BT_OK;
  if (state->summaries == NULL || b == NULL) status = cli_fill_error(error, BT_ERR_MEMORY, NULL, "", "out of memory");
  if (status == BT_OK) {
    b->state = state;
    b->total = total;
    cli_progress_next(&state->progress, "ligands", 1, total);
  }
  for (int next = 0; status == BT_OK && next < state->ligands.count;) {
    next = fill(b, next);
    if (total == 1 && b->count == 1) state->progress.name = b->items[0]->name;
    if (cli_interrupted()) status = cli_fill_error(error, BT_ERR_CANCELLED, NULL, "", "interrupted");
    if (b->status != BT_OK) status = (*error = b->error).status;
    if (status == BT_OK) {
      if (b->count > 0) status = dock_batch(b, error);
    } else {
      for (int i = 0; i < b->count; i++) bt_ligand_destroy(b->ligands[i]);
    }
  }
  free(b);
  return status;
}
