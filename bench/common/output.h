/* output.h - what every benchmark of `berth bench` does with its figures: a table for people, or JSON with its
 * provenance, and a plot that is drawn from the JSON. */
#ifndef BERTH_BENCH_COMMON_OUTPUT_H
#define BERTH_BENCH_COMMON_OUTPUT_H

#include <berth/berth.h>
#include <stdio.h>

#include "common/options.h"

typedef struct bench_output {
  bool json; /* JSON instead of the table on standard output */
  const char *opt_json_file, *opt_plot;
  char *command_line; /* filled by bench_output_check */
} bench_output;

/* Entries for a program's table of options; output is an lvalue of type bench_output. */
/* clang-format off */
#define BENCH_OUTPUT_OPTIONS(output)                                                                               \
  {.name = "json", .kind = CLI_FLAG, .target = &(output).json, .help = "one JSON object instead of the table"},   \
  {.name = "json-file", .kind = CLI_STRING, .target = &(output).opt_json_file, .value = "FILE", .opt_default = "", \
   .help = "writes the JSON object as well"},                                                                      \
  {.name = "plot", .kind = CLI_STRING, .target = &(output).opt_plot, .value = "FILE.svg", .opt_default = "",       \
   .help = "draws the figures"}
/* clang-format on */

/* Before any work: can the files be written? Notes the command line. A message and false when not. */
bool bench_output_check(const char *program, bench_output *output, int argc, char **argv);
void bench_output_free(bench_output *output);

/* Writes members of an object, each opened by ", " except the first. */
typedef void (*bench_write_fn)(FILE *stream, const void *user);
typedef void (*bench_print_fn)(const void *user);

/* Table or JSON to standard output, JSON and plot to their files. name is the benchmark's; members follow it. */
bt_status bench_output_write(const bench_output *output, const char *name, bench_write_fn members, bench_print_fn table,
                             const void *user, bt_error *opt_error) BT_MUST_USE;

/* Model name of the processor; "" when the system does not say. */
const char *bt_cpu_name(char *buffer, size_t size);

#endif
