/* output.h - output shared by all benchmarks of `berth bench`: a readable table or JSON with provenance, and a plot
 * drawn from the JSON. */
#ifndef BERTH_BENCH_COMMON_OUTPUT_H
#define BERTH_BENCH_COMMON_OUTPUT_H

#include "base/memory.h"
#include "base/text/json.h"
#include "common/options.h"
#include "common/report.h"

typedef struct bench_output {
  bool json; /* JSON instead of the table on standard output */
  const char *opt_json_file, *opt_plot;
  void (*opt_draw)(FILE *stream, const void *user); /* the plot; NULL: a bar chart of the JSON */
  char *command_line; /* filled and freed by bench_main */
  int exit_code;      /* of a benchmark that completed */
} bench_output;

/* Entries for a program's table of options; output is an lvalue of type bench_output. */
/* clang-format off */
#define BENCH_OUTPUT_OPTIONS(output)                                                                                   \
  {OPT_FLAG("json", 0, &(output).json, "print one JSON object instead of the table")},                                 \
  {OPT_STRING("json-file", 0, &(output).opt_json_file, "FILE",                                                         \
   "also write the JSON object to a file"), .opt_default = ""},                                                        \
  {OPT_STRING("plot", 0, &(output).opt_plot, "FILE.svg", "plot the results"), .opt_default = ""}
#define BENCH_QUIET_OPTION(quiet)                                                                                      \
  {OPT_FLAG("quiet", 'q', &(quiet), "no progress")}
/* clang-format on */

/* The main function of a benchmark: parses the command line, calls run, reports errors and returns the exit code. run
 * checks the options, measures, and calls bench_output_write. */
typedef bt_status (*bench_run_fn)(void *state, bt_error *error);
int bench_main(const cli_spec *spec, bench_output *output, int argc, char **argv, bench_run_fn run, void *state);

/* Reports a usage error such as "give -m MAPS". */
bt_status bench_refuse(bt_error *opt_error, const char *format, ...) BT_PRINTF(2, 3);

/* Write the members of the JSON object, and the table on standard output. */
typedef void (*bench_write_fn)(bt_json *json, const void *user);
typedef void (*bench_print_fn)(const void *user);

/* Writes the table or JSON to standard output, JSON and plot to their files. name is that of the benchmark; members
 * follow it. The exit code is CLI_EXIT_SYSTEM if the results are not valid. */
bt_status bench_output_write(bench_output *output, const char *name, bool valid, bench_write_fn members,
                             bench_print_fn table, const void *user, bt_error *opt_error) BT_MUST_USE;

#define bench_json bt_json_printf

/* printf without *, which prints a number that is not finite as a dash. */
void bench_print(const char *format, ...) BT_PRINTF(1, 2);
/* Prints a line such as "commit 1a2b3c, GCC 12.2.0 -O3". */
void bench_print_build(void);

/* Zeroed memory; exits when out of memory, since a benchmark has nothing to save. */
void *bench_allocate(size_t count, size_t size);
/* The same, but freed at exit. */
void *bench_keep(size_t count, size_t size);

int bench_by_value(const void *a, const void *b); /* of doubles, for qsort */

/* Median, shortest and longest time of repetitions of the same work; NaN if not valid. */
typedef struct bench_times {
  double median, least, most;
} bench_times;

/* Sorts seconds[count]. */
bench_times bench_times_of(double *seconds, int count);
extern const bench_times bench_times_unknown;

/* Model name of the CPU; "" if unknown. */
const char *bt_cpu_name(char *buffer, size_t size);

#endif
