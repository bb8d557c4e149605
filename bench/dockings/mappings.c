/* mappings.c - `berth bench mappings`: a pose per lane, per part of a warp, per warp or per block of several, and
 * what the automatic choice takes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/common/output.h"
#include "bench/dockings/table.h"
#include "dock/device.h"
#include "common/report.h"

static const char program[] = "berth bench mappings";

enum { TEAMS = 9, MOST_RUNS = 16 };

typedef struct bench_state {
  cli_list words; /* cases */
  const char *runs_text;
  cli_device_request device;
  int repeats;
  bench_output output;
  bool quiet;
  bt_dock_options search;
  bench_cases cases;
  bench_table table; /* case by case, runs by runs, team by team */
  int runs[MOST_RUNS], n_runs;
  int teams[TEAMS + 1], n_teams; /* the last is 0: the automatic choice */
} bench_state;

static bool parse_runs(bench_state *state) {
  const char *from = state->runs_text;
  while (state->n_runs < MOST_RUNS) {
    char *end;
    long value = strtol(from, &end, 10);
    if (end == from || value < 1 || value > 10000 || (*end != ',' && *end != '\0')) break;
    state->runs[state->n_runs++] = (int)value;
    if (*end == '\0') return true;
    from = end + 1;
  }
  return cli_refuse(program, "--runs: '%.100s' is not a list such as 1,20,100 of up to %d numbers from 1 to 10000",
                    state->runs_text, MOST_RUNS);
}

/* Teams of a processor's own lanes are alone; for a GPU also those that this build lacks, so that it is told. */
static bt_status choose_teams(bench_state *state, bt_error *opt_error) {
  const char *name = state->search.opt_device;
  bool processor = state->search.opt_isa != NULL || (name != NULL && strncmp(name, "cpu", 3) == 0);
  if (name != NULL && strchr(name, ',') != NULL)
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "compare devices with `berth bench portability`",
                          "mappings are compared on one device");
  for (int i = 0; name == NULL && !processor && i < bt_device_count(); i++) {
    bt_device_info info = bt_device(i);
    if (!info.usable) continue;
    processor = strncmp(info.name, "cpu", 3) == 0;
    break;
  }
  for (int team = 1; team <= (processor ? 1 : 256); team *= 2) state->teams[state->n_teams++] = team;
  state->teams[state->n_teams++] = 0;
  return BT_OK;
}

static const bench_row *row_of(const bench_state *state, int c, int r, int t) {
  return &state->table.rows[(c * state->n_runs + r) * state->n_teams + t];
}

/* Of the teams that were asked for, which was fastest, and how far the automatic choice is from it. */
static void print_choice(const bench_state *state, int c) {
  for (int r = 0; r < state->n_runs; r++) {
    int best = -1;
    const bench_row *automatic = row_of(state, c, r, state->n_teams - 1);
    for (int t = 0; t + 1 < state->n_teams; t++)
      if (bench_row_rate(row_of(state, c, r, t)) > (best < 0 ? 0 : bench_row_rate(row_of(state, c, r, best)))) best = t;
    if (best < 0 || isnan(bench_row_rate(automatic))) continue;
    printf("  %d runs: auto takes %d", state->runs[r], automatic->result.team);
    if (automatic->result.team_last != automatic->result.team)
      printf(" (%d when few poses are left)", automatic->result.team_last);
    printf(", %.3f of team %d, the fastest\n", bench_row_rate(automatic) / bench_row_rate(row_of(state, c, r, best)),
           state->teams[best]);
  }
}

static void print_case(const bench_state *state, int c) {
  const bench_case *of = &state->cases.items[c];
  puts("");
  bench_case_print(&state->table, of);
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
      const bench_row *row = row_of(state, c, r, t);
      double rate = bench_row_rate(row);
      if (row->status == BT_OK) {
        off = fmax(off, row->result.energy_deviation);
        energy = fmin(energy, row->result.best_energy);
      }
      if (isnan(rate))
        printf("  %17s %5s", row->status == BT_OK ? "NOT VALID" : "-", "-");
      else
        printf("  %17.3f %5.3f", 1e-6 * rate, rate / bench_table_best(&state->table, of, state->runs[r]));
    }
    if (isfinite(energy)) printf("  %9.5f %9.3f", off, energy);
    puts("");
  }
  print_choice(state, c);
}

static void write_members(FILE *f, const void *user) {
  const bench_state *state = user;
  bench_table_members(f, &state->table, &state->search, state->repeats);
}

static void print_text(const void *user) {
  const bench_state *state = user;
  const bt_dock_options *o = &state->search;
  const bench_row *first = &state->table.rows[0];
  printf("million evaluations/s of whole dockings with ADADELTA, %d individuals, %lld evaluations per run, median of %d\n",
         o->population, (long long)o->evaluations, state->repeats);
  printf("%s, %s, commit %s, %s\n", first->device, first->description, bt_build_commit(), bt_build_compiler());
  for (int c = 0; c < state->cases.count; c++) print_case(state, c);
  puts("\nteam: lanes that share one pose; off: largest deviation of an energy from double precision, kcal/mol;\n"
       "energy: lowest inter + intra that was found, kcal/mol");
  bench_table_print_reasons(&state->table);
}

static bt_status run(bench_state *state, bt_error *error) {
  bt_status status = choose_teams(state, error);
  if (status == BT_OK) status = bench_cases_load(&state->words, &state->cases, error);
  for (int c = 0; c < state->cases.count && status == BT_OK; c++)
    for (int k = 0; k < state->n_runs * state->n_teams && status == BT_OK; k++) {
      state->search.runs = state->runs[k / state->n_teams];
      state->search.team = state->teams[k % state->n_teams];
      if (!state->quiet)
        fprintf(stderr, "%s: %s, %d runs, team %d\n", program, state->cases.items[c].name, state->search.runs,
                state->search.team);
      status = bench_table_add(&state->table, &state->cases.items[c], &state->search, state->repeats, error);
    }
  if (status != BT_OK) return status;
  return bench_output_write(&state->output, "mappings", write_members, print_text, state, error);
}

static bool parse(bench_state *state, int argc, char **argv, int *ret_exit_code) {
  bt_dock_options *search = &state->search;
  cli_option options[] = {
      {.group = "Input", .name = "case", .kind = CLI_LIST, .target = &state->words, .value = "NAME=MAPS:LIGAND...",
       .opt_default = "three made up", .help = "complexes: a .maps.fld or the receptor's .pdbqt, and a ligand's .pdbqt"},
      {.group = "Benchmark", .name = "device", .kind = CLI_STRING, .target = &state->device.opt_device, .value = "NAME",
       .opt_default = "auto", .help = "one device as in berth devices, such as cuda:0"},
      {.name = "reduction", .kind = CLI_CHOICE, .target = &state->device.reduction,
       .choices = "auto|simt|tensor-fp16|tensor-ec", .help = "how a team adds up; tensor-fp16 is for studies only"},
      {.name = "runs", .letter = 'n', .kind = CLI_STRING, .target = &state->runs_text, .value = "N,N...",
       .help = "numbers of runs, each of which is a column"},
      {.name = "evaluations", .kind = CLI_INT64, .target = &search->evaluations, .value = "N", .low = 1, .high = 1e12,
       .help = "evaluations per run"},
      {.name = "population", .letter = 'p', .kind = CLI_INT, .target = &search->population, .value = "N", .low = 2,
       .high = 1000000, .help = "individuals per run"},
      {.name = "repeats", .kind = CLI_INT, .target = &state->repeats, .value = "N", .low = 1, .high = 1000,
       .help = "dockings that are timed; the median counts"},
      {.name = "seed", .kind = CLI_SEED, .target = &search->seed, .value = "N", .help = "random seed"},
      BENCH_OUTPUT_OPTIONS(state->output),
      {.name = "quiet", .letter = 'q', .kind = CLI_FLAG, .target = &state->quiet, .help = "no progress"},
  };
  cli_spec spec = {
      .program = program,
      .summary = "evaluations per second for every number of lanes that can share one pose",
      .usage = "[--device NAME] [--case NAME=MAPS.fld:LIGAND.pdbqt]... [options]",
      .options = options,
      .n_options = CLI_COUNT(options),
      .opt_details = "A team of 1 is a pose per thread, one of the device's warp a pose per warp, a larger one a pose\n"
                     "per block. Checked and timed as by `berth bench portability`; a team size that this build, the\n"
                     "device or the ligand does not allow has a reason instead of figures.",
      .opt_examples = "  berth bench mappings --device cuda:0 --case 7cpa=7cpa.maps.fld:7cpa.pdbqt\n"
                      "  berth bench mappings --device cuda:0 --runs 1,20,100 --json",
  };
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  *ret_exit_code = CLI_EXIT_BAD;
  if (!parse_runs(state) || !bench_output_check(program, &state->output, argc, argv)) return false;
  bt_error error;
  if (cli_device_resolve(&state->device, search, &error) == BT_OK) return true;
  *ret_exit_code = cli_fail(program, &error);
  return false;
}

int bench_mappings(int argc, char **argv) {
  bench_state state = {.repeats = 3, .runs_text = "1,10,20,50,100", .search = bt_dock_options_default()};
  state.search.population = 150; /* AutoDock-GPU's search, with which the figures began */
  state.search.local_search = BT_LS_ADADELTA;
  state.search.seed = 1;
  state.search.evaluations = 1000000;
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
  cli_list_free(&state.words);
  return exit_code;
}
