/* study.c - from traces to successes, E50 and ratios. */
#include "bench/e50/study.h"

#include <math.h>
#include <stdlib.h>

const char *const e50_criteria[E50_CRITERIA] = {"score", "rmsd"};

void e50_study_open(e50_study *study) {
  size_t complexes = (size_t)study->set.count, configs = (size_t)study->n_configs;
  study->cells = bench_allocate(complexes * configs, sizeof *study->cells);
  study->rows = bench_allocate(complexes, sizeof *study->rows);
  study->contests = bench_allocate(configs, sizeof *study->contests);
  study->means = bench_allocate(configs, sizeof *study->means);
}

void e50_study_close(e50_study *study) {
  for (int i = 0; study->cells != NULL && i < study->set.count * study->n_configs; i++) {
    e50_trace_free(&study->cells[i].trace);
    for (int k = 0; k < E50_CRITERIA; k++) free(study->cells[i].runs[k]);
  }
  for (int k = 0; k < study->n_configs; k++) e50_config_free(&study->configs[k]);
  e50_against_close(&study->against);
  e50_set_free(&study->set);
  free(study->configs);
  free(study->cells);
  free(study->rows);
  free(study->contests);
  free(study->means);
}

e50_cell *e50_study_cell(const e50_study *study, int complex, int config) {
  return &study->cells[complex * study->n_configs + config];
}

bool e50_study_valid(const e50_study *study) {
  for (int i = 0; i < study->set.count * study->n_configs; i++)
    if (!study->cells[i].trace.valid) return false;
  return true;
}

/* order[n_steps]: the steps run by run, each run's in the order of generations; first[run], first[run + 1]: its part.
 */
static void sort_by_run(const e50_trace *t, size_t *first, size_t *order) {
  size_t runs = (size_t)t->runs;
  for (size_t i = 0; i < t->n_steps; i++) first[t->steps[i].run + 1]++;
  for (size_t r = 0; r < runs; r++) first[r + 1] += first[r];
  for (size_t i = 0; i < t->n_steps; i++) order[first[t->steps[i].run]++] = i;
  for (size_t r = runs; r > 0; r--) first[r] = first[r - 1]; /* each had moved to its end */
  first[0] = 0;
}

bt_e50_run *e50_runs_find(const e50_trace *trace, double energy, double rmsd) {
  size_t runs = (size_t)trace->runs, used = 0;
  BT_SCOPED size_t *first = bench_allocate(runs + 1, sizeof *first);
  BT_SCOPED size_t *order = bench_allocate(trace->n_steps, sizeof *order);
  bt_e50_run *found = bench_allocate(1, runs * sizeof *found + trace->n_steps * sizeof(int64_t));
  int64_t *changes = (int64_t *)(found + runs);
  sort_by_run(trace, first, order);
  for (size_t r = 0; r < runs; r++) {
    bt_e50_run *run = &found[r];
    *run = (bt_e50_run){.changes = changes + used, .evaluations = trace->evaluations[r]};
    for (size_t i = first[r]; i < first[r + 1]; i++) {
      const e50_step *step = &trace->steps[order[i]];
      if ((step->energy <= energy && step->rmsd <= rmsd) == run->n_changes % 2) continue;
      changes[used++] = step->evaluations;
      run->n_changes++;
    }
  }
  return found;
}

static void find_best(e50_cell *cell) {
  cell->best = INFINITY;
  cell->best_rmsd = NAN;
  for (size_t i = 0; i < cell->trace.n_steps; i++) {
    const e50_step *s = &cell->trace.steps[i];
    if (s->energy >= cell->best) continue;
    cell->best = s->energy;
    cell->best_rmsd = s->rmsd;
  }
}

static void judge_complex(const e50_study *study, int complex) {
  e50_row *row = &study->rows[complex];
  *row = (e50_row){.best = INFINITY, .best_rmsd = NAN};
  for (int k = 0; k < study->n_configs; k++) {
    e50_cell *cell = e50_study_cell(study, complex, k);
    find_best(cell);
    if (cell->best >= row->best) continue;
    row->best = cell->best;
    row->best_rmsd = cell->best_rmsd;
  }
  row->minimum = fmin(row->best, study->set.items[complex].known); /* not NaN unless both are */
  bool missed = row->best > row->minimum + study->limits.window;
  row->minimum_rmsd = missed ? study->set.items[complex].known_rmsd : row->best_rmsd;
  row->by_rmsd = row->minimum_rmsd <= study->limits.radius;
}

/* What the traces of one complex say. */
static void evaluate_cell(const e50_study *study, const e50_row *row, uint64_t seed, e50_cell *cell) {
  double seconds = cell->trace.docking_seconds;
  cell->rate = seconds > 0 ? (double)cell->trace.total / seconds : NAN;
  cell->runs[E50_SCORE] = e50_runs_find(&cell->trace, row->minimum + study->limits.window, INFINITY);
  cell->runs[E50_RMSD] = e50_runs_find(&cell->trace, INFINITY, study->limits.radius);
  for (int c = 0; c < E50_CRITERIA; c++) {
    cell->ratio[c] = cell->seconds_ratio[c] = NAN;
    cell->e50[c] = bt_e50_estimate(cell->runs[c], cell->trace.runs, seed);
  }
}

static bool counts(const e50_study *study, int complex, e50_criterion criterion) {
  return criterion == E50_SCORE || study->rows[complex].by_rmsd;
}

/* One configuration against the first, by evaluations or by seconds. */
static bt_e50_comparison compare(const e50_study *study, int config, e50_criterion criterion, bool seconds,
                                 uint64_t seed) {
  size_t count = (size_t)study->set.count;
  int used = 0;
  BT_SCOPED bt_e50_pair *pairs = bench_allocate(count, sizeof *pairs);
  BT_SCOPED double *ratios = bench_allocate(count, sizeof *ratios);
  BT_SCOPED e50_cell **cells = bench_allocate(count, sizeof *cells);
  for (int i = 0; i < study->set.count; i++) {
    e50_cell *a = e50_study_cell(study, i, 0), *b = e50_study_cell(study, i, config);
    if (!counts(study, i, criterion)) continue;
    cells[used] = b;
    pairs[used++] = (bt_e50_pair){{{a->runs[criterion], a->trace.runs, a->rate},
                                   {b->runs[criterion], b->trace.runs, b->rate}}};
  }
  bt_e50_comparison result = bt_e50_compare(pairs, used, seconds, seed, ratios);
  for (int k = 0; k < used; k++)
    *(seconds ? &cells[k]->seconds_ratio[criterion] : &cells[k]->ratio[criterion]) = ratios[k];
  return result;
}

static bool anyone_succeeded(const e50_study *study, int complex, e50_criterion criterion) {
  for (int k = 0; k < study->n_configs; k++)
    if (e50_study_cell(study, complex, k)->e50[criterion].successes > 0) return true;
  return false;
}

static e50_mean mean_of(const e50_study *study, int config, e50_criterion criterion) {
  e50_mean mean = {0};
  double evaluations = 0, seconds = 0;
  for (int i = 0; i < study->set.count; i++) {
    if (!counts(study, i, criterion) || !anyone_succeeded(study, i, criterion)) continue;
    const e50_cell *cell = e50_study_cell(study, i, config);
    evaluations += log(cell->e50[criterion].counted);
    seconds += log(bt_e50_seconds(cell->e50[criterion].counted, cell->rate, 0.5));
    mean.complexes++;
  }
  mean.e50 = exp(evaluations / mean.complexes); /* NaN of none */
  mean.seconds = exp(seconds / mean.complexes);
  return mean;
}

void e50_study_evaluate(e50_study *study, uint64_t seed) {
  for (int i = 0; i < study->set.count; i++) {
    judge_complex(study, i);
    for (int k = 0; k < study->n_configs; k++) evaluate_cell(study, &study->rows[i], seed, e50_study_cell(study, i, k));
  }
  for (int c = 0; c < E50_CRITERIA; c++)
    for (int k = 0; k < study->n_configs; k++) {
      study->means[k][c] = mean_of(study, k, (e50_criterion)c);
      if (k == 0) continue;
      study->contests[k].evaluations[c] = compare(study, k, (e50_criterion)c, false, seed);
      study->contests[k].seconds[c] = compare(study, k, (e50_criterion)c, true, seed);
    }
}
