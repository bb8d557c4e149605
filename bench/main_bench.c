/* main_bench.c - `berth-bench`, which `berth bench` executes: finds the benchmark. */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "common/options.h"
#include "common/report.h"
#include "signals/interrupt.h"

static const struct {
  const char *name, *summary;
  int (*run)(int argc, char **argv);
} benchmarks[] = {
#define BENCH_ENTRY(name, summary) {#name, summary, bench_##name},
    BENCH_LIST(BENCH_ENTRY)
#undef BENCH_ENTRY
};

static void print_man(void) {
  printf(".TH BERTH-BENCH 1 \"\" \"Berth %s\"\n.SH NAME\nberth\\-bench \\- benchmarks that validate their results "
         "before they report a speed\n.SH SYNOPSIS\n\\fBberth bench\\fR \\fINAME\\fR [options]\n.SH BENCHMARKS\n",
         BT_VERSION);
  for (int i = 0; i < CLI_COUNT(benchmarks); i++)
    printf(".TP\n\\fB%s\\fR\n%s\n", benchmarks[i].name, benchmarks[i].summary);
  puts(".SH SEE ALSO\n\\fBberth\\-bench\\-evals\\fR(1) and the pages of the other benchmarks");
}

static int run(int argc, char **argv) {
  const char *names[CLI_COUNT(benchmarks)];
  for (int i = 0; i < CLI_COUNT(benchmarks); i++) {
    names[i] = benchmarks[i].name;
    if (argc >= 2 && strcmp(argv[1], names[i]) == 0) return benchmarks[i].run(argc - 1, argv + 1);
  }
  if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    puts("berth bench - benchmarks that validate their results before they report a speed\n\n"
         "Usage: berth bench NAME [options]\n");
    for (int i = 0; i < CLI_COUNT(benchmarks); i++) printf("  %-12s %s\n", names[i], benchmarks[i].summary);
    puts("\n`berth bench NAME --help` explains the options of a benchmark.");
    return CLI_EXIT_OK;
  }
  if (argc >= 2 && strcmp(argv[1], "--help=man") == 0) {
    print_man();
    return CLI_EXIT_OK;
  }
  const char *nearest = argc >= 2 ? cli_nearest(argv[1], names, CLI_COUNT(benchmarks)) : NULL;
  if (nearest != NULL)
    cli_message("berth bench", "unknown benchmark '%s'; did you mean 'berth bench %s'?", argv[1], nearest);
  else
    cli_message("berth bench", "name a benchmark, such as evals; `berth bench --help` lists them");
  return CLI_EXIT_BAD;
}

int main(int argc, char **argv) {
  cli_signals_prepare();
  return cli_finish("berth bench", run(argc, argv));
}
