/* plot.c - E50 of two configurations on logarithmic axes with the diagonal, and curves of successes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/figures.h"
#include "bench/common/output.h"
#include "bench/common/plot.h"

enum { SERIES = 6, COLUMNS = 4, NEAR_PLACES = 2 };
static const double cell_width = 245, cell_height = 175, panel_size = 330;

static const cli_json *result_of(const cli_json *complex, int config) {
  const cli_json *items;
  int count = cli_json_get_array(complex, "results", &items);
  return config < count ? &items[config] : NULL;
}

/* Does success by this criterion mean something for the complex? */
static bool counts(const cli_json *complex, const char *criterion) {
  return strcmp(criterion, "rmsd") != 0 || cli_json_get_bool(complex, "by_rmsd");
}

/* Smallest and largest E50 or end of an interval of all complexes that count. */
static void find_range(const cli_json *complexes, int n, const char *criterion, double *low, double *high) {
  static const char *const keys[] = {"e50", "low", "high"};
  *low = INFINITY;
  *high = -INFINITY;
  for (int i = 0; i < n; i++)
    for (int config = 0; config < 2 && counts(&complexes[i], criterion); config++) {
      const cli_json *e50 = cli_json_get(result_of(&complexes[i], config), criterion);
      for (int k = 0; k < 3; k++) {
        double value = cli_json_get_number(e50, keys[k]);
        if (isnan(value) || value <= 0) continue;
        *low = fmin(*low, value);
        *high = fmax(*high, value);
      }
    }
  plot_round_range(low, high, true);
}

/* A null means beyond what was seen: the end of the axis. */
static double at(const cli_json *e50, const char *key, double beyond) {
  double value = cli_json_get_number(e50, key);
  return isnan(value) ? beyond : value;
}

/* In pixels. */
typedef struct box {
  double left, right, top, bottom;
} box;

/* Beside a point, the best place first; from the third on a line leads there. */
typedef struct place {
  double x, y;
  const char *anchor;
} place;

static const place places[] = {{6, -5, "start"},  {6, 13, "start"}, {10, -26, "start"}, {10, 34, "start"},
                               {-10, -26, "end"}, {-10, 34, "end"}, {16, -42, "start"}, {16, 50, "start"},
                               {-16, -42, "end"}, {-16, 50, "end"}, {22, -58, "start"}, {22, 66, "start"}};

static box label_box(double x, double y, const place *at, const char *text) {
  double width = 6.0 * (double)strlen(text), left = x + at->x - (strcmp(at->anchor, "end") == 0 ? width : 0);
  return (box){left, left + width, y + at->y - 9, y + at->y + 2};
}

static bool is_free(const box *taken, int n, box b) {
  for (int i = 0; i < n; i++)
    if (b.left < taken[i].right && taken[i].left < b.right && b.top < taken[i].bottom && taken[i].top < b.bottom)
      return false;
  return true;
}

/* Names beside points, where they cover neither points nor each other if there is such a place. taken: points first. */
static void draw_labels(FILE *stream, box *taken, int n, const char *const *names) {
  for (int i = 0; i < n; i++) {
    double x = 0.5 * (taken[i].left + taken[i].right), y = 0.5 * (taken[i].top + taken[i].bottom);
    const place *best = &places[0];
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
      if (!is_free(taken, n + i, label_box(x, y, &places[k], names[i]))) continue;
      best = &places[k];
      break;
    }
    box b = taken[n + i] = label_box(x, y, best, names[i]);
    if (best - places >= NEAR_PLACES)
      fprintf(stream,
              "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" style=\"stroke:#bbb;stroke-width:0.7\"/>\n", x, y,
              best->x < 0 ? b.right : b.left, best->y < 0 ? b.bottom : b.top);
    plot_text(stream, x + best->x, y + best->y, best->anchor, 10, names[i]);
  }
}

static void draw_scatter(const plot_panel *panel, const cli_json *complexes, int n, const char *criterion) {
  static const char bar[] = "stroke:#888;stroke-width:1";
  BT_SCOPED box *taken = bench_allocate(2 * (size_t)n, sizeof *taken);
  BT_SCOPED const char **names = bench_allocate((size_t)n, sizeof *names);
  int shown = 0;
  plot_axes(panel);
  plot_line(panel, panel->x_low, panel->y_low, panel->x_high, panel->y_high, "stroke:#333;stroke-width:1");
  for (int i = 0; i < n; i++) {
    if (!counts(&complexes[i], criterion)) continue;
    const cli_json *x = cli_json_get(result_of(&complexes[i], 0), criterion);
    const cli_json *y = cli_json_get(result_of(&complexes[i], 1), criterion);
    double px = at(x, "e50", panel->x_high), py = at(y, "e50", panel->y_high);
    plot_line(panel, at(x, "low", panel->x_high), py, at(x, "high", panel->x_high), py, bar);
    plot_line(panel, px, at(y, "low", panel->y_high), px, at(y, "high", panel->y_high), bar);
    plot_point(panel, px, py);
    double left = plot_x(panel, px), top = plot_y(panel, py);
    taken[shown] = (box){left - 4, left + 4, top - 4, top + 4};
    names[shown++] = cli_json_get_text(&complexes[i], "complex");
  }
  if (shown > 0) draw_labels(panel->stream, taken, shown, names);
}

static void draw_scatters(FILE *stream, const cli_json *complexes, int n, const char *const *names) {
  static const char *const keys[] = {"score", "rmsd"};
  static const char *const titles[] = {"by score: within 1.0 kcal/mol", "by RMSD: within 2 Angstrom"};
  for (int c = 0; c < 2; c++) {
    char x[160], y[160];
    snprintf(x, sizeof x, "E50 of %.100s, evaluations", names[0]);
    snprintf(y, sizeof y, "E50 of %.100s, evaluations", names[1]);
    plot_panel panel = {.stream = stream,
                        .left = 80 + c * 480,
                        .top = 60,
                        .width = panel_size,
                        .height = panel_size,
                        .x_log = true,
                        .y_log = true,
                        .title = titles[c],
                        .x_label = x,
                        .y_label = y};
    find_range(complexes, n, keys[c], &panel.x_low, &panel.x_high);
    panel.y_low = panel.x_low;
    panel.y_high = panel.x_high;
    draw_scatter(&panel, complexes, n, keys[c]);
  }
}

/* Share of runs that are successful at a budget. */
static double share_at(const cli_json *e50, double budget) {
  const cli_json *runs;
  int count = cli_json_get_array(e50, "changes", &runs), successes = 0;
  for (int r = 0; r < count; r++) {
    int changes = 0;
    while (changes < runs[r].count && runs[r].items[changes].number <= budget) changes++;
    successes += changes % 2;
  }
  return count > 0 ? (double)successes / count : 0;
}

/* The budget that every run has seen. */
static double last_budget(const cli_json *result) {
  const cli_json *ends;
  int count = cli_json_get_array(result, "run_evaluations", &ends);
  double last = count > 0 ? INFINITY : 0;
  for (int r = 0; r < count; r++) last = fmin(last, ends[r].number);
  return last;
}

static void draw_curve(const plot_panel *panel, const cli_json *result, const char *criterion, int series) {
  const cli_json *e50 = cli_json_get(result, criterion);
  double last = last_budget(result);
  if (!isfinite(last) || last <= panel->x_low) return;
  fputs("<path d=\"", panel->stream);
  bool first = true;
  for (double budget = panel->x_low;; budget *= pow(2.0, 0.125)) {
    double n = fmin(budget, last);
    fprintf(panel->stream, "%c%.1f %.1f", first ? 'M' : 'L', plot_x(panel, n), plot_y(panel, share_at(e50, n)));
    first = false;
    if (n >= last) break;
  }
  fprintf(panel->stream, "\" style=\"%s\"/>\n", plot_line_style(series));
}

static void draw_curves(FILE *stream, const cli_json *complexes, int n, int n_configs, double top, double most) {
  for (int i = 0; i < n; i++) {
    char title[120];
    int row = i / COLUMNS, column = i % COLUMNS;
    bool lowest = i + COLUMNS >= n;
    snprintf(title, sizeof title, "%.80s, %.0f torsions", cli_json_get_text(&complexes[i], "complex"),
             cli_json_get_number(&complexes[i], "torsions"));
    plot_panel panel = {.stream = stream,
                        .left = 60 + column * cell_width,
                        .top = top + row * cell_height,
                        .width = cell_width - 45,
                        .height = cell_height - 60,
                        .x_low = 1e3,
                        .x_high = most,
                        .y_high = 1,
                        .x_log = true,
                        .title = title,
                        .x_label = lowest ? "evaluations" : "",
                        .y_label = column == 0 ? "runs" : NULL};
    plot_axes(&panel);
    plot_line(&panel, panel.x_low, 0.5, panel.x_high, 0.5, "stroke:#888;stroke-width:1");
    for (int k = 0; k < n_configs; k++) draw_curve(&panel, result_of(&complexes[i], k), "score", k);
  }
}

void bench_plot_e50(FILE *stream, const cli_json *json) {
  const cli_json *complexes, *configs;
  int n = cli_json_get_array(json, "complexes", &complexes),
      n_configs = cli_json_get_array(json, "configurations", &configs);
  const char *names[SERIES] = {""};
  if (n_configs > SERIES) n_configs = SERIES;
  for (int k = 0; k < n_configs; k++) names[k] = cli_json_get_text(&configs[k], "name");
  double low = 1e3, most = 1e4;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n_configs; k++) most = fmax(most, last_budget(result_of(&complexes[i], k)));
  plot_round_range(&low, &most, true);
  double top = n_configs > 1 ? 520 : 80;
  double height = top + cell_height * ((n + COLUMNS - 1) / COLUMNS);
  plot_begin(
      stream, 1010, height, "E50",
      "Above: evaluations for a success probability of one half, one configuration against the other, with 95 % "
      "intervals and the diagonal. Below: share of runs that succeed by score against evaluations, per complex.");
  if (n_configs > 1) draw_scatters(stream, complexes, n, names);
  plot_text(stream, 60, top - 50, "start", 13, "Share of runs within 1.0 kcal/mol of the minimum");
  plot_legend(stream, 480, top - 50, names, n_configs);
  draw_curves(stream, complexes, n, n_configs, top, most);
  plot_end(stream);
}
