/* bench_compare_e50.h - two studies of E50 against each other. */
#ifndef BERTH_CLI_BENCH_BENCH_COMPARE_E50_H
#define BERTH_CLI_BENCH_BENCH_COMPARE_E50_H

#include "bench/bench_output.h"
#include "bench/json_read.h"

/* Success by score is counted from each study's own minima, so both should know the same ones; a note tells where they
 * differ by more than 0.1 kcal/mol. */
bt_status bench_compare_e50(const cli_json *first, const cli_json *second, const bench_output *output,
                            bt_error *opt_error) BT_MUST_USE;

#endif
