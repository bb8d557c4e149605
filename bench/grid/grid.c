/* grid.c - `berth bench grid`: map values per second, validated against AutoGrid's. */
#include <berth/grid.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench/bench.h"
#include "bench/common/cases.h"
#include "bench/common/output.h"

enum { SETS = 3 };
static const char *const isa_names[SETS] = {"avx512", "avx2", "base"};

typedef struct grid_row {
  const char *isa;
  bool measured;
  bt_maps_difference difference;
  bench_times seconds;
} grid_row;

typedef struct bench_state {
  const char *fld, *receptor, *opt_isa;
  int threads, repeats;
  bench_output output;
  bt_maps *truth;
  bt_molecule *molecule;
  const char **types;
  double *times;
  grid_row rows[SETS];
  int n_rows;
} bench_state;

static bool is_valid(const grid_row *row) { return row->measured && row->difference.beyond == 0; }

static bool all_valid(const bench_state *state) {
  int count = 0;
  for (int i = 0; i < state->n_rows; i++) {
    if (state->rows[i].measured && !is_valid(&state->rows[i])) return false;
    count += state->rows[i].measured;
  }
  return count > 0;
}

/* Values per second, over all maps. */
static double rate_of(const grid_row *row) {
  return row->seconds.median > 0 ? (double)row->difference.values / row->seconds.median : NAN;
}

static bt_status measure(bench_state *state, grid_row *row, bt_error *error) {
  bt_grid_options options = bt_grid_options_default();
  options.box = bt_maps_box(state->truth);
  options.threads = state->threads;
  options.opt_isa = row->isa;
  bt_status status = BT_OK;
  for (int r = 0; r < state->repeats && status == BT_OK; r++) {
    bt_maps *maps = NULL;
    double began = bt_seconds();
    status = bt_maps_compute(state->molecule, state->types, bt_maps_type_count(state->truth), &options, &maps, error);
    state->times[r] = bt_seconds() - began;
    if (status == BT_OK && r == 0) status = bt_maps_compare(maps, state->truth, &row->difference, error);
    bt_maps_destroy(maps);
  }
  if (status == BT_ERR_USAGE && state->opt_isa == NULL) return BT_OK; /* not supported by this CPU */
  if (status != BT_OK) return status;
  row->measured = true;
  row->seconds = is_valid(row) ? bench_times_of(state->times, state->repeats) : bench_times_unknown;
  return BT_OK;
}

static bt_status prepare(bench_state *state, bt_error *error) {
  BT_TRY(bt_maps_read(state->fld, NULL, 0, &state->truth, error));
  BT_TRY(bench_molecule_read(state->receptor, NULL, BT_MOLECULE_RECEPTOR, &state->molecule, error));
  int n_types = bt_maps_type_count(state->truth);
  state->types = bench_keep((size_t)n_types, sizeof *state->types);
  state->times = bench_keep((size_t)state->repeats, sizeof *state->times);
  for (int t = 0; t < n_types; t++) state->types[t] = bt_maps_type(state->truth, t);
  return BT_OK;
}

static void write_row(bt_json *json, const grid_row *row) {
  bench_json(json, "{ name %s measured %hhd valid %hhd", row->isa, row->measured, is_valid(row));
  if (row->measured) {
    bench_json(json, "values %ld beyond_tolerance %ld worst_in_tolerances %g seconds %g seconds_min %g seconds_max %g "
               "values_per_second %g", row->difference.values, row->difference.beyond, row->difference.worst,
               row->seconds.median, row->seconds.least, row->seconds.most, rate_of(row));
  }
  bench_json(json, "}");
}

static void write_members(bt_json *json, const void *user) {
  const bench_state *state = user;
  bt_box box = bt_maps_box(state->truth);
  bench_json(json, "valid %hhd receptor %s npts [", all_valid(state), bt_maps_receptor_name(state->truth));
  for (int k = 0; k < 3; k++) bt_json_integer(json, box.npts[k]);
  bench_json(json, "] maps %d threads %d repeats %d spacing %g rows [", bt_maps_type_count(state->truth) + 2,
             state->threads, state->repeats, box.spacing);
  for (int i = 0; i < state->n_rows; i++) write_row(json, &state->rows[i]);
  bench_json(json, "]");
}

static void print_table(const void *user) {
  const bench_state *state = user;
  bt_box box = bt_maps_box(state->truth);
  printf("%s: %d maps of %d x %d x %d points, median of %d; commit %s, %s\n", bt_maps_receptor_name(state->truth),
         bt_maps_type_count(state->truth) + 2, box.npts[0] + 1, box.npts[1] + 1, box.npts[2] + 1, state->repeats,
         bt_build_commit(), bt_build_compiler());
  puts("  instructions  valid  beyond tolerance     worst   seconds  million values/s");
  for (int i = 0; i < state->n_rows; i++) {
    const grid_row *row = &state->rows[i];
    if (!row->measured) {
      printf("  %-12s  not supported by this CPU\n", row->isa);
      continue;
    }
    bench_print("  %-12s  %-5s  %16lld %9.2f%10.4f%18.2f\n", row->isa, is_valid(row) ? "yes" : "NO",
                (long long)row->difference.beyond, row->difference.worst, row->seconds.median, 1e-6 * rate_of(row));
  }
}

static bt_status run(void *user, bt_error *error) {
  bench_state *state = user;
  if (state->fld == NULL || state->receptor == NULL)
    return bench_refuse(error, "use -m MAPS.fld and -r RECEPTOR.pdbqt");
  BT_TRY(prepare(state, error));
  for (int i = 0; i < SETS; i++) {
    if (state->opt_isa != NULL && strcmp(state->opt_isa, isa_names[i]) != 0) continue;
    state->rows[state->n_rows] = (grid_row){.isa = isa_names[i]};
    BT_TRY(measure(state, &state->rows[state->n_rows++], error));
  }
  if (state->n_rows == 0)
    return bt_fail(error, BT_ERR_USAGE, (bt_where){0}, "use avx512, avx2 or base", "--isa: '%.40s' is not valid",
                   state->opt_isa);
  return bench_output_write(&state->output, "grid", all_valid(state), write_members, print_table, state, error);
}

static const char details[] =
    "Every value must agree with AutoGrid 4.2.6 within 0.002 kcal/mol or 0.1 %; otherwise no speed\n"
    "is reported and the exit code is 3. Earlier versions of AutoGrid smooth differently, so that their\n"
    "maps do not agree. Times are wall-clock, without file access.";

static const char examples[] =
    "  berth bench grid -m protein.maps.fld -r protein.pdbqt\n"
    "  berth bench grid -m protein.maps.fld -r protein.pdbqt --threads 0 --plot grid.svg";

int bench_grid(int argc, char **argv) {
  bench_state state = {.repeats = 3, .threads = 1};
  cli_option options[] = {
      {.group = "Input", OPT_STRING("maps", 'm', &state.fld, "FILE",
       "AutoGrid's maps of the receptor, .maps.fld: box, types and expected values")},
      {OPT_STRING("receptor", 'r', &state.receptor, "FILE", "receptor, .pdbqt")},
      {.group = "Benchmark", OPT_STRING("isa", 0, &state.opt_isa, "NAME", "vector instructions: avx512, avx2 or base"),
       .opt_default = "all"},
      {OPT_INT("threads", 0, &state.threads, "N", 0, 65536, "threads; 0: all cores")},
      {OPT_INT("repeats", 0, &state.repeats, "N", 1, 1000, "timed repetitions, of which the median is reported")},
      BENCH_OUTPUT_OPTIONS(state.output),
  };
  cli_spec spec = {"berth bench grid", "affinity-map values per second, and their agreement with AutoGrid",
                   "-m MAPS.fld -r RECEPTOR.pdbqt [options]", details, examples, CLI_TABLE(options), NULL};
  int exit_code = bench_main(&spec, &state.output, argc, argv, run, &state);
  bt_maps_destroy(state.truth);
  bt_molecule_destroy(state.molecule);
  return exit_code;
}
