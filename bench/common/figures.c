/* figures.c - see figures.h. */
#include "bench/common/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bench/common/output.h"
#include "bench/common/plot.h"

/* Where the figures of each benchmark are: in members of the object itself, or of the objects of an array. */
static const struct {
  const char *benchmark, *opt_rows;
  bool more_is_better;
  const char *metrics[6];
} sources[] = {
    {"evals", NULL, false, {"energy_us", "gradient_us", "solis_wets_us", "adadelta_us", "adam_us"}},
    {"portability", "rows", true, {"evaluations_per_second"}},
    {"mappings", "rows", true, {"evaluations_per_second"}},
    {"reductions", "rows", false, {"microseconds", "seconds"}},
    {"grid", "rows", true, {"values_per_second"}},
    {"screen",
     NULL,
     true,
     {"docking_ligands_per_second", "whole_ligands_per_second", "docking_evaluations_per_second"}},
    {"compare", "rows", true, {"ratio"}},
};

/* Members that say what a row is. Numbers are followed by their word. */
static const struct {
  const char *key, *word;
} identities[] = {{"ligand", ""},    {"case", ""},         {"name", ""},     {"device", ""}, {"reduction", ""},
                  {"team", "lanes"}, {"batch", "a batch"}, {"runs", "runs"}, {"metric", ""}};

void bench_figures_free(bench_figures *figures) {
  for (int i = 0; i < figures->count; i++) free(figures->items[i].name);
  free(figures->items);
}

/* "1jla, cpu/avx512, 20 runs"; allocated. */
static char *identify(const cli_json *row) {
  bt_text name = {0};
  for (int i = 0; i < CLI_COUNT(identities); i++) {
    const cli_json *member = cli_json_get(row, identities[i].key);
    const char *comma = name.size > 0 ? ", " : "";
    if (member == NULL) continue;
    if (member->kind == CLI_JSON_STRING && member->text[0] != '\0')
      bt_text_printf(&name, "%s%s", comma, member->text);
    else if (member->kind == CLI_JSON_NUMBER && member->number != 0)
      bt_text_printf(&name, "%s%g %s", comma, member->number, identities[i].word);
  }
  return name.data != NULL ? name.data : bench_allocate(1, 1);
}

bt_status bench_figures_take(const cli_json *json, bench_figures *ret_figures, bt_error *opt_error) {
  const char *benchmark = cli_json_get_text(json, "benchmark");
  *ret_figures = (bench_figures){0};
  for (int s = 0; s < CLI_COUNT(sources); s++) {
    if (strcmp(sources[s].benchmark, benchmark) != 0) continue;
    const cli_json *rows = json;
    int count = sources[s].opt_rows != NULL ? cli_json_get_array(json, sources[s].opt_rows, &rows) : 1;
    ret_figures->items = bench_allocate((size_t)count * CLI_COUNT(sources[s].metrics), sizeof *ret_figures->items);
    for (int k = 0; k < CLI_COUNT(sources[s].metrics) && sources[s].metrics[k] != NULL; k++)
      for (int i = 0; i < count; i++)
        ret_figures->items[ret_figures->count++] =
            (bench_figure){identify(&rows[i]), sources[s].metrics[k], sources[s].more_is_better, i == 0,
                           cli_json_get_number(&rows[i], sources[s].metrics[k])};
    return BT_OK;
  }
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){0}, "give JSON of berth bench",
                 "'%.60s' is no benchmark with figures", benchmark);
}

const bench_figure *bench_figures_find(const bench_figures *figures, const char *name, const char *metric) {
  for (int i = 0; i < figures->count; i++)
    if (strcmp(figures->items[i].name, name) == 0 && strcmp(figures->items[i].metric, metric) == 0)
      return &figures->items[i];
  return NULL;
}

/* One panel per metric: names on the left, values to the right. */
static void draw_metric(FILE *stream, const bench_figures *figures, const char *metric, double top, double height) {
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < figures->count; i++) {
    const bench_figure *f = &figures->items[i];
    if (strcmp(f->metric, metric) != 0 || !isfinite(f->value)) continue;
    low = fmin(low, f->value);
    high = fmax(high, f->value);
  }
  if (!(low <= high)) return;
  bool logarithmic = low > 0 && high > 20 * low;
  if (!logarithmic) low = fmin(0, low);
  plot_round_range(&low, &high, logarithmic);
  plot_panel panel = {.stream = stream, .left = 330, .top = top, .width = 480, .height = height, .x_low = low,
                      .x_high = high, .y_high = 1, .x_log = logarithmic, .names = true, .title = metric,
                      .x_label = ""};
  plot_axes(&panel);
  double y = top;
  for (int i = 0; i < figures->count; i++) {
    const bench_figure *f = &figures->items[i];
    if (strcmp(f->metric, metric) != 0) continue;
    y += 20;
    plot_text(stream, panel.left - 8, y - 4, "end", 11, f->name);
    if (!isfinite(f->value)) continue;
    fprintf(stream, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"10\" fill=\"" PLOT_COLOUR "\"/>\n", panel.left,
            y - 13, plot_x(&panel, f->value) - panel.left);
    char value[40];
    snprintf(value, sizeof value, "%.4g", f->value);
    plot_text(stream, plot_x(&panel, f->value) + 5, y - 4, "start", 11, value);
  }
}

static int rows_of(const bench_figures *figures, const char *metric) {
  int count = 0;
  for (int i = 0; i < figures->count; i++) count += strcmp(figures->items[i].metric, metric) == 0;
  return count;
}

static void draw_figures(FILE *stream, const bench_figures *figures, const char *name) {
  double height = 30;
  for (int i = 0; i < figures->count; i++)
    if (figures->items[i].first) height += 75 + 20 * rows_of(figures, figures->items[i].metric);
  plot_begin(stream, 900, height, name, "Figures of a benchmark, one panel per quantity, one bar per thing measured.");
  double top = 40;
  for (int i = 0; i < figures->count; i++) {
    if (!figures->items[i].first) continue;
    double rows = 20 * rows_of(figures, figures->items[i].metric) + 6;
    draw_metric(stream, figures, figures->items[i].metric, top, rows);
    top += rows + 69;
  }
  plot_end(stream);
}

void bench_plot(FILE *stream, const cli_json *json) {
  const char *name = cli_json_get_text(json, "benchmark");
  bench_figures figures = {0};
  if (strcmp(name, "e50") == 0)
    bench_plot_e50(stream, json);
  else if (bench_figures_take(json, &figures, NULL) == BT_OK)
    draw_figures(stream, &figures, name);
  bench_figures_free(&figures);
}
