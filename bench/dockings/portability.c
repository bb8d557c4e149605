/* portability.c - `berth bench portability`: the same dockings on every device, side by side. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/common/output.h"
#include "bench/dockings/table.h"
#include "dock/device.h"
#include "common/report.h"

static const char program[] = "berth bench portability";

typedef struct bench_state {
  cli_list words; /* cases */
  const char *opt_devices;
  int repeats;
  bench_output output;
  bool quiet;
  bt_dock_options search;
  bench_cases cases;
  bench_table table;
  char **devices;
  int n_devices;
} bench_state;

static bt_status add_device(bench_state *state, const char *name, size_t length, bt_error *opt_error) {
  char **devices = realloc(state->devices, (size_t)(state->n_devices + 1) * sizeof *devices);
  if (devices != NULL) state->devices = devices;
  char *copy = devices != NULL ? strndup(name, length) : NULL;
  if (copy == NULL) return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
  state->devices[state->n_devices++] = copy;
  return BT_OK;
}

/* Every usable device; of the processor's instruction sets the best one. */
static bt_status all_devices(bench_state *state, bt_error *opt_error) {
  bool processor = false;
  bt_status status = BT_OK;
  for (int i = 0; i < bt_device_count() && status == BT_OK; i++) {
    bt_device_info info = bt_device(i);
    bool ours = strncmp(info.name, "cpu/", 4) == 0;
    if (!info.usable || (ours && processor)) continue;
    processor = processor || ours;
    status = add_device(state, info.name, strlen(info.name), opt_error);
  }
  return status;
}

static bt_status choose_devices(bench_state *state, bt_error *opt_error) {
  if (state->opt_devices == NULL || strcmp(state->opt_devices, "all") == 0) return all_devices(state, opt_error);
  bt_status status = BT_OK;
  for (const char *from = state->opt_devices; status == BT_OK;) {
    size_t length = strcspn(from, ",");
    status = add_device(state, from, length, opt_error);
    if (status == BT_OK) status = bt_device_check(state->devices[state->n_devices - 1], NULL, opt_error);
    if (from[length] == '\0') break;
    from += length + 1;
  }
  return status;
}

static void print_cell(const bench_state *state, const bench_row *row) {
  if (row->status != BT_OK)
    printf("  %10s %6s %9s", "-", "-", "-");
  else if (!row->result.valid)
    printf("  %10s %6s %9.5f", "NOT VALID", "-", row->result.energy_deviation);
  else
    printf("  %10.3f %6.3f %9.5f", 1e-6 * bench_row_rate(row),
           bench_row_rate(row) / bench_table_best(&state->table, row->of, row->runs), row->result.energy_deviation);
}

static void write_members(FILE *f, const void *user) {
  const bench_state *state = user;
  bench_table_members(f, &state->table, &state->search, state->repeats);
}

static void print_text(const void *user) {
  const bench_state *state = user;
  const bt_dock_options *o = &state->search;
  const bench_table *t = &state->table;
  printf("whole dockings with ADADELTA, %d runs of %d individuals, %lld evaluations per run, median of %d\n", o->runs,
         o->population, (long long)o->evaluations, state->repeats);
  printf("commit %s, %s\n", bt_build_commit(), bt_build_compiler());
  for (int c = 0; c < state->cases.count; c++) {
    fputs("  ", stdout);
    bench_case_print(t, &state->cases.items[c]);
    puts("");
  }
  printf("\n%-14s", "");
  for (int c = 0; c < state->cases.count; c++) printf("  %-27.27s", state->cases.items[c].name);
  printf("\n%-14s", "device");
  for (int c = 0; c < state->cases.count; c++) printf("  %10s %6s %9s", "M evals/s", "ratio", "off");
  puts("  team");
  for (int d = 0; d < state->n_devices; d++) {
    printf("%-14s", state->devices[d]);
    for (int c = 0; c < state->cases.count; c++) print_cell(state, &t->rows[d * state->cases.count + c]);
    fputs("  ", stdout);
    for (int c = 0; c < state->cases.count; c++)
      printf("%s%d", c > 0 ? "," : "", t->rows[d * state->cases.count + c].result.team);
    printf("  %s\n", t->rows[d * state->cases.count].description);
  }
  puts("\noff: largest deviation of an energy from double precision, kcal/mol; team: lanes that share one pose");
  bench_table_print_reasons(t);
}

static bt_status run(bench_state *state, bt_error *error) {
  bt_status status = choose_devices(state, error);
  if (status == BT_OK) status = bench_cases_load(&state->words, &state->cases, error);
  for (int d = 0; d < state->n_devices && status == BT_OK; d++)
    for (int c = 0; c < state->cases.count && status == BT_OK; c++) {
      state->search.opt_device = state->devices[d];
      if (!state->quiet) fprintf(stderr, "%s: %s on %s\n", program, state->cases.items[c].name, state->devices[d]);
      status = bench_table_add(&state->table, &state->cases.items[c], &state->search, state->repeats, error);
    }
  if (status != BT_OK) return status;
  return bench_output_write(&state->output, "portability", write_members, print_text, state, error);
}

static bool parse(bench_state *state, int argc, char **argv, int *ret_exit_code) {
  bt_dock_options *search = &state->search;
  cli_option options[] = {
      {.group = "Input", .name = "case", .kind = CLI_LIST, .target = &state->words, .value = "NAME=MAPS:LIGAND...",
       .opt_default = "three made up", .help = "complexes: a .maps.fld or the receptor's .pdbqt, and a ligand's .pdbqt"},
      {.group = "Benchmark", .name = "device", .kind = CLI_STRING, .target = &state->opt_devices, .value = "LIST|all",
       .opt_default = "all", .help = "names as in berth devices, such as cuda:0,opencl:0,cpu"},
      {.name = "runs", .letter = 'n', .kind = CLI_INT, .target = &search->runs, .value = "N", .low = 1, .high = 10000,
       .help = "runs of each docking"},
      {.name = "evaluations", .kind = CLI_INT64, .target = &search->evaluations, .value = "N", .low = 1, .high = 1e12,
       .help = "evaluations per run"},
      {.name = "population", .letter = 'p', .kind = CLI_INT, .target = &search->population, .value = "N", .low = 2,
       .high = 1000000, .help = "individuals per run"},
      {.name = "team", .kind = CLI_INT, .target = &search->team, .value = "N", .high = 1024, .opt_default = "chosen",
       .help = "lanes of a GPU that share one pose"},
      {.name = "repeats", .kind = CLI_INT, .target = &state->repeats, .value = "N", .low = 1, .high = 1000,
       .help = "dockings that are timed; the median counts"},
      {.name = "seed", .kind = CLI_SEED, .target = &search->seed, .value = "N", .help = "random seed"},
      {.name = "threads", .kind = CLI_INT, .target = &search->threads, .value = "N", .high = 65536,
       .opt_default = "all cores", .help = "of the processor"},
      BENCH_OUTPUT_OPTIONS(state->output),
      {.name = "quiet", .letter = 'q', .kind = CLI_FLAG, .target = &state->quiet, .help = "no progress"},
  };
  cli_spec spec = {
      .program = program,
      .summary = "whole dockings on every device: evaluations per second, side by side",
      .usage = "[--case NAME=MAPS.fld:LIGAND.pdbqt]... [options]",
      .options = options,
      .n_options = CLI_COUNT(options),
      .opt_details = "Energies and gradients of random poses and of the last populations are compared with double\n"
                     "precision; where they are wrong no speed is printed, and the exit code is 3. Times are\n"
                     "wall-clock, without the setup of the job. The ratio is to the fastest device of the column.\n"
                     "Without --case three complexes are made up that are as large as 1ac8, 7cpa and 3er5. Maps of\n"
                     "a receptor given as .pdbqt are computed around the ligand.",
      .opt_examples = "  berth bench portability\n"
                      "  berth bench portability --device cuda:0,opencl:0,cpu --case 7cpa=7cpa.maps.fld:7cpa.pdbqt\n"
                      "  berth bench portability --runs 4 --evaluations 100k --repeats 1 --json",
  };
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  *ret_exit_code = CLI_EXIT_BAD;
  return bench_output_check(program, &state->output, argc, argv);
}

int bench_portability(int argc, char **argv) {
  bench_state state = {.repeats = 3, .search = bt_dock_options_default()};
  state.search.population = 150; /* AutoDock-GPU's search, with which the figures began */
  state.search.local_search = BT_LS_ADADELTA;
  state.search.seed = 1;
  int exit_code;
  bt_error error;
  if (parse(&state, argc, argv, &exit_code)) {
    if (run(&state, &error) != BT_OK)
      exit_code = cli_fail(program, &error);
    else
      exit_code = bench_table_valid(&state.table) ? CLI_EXIT_OK : CLI_EXIT_SYSTEM;
  }
  bench_output_free(&state.output);
  bench_table_free(&state.table);
  bench_cases_free(&state.cases);
  for (int d = 0; d < state.n_devices; d++) free(state.devices[d]);
  free(state.devices);
  cli_list_free(&state.words);
  return exit_code;
}
