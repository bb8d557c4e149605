/* files.h - two studies of E50 against each other. */
#ifndef BERTH_BENCH_E50_FILES_H
#define BERTH_BENCH_E50_FILES_H

#include "bench/common/output.h"
#include "bench/common/json_read.h"

/* Success by score is counted from each study's own minima, so both should know the same ones; a note tells where they
 * differ by more than 0.1 kcal/mol. */
bt_status bench_compare_e50(const cli_json *first, const cli_json *second, const bench_output *output,
                            bt_error *opt_error) BT_MUST_USE;

#endif
