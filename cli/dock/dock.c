/* dock.c - `berth dock`: reads, checks, computes maps, docks one ligand after the other, writes. */
#include <stdlib.h>

#include "base/files/folder_lock.h"
#include "commands.h"
#include "common/report.h"
#include "common/seed.h"
#include "dock/state.h"
#include "signals/interrupt.h"

/* The final message and the exit code, once docking has begun. */
static int finish(dock_state *state, bt_status status, const bt_error *error) {
  const char *folder = state->settings.folder;
  int exit_code = CLI_EXIT_OK;
  if (status == BT_ERR_CANCELLED) {
    cli_message(state->program, "%s; results of %d ligand%s are complete in %s", cli_interrupt_words(), state->docked,
                state->docked == 1 ? "" : "s", folder);
    exit_code = cli_interrupt_exit_code();
  } else if (status != BT_OK) {
    exit_code = cli_fail(state->program, error);
  }
  bt_error list_error;
  bt_status lists = BT_OK;
  dock_report_seeds(state);
  bool complete = !state->single && (status == BT_OK || status == BT_ERR_CANCELLED);
  bt_folder_lock lock = bt_folder_lock_wait(folder); /* other processes may add to the same tables */
  if (complete) lists = dock_write_summary(state, &list_error);
  if (lists == BT_OK) lists = cli_lists_write(&state->lists, complete, &list_error);
  bt_folder_lock_release(&lock);
  if (lists == BT_OK && state->docked > 0) lists = cli_interactions_write(&state->settings.interactions, &list_error);
  if (lists != BT_OK) return cli_fail(state->program, &list_error);
  if (exit_code != CLI_EXIT_OK) return exit_code;
  if (!state->single && !state->settings.quiet)
    cli_lists_tell_filtered(&state->lists, state->settings.json ? stderr : stdout);
  if (state->single) return state->docked == 1 ? CLI_EXIT_OK : state->single_exit_code;
  if (state->lists.n_rejects > 0)
    cli_message(state->program, "%d docked, %d rejected; the reasons are in %s/rejects.csv", state->docked,
                state->lists.n_rejects, folder);
  bool none = state->docked == 0 && (state->lists.n_filtered == 0 || state->lists.n_rejects > 0);
  return none ? CLI_EXIT_BAD : state->lists.n_rejects > 0 ? CLI_EXIT_REJECTED : CLI_EXIT_OK;
}

static int run(dock_state *state) {
  bt_error error = {0};
  bt_status status = dock_read_inputs(state, &error);
  state->lists.grows = true;
  if (!state->single) {
    state->lists.opt_notes = dock_output_path(state, "notes", "csv");
    state->lists.opt_rejects = dock_output_path(state, "rejects", "csv");
    if (status == BT_OK) status = dock_open_folder(state, &error);
  }
  if (status != BT_OK) return cli_fail(state->program, &error);
  status = dock_all(state, &error);
  if (status != BT_OK && !state->started && state->single) return cli_fail(state->program, &error);
  return finish(state, status, &error);
}

int cmd_dock(int argc, char **argv) {
  dock_state state = {.program = "berth dock", .settings = dock_settings_default(), .single_exit_code = CLI_EXIT_BAD};
  state.lists.program = state.program;
  int exit_code;
  if (dock_settings_parse(&state.settings, argc, argv, &exit_code)) {
    if (state.settings.search.seed == 0) state.settings.search.seed = cli_choose_seed();
    state.command_line = cli_command_line(state.program, argc, argv);
    state.progress = cli_progress_start(state.program, state.settings.quiet);
    state.lists.quiet = state.settings.quiet;
    bt_error error;
    exit_code = state.command_line != NULL ? run(&state) : (bt_fail_memory(&error), cli_fail(state.program, &error));
  }
  for (int k = 0; k < 2; k++) dock_item_free(state.first[k]);
  bt_target_close(state.target);
  bt_constraints_destroy(state.constraints);
  bt_molecule_destroy(state.reference);
  bt_molecule_list_destroy(state.touched, state.n_touched);
  dock_free_ensemble(&state);
  cli_receptor_free(&state.receptor);
  cli_ligands_free(&state.ligands);
  cli_lists_free(&state.lists);
  bt_text_list_destroy(&state.paths);
  bt_file_set_destroy(&state.inputs);
  free(state.seeds_used);
  free(state.extract.text);
  free(state.extract.name);
  for (int i = 0; i < state.docked; i++) free(state.summaries[i].scores), free(state.summaries[i].parent);
  free(state.summaries);
  free(state.fld_path);
  free(state.command_line);
  dock_settings_free(&state.settings);
  return exit_code;
}
