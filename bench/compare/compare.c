/* compare.c - `berth bench compare A.json B.json`: ratios of the second file's figures to the first one's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/e50/files.h"
#include "bench/common/figures.h"
#include "bench/common/output.h"
#include "common/json.h"
#include "bench/common/json_read.h"
#include "common/report.h"

static const char program[] = "berth bench compare";

typedef struct compare_state {
  cli_list paths;
  bench_output output;
  cli_json files[2];
  bench_figures figures[2];
} compare_state;

/* Ratio of the second value to the first one, above 1 when the second is better; NaN when one of them is missing. */
static double ratio_of(const compare_state *state, const bench_figure *first) {
  const bench_figure *second = bench_figures_find(&state->figures[1], first->name, first->metric);
  return second != NULL && first->value > 0 ? second->value / first->value : NAN;
}

static double value_in_second(const compare_state *state, const bench_figure *first) {
  const bench_figure *second = bench_figures_find(&state->figures[1], first->name, first->metric);
  return second != NULL ? second->value : NAN;
}

/* Geometric mean of the ratios of one metric; NaN without any. */
static double mean_ratio(const compare_state *state, const char *metric, int *ret_count) {
  double sum = 0;
  *ret_count = 0;
  for (int i = 0; i < state->figures[0].count; i++) {
    const bench_figure *f = &state->figures[0].items[i];
    double ratio = ratio_of(state, f);
    if (strcmp(f->metric, metric) != 0 || !isfinite(ratio) || ratio <= 0) continue;
    sum += log(ratio);
    (*ret_count)++;
  }
  return *ret_count > 0 ? exp(sum / *ret_count) : NAN;
}

static bool is_first(const bench_figures *figures, int index) {
  for (int i = 0; i < index; i++)
    if (strcmp(figures->items[i].metric, figures->items[index].metric) == 0) return false;
  return true;
}

static void write_sources(FILE *f, const compare_state *state) {
  static const char *const keys[] = {"commit", "cpu", "compiler", "date", "command"};
  fputs("\"of\": ", f);
  cli_json_string(f, cli_json_get_text(&state->files[0], "benchmark"));
  fputs(", \"files\": [", f);
  for (int k = 0; k < 2; k++) {
    fputs(k > 0 ? ", {\"file\": " : "{\"file\": ", f);
    cli_json_string(f, state->paths.items[k]);
    for (int i = 0; i < CLI_COUNT(keys); i++) {
      fprintf(f, ", \"%s\": ", keys[i]);
      cli_json_string(f, cli_json_get_text(&state->files[k], keys[i]));
    }
    fputc('}', f);
  }
  fputc(']', f);
}

static void write_members(FILE *f, const void *user) {
  const compare_state *state = user;
  write_sources(f, state);
  fputs(", \"rows\": [", f);
  for (int i = 0; i < state->figures[0].count; i++) {
    const bench_figure *of = &state->figures[0].items[i];
    fputs(i > 0 ? ",\n {\"name\": " : "\n {\"name\": ", f);
    cli_json_string(f, of->name);
    fprintf(f, ", \"metric\": \"%s\", \"more_is_better\": %s, \"first\": ", of->metric,
            of->more_is_better ? "true" : "false");
    cli_json_number(f, of->value);
    fputs(", \"second\": ", f);
    cli_json_number(f, value_in_second(state, of));
    fputs(", \"ratio\": ", f);
    cli_json_number(f, ratio_of(state, of));
    fputc('}', f);
  }
  fputs("], \"means\": [", f);
  const char *comma = "";
  for (int i = 0; i < state->figures[0].count; i++) {
    if (!is_first(&state->figures[0], i)) continue;
    int count;
    double mean = mean_ratio(state, state->figures[0].items[i].metric, &count);
    fprintf(f, "%s{\"metric\": \"%s\", \"count\": %d, \"ratio\": ", comma, state->figures[0].items[i].metric, count);
    cli_json_number(f, mean);
    fputc('}', f);
    comma = ", ";
  }
  fputc(']', f);
}

static void print_value(double value) {
  if (isfinite(value))
    printf(" %13.6g", value);
  else
    printf(" %13s", "-");
}

static void print_sources(const compare_state *state) {
  for (int k = 0; k < 2; k++)
    printf("%s: %s, commit %s, %s, %s\n", k == 0 ? "A" : "B", state->paths.items[k],
           cli_json_get_text(&state->files[k], "commit"), cli_json_get_text(&state->files[k], "cpu"),
           cli_json_get_text(&state->files[k], "date"));
  if (strcmp(cli_json_get_text(&state->files[0], "cpu"), cli_json_get_text(&state->files[1], "cpu")) != 0)
    puts("(measured on different processors)");
}

static void print_table(const void *user) {
  const compare_state *state = user;
  print_sources(state);
  for (int m = 0; m < state->figures[0].count; m++) {
    if (!is_first(&state->figures[0], m)) continue;
    const char *metric = state->figures[0].items[m].metric;
    printf("\n%-44s %13s %13s %8s\n", metric, "A", "B", "B / A");
    for (int i = 0; i < state->figures[0].count; i++) {
      const bench_figure *f = &state->figures[0].items[i];
      if (strcmp(f->metric, metric) != 0) continue;
      printf("  %-42.42s", f->name);
      print_value(f->value);
      print_value(value_in_second(state, f));
      double ratio = ratio_of(state, f);
      if (isfinite(ratio))
        printf(" %8.3f\n", ratio);
      else
        printf(" %8s\n", "-");
    }
    int count;
    double mean = mean_ratio(state, metric, &count);
    if (count > 1) printf("  %-42s %13s %13s %8.3f\n", "geometric mean", "", "", mean);
    if (count > 0)
      printf("  B is %s\n", mean == 1.0                                             ? "as fast"
                            : (mean > 1.0) == state->figures[0].items[m].more_is_better ? "faster"
                                                                                        : "slower");
  }
}

static bt_status run(compare_state *state, bt_error *error) {
  bt_status status = BT_OK;
  for (int k = 0; k < 2 && status == BT_OK; k++) status = cli_json_read(state->paths.items[k], &state->files[k], error);
  if (status != BT_OK) return status;
  const char *first = cli_json_get_text(&state->files[0], "benchmark");
  const char *second = cli_json_get_text(&state->files[1], "benchmark");
  if (strcmp(first, second) != 0)
    return cli_fill_error(error, BT_ERR_USAGE, state->paths.items[1], "give two files of the same benchmark",
                          "this is '%.40s', the first one is '%.40s'", second, first);
  if (strcmp(first, "e50") == 0)
    return bench_compare_e50(&state->files[0], &state->files[1], &state->output, error);
  for (int k = 0; k < 2 && status == BT_OK; k++) {
    status = bench_figures_take(&state->files[k], &state->figures[k], error);
    if (status != BT_OK && error->file[0] == '\0')
      snprintf(error->file, sizeof error->file, "%s", state->paths.items[k]);
  }
  if (status != BT_OK) return status;
  return bench_output_write(&state->output, "compare", write_members, print_table, state, error);
}

int bench_compare(int argc, char **argv) {
  compare_state state = {0};
  cli_option options[] = {BENCH_OUTPUT_OPTIONS(state.output)};
  options[0].group = "Output";
  cli_spec spec = {
      .program = program,
      .summary = "ratios of the figures in two files of the same benchmark",
      .usage = "A.json B.json [options]",
      .options = options,
      .n_options = CLI_COUNT(options),
      .opt_details = "Ratios are of B to A. Figures that are not valid have none. Of two studies of E50 the configurations\n"
                     "of the same name are compared, or the first ones when no names agree, with intervals and a\n"
                     "verdict.",
      .opt_examples = "  berth bench compare before.json after.json\n"
                      "  berth bench compare cpu.json gpu.json --plot ratios.svg",
      .opt_arguments = &state.paths,
  };
  int exit_code;
  if (cli_parse(&spec, argc, argv, &exit_code)) {
    bt_error error = {0};
    exit_code = CLI_EXIT_BAD;
    if (state.paths.count != 2)
      cli_message(program, "give two files");
    else if (bench_output_check(program, &state.output, argc, argv))
      exit_code = run(&state, &error) == BT_OK ? CLI_EXIT_OK : cli_fail(program, &error);
  }
  for (int k = 0; k < 2; k++) {
    bench_figures_free(&state.figures[k]);
    cli_json_free(&state.files[k]);
  }
  bench_output_free(&state.output);
  cli_list_free(&state.paths);
  return exit_code;
}
