/* evals.c - `berth bench evals`: microseconds per evaluation. */
#include "bench/common/results.h"
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "bench/common/output.h"
#include "dock/device.h"
#include "common/json.h"
#include "common/options.h"
#include "common/report.h"

static const char program[] = "berth bench evals";

typedef struct bench_state {
  const char *fld, *ligand;
  cli_device_request device;
  bench_output output;
  bt_dock_options search;
} bench_state;

typedef struct finding {
  const char *name;
  bt_bench_evals_result result;
} finding;

static void write_members(FILE *f, const void *user) {
  const finding *found = user;
  const bt_bench_evals_result *r = &found->result;
  fputs("\"ligand\": ", f);
  cli_json_string(f, found->name);
  fprintf(f, ", \"valid\": %s, \"atoms\": %d, \"torsions\": %d, \"pairs\": %d", r->valid ? "true" : "false", r->atoms,
         r->torsions, r->pairs);
  fprintf(f, ", \"device\": \"%s\", \"threads\": %d, \"poses\": %d, \"runs\": %d, \"population\": %d", r->device, r->threads,
         r->poses, r->runs, r->population);
  const struct {
    const char *key;
    double value;
  } figures[] = {{"energy_us", r->microseconds_energy},           {"gradient_us", r->microseconds_gradient},
                 {"solis_wets_us", r->microseconds_solis_wets},   {"adadelta_us", r->microseconds_adadelta},
                 {"adam_us", r->microseconds_adam},               {"worst_energy_in_tolerances", r->worst_energy},
                 {"worst_gradient_in_tolerances", r->worst_gradient}};
  for (int i = 0; i < CLI_COUNT(figures); i++) {
    fprintf(f, ", \"%s\": ", figures[i].key);
    /* a program that is wrong has no speed */
    cli_json_number(f, r->valid || i > 4 ? figures[i].value : 0.0 / 0.0);
  }
  fprintf(f, ", \"solis_wets_evaluations\": %lld, \"adadelta_evaluations\": %lld, \"adam_evaluations\": %lld",
         (long long)r->evaluations_solis_wets, (long long)r->evaluations_adadelta, (long long)r->evaluations_adam);
}

static void print_text(const void *user) {
  const finding *found = user;
  const bt_bench_evals_result *r = &found->result;
  char cpu[256];
  printf("%s: %d atoms, %d torsions, %d pairs; ", found->name, r->atoms, r->torsions, r->pairs);
  if (r->threads == 1)
    printf("one thread of %s\n", bt_cpu_name(cpu, sizeof cpu));
  else
    printf("%d poses on %s\n", r->poses, r->device_description);
  printf("  %s, commit %s, %s\n", r->device, bt_build_commit(), bt_build_compiler());
  printf("  valid: %s (largest deviation from double precision: energy %.2f, gradient %.2f of the tolerance)\n",
         r->valid ? "yes" : "NO", r->worst_energy, r->worst_gradient);
  if (!r->valid) {
    puts("  no speed is reported for wrong energies");
    return;
  }
  printf("  energy                 %8.5f us per evaluation\n", r->microseconds_energy);
  printf("  energy and gradient    %8.5f us per evaluation\n", r->microseconds_gradient);
  printf("  docking, Solis-Wets    %8.5f us per evaluation (%lld evaluations)\n", r->microseconds_solis_wets,
         (long long)r->evaluations_solis_wets);
  printf("  docking, ADAM          %8.5f us per evaluation (%lld evaluations)\n", r->microseconds_adam,
         (long long)r->evaluations_adam);
  printf("  docking, ADADELTA      %8.5f us per evaluation (%lld evaluations)\n", r->microseconds_adadelta,
         (long long)r->evaluations_adadelta);
}

static int run(const bench_state *state) {
  bt_error error;
  bt_molecule **molecules = NULL;
  int count = 0, exit_code = CLI_EXIT_OK;
  bt_ligand *ligand = NULL;
  bt_maps *maps = NULL;
  const char **types = NULL;
  finding found = {.name = ""};
  bt_status status = bt_molecule_read(state->ligand, BT_MOLECULE_LIGAND, &molecules, &count, &error);
  if (status == BT_OK) status = bt_ligand_create(molecules[0], NULL, &ligand, &error);
  if (status == BT_OK) {
    types = calloc((size_t)bt_ligand_type_count(ligand), sizeof *types);
    if (types == NULL) status = cli_fill_error(&error, BT_ERR_MEMORY, NULL, "", "out of memory");
  }
  for (int i = 0; status == BT_OK && i < bt_ligand_type_count(ligand); i++) types[i] = bt_ligand_type(ligand, i);
  if (status == BT_OK) status = bt_maps_read(state->fld, types, bt_ligand_type_count(ligand), &maps, &error);
  if (status == BT_OK) status = bt_bench_evals(ligand, maps, &state->search, &found.result, &error);
  if (status == BT_OK) {
    found.name = bt_molecule_name(molecules[0]);
    status = bench_output_write(&state->output, "evals", write_members, print_text, &found, &error);
  }
  if (status != BT_OK)
    exit_code = cli_fail(program, &error);
  else if (!found.result.valid)
    exit_code = CLI_EXIT_SYSTEM;
  free(types);
  bt_maps_destroy(maps);
  bt_ligand_destroy(ligand);
  bt_molecule_list_destroy(molecules, count);
  return exit_code;
}

int bench_evals(int argc, char **argv) {
  bench_state state = {.search = bt_dock_options_default()};
  state.search.runs = 0;
  state.search.evaluations = 250000;
  state.search.seed = 1;
  cli_option options[] = {
      {.group = "Input", .name = "receptor", .letter = 'r', .kind = CLI_STRING, .target = &state.fld, .value = "FILE",
       .help = "AutoGrid maps, .maps.fld"},
      {.name = "ligand", .letter = 'l', .kind = CLI_STRING, .target = &state.ligand, .value = "FILE",
       .help = "ligand, .pdbqt"},
      {.group = "Benchmark", .name = "runs", .kind = CLI_INT, .target = &state.search.runs, .value = "N", .low = 1,
       .high = 10000, .opt_default = "4, on a GPU 100", .help = "runs of each docking"},
      {.name = "population", .letter = 'p', .kind = CLI_INT, .target = &state.search.population, .value = "N", .low = 2,
       .high = 1000000, .help = "individuals per run"},
      {.name = "evals", .kind = CLI_INT64, .target = &state.search.evaluations, .value = "N", .low = 1, .high = 1e12,
       .help = "evaluations per run of each docking"},
      {.name = "seed", .kind = CLI_SEED, .target = &state.search.seed, .value = "N", .help = "random seed"},
      BENCH_OUTPUT_OPTIONS(state.output),
      CLI_DEVICE_OPTIONS(state.device),
  };
  cli_spec spec = {
      .program = program,
      .summary = "microseconds per evaluation: kernels alone, and whole dockings",
      .usage = "-r MAPS.fld -l LIGAND.pdbqt [options]",
      .options = options,
      .n_options = CLI_COUNT(options),
      .opt_details = "Energies and gradients are first compared with double precision; a program that is wrong has\n"
                     "no speed, and the exit code is 3. A processor is measured on one thread, in CPU time of the\n"
                     "process; a GPU as a whole, with more poses, in wall-clock time.",
      .opt_examples = "  berth bench evals -r protein.maps.fld -l ligand.pdbqt\n"
                      "  berth bench evals -r protein.maps.fld -l ligand.pdbqt --isa avx2 --json\n"
                      "  berth bench evals -r protein.maps.fld -l ligand.pdbqt --device cuda --runs 100",
  };
  int exit_code;
  if (!cli_parse(&spec, argc, argv, &exit_code)) return exit_code;
  if (state.fld == NULL || state.ligand == NULL) {
    cli_message(program, "give -r MAPS.fld and -l LIGAND.pdbqt");
    return CLI_EXIT_BAD;
  }
  bt_error error;
  if (cli_device_resolve(&state.device, &state.search, &error) != BT_OK) return cli_fail(program, &error);
  exit_code = bench_output_check(program, &state.output, argc, argv) ? run(&state) : CLI_EXIT_BAD;
  bench_output_free(&state.output);
  return exit_code;
}
