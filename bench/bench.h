/* bench.h - the benchmarks of `berth bench`; each has one line here and its code in bench/. */
#ifndef BERTH_BENCH_BENCH_H
#define BERTH_BENCH_BENCH_H

#include <berth/berth.h>

/* name, summary in --help */
#define BENCH_LIST(X)                                                                 \
  X(bude, "interactions per second of the BUDE engine, on miniBUDE decks")             \
  X(compare, "compare the results of two runs of the same benchmark")                  \
  X(e50, "evaluations that a run needs for a success probability of one half")         \
  X(evals, "microseconds per evaluation of the kernels and of whole dockings")        \
  X(fpga, "model of docking as tasks on an FPGA, with predicted speed")                 \
  X(grid, "affinity-map values per second, and their agreement with AutoGrid")           \
  X(mappings, "evaluations per second by team size (GPU lanes that share one pose)")   \
  X(networks, "milliseconds per pose of the networks that re-score")                    \
  X(portability, "evaluations per second of the same dockings on every device")        \
  X(reductions, "errors, cycles and times of reductions across GPU lanes")             \
  X(screen, "ligands per second when docking many ligands in batches")

/* argv[0] is the benchmark's name; the result is the exit code. */
#define BENCH_DECLARE(name, summary) int bench_##name(int argc, char **argv);
BENCH_LIST(BENCH_DECLARE)
#undef BENCH_DECLARE

#endif
