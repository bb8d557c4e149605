/* dock.c - `berth dock`: read, check, compute maps, dock ligand after ligand, write. */
#include <stdlib.h>

#include "commands.h"
#include "dock/state.h"
#include "common/interrupt.h"
#include "common/outputs.h"
#include "common/report.h"
#include "common/seed.h"

/* The last words, once docking has begun. */
static int finish(dock_state *state, bt_status status, const bt_error *error) {
  const char *folder = state->settings.folder;
  int exit_code = CLI_EXIT_OK;
  if (status == BT_ERR_CANCELLED) {
    cli_message(state->program, "interrupted; results of %d ligand%s are complete in %s", state->docked,
                state->docked == 1 ? "" : "s", folder);
    exit_code = CLI_EXIT_STOPPED;
  } else if (status != BT_OK) {
    exit_code = cli_fail(state->program, error);
  }
  bt_error list_error;
  bt_status lists = BT_OK;
  if (!state->single && (status == BT_OK || status == BT_ERR_CANCELLED)) lists = dock_write_lists(state, &list_error);
  if (lists == BT_OK) lists = cli_notes_end(&state->notes, &list_error);
  if (lists != BT_OK) return cli_fail(state->program, &list_error);
  if (exit_code != CLI_EXIT_OK) return exit_code;
  if (state->single) return state->docked == 1 ? CLI_EXIT_OK : state->single_exit_code;
  if (state->rejects.count > 0)
    cli_message(state->program, "%d docked, %d rejected; the reasons are in %s/rejects.csv", state->docked,
                state->rejects.count, folder);
  return state->docked == 0 ? CLI_EXIT_BAD : state->rejects.count > 0 ? CLI_EXIT_REJECTED : CLI_EXIT_OK;
}

/* Docks the batch at work; the header is printed before the first ligand. */
static bt_status dock_one_batch(dock_state *state, bool *header, bt_error *error) {
  bt_status status = dock_tell_notes(state, error);
  if (status != BT_OK || dock_left(state) == 0) return status;
  status = dock_prepare_maps(state, error);
  if (status != BT_OK || dock_left(state) == 0) return status;
  if (!*header) dock_print_header(state);
  *header = true;
  return dock_all(state, error);
}

static int run(dock_state *state) {
  bt_error error = {0};
  bt_status status = dock_read_inputs(state, &error);
  if (status == BT_OK) dock_feed(state, state->batch);
  if (status == BT_OK && (status = state->batch->status) != BT_OK) error = state->batch->error;
  if (status != BT_OK) return cli_fail(state->program, &error);
  bool one_source = state->paths.count + (state->extract.text != NULL) == 1;
  state->single = one_source && state->batch->last && state->batch->count <= 1;
  status = dock_accept(state, &error);
  if (status != BT_OK) return cli_fail(state->program, &error);
  if (state->single && dock_left(state) == 0) return state->single_exit_code;

  if (!state->single) {
    state->notes_path = dock_output_path(state, "notes", "csv");
    state->notes.opt_path = state->notes_path;
  }
  status = cli_folder_make(state->settings.folder, &error);
  if (status == BT_OK) status = dock_write_receptor(state, &error);
  if (status != BT_OK) return cli_fail(state->program, &error);
  cli_interrupt_watch();
  bool header = false, accepted = true;
  while (status == BT_OK) {
    dock_feed_start(state);
    if (!accepted) status = dock_accept(state, &error);
    if (status == BT_OK) status = dock_one_batch(state, &header, &error);
    accepted = false;
    bool last = state->batch->last;
    if (last) break;
    if (status != BT_OK) state->stop = true;
    dock_feed_wait(state);
    if (status == BT_OK) status = cli_check_interrupt(&error);
    if (status == BT_OK && (status = state->batch->status) != BT_OK) error = state->batch->error;
  }
  if (status == BT_OK) status = cli_check_interrupt(&error);
  return finish(state, status, &error);
}

int cmd_dock(int argc, char **argv) {
  dock_state state = {.program = "berth dock", .settings = dock_settings_default(), .single_exit_code = CLI_EXIT_BAD};
  state.rejects.program = state.notes.program = state.program;
  int exit_code;
  if (dock_settings_parse(&state.settings, argc, argv, &exit_code)) {
    if (state.settings.search.seed == 0) state.settings.search.seed = cli_choose_seed();
    state.command_line = cli_command_line(state.program, argc, argv);
    state.progress = cli_progress_start(state.program, state.settings.quiet);
    state.notes.quiet = state.settings.quiet;
    exit_code = run(&state);
  }
  for (int i = 0; i < 2; i++) {
    dock_batch *batch = i == 0 ? state.batch : state.next;
    if (batch != NULL) dock_batch_clear(batch);
    free(batch);
  }
  bt_engine_close(state.engine);
  bt_maps_destroy(state.maps);
  bt_molecule_destroy(state.reference);
  bt_molecule_list_destroy(state.touched, state.n_touched);
  cli_receptor_free(&state.receptor);
  cli_ligands_free(&state.ligands);
  cli_rejects_free(&state.rejects);
  cli_paths_free(&state.paths);
  free(state.extract.text);
  free(state.extract.name);
  cli_types_free(&state.types);
  free(state.summaries);
  free(state.fld_path);
  free(state.command_line);
  free(state.notes_path);
  dock_settings_free(&state.settings);
  return exit_code;
}
