/* plot.h - plots for papers as SVG: axes, points, lines; black on white, readable without colour. */
#ifndef BERTH_BENCH_COMMON_PLOT_H
#define BERTH_BENCH_COMMON_PLOT_H

#include <stdbool.h>
#include <stdio.h>

/* A rectangle of the page with its axes. */
typedef struct plot_panel {
  FILE *stream;
  double left, top, width, height; /* of the rectangle within the axes, pixels */
  double x_low, x_high, y_low, y_high;
  bool x_log, y_log;
  bool names; /* stand on the left, in the place of ticks */
  const char *title, *x_label, *y_label;
} plot_panel;

/* Opens and closes the page. title and description are for people who do not see it. */
void plot_begin(FILE *stream, double width, double height, const char *title, const char *description);
void plot_end(FILE *stream);

/* Widens a range so that it ends at round numbers (powers of ten when logarithmic), and is none of zero width. */
void plot_round_range(double *low, double *high, bool logarithmic);
/* Frame, ticks with numbers, grid lines, title and labels. */
void plot_axes(const plot_panel *panel);
/* Pixels; values outside the range are moved to its end. */
double plot_x(const plot_panel *panel, double value);
double plot_y(const plot_panel *panel, double value);

#define PLOT_COLOUR "#0072b2"
void plot_point(const plot_panel *panel, double x, double y);
/* From (x1, y1) to (x2, y2) in values. */
void plot_line(const plot_panel *panel, double x1, double y1, double x2, double y2, const char *style);
/* anchor: start, middle or end; pixels. */
void plot_text(FILE *stream, double x, double y, const char *anchor, double size, const char *text);
/* A sample of each series with its name, from the top left corner given in pixels. */
void plot_legend(FILE *stream, double x, double y, const char *const *names, int count);
/* Series 0, 1, ... have a colour and a dash each. */
const char *plot_line_style(int series);

#endif
