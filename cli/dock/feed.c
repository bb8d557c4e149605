/* feed.c - from files to batches of ligands: the next batch is read and prepared while one is docked. */
#include <stdlib.h>

#include "dock/state.h"
#include "common/interrupt.h"
#include "common/report.h"

/* A device should not wait long for its first ligands when these are prepared one by one. */
static const double longest_feed = 4.0; /* seconds */

/* Side chains are to move within the maps. */
static void enlarge_box(dock_state *state) {
  enum { MARGIN = 3 }; /* Angstrom */
  double low[3], high[3];
  const bt_molecule *flexible = state->receptor.opt_flexible;
  if (flexible == NULL || !state->settings.autobox || bt_molecule_extent(flexible, NULL, low, high, NULL) != BT_OK)
    return;
  if (cli_box_include(&state->settings.resolved_box, low, high, MARGIN) && !state->settings.quiet)
    cli_message(state->program, "note: the box was enlarged for the flexible residues");
}

bt_status dock_read_inputs(dock_state *state, bt_error *opt_error) {
  const dock_settings *settings = &state->settings;
  const char *excluded[] = {settings->receptor, settings->prepare.opt_flex};
  CLI_TRY(cli_inputs_expand(&settings->ligands, true, excluded, CLI_COUNT(excluded), &state->paths, opt_error));
  if (settings->opt_ligand_from != NULL)
    CLI_TRY(cli_extract_ligand(settings->receptor, &settings->prepare, &state->extract, opt_error));
  CLI_TRY(cli_receptor_load(state->program, settings->receptor, &settings->prepare, settings->quiet, &state->receptor,
                            opt_error));
  enlarge_box(state);
  state->ligands = cli_ligands_start(&state->paths, &settings->prepare.ligands);
  if (settings->opt_ligand_from != NULL) state->ligands.opt_extract = &state->extract;
  if (state->receptor.opt_prepared != NULL && !cli_ligands_reserve(&state->ligands, "receptor"))
    return cli_no_memory(opt_error);
  state->batch = calloc(1, sizeof *state->batch);
  state->next = calloc(1, sizeof *state->next);
  if (state->batch == NULL || state->next == NULL) return cli_no_memory(opt_error);
  return BT_OK;
}

/* Poses as SDF need bonds. Those of a PDBQT ligand may stand in Meeko's remarks; it is an error that they do not only
 * when SDF was asked for. */
static bt_status find_bonds(const dock_state *state, bt_molecule *molecule, bt_error *error) {
  unsigned formats = state->settings.formats;
  if ((formats & (CLI_FORMAT_SDF | CLI_FORMAT_AUTO)) == 0 || bt_molecule_has_chemistry(molecule)) return BT_OK;
  bt_status status = bt_molecule_find_chemistry(molecule, error);
  return (formats & CLI_FORMAT_SDF) != 0 || status == BT_ERR_MEMORY ? status : BT_OK;
}

/* What can be said of a ligand without maps. */
static void build(const dock_state *state, dock_item *item) {
  bt_error *error = &item->from.error;
  bt_molecule *molecule = item->from.molecule;
  bt_status status = find_bonds(state, molecule, error);
  if (status == BT_OK) status = bt_ligand_create(molecule, state->receptor.opt_flexible, &item->ligand, error);
  if (status == BT_OK && bt_ligand_atom_count(item->ligand) == 0) {
    cli_fill_error(error, BT_ERR_INPUT, cli_ligands_path(&state->ligands, &item->from), "give a ligand with atoms",
                   "no atoms");
    bt_ligand_destroy(item->ligand);
    item->ligand = NULL;
  }
}

void dock_feed(dock_state *state, dock_batch *batch) {
  double started = cli_seconds();
  batch->count = 0;
  batch->last = false;
  batch->status = BT_OK;
  while (batch->status == BT_OK && !batch->last && batch->count < DOCK_BATCH && !cli_interrupted() && !state->stop) {
    /* two tell whether there is more than one */
    if (batch->count > 1 && cli_seconds() - started > longest_feed) break;
    dock_item *item = &batch->items[batch->count];
    bool found;
    *item = (dock_item){0};
    batch->status = cli_ligands_next(&state->ligands, &item->from, &found, &batch->error);
    if (batch->status != BT_OK) break;
    batch->last = !found;
    if (!found) break;
    batch->count++;
    if (item->from.molecule != NULL) build(state, item);
    if (item->ligand == NULL && item->from.error.status == BT_ERR_MEMORY) {
      batch->status = BT_ERR_MEMORY;
      batch->error = item->from.error;
    }
  }
}

void dock_batch_clear(dock_batch *batch) {
  for (int i = 0; i < batch->count; i++) {
    bt_ligand_destroy(batch->items[i].ligand);
    cli_ligand_clear(&batch->items[i].from);
  }
  batch->count = 0;
}

static void *feeder(void *user) {
  dock_state *state = user;
  dock_feed(state, state->next);
  return NULL;
}

void dock_feed_start(dock_state *state) {
  if (!state->batch->last) state->feeding = pthread_create(&state->feeder, NULL, feeder, state) == 0;
}

void dock_feed_wait(dock_state *state) {
  dock_batch *done = state->batch;
  if (state->feeding)
    pthread_join(state->feeder, NULL);
  else if (!done->last)
    dock_feed(state, state->next);
  state->feeding = false;
  dock_batch_clear(done);
  state->batch = state->next;
  state->next = done;
}
