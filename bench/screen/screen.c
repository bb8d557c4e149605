/* screen.c - `berth bench screen`: how many ligands per second a device docks in batches. */
#include "bench/screen/screen.h"

#include <stdlib.h>

#include "base/clock.h"
#include "bench/bench.h"
#include "common/outputs.h"
#include "common/report.h"

/* One generation of the first ligand, so that drivers and kernels are loaded before the clock starts. */
static bt_status warm_up(const screen_state *state, bt_error *opt_error) {
  bt_molecule **list = NULL;
  int count = 0;
  bt_ligand *ligand = NULL;
  bt_result *result = NULL;
  bt_dock_options options = state->settings->search;
  options.generations = 1;
  options.local_search_iterations = 1;
  /* a ligand that cannot be docked is told of later */
  bt_status status = bt_molecule_read(state->paths.items[0], BT_MOLECULE_LIGAND, &list, &count, opt_error);
  if (status == BT_OK) status = bt_ligand_create(list[0], NULL, &ligand, opt_error);
  if (status == BT_OK) status = bt_dock(ligand, state->maps, NULL, &options, &result, opt_error);
  bt_result_destroy(result);
  bt_ligand_destroy(ligand);
  bt_molecule_list_destroy(list, count);
  return status == BT_ERR_DEVICE || status == BT_ERR_USAGE ? status : BT_OK;
}

static bt_status run(screen_state *state, bt_error *error) {
  const screen_settings *settings = state->settings;
  double began = bt_seconds();
  if (settings->opt_csv != NULL) BT_TRY(cli_folder_check(settings->opt_csv, error));
  BT_TRY(cli_inputs_expand(&settings->ligands, false, NULL, 0, &state->paths, error));
  BT_TRY(bt_maps_read(settings->fld, NULL, 0, &state->maps, error));
  BT_TRY(warm_up(state, error));
  state->seconds_start = bt_seconds() - began;
  BT_TRY(screen_dock(state, error));
  state->seconds_whole = bt_seconds() - began;
  return screen_write_csv(state, error);
}

static bt_status run_and_report(void *user, bt_error *error) {
  screen_settings *settings = user;
  screen_state state = {.settings = settings};
  if (settings->fld == NULL || settings->ligands.count == 0)
    return bench_refuse(error, "give -m MAPS.fld and -l LIGANDS");
  if (settings->evaluations > 0) {
    settings->search.evaluations = settings->evaluations;
    settings->search.heuristics = false;
  }
  BT_TRY(cli_device_resolve(&settings->device, &settings->search, error));
  bt_status status = run(&state, error);
  settings->output.exit_code = state.docked == 0 ? CLI_EXIT_BAD : state.rejected > 0 ? CLI_EXIT_REJECTED : CLI_EXIT_OK;
  if (status == BT_OK && state.docked > 0) status = screen_report(&state, error);
  for (int i = 0; i < state.capacity; i++) free(state.records[i].name);
  free(state.records);
  bt_maps_destroy(state.maps);
  cli_paths_free(&state.paths);
  return status;
}

static const char details[] =
    "Ligands are read while others are docked. The time of docking counts from the first batch on,\n"
    "without times in which none was being docked; the whole time begins with the maps. What a\n"
    "ligand gets does not depend on --batch or --streams, up to rounding on a GPU. Every pose's\n"
    "energy is compared with double precision; when one is wrong no speed is printed, and the exit\n"
    "code is 3.";

static const char examples[] =
    "  berth bench screen -m protein.maps.fld -l library/ --batch 512\n"
    "  berth bench screen -m protein.maps.fld -l library/ --limit 100 --batch 1 --streams 1 --csv one.csv\n"
    "  berth bench screen -m protein.maps.fld -l 'library/*.pdbqt' --device cuda:0 --json";

int bench_screen(int argc, char **argv) {
  screen_settings settings = {.batch = 2048, .streams = 1, .search = bt_dock_options_default()};
  bt_dock_options *search = &settings.search;
  search->seed = 1;
  cli_option options[] = {
      {.group = "Input", OPT_STRING("maps", 'm', &settings.fld, "FILE", "AutoGrid maps, .maps.fld")},
      {OPT_LIST("ligand", 'l', &settings.ligands, "FILE...", "ligands, .pdbqt: files, folders or patterns")},
      {OPT_INT("limit", 0, &settings.limit, "N", 1, 1e9, "dock the first N ligands only"), .opt_default = "all"},
      {.group = "Benchmark", OPT_INT("batch", 0, &settings.batch, "N", 1, 1000000,
       "ligands that are handed to the device together; 1: one by one")},
      {OPT_INT("streams", 0, &settings.streams, "N", 1, 64, "batches that are docked at the same time")},
      {OPT_STRING("csv", 0, &settings.opt_csv, "FILE", "write the best energy of every ligand"), .opt_default = ""},
      BENCH_OUTPUT_OPTIONS(settings.output),
      BENCH_QUIET_OPTION(settings.quiet),
      {.group = "Search", OPT_INT("runs", 'n', &search->runs, "N", 1, 10000, "runs of each ligand")},
      {OPT_INT("population", 'p', &search->population, "N", 2, 1000000, "individuals per run")},
      {OPT_INT64("evals", 0, &settings.evaluations, "N", 1, 1e12, "evaluations per run"),
       .opt_default = "by heuristics"},
      {OPT_SWITCH("autostop", 0, &search->autostop, "stop when converged")},
      {OPT_SEED("seed", 0, &search->seed, "random seed")},
      CLI_DEVICE_OPTIONS(settings.device),
      CLI_DEVICES_OPTION(settings.device),
      {OPT_INT("threads", 0, &search->threads, "N", 0, 65536, "of the host, for each stream"),
       .opt_default = "all cores"},
  };
  cli_spec spec = {"berth bench screen", "ligands per second: many ligands docked in batches",
                   "-m MAPS.fld -l LIGANDS... [options]", details, examples, CLI_TABLE(options), NULL};
  int exit_code = bench_main(&spec, &settings.output, argc, argv, run_and_report, &settings);
  cli_list_free(&settings.ligands);
  return exit_code;
}
