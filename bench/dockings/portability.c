/* portability.c - `berth bench portability`: compares all devices on the same dockings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/dockings/dockings.h"
#include "common/options.h"

typedef struct bench_state {
  dockings d; /* rows ordered by device and case */
  const char *opt_devices;
  bt_text_list devices;
} bench_state;

/* All usable devices; the CPU once, with its best instruction set. */
static bt_status all_devices(bench_state *state, bt_error *opt_error) {
  bool processor = false;
  for (int i = 0; i < bt_device_count(); i++) {
    bt_device_info info = bt_device(i);
    bool ours = strncmp(info.name, "cpu/", 4) == 0;
    if (!info.usable || (ours && processor)) continue;
    processor = processor || ours;
    BT_TRY(bt_text_list_add(&state->devices, bt_span_from(info.name), opt_error));
  }
  return BT_OK;
}

static bt_status choose_devices(bench_state *state, bt_error *opt_error) {
  if (state->opt_devices == NULL || strcmp(state->opt_devices, "all") == 0) return all_devices(state, opt_error);
  for (const char *from = state->opt_devices;;) {
    size_t length = strcspn(from, ",");
    BT_TRY(bt_text_list_add(&state->devices, (bt_span){from, length}, opt_error));
    BT_TRY(bt_device_check(state->devices.items[state->devices.count - 1], NULL, opt_error));
    if (from[length] == '\0') return BT_OK;
    from += length + 1;
  }
}

static void print_cell(const dockings *d, const docking_row *row) {
  if (row->status == BT_OK && !row->valid)
    printf("  %10s", "INVALID");
  else
    bench_print("%12.3f", 1e-6 * docking_rate(row));
  bench_print("%7.3f%10.5f", docking_ratio(d, row), row->status == BT_OK ? row->energy_deviation : NAN);
}

static void print_text(const void *user) {
  const bench_state *state = user;
  const dockings *d = &state->d;
  const bt_dock_options *o = &d->search;
  printf("whole dockings with %s, %d runs of %d individuals, %lld evaluations per run, median of %d\n",
         dockings_method(d), o->runs, o->population, (long long)o->evaluations, d->repeats);
  bench_print_build();
  for (int c = 0; c < d->cases.count; c++) {
    fputs("  ", stdout);
    bench_case_print(&d->cases.items[c]);
    puts("");
  }
  printf("\n%-14s", "");
  for (int c = 0; c < d->cases.count; c++) printf("  %-27.27s", d->cases.items[c].name);
  printf("\n%-14s", "device");
  for (int c = 0; c < d->cases.count; c++) printf("  %10s %6s %9s", "M evals/s", "ratio", "off");
  puts("  team");
  for (int k = 0; k < state->devices.count; k++) {
    const docking_row *rows = &d->rows[k * d->cases.count];
    printf("%-14s", state->devices.items[k]);
    for (int c = 0; c < d->cases.count; c++) print_cell(d, &rows[c]);
    fputs("  ", stdout);
    for (int c = 0; c < d->cases.count; c++) printf("%s%d", c > 0 ? "," : "", rows[c].team_first);
    printf("  %s\n", rows[0].subject.description);
  }
  puts("\noff: largest deviation of an energy from double precision, kcal/mol; team: lanes that share one pose");
  dockings_print_reasons(d);
}

static bt_status run(void *user, bt_error *error) {
  bench_state *state = user;
  dockings *d = &state->d;
  BT_TRY(choose_devices(state, error));
  BT_TRY(bench_cases_load(&d->words, &d->cases, error));
  d->rows = bench_keep((size_t)(state->devices.count * d->cases.count), sizeof *d->rows);
  for (int k = 0; k < state->devices.count * d->cases.count; k++) {
    const bench_case *of = &d->cases.items[k % d->cases.count];
    d->search.opt_device = state->devices.items[k / d->cases.count];
    if (!d->quiet) fprintf(stderr, "%s: %s on %s\n", d->program, of->name, d->search.opt_device);
    BT_TRY(dockings_measure(d, of, error));
  }
  return dockings_write(d, "portability", print_text, state, error);
}

static const char details[] =
    "Energies and gradients of random poses and of the last populations are compared with double\n"
    "precision; if they are wrong, no speed is reported and the exit code is 3. Times are\n"
    "wall-clock, without the setup of the job. The ratio is to the fastest device of the column.\n"
    "Without --case, three synthetic complexes of the size of 1ac8, 7cpa and 3er5 are used. Maps of\n"
    "a receptor given as .pdbqt are computed around the ligand.";

static const char examples[] =
    "  berth bench portability\n"
    "  berth bench portability --device cuda:0,opencl:0,cpu --case 7cpa=7cpa.maps.fld:7cpa.pdbqt\n"
    "  berth bench portability --runs 4 --evaluations 100k --repeats 1 --json";

int bench_portability(int argc, char **argv) {
  bench_state state = {.d = dockings_start("berth bench portability")};
  bt_dock_options *search = &state.d.search;
  cli_option options[] = {
      DOCKINGS_CASE_OPTION(state.d),
      {.group = "Benchmark", OPT_STRING("device", 0, &state.opt_devices, "LIST|all",
       "names as in berth devices, such as cuda:0,opencl:0,cpu"), .opt_default = "all"},
      {OPT_INT("runs", 'n', &search->runs, "N", 1, 10000, "runs of each docking")},
      DOCKINGS_LIMIT_OPTIONS(state.d),
      {OPT_INT("team", 0, &search->team, "N", 0, 1024, "GPU lanes that share one pose"), .opt_default = "automatic"},
      DOCKINGS_REPEAT_OPTIONS(state.d),
      {OPT_INT("threads", 0, &search->threads, "N", 0, 65536, "CPU threads"), .opt_default = "all cores"},
      BENCH_OUTPUT_OPTIONS(state.d.output),
      BENCH_QUIET_OPTION(state.d.quiet),
  };
  cli_spec spec = {state.d.program, "evaluations per second of the same dockings on every device",
                   "[--case NAME=MAPS.fld:LIGAND.pdbqt]... [options]", details, examples, CLI_TABLE(options), NULL};
  int exit_code = bench_main(&spec, &state.d.output, argc, argv, run, &state);
  bt_text_list_destroy(&state.devices);
  dockings_free(&state.d);
  return exit_code;
}
