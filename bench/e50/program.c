/* program.c - `berth bench e50`: evaluations that a run needs to succeed with a probability of one half. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/e50/study.h"
#include "output/outputs.h"
#include "signals/interrupt.h"

static const char program[] = "berth bench e50";

typedef struct bench_state {
  const char *folder, *opt_only, *state_folder, *opt_rows;
  cli_list words; /* configurations */
  bt_dock_options common;
  bench_output output;
  bool quiet;
  e50_study study;
} bench_state;

/* Gets the trace from its file, STATE/COMPLEX.CONFIGURATION.json, or from a search that then writes it. The case is
 * loaded when first needed. */
static bt_status get_trace(bench_state *state, int complex, int config, bench_case *c, bt_error *opt_error) {
  const e50_study *study = &state->study;
  const e50_complex *of = &study->set.items[complex];
  const e50_config *how = &study->configs[config];
  e50_trace *trace = &e50_study_cell(study, complex, config)->trace;
  char path[4096], settings[700];
  bool found = false;
  snprintf(path, sizeof path, "%s/%s.%s.json", state->state_folder, of->name, how->name);
  snprintf(settings, sizeof settings, "%s enough=%g", how->settings, study->limits.enough);
  BT_TRY(e50_trace_read(path, settings, how->search.runs, trace, &found, opt_error));
  if (found) return BT_OK;
  if (!state->quiet) fprintf(stderr, "%s: %s with %s\n", program, of->name, how->name);
  if (c->ligand == NULL) BT_TRY(e50_case_load(&study->set, of, state->common.threads, c, opt_error));
  BT_TRY(e50_search(c, of, how, &study->limits, trace, opt_error));
  return e50_trace_write(path, of->name, how->name, settings, trace, opt_error);
}

/* False, after a message, if a configuration is invalid. */
static bool parse_configs(bench_state *state) {
  static const char *const usual[] = {"solis-wets", "adadelta"};
  int count = state->words.count > 0 ? state->words.count : CLI_COUNT(usual);
  state->study.configs = bench_keep((size_t)count, sizeof *state->study.configs);
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

static bt_status run(void *user, bt_error *error) {
  bench_state *state = user;
  e50_study *study = &state->study;
  bool done = false;
  if (study->opt_path != NULL)
    BT_TRY(e50_budgets_run(study->opt_path, study->opt_program, state->folder != NULL || state->state_folder != NULL,
                           state->common.seed, &state->output, &done, error));
  if (done) return BT_OK;
  if (state->folder == NULL || state->state_folder == NULL)
    return bench_refuse(error, "use --set FOLDER and -o FOLDER, or --against with a table of budgets");
  if (study->opt_path == NULL && study->opt_program != NULL)
    return bench_refuse(error, "--against-program needs --against FILE");
  if (state->opt_rows != NULL && study->limits.enough < 1)
    return bench_refuse(error, "--rows needs whole runs: leave out --enough");
  if (!parse_configs(state)) exit(CLI_EXIT_BAD);
  BT_TRY(e50_set_read(state->folder, state->opt_only, &study->set, error));
  if (study->opt_path != NULL) BT_TRY(e50_against_open(study, error));
  BT_TRY(cli_folder_make(state->state_folder, error));
  study->cells = bench_keep((size_t)(study->set.count * study->n_configs), sizeof *study->cells);
  for (int i = 0; i < study->set.count; i++) {
    BT_ENDED_BY(bench_case_free) bench_case c = {0};
    for (int k = 0; k < study->n_configs; k++) BT_TRY(get_trace(state, i, k, &c, error));
  }
  e50_study_evaluate(study, state->common.seed);
  if (study->opt_path != NULL) e50_against_evaluate(study, state->common.seed);
  if (state->opt_rows != NULL) BT_TRY(e50_rows_write(study, state->opt_rows, error));
  state->output.opt_draw = e50_study_draw;
  return bench_output_write(&state->output, "e50", e50_study_valid(study), e50_study_json, e50_study_print, study,
                            error);
}

static const char details[] =
    "A run succeeds by score when its best pose is within 1.0 kcal/mol of the lowest inter + intra known\n"
    "or found, and by RMSD when that pose is within 2 Angstrom of the crystal pose. Energies are recomputed in\n"
    "double precision. E50 is read from the curve of successes or fitted to\n"
    "p(n) = 1 - 2^(-n/E50); 95 % intervals are by bootstrap over runs. Seconds to a probability of 50 % are E50\n"
    "over the evaluations per second of all runs together, to 99 % 6.64 times that; they apply to docking\n"
    "on a warm device. Every configuration is compared with the first: geometric means of the\n"
    "ratios of E50 and of seconds, their intervals, and a verdict. docs/benchmarks/e50.md has the details.\n"
    "\n"
    "A configuration is a name and options of berth dock: local-search, local-search-rate,\n"
    "local-search-iterations, population, selection, tournament-rate, crossover, crossover-rate,\n"
    "mutation-rate, mutation-move, mutation-angle, elitism, seed, device, isa, team, reduction. A name\n"
    "without options is a local search.\n"
    "\n"
    "Programs are compared like for like by a table of --against that has the rows of all of them, with\n"
    "several budgets each: program, commit, card, block, estimator (hits), complex, reference,\n"
    "evaluations, runs, hits, seconds, as --rows writes them; no --set is needed. Each is judged at the\n"
    "budget that takes it the least seconds to a success with a probability of 99 %.\n"
    "\n"
    "A table of one program, with which a study is compared, has one row per complex and the columns complex,\n"
    "reference (inter + intra from which success is judged), PROGRAM_hits, PROGRAM_seconds (docking time\n"
    "of all runs). A comment '# 100 runs of 1,000,000 evaluations' or columns runs and evaluations give the effort.\n"
    "Use the same --evals: hits of shorter runs are not compared.";

static const char examples[] =
    "  berth bench e50 --set set42 -o study --only 1ac8,1jla --runs 100 --evals 1M\n"
    "  berth bench e50 --set set42 -o study --config cpu:device=cpu gpu:device=cuda \\\n"
    "      --json-file e50.json --plot e50.svg\n"
    "  berth bench e50 --set set42 -o study -c p150:population=150,mutation-rate=0.02 p50:population=50\n"
    "  berth bench e50 --set set42 -o study-10k --evals 10k --rows berth-10k.tsv\n"
    "  berth bench e50 --against all-budgets.tsv --against-program autodock-gpu\n"
    "  berth bench e50 --set set42 -o study --evals 1M --against adgpu_success.tsv --margin 3 \\\n"
    "      -c tournament:tournament-rate=0.6 roulette:selection=proportional uniform:crossover=uniform";

int bench_e50(int argc, char **argv) {
  bench_state state = {.common = bt_dock_options_default(),
                       .study = {.limits = {.enough = 1.0, .window = 1.0, .radius = 2.0}, .margin = 3}};
  state.common.runs = 100;
  state.common.poses = 1;
  state.common.seed = 1;
  state.common.autostop = state.common.heuristics = false;
  cli_interrupt_watch(NULL);
  cli_option options[] = {
      {.group = "Input",
       OPT_STRING("set", 's', &state.folder, "FOLDER", "complexes with known minima, in the layout of the set of 42")},
      {OPT_STRING("only", 0, &state.opt_only, "NAME,...", "use only these complexes of the set"), .opt_default = "all"},
      {.group = "Study",
       OPT_LIST("config", 'c', &state.words, "NAME:OPTION=VALUE,..", "search configurations, see below"),
       .opt_default = "solis-wets adadelta"},
      {OPT_INT("runs", 'n', &state.common.runs, "N", 2, 100000, "runs of each complex and configuration")},
      {OPT_INT64("evals", 0, &state.common.evaluations, "N", 1, 1e12, "evaluations per run")},
      {OPT_REAL("enough", 0, &state.study.limits.enough, "X", 0, 1,
                "stop a search when this fraction of its runs has succeeded"),
       .open_low = true},
      {OPT_INT("population", 'p', &state.common.population, "N", 2, 1000000, "individuals per run")},
      {OPT_SEED("seed", 0, &state.common.seed, "random seed")},
      {OPT_INT("threads", 0, &state.common.threads, "N", 0, 65536, "CPU threads"), .opt_default = "all cores"},
      {.group = "Reference",
       OPT_STRING("against", 0, &state.study.opt_path, "FILE", "table of hits and seconds to compare with, see below"),
       .opt_default = ""},
      {OPT_STRING("against-program", 0, &state.study.opt_program, "NAME",
                  "program whose columns of the table are used"),
       .opt_default = "the first"},
      {OPT_INT("margin", 0, &state.study.margin, "N", 0, 1000000,
               "a complex counts as worse if it has more than N hits fewer")},
      {.group = "Output",
       OPT_STRING("output", 'o', &state.state_folder, "FOLDER",
                  "keeps the searches done; the same command continues from there")},
      {OPT_STRING("rows", 0, &state.opt_rows, "FILE.tsv",
                  "write hits and seconds with this budget as rows of a table for --against"),
       .opt_default = ""},
      BENCH_OUTPUT_OPTIONS(state.output),
      BENCH_QUIET_OPTION(state.quiet),
  };
  cli_spec spec = {program, "evaluations that a run needs for a success probability of one half",
                   "--set FOLDER -o FOLDER [--config NAME:OPTION=VALUE,...]... [options]", details, examples,
                   CLI_TABLE(options), NULL};
  int exit_code = bench_main(&spec, &state.output, argc, argv, run, &state);
  e50_study_close(&state.study);
  cli_list_free(&state.words);
  return exit_code;
}
