/* reference.h - tables of what other programs achieve. */
#ifndef BERTH_BENCH_E50_REFERENCE_H
#define BERTH_BENCH_E50_REFERENCE_H

#include "bench/common/results.h"

#include "base/status.h"

/* bt_e50_reference_read of a text; path is for messages. */
bt_status bt_e50_reference_parse(const char *path, const char *text, size_t size, const char *opt_program,
                                 bt_e50_reference **ret_reference, bt_error *opt_error) BT_MUST_USE;

#endif
