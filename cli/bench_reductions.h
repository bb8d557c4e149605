/* bench_reductions.h - what `berth bench reductions` prints. */
#ifndef BERTH_CLI_BENCH_REDUCTIONS_H
#define BERTH_CLI_BENCH_REDUCTIONS_H

#include <berth/berth.h>

void bench_reductions_text(const char *ligand, const bt_bench_reductions_result *result);
void bench_reductions_json(const char *ligand, const bt_bench_reductions_result *result);

#endif
