/* bench.h - the benchmarks of `berth bench`: one line here and one room bench/<name>/ or file each. */
#ifndef BERTH_BENCH_BENCH_H
#define BERTH_BENCH_BENCH_H

#include <berth/berth.h>

/* name, what --help says about it */
#define BENCH_LIST(X)                                                                 \
  X(bude, "interactions per second of the BUDE engine on decks of the mini-app")      \
  X(compare, "ratios of the figures in two files of the same benchmark")              \
  X(e50, "evaluations that a run needs to succeed with a probability of one half")    \
  X(evals, "microseconds per evaluation of the kernels and of whole dockings")        \
  X(fpga, "docking as tasks on an FPGA: a model, and the speed that it predicts")      \
  X(grid, "values of affinity maps per second, beside their agreement with AutoGrid")   \
  X(mappings, "lanes that share one pose: evaluations per second of every team size") \
  X(portability, "the same dockings on every device, side by side")                   \
  X(reductions, "how the lanes of a GPU add up: errors, cycles, times")               \
  X(screen, "ligands per second: many ligands docked in batches")

/* argv[0] is the benchmark's name; the result is the exit code. */
#define BENCH_DECLARE(name, summary) int bench_##name(int argc, char **argv);
BENCH_LIST(BENCH_DECLARE)
#undef BENCH_DECLARE

#endif
