/* plot.c - E50 of two configurations on logarithmic axes with the diagonal, and success curves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/plot.h"
#include "bench/e50/study.h"

enum { SERIES = 6, COLUMNS = 4, NEAR_PLACES = 2 };
static const double cell_width = 245, cell_height = 175, panel_size = 330;

static const bt_e50 *e50_of(const e50_study *study, int complex, int config, e50_criterion criterion) {
  return &e50_study_cell(study, complex, config)->e50[criterion];
}

/* Smallest and largest E50 or interval bound of all complexes that count. */
static void find_range(const e50_study *study, e50_criterion criterion, double *low, double *high) {
  *low = INFINITY;
  *high = -INFINITY;
  for (int i = 0; i < study->set.count; i++)
    for (int config = 0; config < 2 && e50_study_counts(study, i, criterion); config++) {
      const bt_e50 *e50 = e50_of(study, i, config, criterion);
      const double values[] = {e50->value, e50->low, e50->high};
      for (int k = 0; k < 3; k++) {
        if (!isfinite(values[k]) || values[k] <= 0) continue;
        *low = fmin(*low, values[k]);
        *high = fmax(*high, values[k]);
      }
    }
  plot_round_range(low, high, true);
}

/* In pixels. */
typedef struct box {
  double left, right, top, bottom;
} box;

/* Label positions beside a point, best first; from the third on with a leader line. */
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

/* Labels points, where possible without covering points or other labels. taken: points first. */
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

static void draw_scatter(const plot_panel *panel, const e50_study *study, e50_criterion criterion) {
  static const char bar[] = "stroke:#888;stroke-width:1";
  size_t n = (size_t)study->set.count;
  BT_SCOPED box *taken = bench_allocate(2 * n, sizeof *taken);
  BT_SCOPED const char **names = bench_allocate(n, sizeof *names);
  int shown = 0;
  plot_axes(panel);
  plot_line(panel, panel->x_low, panel->y_low, panel->x_high, panel->y_high, "stroke:#333;stroke-width:1");
  for (int i = 0; i < study->set.count; i++) {
    if (!e50_study_counts(study, i, criterion)) continue;
    /* values beyond the runs are drawn at the end of the axis */
    const bt_e50 *x = e50_of(study, i, 0, criterion), *y = e50_of(study, i, 1, criterion);
    plot_line(panel, x->low, y->value, x->high, y->value, bar);
    plot_line(panel, x->value, y->low, x->value, y->high, bar);
    plot_point(panel, x->value, y->value);
    double left = plot_x(panel, x->value), top = plot_y(panel, y->value);
    taken[shown] = (box){left - 4, left + 4, top - 4, top + 4};
    names[shown++] = study->set.items[i].name;
  }
  if (shown > 0) draw_labels(panel->stream, taken, shown, names);
}

static void draw_scatters(FILE *stream, const e50_study *study) {
  static const char *const titles[] = {"by score: within 1.0 kcal/mol", "by RMSD: within 2 Angstrom"};
  for (int c = 0; c < E50_CRITERIA; c++) {
    char x[160], y[160];
    snprintf(x, sizeof x, "E50 of %.100s, evaluations", study->configs[0].name);
    snprintf(y, sizeof y, "E50 of %.100s, evaluations", study->configs[1].name);
    plot_panel panel = {.stream = stream, .left = 80 + c * 480, .top = 60, .width = panel_size, .height = panel_size,
                        .x_log = true, .y_log = true, .title = titles[c], .x_label = x, .y_label = y};
    find_range(study, (e50_criterion)c, &panel.x_low, &panel.x_high);
    panel.y_low = panel.x_low;
    panel.y_high = panel.x_high;
    draw_scatter(&panel, study, (e50_criterion)c);
  }
}

static double last_budget(const e50_cell *cell) { return bt_e50_last(cell->runs[E50_SCORE], cell->trace.runs); }

/* Fraction of runs that are successful at a budget, up to the last that every run reached. */
static void draw_curve(const plot_panel *panel, const e50_cell *cell, int series) {
  double last = last_budget(cell);
  if (last <= panel->x_low) return;
  fputs("<path d=\"", panel->stream);
  for (double budget = panel->x_low;; budget *= pow(2.0, 0.125)) {
    double n = fmin(budget, last), share = bt_e50_share(cell->runs[E50_SCORE], cell->trace.runs, n);
    fprintf(panel->stream, "%c%.1f %.1f", budget > panel->x_low ? 'L' : 'M', plot_x(panel, n), plot_y(panel, share));
    if (n >= last) break;
  }
  fprintf(panel->stream, "\" style=\"%s\"/>\n", plot_line_style(series));
}

static void draw_curves(FILE *stream, const e50_study *study, int n_configs, double top, double most) {
  for (int i = 0; i < study->set.count; i++) {
    char title[120];
    int row = i / COLUMNS, column = i % COLUMNS;
    bool lowest = i + COLUMNS >= study->set.count;
    snprintf(title, sizeof title, "%.80s, %d torsions", study->set.items[i].name,
             e50_study_cell(study, i, 0)->trace.subject.torsions);
    plot_panel panel = {.stream = stream, .left = 60 + column * cell_width, .top = top + row * cell_height,
                        .width = cell_width - 45, .height = cell_height - 60, .x_low = 1e3, .x_high = most,
                        .y_high = 1, .x_log = true, .title = title, .x_label = lowest ? "evaluations" : "",
                        .y_label = column == 0 ? "runs" : NULL};
    plot_axes(&panel);
    plot_line(&panel, panel.x_low, 0.5, panel.x_high, 0.5, "stroke:#888;stroke-width:1");
    for (int k = 0; k < n_configs; k++) draw_curve(&panel, e50_study_cell(study, i, k), k);
  }
}

void e50_study_draw(FILE *stream, const void *user) {
  const e50_study *study = user;
  int n = study->set.count, n_configs = study->n_configs < SERIES ? study->n_configs : SERIES;
  const char *names[SERIES] = {""};
  double low = 1e3, most = 1e4;
  for (int k = 0; k < n_configs; k++) {
    names[k] = study->configs[k].name;
    for (int i = 0; i < n; i++) most = fmax(most, last_budget(e50_study_cell(study, i, k)));
  }
  plot_round_range(&low, &most, true);
  double top = n_configs > 1 ? 520 : 80, height = top + cell_height * ((n + COLUMNS - 1) / COLUMNS);
  plot_begin(
      stream, 1010, height, "E50",
      "Above: evaluations for a success probability of one half, one configuration against the other, with 95 % "
      "intervals and the diagonal. Below: fraction of runs that succeed by score against evaluations, per complex.");
  if (n_configs > 1) draw_scatters(stream, study);
  plot_text(stream, 60, top - 50, "start", 13, "Fraction of runs within 1.0 kcal/mol of the minimum");
  plot_legend(stream, 480, top - 50, names, n_configs);
  draw_curves(stream, study, n_configs, top, most);
  plot_end(stream);
}
