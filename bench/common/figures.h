/* figures.h - the figures in the JSON of any benchmark: what was measured, which quantity, how much. */
#ifndef BERTH_BENCH_COMMON_FIGURES_H
#define BERTH_BENCH_COMMON_FIGURES_H

#include <stdio.h>

#include "bench/common/json_read.h"

typedef struct bench_figure {
  char *name;         /* what was measured: "1jla, cpu/avx512, 20 runs" */
  const char *metric; /* key of the JSON: "evaluations_per_second" */
  bool more_is_better;
  double value; /* NaN: was not measured, or was not valid */
} bench_figure;

typedef struct bench_figures {
  bench_figure *items;
  int count;
} bench_figures;

/* In the order of the JSON. BT_ERR_INPUT for a benchmark that is not known. Free the figures also after a failure. */
bt_status bench_figures_take(const cli_json *json, bench_figures *ret_figures, bt_error *opt_error) BT_MUST_USE;
void bench_figures_free(bench_figures *figures);
/* Figures of one metric follow each other: the first one of the next metric. */
int bench_figures_next(const bench_figures *figures, int index);
/* The figure of that name and metric; NULL when there is none. */
const bench_figure *bench_figures_find(const bench_figures *figures, const char *name, const char *metric);

/* A page for any benchmark: figures as bars. */
void bench_figures_draw(FILE *stream, const cli_json *json);

#endif
