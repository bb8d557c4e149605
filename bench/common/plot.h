/* plot.h - plots for publication as SVG: axes, points and lines; readable without color. */
#ifndef BERTH_BENCH_COMMON_PLOT_H
#define BERTH_BENCH_COMMON_PLOT_H

#include <stdbool.h>
#include <stdio.h>

/* A panel of the page with its axes. */
typedef struct plot_panel {
  FILE *stream;
  double left, top, width, height; /* of the rectangle within the axes, pixels */
  double x_low, x_high, y_low, y_high;
  bool x_log, y_log;
  bool names; /* in place of ticks on the left axis */
  const char *title, *x_label, *y_label;
} plot_panel;

/* Opens and closes the page. title and description are for screen readers. */
void plot_begin(FILE *stream, double width, double height, const char *title, const char *description);
void plot_end(FILE *stream);

/* Widens a range to round numbers (powers of ten if logarithmic) and to a width above zero. */
void plot_round_range(double *low, double *high, bool logarithmic);
/* Frame, ticks with numbers, grid lines, title and labels. */
void plot_axes(const plot_panel *panel);
/* Pixels; values outside the range are clamped. */
double plot_x(const plot_panel *panel, double value);
double plot_y(const plot_panel *panel, double value);

#define PLOT_COLOR "#0072b2"
void plot_point(const plot_panel *panel, double x, double y);
/* From (x1, y1) to (x2, y2), in data coordinates. */
void plot_line(const plot_panel *panel, double x1, double y1, double x2, double y2, const char *style);
/* anchor: start, middle or end; pixels. */
void plot_text(FILE *stream, double x, double y, const char *anchor, double size, const char *text);
/* Legend with a sample of each series; x and y of its top left corner in pixels. */
void plot_legend(FILE *stream, double x, double y, const char *const *names, int count);
/* Color and dash pattern of series 0, 1, ... */
const char *plot_line_style(int series);

#endif
