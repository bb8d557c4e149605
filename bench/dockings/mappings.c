/* mappings.c - `berth bench mappings`: one pose per lane, per part of a warp, per warp or per block of several warps,
 * compared with the automatic choice. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/dockings/dockings.h"
#include "dock/device.h"

enum { TEAMS = 9, MOST_RUNS = 16 };

typedef struct bench_state {
  dockings d; /* rows ordered by case, number of runs and team */
  const char *runs_text;
  cli_device_request device;
  int runs[MOST_RUNS], n_runs;
  int teams[TEAMS + 1], n_teams; /* the last is 0: the automatic choice */
} bench_state;

static bt_status parse_runs(bench_state *state, bt_error *opt_error) {
  const char *from = state->runs_text;
  while (state->n_runs < MOST_RUNS) {
    char *end;
    long value = strtol(from, &end, 10);
    if (end == from || value < 1 || value > 10000 || (*end != ',' && *end != '\0')) break;
    state->runs[state->n_runs++] = (int)value;
    if (*end == '\0') return BT_OK;
    from = end + 1;
  }
  return bench_refuse(opt_error, "--runs: '%.100s' is not a list of up to %d numbers from 1 to 10000, such as 1,20,100",
                      state->runs_text, MOST_RUNS);
}

/* A CPU has teams of 1 only. On a GPU all sizes are listed; those missing from this build get a reason. */
static bt_status choose_teams(bench_state *state, bt_error *opt_error) {
  const bt_dock_options *search = &state->d.search;
  const bt_backend *backend;
  if (search->opt_device != NULL && strchr(search->opt_device, ',') != NULL)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "compare devices with `berth bench portability`",
                   "mappings are compared on one device");
  BT_TRY(bench_device_find(search, &backend, opt_error));
  int most = strncmp(backend->name, "cpu", 3) == 0 ? 1 : 256;
  for (int team = 1; team <= most; team *= 2) state->teams[state->n_teams++] = team;
  state->teams[state->n_teams++] = 0;
  return BT_OK;
}

static const docking_row *row_of(const bench_state *state, int c, int r, int t) {
  return &state->d.rows[(c * state->n_runs + r) * state->n_teams + t];
}

/* Prints which of the requested team sizes was fastest, and how close the automatic choice comes. */
static void print_choice(const bench_state *state, int c) {
  for (int r = 0; r < state->n_runs; r++) {
    const docking_row *automatic = row_of(state, c, r, state->n_teams - 1), *best = NULL;
    for (int t = 0; t + 1 < state->n_teams; t++)
      if (docking_rate(row_of(state, c, r, t)) > (best == NULL ? 0 : docking_rate(best))) best = row_of(state, c, r, t);
    if (best == NULL || isnan(docking_rate(automatic))) continue;
    printf("  %d runs: auto chooses %d", state->runs[r], automatic->team_first);
    if (automatic->team_last != automatic->team_first) printf(" (%d when few poses are left)", automatic->team_last);
    printf(", %.3f of team %d, the fastest\n", docking_rate(automatic) / docking_rate(best), best->team);
  }
}

static void print_case(const bench_state *state, int c) {
  puts("");
  bench_case_print(&state->d.cases.items[c]);
  printf("\n%6s", "team");
  for (int r = 0; r < state->n_runs; r++) printf("  %12d runs %5s", state->runs[r], "ratio");
  printf("  %9s %9s\n", "off", "energy");
  for (int t = 0; t < state->n_teams; t++) {
    double off = 0, energy = INFINITY;
    if (state->teams[t] > 0)
      printf("%6d", state->teams[t]);
    else
      printf("%6s", "auto");
    for (int r = 0; r < state->n_runs; r++) {
      const docking_row *row = row_of(state, c, r, t);
      if (row->status == BT_OK) {
        off = fmax(off, row->energy_deviation);
        energy = fmin(energy, row->best_energy);
      }
      if (row->status == BT_OK && !row->valid)
        printf("  %17s", "INVALID");
      else
        bench_print("%19.3f", 1e-6 * docking_rate(row));
      bench_print("%6.3f", docking_ratio(&state->d, row));
    }
    if (isfinite(energy)) printf("  %9.5f %9.3f", off, energy);
    puts("");
  }
  print_choice(state, c);
}

static void print_text(const void *user) {
  const bench_state *state = user;
  const dockings *d = &state->d;
  const bench_subject *first = &d->rows[0].subject;
  printf(
      "million evaluations/s of whole dockings with %s, %d individuals, %lld evaluations per run, median of %d\n",
      dockings_method(d), d->search.population, (long long)d->search.evaluations, d->repeats);
  printf("%s, %s, ", first->device, first->description);
  bench_print_build();
  for (int c = 0; c < d->cases.count; c++) print_case(state, c);
  puts(
      "\nteam: lanes that share one pose; off: largest deviation of an energy from double precision, kcal/mol;\n"
      "energy: lowest inter + intra that was found, kcal/mol");
  dockings_print_reasons(d);
}

static bt_status run(void *user, bt_error *error) {
  bench_state *state = user;
  dockings *d = &state->d;
  BT_TRY(parse_runs(state, error));
  BT_TRY(cli_device_resolve(&state->device, &d->search, error));
  BT_TRY(choose_teams(state, error));
  BT_TRY(bench_cases_load(&d->words, &d->cases, error));
  int each = state->n_runs * state->n_teams;
  d->rows = bench_keep((size_t)(d->cases.count * each), sizeof *d->rows);
  for (int k = 0; k < d->cases.count * each; k++) {
    const bench_case *of = &d->cases.items[k / each];
    d->search.runs = state->runs[k % each / state->n_teams];
    d->search.team = state->teams[k % state->n_teams];
    if (!d->quiet) fprintf(stderr, "%s: %s, %d runs, team %d\n", d->program, of->name, d->search.runs, d->search.team);
    BT_TRY(dockings_measure(d, of, error));
  }
  return dockings_write(d, "mappings", print_text, state, error);
}

static const char details[] =
    "A team of 1 is a pose per thread, one of the device's warp a pose per warp, a larger one a pose\n"
    "per block. Validated and timed as in `berth bench portability`; for a team size that this build,\n"
    "the device or the ligand does not allow, the reason is printed instead.";

static const char examples[] =
    "  berth bench mappings --device cuda:0 --case 7cpa=7cpa.maps.fld:7cpa.pdbqt\n"
    "  berth bench mappings --device cuda:0 --runs 1,20,100 --json";

int bench_mappings(int argc, char **argv) {
  bench_state state = {.d = dockings_start("berth bench mappings"), .runs_text = "1,10,20,50,100"};
  state.d.search.evaluations = 1000000;
  cli_option options[] = {
      DOCKINGS_CASE_OPTION(state.d),
      {.group = "Benchmark", OPT_STRING("device", 0, &state.device.opt_device, "NAME",
       "one device as in berth devices, such as cuda:0"), .opt_default = "auto"},
      {OPT_CHOICE("reduction", 0, &state.device.reduction, "auto|simt|tensor-fp16|tensor-ec",
       "how a team sums its terms; tensor-fp16 is for comparison only")},
      {OPT_STRING("runs", 'n', &state.runs_text, "N,N...", "numbers of runs, one column each")},
      DOCKINGS_LIMIT_OPTIONS(state.d),
      DOCKINGS_REPEAT_OPTIONS(state.d),
      BENCH_OUTPUT_OPTIONS(state.d.output),
      BENCH_QUIET_OPTION(state.d.quiet),
  };
  cli_spec spec = {state.d.program, "evaluations per second by team size (GPU lanes that share one pose)",
                   "[--device NAME] [--case NAME=MAPS.fld:LIGAND.pdbqt]... [options]", details, examples,
                   CLI_TABLE(options), NULL};
  int exit_code = bench_main(&spec, &state.d.output, argc, argv, run, &state);
  dockings_free(&state.d);
  return exit_code;
}
