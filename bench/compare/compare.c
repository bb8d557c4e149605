/* compare.c - `berth bench compare A.json B.json`: ratios of the second file's figures to those of the first. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/common/figures.h"
#include "bench/e50/study.h"

typedef struct compare_state {
  cli_list paths;
  bench_output output;
  cli_json files[2];
  bench_figures figures[2];
} compare_state;

static double value_in_second(const compare_state *state, const bench_figure *first) {
  const bench_figure *second = bench_figures_find(&state->figures[1], first->name, first->metric);
  return second != NULL ? second->value : NAN;
}

/* Ratio of the second value to the first; NaN if either is missing. */
static double ratio_of(const compare_state *state, const bench_figure *first) {
  return first->value > 0 ? value_in_second(state, first) / first->value : NAN;
}

/* Geometric mean of the ratios of the figures [first, end); NaN if there are none. */
static double mean_ratio(const compare_state *state, int first, int end, int *ret_count) {
  double sum = 0;
  *ret_count = 0;
  for (int i = first; i < end; i++) {
    double ratio = ratio_of(state, &state->figures[0].items[i]);
    if (!isfinite(ratio) || ratio <= 0) continue;
    sum += log(ratio);
    (*ret_count)++;
  }
  return *ret_count > 0 ? exp(sum / *ret_count) : NAN;
}

static void write_sources(bt_json *json, const compare_state *state) {
  static const char *const keys[] = {"commit", "cpu", "compiler", "date", "command"};
  bench_json(json, "of %s files [", cli_json_get_text(&state->files[0], "benchmark"));
  for (int k = 0; k < 2; k++) {
    bench_json(json, "{ file %s", state->paths.items[k]);
    for (int i = 0; i < CLI_COUNT(keys); i++) {
      bt_json_key(json, keys[i]);
      bt_json_string(json, cli_json_get_text(&state->files[k], keys[i]));
    }
    bench_json(json, "}");
  }
  bench_json(json, "]");
}

static void write_members(bt_json *json, const void *user) {
  const compare_state *state = user;
  const bench_figures *figures = &state->figures[0];
  write_sources(json, state);
  bench_json(json, "rows [");
  for (int i = 0; i < figures->count; i++) {
    const bench_figure *of = &figures->items[i];
    bench_json(json, "{ name %s metric %s more_is_better %hhd first %g second %g ratio %g }", of->name, of->metric,
               of->more_is_better, of->value, value_in_second(state, of), ratio_of(state, of));
  }
  bench_json(json, "] means [");
  for (int i = 0, next, count; i < figures->count; i = next) {
    next = bench_figures_next(figures, i);
    double mean = mean_ratio(state, i, next, &count);
    bench_json(json, "{ metric %s count %d ratio %g }", figures->items[i].metric, count, mean);
  }
  bench_json(json, "]");
}

static void print_sources(const compare_state *state) {
  for (int k = 0; k < 2; k++)
    printf("%s: %s, commit %s, %s, %s\n", k == 0 ? "A" : "B", state->paths.items[k],
           cli_json_get_text(&state->files[k], "commit"), cli_json_get_text(&state->files[k], "cpu"),
           cli_json_get_text(&state->files[k], "date"));
  if (strcmp(cli_json_get_text(&state->files[0], "cpu"), cli_json_get_text(&state->files[1], "cpu")) != 0)
    puts("(measured on different CPUs)");
}

static void print_table(const void *user) {
  const compare_state *state = user;
  const bench_figures *figures = &state->figures[0];
  print_sources(state);
  for (int first = 0, next, count; first < figures->count; first = next) {
    next = bench_figures_next(figures, first);
    printf("\n%-44s %13s %13s %8s\n", figures->items[first].metric, "A", "B", "B / A");
    for (int i = first; i < next; i++) {
      const bench_figure *f = &figures->items[i];
      bench_print("  %-42.42s%14.6g%14.6g%9.3f\n", f->name, f->value, value_in_second(state, f), ratio_of(state, f));
    }
    double mean = mean_ratio(state, first, next, &count);
    bool faster = (mean > 1.0) == figures->items[first].more_is_better;
    if (count > 1) printf("  %-42s %13s %13s %8.3f\n", "geometric mean", "", "", mean);
    if (count > 0) printf("  B is %s\n", mean == 1.0 ? "as fast" : faster ? "faster" : "slower");
  }
}

static bt_status run(void *user, bt_error *error) {
  compare_state *state = user;
  if (state->paths.count != 2) return bench_refuse(error, "name two files");
  for (int k = 0; k < 2; k++) BT_TRY(cli_json_read(state->paths.items[k], &state->files[k], error));
  const char *first = cli_json_get_text(&state->files[0], "benchmark");
  const char *second = cli_json_get_text(&state->files[1], "benchmark");
  if (strcmp(first, second) != 0)
    return bt_fail(error, BT_ERR_USAGE, (bt_where){.file = state->paths.items[1]},
                   "name two files of the same benchmark", "this is '%.40s', the first one is '%.40s'", second, first);
  if (strcmp(first, "e50") == 0) return e50_files_compare(&state->files[0], &state->files[1], &state->output, error);
  for (int k = 0; k < 2; k++) {
    bt_status status = bench_figures_take(&state->files[k], &state->figures[k], error);
    if (status != BT_OK) snprintf(error->file, sizeof error->file, "%s", state->paths.items[k]);
    BT_TRY(status);
  }
  return bench_output_write(&state->output, "compare", true, write_members, print_table, state, error);
}

static const char details[] =
    "Ratios are of B to A; invalid results have none. Two E50 studies are compared configuration by\n"
    "configuration, matched by name, or by their first configurations if no names match, with intervals\n"
    "and a verdict.";

static const char examples[] =
    "  berth bench compare before.json after.json\n"
    "  berth bench compare cpu.json gpu.json --plot ratios.svg";

int bench_compare(int argc, char **argv) {
  compare_state state = {0};
  cli_option options[] = {BENCH_OUTPUT_OPTIONS(state.output)};
  options[0].group = "Output";
  cli_spec spec = {"berth bench compare", "compare the results of two runs of the same benchmark",
                   "A.json B.json [options]", details, examples, CLI_TABLE(options), &state.paths};
  int exit_code = bench_main(&spec, &state.output, argc, argv, run, &state);
  for (int k = 0; k < 2; k++) {
    bench_figures_free(&state.figures[k]);
    cli_json_free(&state.files[k]);
  }
  cli_list_free(&state.paths);
  return exit_code;
}
