/* compare.h - what `berth bench compare` leaves to others. */
#ifndef BERTH_BENCH_COMPARE_COMPARE_H
#define BERTH_BENCH_COMPARE_COMPARE_H

#include "bench/common/json_read.h"
#include "bench/common/output.h"

/* e50/files.c: two studies of E50. Success by score is counted from each study's own minima, so both should know the
 * same ones; a note tells where they differ by more than 0.1 kcal/mol. */
bt_status bench_compare_e50(const cli_json *first, const cli_json *second, bench_output *output,
                            bt_error *opt_error) BT_MUST_USE;

#endif
