/* figures.c - see figures.h. */
#include "bench/common/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bench/common/output.h"
#include "bench/common/plot.h"

/* Where each benchmark has its figures: in members of the JSON object itself, or of the objects in an array. */
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

/* Members that identify a row. Numbers are followed by their unit. */
static const struct {
  const char *key, *word;
} identities[] = {{"ligand", ""},    {"case", ""},         {"name", ""},     {"device", ""}, {"reduction", ""},
                  {"team", "lanes"}, {"batch", "a batch"}, {"runs", "runs"}, {"metric", ""}};

void bench_figures_free(bench_figures *figures) {
  for (int i = 0; i < figures->count; i++) free(figures->items[i].name);
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
  return name.data != NULL ? name.data : strdup("");
}

bt_status bench_figures_take(const cli_json *json, bench_figures *ret_figures, bt_error *opt_error) {
  const char *benchmark = cli_json_get_text(json, "benchmark");
  *ret_figures = (bench_figures){0};
  for (int s = 0; s < CLI_COUNT(sources); s++) {
    if (strcmp(sources[s].benchmark, benchmark) != 0) continue;
    const cli_json *rows = json;
    int count = sources[s].opt_rows != NULL ? cli_json_get_array(json, sources[s].opt_rows, &rows) : 1;
    ret_figures->items = bench_keep((size_t)count * CLI_COUNT(sources[s].metrics), sizeof *ret_figures->items);
    for (int k = 0; k < CLI_COUNT(sources[s].metrics) && sources[s].metrics[k] != NULL; k++)
      for (int i = 0; i < count; i++)
        ret_figures->items[ret_figures->count++] =
            (bench_figure){identify(&rows[i]), sources[s].metrics[k], sources[s].more_is_better,
                           cli_json_get_number(&rows[i], sources[s].metrics[k])};
    return BT_OK;
  }
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){0}, "provide JSON of berth bench",
                 "'%.60s' is not a benchmark with figures", benchmark);
}

const bench_figure *bench_figures_find(const bench_figures *figures, const char *name, const char *metric) {
  for (int i = 0; i < figures->count; i++)
    if (strcmp(figures->items[i].name, name) == 0 && strcmp(figures->items[i].metric, metric) == 0)
      return &figures->items[i];
  return NULL;
}

int bench_figures_next(const bench_figures *figures, int index) {
  const char *metric = figures->items[index].metric;
  while (index < figures->count && strcmp(figures->items[index].metric, metric) == 0) index++;
  return index;
}

/* One panel per metric: names on the left, values to the right. */
static void draw_metric(FILE *stream, const bench_figure *figures, int count, double top, double height) {
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < count; i++) {
    if (!isfinite(figures[i].value)) continue;
    low = fmin(low, figures[i].value);
    high = fmax(high, figures[i].value);
  }
  if (!(low <= high)) return;
  bool logarithmic = low > 0 && high > 20 * low;
  if (!logarithmic) low = fmin(0, low);
  plot_round_range(&low, &high, logarithmic);
  plot_panel panel = {.stream = stream, .left = 330, .top = top, .width = 480, .height = height, .x_low = low,
                      .x_high = high, .y_high = 1, .x_log = logarithmic, .names = true, .title = figures->metric,
                      .x_label = ""};
  plot_axes(&panel);
  for (int i = 0; i < count; i++) {
    char value[40];
    double y = top + 20 * (i + 1), x = plot_x(&panel, figures[i].value);
    plot_text(stream, panel.left - 8, y - 4, "end", 11, figures[i].name);
    if (!isfinite(figures[i].value)) continue;
    fprintf(stream, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"10\" fill=\"" PLOT_COLOR "\"/>\n", panel.left,
            y - 13, x - panel.left);
    snprintf(value, sizeof value, "%.4g", figures[i].value);
    plot_text(stream, x + 5, y - 4, "start", 11, value);
  }
}

void bench_figures_draw(FILE *stream, const cli_json *json) {
  BT_ENDED_BY(bench_figures_free) bench_figures figures = {0};
  if (bench_figures_take(json, &figures, NULL) != BT_OK) return;
  double height = 30 + 20 * figures.count, top = 40;
  for (int i = 0; i < figures.count; i = bench_figures_next(&figures, i)) height += 75;
  plot_begin(stream, 900, height, cli_json_get_text(json, "benchmark"),
             "Figures of a benchmark, one panel per quantity, one bar per measurement.");
  for (int i = 0, next; i < figures.count; i = next) {
    next = bench_figures_next(&figures, i);
    draw_metric(stream, &figures.items[i], next - i, top, 20 * (next - i) + 6);
    top += 20 * (next - i) + 75;
  }
  plot_end(stream);
}
