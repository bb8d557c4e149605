/* dockings.c - measures a device's evaluations per second in whole dockings, and validates them. */
#include "bench/dockings/dockings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

dockings dockings_start(const char *program) {
  dockings d = {.program = program, .repeats = 3, .search = bt_dock_options_default()};
  d.search.population = 150;
  d.search.local_search = BT_LS_ADADELTA;
  d.search.seed = 1;
  d.search.poses = 1;
  return d;
}

void dockings_free(dockings *d) {
  bench_cases_free(&d->cases);
  cli_list_free(&d->words);
}

/* Most poses that are compared. */
enum { CHECKED = 160 };

typedef struct measurement {
  bench_job job;
  size_t slots;         /* individuals of all runs */
  float *genes, *noted; /* [slots] individuals, and their energies in the search */
  int64_t *evaluations; /* [runs] */
} measurement;

static bt_status read_populations(measurement *m, bt_error *opt_error) {
  BT_TRY(bt_job_read_genes(m->job.job, 0, m->genes, opt_error));
  return bt_job_read_energies(m->job.job, 0, m->noted, m->evaluations, opt_error);
}

/* Checks some individuals of the present populations, spread over all runs: the kernels' evaluation of their genes, and
 * the energies that the search recorded. */
static bt_status check(measurement *m, docking_row *row, bt_error *opt_error) {
  size_t checked = m->slots < CHECKED ? m->slots : CHECKED, n_genes = m->job.n_genes;
  BT_TRY(read_populations(m, opt_error));
  for (size_t i = 0; i < checked; i++) {
    size_t from = i * m->slots / checked;
    memmove(m->genes + i * n_genes, m->genes + from * n_genes, n_genes * sizeof *m->genes);
    m->noted[i] = m->noted[from];
  }
  return bench_job_check(&m->job, checked, m->genes, m->noted, &row->worst, &row->energy_deviation, opt_error);
}

/* Finds the lowest energy of all individuals, in double precision. */
static bt_status find_best(measurement *m, docking_row *row, bt_error *opt_error) {
  size_t best = 0;
  BT_TRY(read_populations(m, opt_error));
  for (size_t i = 1; i < m->slots; i++)
    if (m->noted[i] < m->noted[best] || isnan(m->noted[best])) best = i;
  bench_pose_set(&m->job.pose, m->job.data, m->genes + best * m->job.n_genes);
  row->best_energy = m->job.pose.energy;
  return BT_OK;
}

static bt_status time_dockings(measurement *m, int repeats, docking_row *row, bt_error *opt_error) {
  double seconds[1000];
  const bt_dock_options *o = &m->job.options;
  for (int r = 0; r < repeats; r++) {
    double start = bt_seconds();
    BT_TRY(bench_job_dock(&m->job, o->evaluations * o->runs, &row->evaluations, opt_error));
    seconds[r] = bt_seconds() - start;
  }
  row->seconds = bench_times_of(seconds, repeats);
  return BT_OK;
}

/* One generation to warm up, since drivers compile and load kernels when first used. With a limit, another one tells
 * how long a docking takes: if that is longer, it is not made; otherwise as many repeats as fit, at least one. */
static bt_status warm_up(measurement *m, double most, int *repeats, docking_row *row, bt_error *opt_error) {
  const bt_dock_options *o = &m->job.options;
  BT_TRY(bench_job_dock(&m->job, (int64_t)m->slots + 1, &row->evaluations, opt_error));
  if (!(most > 0)) return BT_OK;
  double start = bt_seconds();
  BT_TRY(bench_job_dock(&m->job, (int64_t)m->slots + 1, &row->evaluations, opt_error));
  double expected = (bt_seconds() - start) * fmax(1, (double)o->evaluations * o->runs / (double)row->evaluations);
  if (expected > most)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "raise --most-seconds",
                   "a docking would take %.0f s, more than --most-seconds %g", expected, most);
  *repeats = (int)fmax(1, fmin(*repeats, most / expected));
  return BT_OK;
}

static bt_status measure(measurement *m, double most, int repeats, docking_row *row, bt_error *opt_error) {
  bench_job *j = &m->job;
  BT_TRY(bench_job_find(j, &row->subject, opt_error));
  BT_TRY(bench_job_open(j, opt_error));
  m->slots = (size_t)j->options.runs * (size_t)j->options.population;
  BT_NEW(&j->memory, m->genes, m->slots * j->n_genes);
  BT_NEW(&j->memory, m->noted, m->slots);
  BT_NEW(&j->memory, m->evaluations, j->options.runs);
  BT_TRY(bt_arena_status(&j->memory, opt_error));
  BT_TRY(bench_job_start(j, opt_error)); /* drivers and kernels are loaded when first used */
  double start = bt_seconds();
  BT_TRY(bench_job_start(j, opt_error));
  BT_TRY(bt_job_initialize(j->job, opt_error));
  BT_TRY(bt_job_read_energies(j->job, 0, m->noted, m->evaluations, opt_error)); /* waits for the device */
  row->setup_seconds = bt_seconds() - start;
  BT_TRY(check(m, row, opt_error));
  row->team_first = bt_job_team(j->job, (int)m->slots);
  row->team_last = bt_job_team(j->job, 1);
  BT_TRY(warm_up(m, most, &repeats, row, opt_error));
  BT_TRY(time_dockings(m, repeats, row, opt_error));
  BT_TRY(check(m, row, opt_error));
  BT_TRY(find_best(m, row, opt_error));
  row->valid = row->worst.energy <= 1.0 && row->worst.gradient <= 1.0;
  return BT_OK;
}

bt_status dockings_measure(dockings *d, const bench_case *of, bt_error *error) {
  measurement m = {.job = {.of = of, .options = d->search}};
  docking_row *row = &d->rows[d->count++];
  *row = (docking_row){.of = of, .team = d->search.team, .runs = d->search.runs};
  row->status = measure(&m, d->most_seconds, d->repeats, row, error);
  bench_job_close(&m.job);
  if (row->status != BT_OK || !row->valid) {
    row->seconds = bench_times_unknown;
    row->setup_seconds = NAN;
  }
  if (row->status == BT_OK) return BT_OK;
  snprintf(row->reason, sizeof row->reason, "%s", error->message);
  bool fatal = row->status != BT_ERR_DEVICE && row->status != BT_ERR_LIMIT && row->status != BT_ERR_MEMORY &&
               !(row->status == BT_ERR_USAGE && row->team > 0);
  return fatal ? row->status : BT_OK;
}

const char *dockings_method(const dockings *d) {
  switch (d->search.local_search) {
    case BT_LS_NONE: return "no local search";
    case BT_LS_SOLIS_WETS: return "Solis-Wets";
    case BT_LS_ADADELTA: return "ADADELTA";
    case BT_LS_ADAM: return "ADAM";
  }
  return "";
}

double docking_rate(const docking_row *row) {
  return row->seconds.median > 0 ? (double)row->evaluations / row->seconds.median : NAN;
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
               row->best_energy, row->seconds.median, row->seconds.least, row->seconds.most, row->setup_seconds,
               docking_rate(row), docking_ratio(d, row));
  }
  bench_json(json, "}");
}

/* Whether everything that could be timed was valid, and there was at least one such row. */
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
  bench_json(json, "valid %hhd local_search %s population %d evaluations_per_run %ld repeats %d seed %lu rows [",
             is_valid(d), dockings_method(d), d->search.population, d->search.evaluations, d->repeats, d->search.seed);
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
      printf("invalid: energy %.2f, gradient %.2f of the tolerance\n", row->worst.energy, row->worst.gradient);
  }
}
