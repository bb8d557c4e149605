/* plot.c - see plot.h. */
#include "bench/common/plot.h"

#include <math.h>
#include <string.h>

/* Okabe and Ito's color-blind-safe palette. */
static const char *const styles[] = {"stroke:#0072b2;stroke-width:1.8;fill:none",
                                     "stroke:#d55e00;stroke-width:1.8;stroke-dasharray:7 3;fill:none",
                                     "stroke:#009e73;stroke-width:1.8;stroke-dasharray:2 3;fill:none",
                                     "stroke:#cc79a7;stroke-width:1.8;stroke-dasharray:7 3 2 3;fill:none",
                                     "stroke:#e69f00;stroke-width:1.8;stroke-dasharray:12 4;fill:none",
                                     "stroke:#56b4e9;stroke-width:1.8;stroke-dasharray:4 2;fill:none",
                                     "stroke:#000000;stroke-width:1.8;fill:none"};
enum { N_SERIES = sizeof styles / sizeof styles[0] };

static void add_escaped(FILE *stream, const char *text) {
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '<')
      fputs("&lt;", stream);
    else if (*c == '&')
      fputs("&amp;", stream);
    else if (*c == '>')
      fputs("&gt;", stream);
    else if ((unsigned char)*c >= 0x20)
      fputc(*c, stream);
  }
}

void plot_begin(FILE *stream, double width, double height, const char *title, const char *description) {
  fprintf(stream,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" role=\"img\" "
          "font-family=\"Helvetica, Arial, sans-serif\">\n<title>",
          width, height, width, height);
  add_escaped(stream, title);
  fputs("</title>\n<desc>", stream);
  add_escaped(stream, description);
  fputs("</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", stream);
}

void plot_end(FILE *stream) { fputs("</svg>\n", stream); }

/* Spacing of about five ticks: 1, 2 or 5 times a power of ten. */
static double tick_step(double low, double high) {
  double rough = (high - low) / 5.0, power = pow(10.0, floor(log10(rough)));
  double factor = rough / power;
  return power * (factor < 1.5 ? 1.0 : factor < 3.5 ? 2.0 : factor < 7.5 ? 5.0 : 10.0);
}

void plot_round_range(double *low, double *high, bool logarithmic) {
  if (!isfinite(*low) || !isfinite(*high) || *low > *high) *low = logarithmic ? 1.0 : 0.0, *high = 1.0;
  if (logarithmic) {
    *low = pow(10.0, floor(log10(fmax(*low, 1e-300)) + 1e-9));
    *high = pow(10.0, ceil(log10(fmax(*high, 1e-300)) - 1e-9));
    if (*high <= *low) *high = 10.0 * *low;
    return;
  }
  if (*high - *low < 1e-12 * fmax(fabs(*high), 1e-300)) *high = *low + fmax(1.0, fabs(*low));
  double step = tick_step(*low, *high);
  *low = step * floor(*low / step + 1e-9);
  *high = step * ceil(*high / step - 1e-9);
}

static double place(double value, double low, double high, bool logarithmic) {
  double t = logarithmic ? log(fmax(value, 1e-300) / low) / log(high / low) : (value - low) / (high - low);
  return fmin(1.0, fmax(0.0, t));
}

double plot_x(const plot_panel *p, double value) {
  return p->left + p->width * place(value, p->x_low, p->x_high, p->x_log);
}

double plot_y(const plot_panel *p, double value) {
  return p->top + p->height * (1.0 - place(value, p->y_low, p->y_high, p->y_log));
}

void plot_text(FILE *stream, double x, double y, const char *anchor, double size, const char *text) {
  fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%g\">", x, y, anchor, size);
  add_escaped(stream, text);
  fputs("</text>\n", stream);
}

static void tick_name(double value, bool logarithmic, char *buffer, size_t size) {
  if (logarithmic && (value >= 1e3 || value < 1e-3))
    snprintf(buffer, size, "1e%d", (int)lround(log10(value)));
  else
    snprintf(buffer, size, "%g", fabs(value) < 1e-12 ? 0.0 : value);
}

static void tick(const plot_panel *p, double value, bool of_x, bool logarithmic) {
  char name[40];
  tick_name(value, logarithmic, name, sizeof name);
  static const char grid[] = "stroke:#ddd;stroke-width:1";
  if (of_x) {
    plot_line(p, value, p->y_low, value, p->y_high, grid);
    plot_text(p->stream, plot_x(p, value), p->top + p->height + 15, "middle", 11, name);
  } else {
    plot_line(p, p->x_low, value, p->x_high, value, grid);
    plot_text(p->stream, p->left - 6, plot_y(p, value) + 4, "end", 11, name);
  }
}

static void ticks(const plot_panel *p, bool of_x) {
  double low = of_x ? p->x_low : p->y_low, high = of_x ? p->x_high : p->y_high;
  if (of_x ? p->x_log : p->y_log) {
    for (double value = low; value <= high * 1.0001; value *= 10.0) tick(p, value, of_x, true);
    return;
  }
  double step = tick_step(low, high);
  int count = (int)((high - low) / step + 1e-6);
  for (int k = 0; k <= count; k++) tick(p, step * ceil(low / step - 1e-9) + k * step, of_x, false);
}

void plot_axes(const plot_panel *p) {
  if (p->x_label != NULL) ticks(p, true);
  if (!p->names) ticks(p, false);
  fprintf(p->stream, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#333\"/>\n",
          p->left, p->top, p->width, p->height);
  if (p->title != NULL) plot_text(p->stream, p->left + p->width / 2, p->top - 8, "middle", 13, p->title);
  if (p->x_label != NULL)
    plot_text(p->stream, p->left + p->width / 2, p->top + p->height + 34, "middle", 12, p->x_label);
  if (p->y_label == NULL) return;
  double x = p->left - 48, y = p->top + p->height / 2;
  fprintf(p->stream, "<g transform=\"rotate(-90 %.1f %.1f)\">", x, y);
  plot_text(p->stream, x, y, "middle", 12, p->y_label);
  fputs("</g>\n", p->stream);
}

const char *plot_line_style(int series) { return styles[series % N_SERIES]; }

void plot_point(const plot_panel *p, double x, double y) {
  fprintf(p->stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"" PLOT_COLOR "\"/>\n", plot_x(p, x),
          plot_y(p, y));
}

void plot_line(const plot_panel *p, double x1, double y1, double x2, double y2, const char *style) {
  fprintf(p->stream, "<path d=\"M%.1f %.1fL%.1f %.1f\" style=\"%s\"/>\n", plot_x(p, x1), plot_y(p, y1), plot_x(p, x2),
          plot_y(p, y2), style);
}

void plot_legend(FILE *stream, double x, double y, const char *const *names, int count) {
  for (int k = 0; k < count; k++) {
    fprintf(stream, "<path d=\"M%.1f %.1fh26\" style=\"%s\"/>\n", x, y - 4, plot_line_style(k));
    plot_text(stream, x + 34, y, "start", 12, names[k]);
    x += 50 + 7.0 * (double)strlen(names[k]);
  }
}
