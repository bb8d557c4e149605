/* dock.c - `berth dock`: read, check, compute maps, dock ligand after ligand, write. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "dock_state.h"
#include "interrupt.h"
#include "outputs.h"
#include "report.h"

/* A seed that a person can copy from the screen. */
static uint64_t choose_seed(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t x = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec + ((uint64_t)getpid() << 32);
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdULL; /* finaliser of MurmurHash3: spreads the clock's few changing bits */
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return 1 + (x >> 33);
}

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

static bt_status dock_one(dock_state *state, cli_ligand *item, int index, int total, bt_error *error) {
  const bt_molecule *molecule, *flexible = state->n_flexible > 0 ? state->flexible[0] : NULL;
  const bt_molecule *reference = state->n_reference > 0 ? state->reference[0] : NULL;
  bt_ligand *ligand = NULL;
  bt_result *result = NULL;
  bt_status status = cli_ligands_molecule(&state->ligands, item, &molecule, error);
  if (status == BT_OK) status = bt_ligand_create(molecule, flexible, &ligand, error);
  if (status == BT_OK) {
    bt_dock_options options = state->settings.search;
    if (state->settings.heuristics_as_normal) {
      options.evaluations = bt_heuristic_evaluations(options.local_search, bt_ligand_torsion_count(ligand),
                                                     bt_dock_options_default().runs, options.heuristics_max);
      options.heuristics = false;
    }
    cli_progress_next(&state->progress, item->name, index, total);
    options.opt_progress = cli_progress_show;
    options.opt_progress_user = &state->progress;
    status = bt_dock(ligand, state->maps, reference, &options, &result, error);
    cli_progress_clear(&state->progress);
  }
  if (is_ligand_fault(status)) {
    bt_ligand_destroy(ligand);
    return dock_reject(state, item, error);
  }
  if (status == BT_OK) warn_outside(state, item, molecule);
  if (status == BT_OK) status = dock_write_files(state, item, result, error);
  if (status == BT_OK) status = dock_print_result(state, item, result, error);
  if (status == BT_OK)
    state->summaries[state->docked++] = (dock_summary){.ligand = item->name,
                                                       .best = bt_result_ranked(result, 0),
                                                       .runs = bt_result_run_count(result),
                                                       .clusters = bt_result_cluster_count(result),
                                                       .evaluations = bt_result_evaluations(result),
                                                       .seconds = bt_result_seconds(result)};
  bt_result_destroy(result);
  bt_ligand_destroy(ligand);
  return status;
}

static bt_status dock_all(dock_state *state, bt_error *error) {
  cli_ligands *ligands = &state->ligands;
  int total = 0, index = 0;
  for (int i = 0; i < ligands->count; i++) total += !ligands->items[i].rejected;
  state->summaries = calloc((size_t)total + 1, sizeof *state->summaries);
  if (state->summaries == NULL) return cli_fill_error(error, BT_ERR_MEMORY, NULL, "", "out of memory");
  bt_status status = BT_OK;
  for (int i = 0; status == BT_OK && i < ligands->count; i++) {
    if (ligands->items[i].rejected) continue;
    if (cli_interrupted())
      status = cli_fill_error(error, BT_ERR_CANCELLED, NULL, "", "interrupted");
    else
      status = dock_one(state, &ligands->items[i], ++index, total, error);
  }
  return status;
}

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
  if (lists != BT_OK) return cli_fail(state->program, &list_error);
  if (exit_code != CLI_EXIT_OK) return exit_code;
  if (state->single) return state->docked == 1 ? CLI_EXIT_OK : state->single_exit_code;
  if (state->rejects.count > 0)
    cli_message(state->program, "%d docked, %d rejected; the reasons are in %s/rejects.csv", state->docked,
                state->rejects.count, folder);
  return state->docked == 0 ? CLI_EXIT_BAD : state->rejects.count > 0 ? CLI_EXIT_REJECTED : CLI_EXIT_OK;
}

static int run(dock_state *state) {
  bt_error error = {0};
  bt_status status = dock_read_inputs(state, &error);
  if (status != BT_OK) return cli_fail(state->program, &error);
  if (state->single && state->ligands.items[0].rejected) return state->single_exit_code;

  status = cli_folder_make(state->settings.folder, &error);
  if (status != BT_OK) return cli_fail(state->program, &error);
  cli_interrupt_watch();
  if (state->rejects.count < state->ligands.count) {
    status = dock_prepare_maps(state, &error);
    if (status != BT_OK) return cli_fail(state->program, &error);
    if (!state->single || !state->ligands.items[0].rejected) dock_print_header(state);
    status = dock_all(state, &error);
  }
  return finish(state, status, &error);
}

int cmd_dock(int argc, char **argv) {
  dock_state state = {.program = "berth dock", .settings = dock_settings_default(), .single_exit_code = CLI_EXIT_BAD};
  state.rejects.program = state.program;
  int exit_code;
  if (dock_settings_parse(&state.settings, argc, argv, &exit_code)) {
    if (state.settings.search.seed == 0) state.settings.search.seed = choose_seed();
    state.command_line = cli_command_line(state.program, argc, argv);
    state.progress = cli_progress_start(state.program, state.settings.quiet);
    exit_code = run(&state);
  }
  bt_maps_destroy(state.maps);
  bt_molecule_list_destroy(state.receptor, state.n_receptor);
  bt_molecule_list_destroy(state.reference, state.n_reference);
  cli_ligands_free(&state.ligands);
  bt_molecule_list_destroy(state.flexible, state.n_flexible);
  cli_rejects_free(&state.rejects);
  cli_paths_free(&state.paths);
  free(state.summaries);
  free(state.fld_path);
  free(state.command_line);
  dock_settings_free(&state.settings);
  return exit_code;
}
