/* study.c - from traces to successes, E50 and ratios. */
#include "bench/e50/study.h"

#include <math.h>
#include <stdlib.h>

const char *const e50_criteria[E50_CRITERIA] = {"score", "rmsd"};

void e50_study_close(e50_study *study) {
  for (int i = 0; study->cells != NULL && i < study->set.count * study->n_configs; i++)
    free(study->cells[i].trace.steps);
  bt_e50_reference_destroy(study->reference);
  e50_set_free(&study->set);
}

e50_cell *e50_study_cell(const e50_study *study, int complex, int config) {
  return &study->cells[complex * study->n_configs + config];
}

bool e50_study_valid(const e50_study *study) {
  for (int i = 0; i < study->set.count * study->n_configs; i++)
    if (!study->cells[i].trace.valid) return false;
  return true;
}

/* order[n_steps]: the steps grouped by run, in order of generations; a run's begin at first[run]. */
static void sort_by_run(const e50_trace *t, size_t *first, size_t *order) {
  size_t runs = (size_t)t->runs;
  for (size_t i = 0; i < t->n_steps; i++) first[t->steps[i].run + 1]++;
  for (size_t r = 0; r < runs; r++) first[r + 1] += first[r];
  for (size_t i = 0; i < t->n_steps; i++) order[first[t->steps[i].run]++] = i;
  for (size_t r = runs; r > 0; r--) first[r] = first[r - 1]; /* each had advanced to its end */
  first[0] = 0;
}

bt_e50_run *e50_runs_find(const e50_trace *trace, double energy, double rmsd) {
  size_t runs = (size_t)trace->runs, used = 0;
  BT_SCOPED size_t *first = bench_allocate(runs + 1, sizeof *first);
  BT_SCOPED size_t *order = bench_allocate(trace->n_steps, sizeof *order);
  bt_e50_run *found = bench_keep(1, runs * sizeof *found + trace->n_steps * sizeof(int64_t));
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

static void judge_complex(const e50_study *study, int complex) {
  e50_complex *of = &study->set.items[complex];
  of->best = INFINITY;
  of->best_rmsd = NAN;
  for (int k = 0; k < study->n_configs; k++) {
    e50_cell *cell = e50_study_cell(study, complex, k);
    cell->best = INFINITY;
    cell->best_rmsd = NAN;
    for (size_t i = 0; i < cell->trace.n_steps; i++) {
      const e50_step *s = &cell->trace.steps[i];
      if (s->energy >= cell->best) continue;
      cell->best = s->energy;
      cell->best_rmsd = s->rmsd;
    }
    if (cell->best >= of->best) continue;
    of->best = cell->best;
    of->best_rmsd = cell->best_rmsd;
  }
  of->minimum = fmin(of->best, of->known); /* not NaN unless both are */
  of->minimum_rmsd = of->best > of->minimum + study->limits.window ? of->known_rmsd : of->best_rmsd;
  of->by_rmsd = of->minimum_rmsd <= study->limits.radius;
}

/* Evaluates one trace of a complex. */
static void evaluate_cell(const e50_study *study, double minimum, uint64_t seed, e50_cell *cell) {
  double seconds = cell->trace.docking_seconds;
  cell->rate = seconds > 0 ? (double)cell->trace.total / seconds : NAN;
  cell->runs[E50_SCORE] = e50_runs_find(&cell->trace, minimum + study->limits.window, INFINITY);
  cell->runs[E50_RMSD] = e50_runs_find(&cell->trace, INFINITY, study->limits.radius);
  for (int c = 0; c < E50_CRITERIA; c++) {
    cell->ratios[c][0] = cell->ratios[c][1] = NAN;
    cell->e50[c] = bt_e50_estimate(cell->runs[c], cell->trace.runs, seed);
  }
}

bool e50_study_counts(const e50_study *study, int complex, e50_criterion criterion) {
  return criterion == E50_SCORE || study->set.items[complex].by_rmsd;
}

/* Compares a configuration with the first, by evaluations or by seconds. */
static bt_e50_comparison compare(const e50_study *study, int config, e50_criterion criterion, bool seconds,
                                 uint64_t seed) {
  size_t count = (size_t)study->set.count;
  int used = 0;
  BT_SCOPED bt_e50_pair *pairs = bench_allocate(count, sizeof *pairs);
  BT_SCOPED double *ratios = bench_allocate(count, sizeof *ratios);
  for (int i = 0; i < study->set.count; i++) {
    const e50_cell *a = e50_study_cell(study, i, 0), *b = e50_study_cell(study, i, config);
    if (!e50_study_counts(study, i, criterion)) continue;
    pairs[used++] = (bt_e50_pair){{{a->runs[criterion], a->trace.runs, a->rate},
                                   {b->runs[criterion], b->trace.runs, b->rate}}};
  }
  bt_e50_comparison result = bt_e50_compare(pairs, used, seconds, seed, ratios);
  for (int i = 0, k = 0; k < used; i++) {
    if (!e50_study_counts(study, i, criterion)) continue;
    e50_study_cell(study, i, config)->ratios[criterion][seconds] = ratios[k++];
  }
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
    if (!e50_study_counts(study, i, criterion) || !anyone_succeeded(study, i, criterion)) continue;
    const e50_cell *cell = e50_study_cell(study, i, config);
    evaluations += log(cell->e50[criterion].counted);
    seconds += log(bt_e50_seconds(cell->e50[criterion].counted, cell->rate, 0.5));
    mean.complexes++;
  }
  mean.e50 = exp(evaluations / mean.complexes); /* NaN if there are none */
  mean.seconds = exp(seconds / mean.complexes);
  return mean;
}

void e50_study_evaluate(e50_study *study, uint64_t seed) {
  for (int i = 0; i < study->set.count; i++) {
    judge_complex(study, i);
    for (int k = 0; k < study->n_configs; k++)
      evaluate_cell(study, study->set.items[i].minimum, seed, e50_study_cell(study, i, k));
  }
  for (int c = 0; c < E50_CRITERIA; c++)
    for (int k = 0; k < study->n_configs; k++) {
      study->configs[k].means[c] = mean_of(study, k, (e50_criterion)c);
      for (int seconds = 0; seconds < 2 && k > 0; seconds++)
        study->configs[k].contest.of[c][seconds] = compare(study, k, (e50_criterion)c, seconds, seed);
    }
}
