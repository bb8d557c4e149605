/* figures.h - extracts the figures from the JSON of any benchmark: what was measured, the metric and the value. */
#ifndef BERTH_BENCH_COMMON_FIGURES_H
#define BERTH_BENCH_COMMON_FIGURES_H

#include <stdio.h>

#include "bench/common/json_read.h"

typedef struct bench_figure {
  char *name;         /* what was measured: "1jla, cpu/avx512, 20 runs" */
  const char *metric; /* key of the JSON: "evaluations_per_second" */
  bool more_is_better;
  double value; /* NaN: not measured, or not valid */
} bench_figure;

typedef struct bench_figures {
  bench_figure *items;
  int count;
} bench_figures;

/* In the order of the JSON. BT_ERR_INPUT: unknown benchmark. Free the figures also after a failure. */
bt_status bench_figures_take(const cli_json *json, bench_figures *ret_figures, bt_error *opt_error) BT_MUST_USE;
void bench_figures_free(bench_figures *figures);
/* Index of the first figure of the next metric; figures of one metric are consecutive. */
int bench_figures_next(const bench_figures *figures, int index);
/* The figure with that name and metric; NULL if there is none. */
const bench_figure *bench_figures_find(const bench_figures *figures, const char *name, const char *metric);

/* Draws the figures of any benchmark as a bar chart. */
void bench_figures_draw(FILE *stream, const cli_json *json);

#endif
