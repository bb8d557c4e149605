/* program.c - `berth bench e50`: evaluations that a run needs to succeed with a probability of one half. */
#include "bench/e50/set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bench/bench.h"
#include "bench/e50/against.h"
#include "input/inputs.h"
#include "common/interrupt.h"
#include "common/outputs.h"
#include "common/report.h"

static const char program[] = "berth bench e50";

typedef struct bench_state {
  const char *folder, *opt_only, *state_folder;
  cli_list words; /* configurations */
  bt_dock_options common;
  e50_limits limits;
  bench_output output;
  bool quiet;
  e50_set set;
  e50_study study;
  e50_against against;
} bench_state;

static bool keep_going(void *user, double fraction, int64_t evaluations, double best_energy) {
  (void)user, (void)fraction, (void)evaluations, (void)best_energy;
  return !cli_interrupted();
}

static bt_status out_of_memory(bt_error *opt_error) {
  return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
}

/* STATE/COMPLEX.CONFIGURATION.json */
static char *trace_path(const bench_state *state, const e50_complex *complex, const e50_config *config) {
  size_t size = strlen(complex->name) + strlen(config->name) + 8;
  BT_SCOPED char *name = malloc(size);
  if (name == NULL) return NULL;
  snprintf(name, size, "%s.%s.json", complex->name, config->name);
  char *path = cli_path_join(state->state_folder, name);
  return path;
}

/* The trace from its file, or from a search that makes the file. The case is loaded when it is needed first. */
static bt_status get_trace(bench_state *state, int complex, int config, e50_case *c, bt_error *opt_error) {
  const e50_complex *of = &state->set.items[complex];
  const e50_config *how = &state->study.configs[config];
  e50_trace *trace = e50_study_trace(&state->study, complex, config);
  char *path = trace_path(state, of, how), settings[700];
  if (path == NULL) return out_of_memory(opt_error);
  snprintf(settings, sizeof settings, "%s enough=%g", how->settings, state->limits.enough);
  bool found = false;
  bt_status status = e50_trace_read(path, settings, how->search.runs, trace, &found, opt_error);
  if (status == BT_OK && !found) {
    if (!state->quiet) fprintf(stderr, "%s: %s with %s\n", program, of->name, how->name);
    if (c->ligand == NULL) status = e50_case_load(&state->set, of, state->common.threads, c, opt_error);
    if (status == BT_OK) status = e50_search(c, of, how, &state->limits, trace, opt_error);
    if (status == BT_OK) status = e50_trace_write(path, of->name, how->name, settings, trace, opt_error);
  }
  free(path);
  return status;
}

static bt_status run(bench_state *state, bt_error *error) {
  bt_status status = e50_set_read(state->folder, state->opt_only, &state->set, error);
  if (status == BT_OK && state->against.opt_path != NULL)
    status = e50_against_open(&state->against, &state->set, error);
  if (status == BT_OK) status = cli_folder_make(state->state_folder, error);
  if (status == BT_OK) status = e50_study_open(&state->study, &state->set, &state->limits, error);
  for (int i = 0; i < state->set.count && status == BT_OK; i++) {
    e50_case c = {0};
    for (int k = 0; k < state->study.n_configs && status == BT_OK; k++) status = get_trace(state, i, k, &c, error);
    e50_case_free(&c);
  }
  if (status == BT_OK) status = e50_study_evaluate(&state->study, state->common.seed, error);
  if (status != BT_OK || state->against.opt_path == NULL) return status;
  status = e50_against_evaluate(&state->against, &state->study, state->common.seed, error);
  state->study.opt_against = &state->against;
  return status;
}

static bool parse_configs(bench_state *state) {
  static const char *const usual[] = {"solis-wets", "adadelta"};
  int count = state->words.count > 0 ? state->words.count : CLI_COUNT(usual);
  state->study.configs = calloc((size_t)count, sizeof *state->study.configs);
  if (state->study.configs == NULL) return cli_refuse(program, "out of memory");
  for (int k = 0; k < count; k++) {
    e50_config *config = &state->study.configs[state->study.n_configs++];
    if (!e50_config_parse(program, state->words.count > 0 ? state->words.items[k] : usual[k], &state->common, config))
      return false;
    for (int other = 0; other < k; other++)
      if (strcmp(state->study.configs[other].name, config->name) == 0)
        return cli_refuse(program, "--config: '%s' is given twice", config->name);
  }
  return true;
}

static bool parse(bench_state *state, int argc, char **argv, int *ret_exit_code) {
  bt_dock_options *common = &state->common;
  cli_option options[] = {
      {.group = "Input", .name = "set", .letter = 's', .kind = CLI_STRING, .target = &state->folder, .value = "FOLDER",
       .help = "complexes with known minima, in the layout of the set of 42"},
      {.name = "only", .kind = CLI_STRING, .target = &state->opt_only, .value = "NAME,...", .opt_default = "all",
       .help = "complexes of the set"},
      {.group = "Study", .name = "config", .letter = 'c', .kind = CLI_LIST, .target = &state->words,
       .value = "NAME:OPTION=VALUE,...", .opt_default = "solis-wets adadelta", .help = "ways to search, see below"},
      {.name = "runs", .letter = 'n', .kind = CLI_INT, .target = &common->runs, .value = "N", .low = 2, .high = 100000,
       .help = "runs of each complex and configuration"},
      {.name = "evals", .kind = CLI_INT64, .target = &common->evaluations, .value = "N", .low = 1, .high = 1e12,
       .help = "evaluations per run"},
      {.name = "enough", .kind = CLI_REAL, .target = &state->limits.enough, .value = "X", .low = 0, .open_low = true,
       .high = 1, .help = "a search ends when this share of its runs has succeeded"},
      {.name = "population", .letter = 'p', .kind = CLI_INT, .target = &common->population, .value = "N", .low = 2,
       .high = 1000000, .help = "individuals per run"},
      {.name = "seed", .kind = CLI_SEED, .target = &common->seed, .value = "N", .help = "random seed"},
      {.name = "threads", .kind = CLI_INT, .target = &common->threads, .value = "N", .high = 65536,
       .opt_default = "all cores", .help = "of the processor"},
      {.group = "Reference", .name = "against", .kind = CLI_STRING, .target = &state->against.opt_path, .value = "FILE",
       .opt_default = "", .help = "table of hits and seconds to stand beside, see below"},
      {.name = "against-program", .kind = CLI_STRING, .target = &state->against.opt_program, .value = "NAME",
       .opt_default = "the first", .help = "whose columns of the table"},
      {.name = "margin", .kind = CLI_INT, .target = &state->against.margin, .value = "N", .high = 1000000,
       .help = "a complex with more than so many hits fewer is worse"},
      {.group = "Output", .name = "output", .letter = 'o', .kind = CLI_STRING, .target = &state->state_folder,
       .value = "FOLDER", .help = "keeps what was searched; the same command goes on from there"},
      BENCH_OUTPUT_OPTIONS(state->output),
      {.name = "quiet", .letter = 'q', .kind = CLI_FLAG, .target = &state->quiet, .help = "no progress"},
  };
  cli_spec spec = {
      .program = program,
      .summary = "evaluations that a run needs to succeed with a probability of one half",
      .usage = "--set FOLDER -o FOLDER [--config NAME:OPTION=VALUE,...]... [options]",
      .options = options,
      .n_options = CLI_COUNT(options),
      .opt_details =
          "A run succeeds by score when its best pose is within 1.0 kcal/mol of the lowest inter + intra known\n"
          "or found, and by RMSD when that pose is within 2 Angstrom of the crystal pose. Energies are those of\n"
          "double precision, whatever the search believes. E50 comes from the curve of successes or from\n"
          "p(n) = 1 - 2^(-n/E50); intervals are 95 %, by bootstrap over runs. Seconds to a chance of 50 % are E50\n"
          "over the evaluations per second that all runs together make, to 99 % 6.64 times that; they are those\n"
          "of docking on a warm device. Every configuration is compared with the first: geometric means of the\n"
          "ratios of E50 and of seconds, their intervals, a verdict. docs/benchmarks/e50.md tells it in full.\n"
          "\n"
          "A configuration is a name and options of berth dock: local-search, local-search-rate,\n"
          "local-search-iterations, population, selection, tournament-rate, crossover, crossover-rate,\n"
          "mutation-rate, mutation-move, mutation-angle, elitism, seed, device, isa, team, reduction. A name alone\n"
          "is that of a local search.\n"
          "\n"
          "The table of --against has tabs between its fields and names them in its first line: complex,\n"
          "reference (inter + intra that success is measured from), PROGRAM_hits, PROGRAM_seconds (docking time\n"
          "of all runs). A comment says '# 100 runs of 1,000,000 evaluations', or columns runs and evaluations.\n"
          "Give --evals as there: hits of shorter runs are not compared.",
      .opt_examples =
          "  berth bench e50 --set set42 -o study --only 1ac8,1jla --runs 100 --evals 1M\n"
          "  berth bench e50 --set set42 -o study --config cpu:device=cpu gpu:device=cuda \\\n"
          "      --json-file e50.json --plot e50.svg\n"
          "  berth bench e50 --set set42 -o study -c p150:population=150,mutation-rate=0.02 p50:population=50\n"
          "  berth bench e50 --set set42 -o study --evals 1M --against adgpu_success.tsv --margin 3 \\\n"
          "      -c tournament:tournament-rate=0.6 roulette:selection=proportional uniform:crossover=uniform",
  };
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  *ret_exit_code = CLI_EXIT_BAD;
  if (state->folder == NULL || state->state_folder == NULL)
    return cli_refuse(program, "give --set FOLDER and -o FOLDER");
  if (state->against.opt_path == NULL && state->against.opt_program != NULL)
    return cli_refuse(program, "--against-program needs --against FILE");
  return bench_output_check(program, &state->output, argc, argv) && parse_configs(state);
}

int bench_e50(int argc, char **argv) {
  bench_state state = {.common = bt_dock_options_default(),
                       .limits = {.enough = 1.0, .window = 1.0, .radius = 2.0},
                       .against = {.margin = 3}};
  state.common.runs = 100;
  state.common.seed = 1;
  state.common.autostop = state.common.heuristics = false;
  state.common.opt_progress = keep_going;
  int exit_code;
  bt_error error;
  cli_interrupt_watch();
  if (parse(&state, argc, argv, &exit_code)) {
    bt_status status = run(&state, &error);
    if (status == BT_OK) status = e50_study_report(&state.study, &state.output, &error);
    exit_code = status != BT_OK ? cli_fail(program, &error)
                : e50_study_valid(&state.study) ? CLI_EXIT_OK
                                                : CLI_EXIT_SYSTEM;
  }
  e50_against_close(&state.against);
  e50_study_close(&state.study);
  e50_set_free(&state.set);
  bench_output_free(&state.output);
  cli_list_free(&state.words);
  return exit_code;
}
