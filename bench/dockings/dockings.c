/* dockings.c - see dockings.h. */
#include "bench/dockings/dockings.h"

#include <math.h>
#include <stdlib.h>

dockings dockings_start(const char *program) {
  dockings d = {.program = program, .repeats = 3, .search = bt_dock_options_default()};
  d.search.population = 150;
  d.search.local_search = BT_LS_ADADELTA;
  d.search.seed = 1;
  return d;
}

void dockings_free(dockings *d) {
  free(d->rows);
  bench_cases_free(&d->cases);
  cli_list_free(&d->words);
}

bt_status dockings_measure(dockings *d, const bench_case *of, bt_error *opt_error) {
  bt_error error = {0};
  docking_row *row = &d->rows[d->count++];
  *row = (docking_row){.of = of, .team = d->search.team, .runs = d->search.runs};
  row->status = docking_time(&d->search, d->repeats, row, &error);
  bool fatal = row->status != BT_OK && row->status != BT_ERR_DEVICE && row->status != BT_ERR_LIMIT &&
               row->status != BT_ERR_MEMORY && !(row->status == BT_ERR_USAGE && row->team > 0);
  if (fatal && opt_error != NULL) *opt_error = error;
  snprintf(row->reason, sizeof row->reason, "%s", error.message);
  return fatal ? row->status : BT_OK;
}

double docking_rate(const docking_row *row) {
  bool known = row->status == BT_OK && row->valid && row->seconds > 0;
  return known ? (double)row->evaluations / row->seconds : NAN;
}

double docking_ratio(const dockings *d, const docking_row *row) {
  double best = 0;
  for (int r = 0; r < d->count; r++)
    if (d->rows[r].of == row->of && d->rows[r].runs == row->runs) best = fmax(best, docking_rate(&d->rows[r]));
  return docking_rate(row) / best;
}

static void write_row(bt_json *json, const dockings *d, const docking_row *row) {
  bool done = row->status == BT_OK;
  bench_json(json, "{ case %s", row->of->name);
  bench_subject_json(json, &row->subject);
  bench_json(json, "measured %hhd reason %s valid %hhd team %d runs %d", done, row->reason, row->valid, row->team,
             row->runs);
  if (done) {
    bench_json(json, "team_first %d team_last %d evaluations %ld worst_energy_in_tolerances %g "
               "worst_gradient_in_tolerances %g energy_deviation %g best_energy %g seconds %g seconds_min %g "
               "seconds_max %g setup_seconds %g evaluations_per_second %g ratio_to_best %g", row->team_first,
               row->team_last, row->evaluations, row->worst.energy, row->worst.gradient, row->energy_deviation,
               row->best_energy, row->valid ? row->seconds : NAN, row->valid ? row->seconds_min : NAN,
               row->valid ? row->seconds_max : NAN, row->valid ? row->setup_seconds : NAN, docking_rate(row),
               docking_ratio(d, row));
  }
  bench_json(json, "}");
}

/* Was everything that could be timed right, and was there anything? */
static bool is_valid(const dockings *d) {
  int valid = 0;
  for (int r = 0; r < d->count; r++) {
    if (d->rows[r].status == BT_OK && !d->rows[r].valid) return false;
    valid += d->rows[r].valid;
  }
  return valid > 0;
}

static void write_members(bt_json *json, const void *user) {
  const dockings *d = user;
  bench_json(json, "valid %hhd population %d evaluations_per_run %ld repeats %d seed %lu rows [", is_valid(d),
             d->search.population, d->search.evaluations, d->repeats, d->search.seed);
  for (int r = 0; r < d->count; r++) write_row(json, d, &d->rows[r]);
  bench_json(json, "]");
}

bt_status dockings_write(dockings *d, const char *name, bench_print_fn table, const void *user, bt_error *opt_error) {
  return bench_output_write(&d->output, name, is_valid(d), write_members, table, user, opt_error);
}

void dockings_print_reasons(const dockings *d) {
  for (int r = 0; r < d->count; r++) {
    const docking_row *row = &d->rows[r];
    if (row->status == BT_OK && row->valid) continue;
    printf("  %s, %s", row->of->name, row->subject.device);
    if (row->team > 0) printf(", team %d", row->team);
    printf(", %d runs: ", row->runs);
    if (row->status != BT_OK)
      puts(row->reason);
    else
      printf("not valid: energy %.2f, gradient %.2f of the tolerance\n", row->worst.energy, row->worst.gradient);
  }
}
