/* bars.c - any benchmark's figures as points with their names. */
#include "bench/common/bars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/figures.h"
#include "bench/common/plot.h"

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
  plot_panel panel = {.stream = stream,
                      .left = 330,
                      .top = top,
                      .width = 480,
                      .height = height,
                      .x_low = low,
                      .x_high = high,
                      .x_log = logarithmic,
                      .title = metric,
                      .y_low = 0,
                      .y_high = 1};
  for (int k = 0; k <= 10; k++) {
    double value = logarithmic ? low * pow(10, k) : low + (high - low) * k / 5;
    if (value > high * 1.0001 || (!logarithmic && k > 5)) break;
    char name[40];
    snprintf(name, sizeof name, "%g", value);
    plot_line(&panel, value, 0, value, 1, "stroke:#ddd;stroke-width:1");
    plot_text(stream, plot_x(&panel, value), top + height + 15, "middle", 11, name);
  }
  fprintf(stream, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#333\"/>\n",
          panel.left, top, panel.width, height);
  plot_text(stream, panel.left + panel.width / 2, top - 8, "middle", 13, metric);
  double y = top;
  for (int i = 0; i < figures->count; i++) {
    const bench_figure *f = &figures->items[i];
    if (strcmp(f->metric, metric) != 0) continue;
    y += 20;
    plot_text(stream, panel.left - 8, y - 4, "end", 11, f->name);
    if (!isfinite(f->value)) continue;
    fprintf(stream, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"10\" fill=\"%s\"/>\n", panel.left, y - 13,
            plot_x(&panel, f->value) - panel.left, plot_colour(0));
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
  if (strcmp(name, "e50") == 0) {
    bench_plot_e50(stream, json);
    return;
  }
  bench_figures figures;
  if (bench_figures_take(json, &figures, NULL) == BT_OK) draw_figures(stream, &figures, name);
  bench_figures_free(&figures);
}
