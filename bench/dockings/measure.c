/* measure.c - how many evaluations per second a device makes in whole dockings, beside the proof that they are right.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench/dockings/dockings.h"

/* Poses that are compared, at most. */
enum { CHECKED = 160 };

typedef struct measurement {
  bench_job job;
  size_t slots;         /* individuals of all runs */
  float *genes, *noted; /* [slots] individuals, their energies as the search has them */
  int64_t *evaluations; /* [runs] */
} measurement;

static bt_status read_populations(measurement *m, bt_error *opt_error) {
  BT_TRY(bt_job_read_genes(m->job.job, 0, m->genes, opt_error));
  return bt_job_read_energies(m->job.job, 0, m->noted, m->evaluations, opt_error);
}

/* Compares some individuals of the present populations, spread over all runs: what the kernels say of their genes, and
 * what the search itself had noted. */
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

/* The lowest energy of all individuals, in double precision. */
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
  qsort(seconds, (size_t)repeats, sizeof *seconds, bench_by_value);
  row->seconds = seconds[repeats / 2];
  row->seconds_min = seconds[0];
  row->seconds_max = seconds[repeats - 1];
  return BT_OK;
}

static bt_status measure(measurement *m, int repeats, docking_row *row, bt_error *opt_error) {
  bench_job *j = &m->job;
  BT_TRY(bench_job_find(j, &row->subject, opt_error));
  BT_TRY(bench_job_open(j, opt_error));
  m->slots = (size_t)j->options.runs * (size_t)j->options.population;
  m->genes = bench_allocate(m->slots * j->n_genes, sizeof *m->genes);
  m->noted = bench_allocate(m->slots, sizeof *m->noted);
  m->evaluations = bench_allocate((size_t)j->options.runs, sizeof *m->evaluations);
  BT_TRY(bench_job_start(j, opt_error)); /* drivers and kernels are loaded when first used */
  double start = bt_seconds();
  BT_TRY(bench_job_start(j, opt_error));
  BT_TRY(bt_job_initialize(j->job, opt_error));
  BT_TRY(bt_job_read_energies(j->job, 0, m->noted, m->evaluations, opt_error)); /* waits for the device */
  row->setup_seconds = bt_seconds() - start;
  BT_TRY(check(m, row, opt_error));
  row->team_first = bt_job_team(j->job, (int)m->slots);
  row->team_last = bt_job_team(j->job, 1);
  BT_TRY(bench_job_dock(j, (int64_t)m->slots + 1, &row->evaluations, opt_error)); /* one generation to warm up */
  BT_TRY(time_dockings(m, repeats, row, opt_error));
  BT_TRY(check(m, row, opt_error));
  BT_TRY(find_best(m, row, opt_error));
  row->valid = row->worst.energy <= 1.0 && row->worst.gradient <= 1.0;
  return BT_OK;
}

bt_status docking_time(const bt_dock_options *options, int repeats, docking_row *row, bt_error *opt_error) {
  measurement m = {.job = {.of = row->of, .options = *options}};
  bt_status status = measure(&m, repeats, row, opt_error);
  bench_job_close(&m.job);
  free(m.genes);
  free(m.noted);
  free(m.evaluations);
  return status;
}
