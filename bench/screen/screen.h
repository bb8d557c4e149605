/* screen.h - a benchmark of screening: settings, the result of each ligand, and times. */
#ifndef BERTH_BENCH_SCREEN_SCREEN_H
#define BERTH_BENCH_SCREEN_SCREEN_H

#include <berth/berth.h>

#include "bench/common/output.h"
#include "dock/device.h"
#include "input/inputs.h"

/* Result of one ligand. */
typedef struct screen_record {
  char *name; /* NULL: not docked */
  int atoms, torsions;
  double best_score;       /* lowest inter + intra of all runs, kcal/mol */
  double best_free_energy; /* lowest estimated free energy, kcal/mol */
  double deviation;        /* largest of all runs: search energy from double precision, in tolerances */
  int64_t evaluations;
  double seconds; /* of its search, shared with the rest of the batch */
  char device[64];
} screen_record;

typedef struct screen_bench {
  const char *fld, *opt_csv;
  cli_list ligands;
  int batch, streams, limit;
  int64_t evaluations_per_run; /* 0: by heuristics */
  bench_output output;
  bool quiet;
  cli_device_request device;
  bt_dock_options search;
  bt_maps *maps;
  bt_text_list paths;
  screen_record *records; /* [n_records] by position */
  int n_records;
  size_t capacity;
  int docked, rejected, fallbacks; /* fallbacks: another device took over */
  double seconds;                  /* during which the device was docking */
  double seconds_reading, seconds_whole, seconds_start;
  int64_t evaluations;
} screen_bench;

/* dock.c: docks all ligands. */
bt_status screen_dock(screen_bench *bench, bt_error *opt_error) BT_MUST_USE;

#endif
