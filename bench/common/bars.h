/* bars.h - plots of what `berth bench` measured, drawn from its JSON. */
#ifndef BERTH_BENCH_COMMON_BARS_H
#define BERTH_BENCH_COMMON_BARS_H

#include <stdio.h>

#include "bench/common/json_read.h"

/* A page for any benchmark: E50 as in the papers, other figures as points or bars. */
void bench_plot(FILE *stream, const cli_json *json);

/* bench_plot_e50.c: two configurations against each other, and the curves of successes of every complex. */
void bench_plot_e50(FILE *stream, const cli_json *json);

#endif
