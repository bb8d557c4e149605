/* reductions.c - `berth bench reductions`: the study of sums on tensor cores. */
#include "bench/reductions/report.h"

#include <stdlib.h>

#include "bench/bench.h"
#include "bench/common/output.h"
#include "dock/device.h"
#include "common/options.h"
#include "common/report.h"

static const char program[] = "berth bench reductions";

typedef struct bench_state {
  const char *fld, *ligand;
  cli_device_request device;
  bench_output output;
  int repeats;
  bt_dock_options search;
} bench_state;

static int run(const bench_state *state) {
  bt_error error;
  bt_molecule **molecules = NULL;
  int count = 0, exit_code = CLI_EXIT_OK;
  bt_ligand *ligand = NULL;
  bt_maps *maps = NULL;
  const char **types = NULL;
  bt_bench_reductions_result *result = calloc(1, sizeof *result);
  bt_status status = bt_molecule_read(state->ligand, BT_MOLECULE_LIGAND, &molecules, &count, &error);
  if (status == BT_OK) status = bt_ligand_create(molecules[0], NULL, &ligand, &error);
  if (status == BT_OK) {
    types = calloc((size_t)bt_ligand_type_count(ligand), sizeof *types);
    if (types == NULL || result == NULL) status = cli_fill_error(&error, BT_ERR_MEMORY, NULL, "", "out of memory");
  }
  for (int i = 0; status == BT_OK && i < bt_ligand_type_count(ligand); i++) types[i] = bt_ligand_type(ligand, i);
  if (status == BT_OK) status = bt_maps_read(state->fld, types, bt_ligand_type_count(ligand), &maps, &error);
  if (status == BT_OK) status = bt_bench_reductions(ligand, maps, &state->search, state->repeats, result, &error);
  if (status == BT_OK) {
    bench_reductions_finding found = {bt_molecule_name(molecules[0]), result};
    status = bench_output_write(&state->output, "reductions", bench_reductions_members, bench_reductions_text, &found,
                                &error);
  }
  if (status != BT_OK)
    exit_code = cli_fail(program, &error);
  else if (!result->valid)
    exit_code = CLI_EXIT_SYSTEM;
  free(result);
  free(types);
  bt_maps_destroy(maps);
  bt_ligand_destroy(ligand);
  bt_molecule_list_destroy(molecules, count);
  return exit_code;
}

int bench_reductions(int argc, char **argv) {
  bench_state state = {.repeats = 5, .search = bt_dock_options_default()};
  state.search.runs = 20;
  state.search.population = 150;
  state.search.evaluations = 1000000;
  state.search.seed = 1;
  cli_option options[] = {
      {.group = "Input", .name = "maps", .letter = 'm', .kind = CLI_STRING, .target = &state.fld, .value = "FILE",
       .help = "AutoGrid maps, .maps.fld"},
      {.name = "ligand", .letter = 'l', .kind = CLI_STRING, .target = &state.ligand, .value = "FILE",
       .help = "ligand, .pdbqt"},
      {.group = "Benchmark", .name = "runs", .kind = CLI_INT, .target = &state.search.runs, .value = "N", .low = 1,
       .high = 10000, .help = "runs of each docking"},
      {.name = "population", .letter = 'p', .kind = CLI_INT, .target = &state.search.population, .value = "N", .low = 2,
       .high = 1000000, .help = "individuals per run"},
      {.name = "evals", .kind = CLI_INT64, .target = &state.search.evaluations, .value = "N", .low = 1, .high = 1e12,
       .help = "evaluations per run of each docking"},
      {.name = "repeats", .kind = CLI_INT, .target = &state.repeats, .value = "N", .low = 1, .high = 1000,
       .help = "dockings of each kind that are timed, with seeds one after the other"},
      {.name = "seed", .kind = CLI_SEED, .target = &state.search.seed, .value = "N", .help = "random seed"},
      BENCH_OUTPUT_OPTIONS(state.output),
      CLI_DEVICE_OPTIONS(state.device),
  };
  cli_spec spec = {
      .program = program,
      .summary = "how the lanes that share a pose add up: errors, clock cycles, times",
      .usage = "-m MAPS.fld -l LIGAND.pdbqt [options]",
      .options = options,
      .n_options = CLI_COUNT(options),
      .opt_details = "Sums by shuffles (simt), and on tensor cores with (tensor-ec) and without (tensor-fp16) error\n"
                     "correction, on poses of ADADELTA searches, in teams of 64, 128 and 256 lanes. Without a GPU\n"
                     "that has tensor cores the errors are reckoned on the host, rounding by rounding. What is not\n"
                     "valid has no time; the exit code is 3 when simt or tensor-ec is not.",
      .opt_examples = "  berth bench reductions -m protein.maps.fld -l ligand.pdbqt\n"
                      "  berth bench reductions -m protein.maps.fld -l ligand.pdbqt --device cuda:0 --json",
  };
  int exit_code;
  if (!cli_parse(&spec, argc, argv, &exit_code)) return exit_code;
  if (state.fld == NULL || state.ligand == NULL) {
    cli_message(program, "give -m MAPS.fld and -l LIGAND.pdbqt");
    return CLI_EXIT_BAD;
  }
  bt_error error;
  if (cli_device_resolve(&state.device, &state.search, &error) != BT_OK) return cli_fail(program, &error);
  exit_code = bench_output_check(program, &state.output, argc, argv) ? run(&state) : CLI_EXIT_BAD;
  bench_output_free(&state.output);
  return exit_code;
}
