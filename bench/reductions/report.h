/* report.h - what `berth bench reductions` prints. */
#ifndef BERTH_BENCH_REDUCTIONS_REPORT_H
#define BERTH_BENCH_REDUCTIONS_REPORT_H

#include "bench/common/results.h"
#include <stdio.h>

typedef struct bench_reductions_finding {
  const char *ligand;
  const bt_bench_reductions_result *result;
} bench_reductions_finding;

/* The tables, and the members of the JSON object, of a bench_reductions_finding. */
void bench_reductions_text(const void *finding);
void bench_reductions_members(FILE *stream, const void *finding);

#endif
