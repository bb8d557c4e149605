/* study.c - from traces to successes, E50 and ratios. */
#include "bench/e50/study.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "common/report.h"

static bt_status out_of_memory(bt_error *opt_error) {
  return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
}

bt_status e50_study_open(e50_study *study, const e50_set *set, const e50_limits *limits, bt_error *opt_error) {
  study->set = set;
  study->limits = limits;
  study->cells = calloc((size_t)set->count * (size_t)study->n_configs, sizeof *study->cells);
  study->rows = calloc((size_t)set->count, sizeof *study->rows);
  study->contests = calloc((size_t)study->n_configs, sizeof *study->contests);
  study->means = calloc((size_t)study->n_configs, sizeof *study->means);
  bool memory = study->cells != NULL && study->rows != NULL && study->contests != NULL && study->means != NULL;
  return memory ? BT_OK : out_of_memory(opt_error);
}

void e50_study_close(e50_study *study) {
  int count = study->cells != NULL ? study->set->count * study->n_configs : 0;
  for (int i = 0; i < count; i++) {
    e50_cell *cell = &study->cells[i];
    e50_trace_free(&cell->trace);
    for (int k = 0; k < E50_CRITERIA; k++) e50_runs_free(&cell->runs[k]);
  }
  for (int k = 0; k < study->n_configs; k++) e50_config_free(&study->configs[k]);
  free(study->configs);
  free(study->cells);
  free(study->rows);
  free(study->contests);
  free(study->means);
  *study = (e50_study){0};
}

e50_cell *e50_study_cell(const e50_study *study, int complex, int config) {
  return &study->cells[complex * study->n_configs + config];
}

e50_trace *e50_study_trace(const e50_study *study, int complex, int config) {
  return &e50_study_cell(study, complex, config)->trace;
}

bool e50_study_valid(const e50_study *study) {
  for (int i = 0; i < study->set->count * study->n_configs; i++)
    if (!study->cells[i].trace.result.valid) return false;
  return true;
}

static void find_best(e50_cell *cell) {
  cell->best = INFINITY;
  cell->best_rmsd = NAN;
  for (size_t i = 0; i < cell->trace.n_steps; i++) {
    const bt_bench_step *s = &cell->trace.steps[i];
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
  row->minimum = fmin(row->best, study->set->items[complex].known); /* not NaN unless both are */
  bool missed = row->best > row->minimum + study->limits->window;
  row->minimum_rmsd = missed ? study->set->items[complex].known_rmsd : row->best_rmsd;
  row->by_rmsd = row->minimum_rmsd <= study->limits->radius;
}

/* What the traces of one complex say. */
static bt_status evaluate_cell(const e50_study *study, const e50_row *row, uint64_t seed, e50_cell *cell,
                               bt_error *opt_error) {
  double seconds = cell->trace.result.docking_seconds;
  cell->rate = seconds > 0 ? (double)cell->trace.result.evaluations / seconds : NAN;
  bt_status status =
      e50_runs_find(&cell->trace, row->minimum + study->limits->window, INFINITY, &cell->runs[E50_SCORE], opt_error);
  if (status == BT_OK)
    status = e50_runs_find(&cell->trace, INFINITY, study->limits->radius, &cell->runs[E50_RMSD], opt_error);
  for (int c = 0; c < E50_CRITERIA && status == BT_OK; c++) {
    cell->ratio[c] = cell->seconds_ratio[c] = NAN;
    status = bt_e50_estimate(cell->runs[c].items, cell->trace.runs, seed, &cell->e50[c], opt_error);
  }
  return status;
}

static bool counts(const e50_study *study, int complex, e50_criterion criterion) {
  return criterion == E50_SCORE || study->rows[complex].by_rmsd;
}

/* One configuration against the first, by evaluations or by seconds. */
static bt_status compare(e50_study *study, int config, e50_criterion criterion, bool seconds, uint64_t seed,
                         bt_error *opt_error) {
  int count = study->set->count, used = 0;
  BT_SCOPED bt_e50_pair *pairs = calloc((size_t)count, sizeof *pairs);
  BT_SCOPED double *ratios = calloc((size_t)count, sizeof *ratios);
  BT_SCOPED e50_cell **cells = calloc((size_t)count, sizeof *cells);
  e50_contest *contest = &study->contests[config];
  bool memory = pairs != NULL && ratios != NULL && cells != NULL;
  for (int i = 0; memory && i < count; i++) {
    e50_cell *a = e50_study_cell(study, i, 0), *b = e50_study_cell(study, i, config);
    if (!counts(study, i, criterion) || (seconds && !(a->rate > 0 && b->rate > 0))) continue;
    cells[used] = b;
    pairs[used] = (bt_e50_pair){.first = a->runs[criterion].items,
                                .second = b->runs[criterion].items,
                                .n_first = a->trace.runs,
                                .n_second = b->trace.runs,
                                .first_cost = seconds ? 1.0 / a->rate : 0,
                                .second_cost = seconds ? 1.0 / b->rate : 0};
    used++;
  }
  bt_status status =
      memory ? bt_e50_compare(pairs, used, seed, ratios,
                              seconds ? &contest->seconds[criterion] : &contest->evaluations[criterion], opt_error)
             : out_of_memory(opt_error);
  for (int k = 0; status == BT_OK && k < used; k++)
    *(seconds ? &cells[k]->seconds_ratio[criterion] : &cells[k]->ratio[criterion]) = ratios[k];
  return status;
}

static bool anyone_succeeded(const e50_study *study, int complex, e50_criterion criterion) {
  for (int k = 0; k < study->n_configs; k++)
    if (e50_study_cell(study, complex, k)->e50[criterion].successes > 0) return true;
  return false;
}

static e50_mean mean_of(const e50_study *study, int config, e50_criterion criterion) {
  e50_mean mean = {0};
  double evaluations = 0, seconds = 0;
  for (int i = 0; i < study->set->count; i++) {
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

bt_status e50_study_evaluate(e50_study *study, uint64_t seed, bt_error *opt_error) {
  bt_status status = BT_OK;
  for (int i = 0; i < study->set->count; i++) {
    judge_complex(study, i);
    for (int k = 0; k < study->n_configs && status == BT_OK; k++)
      status = evaluate_cell(study, &study->rows[i], seed, e50_study_cell(study, i, k), opt_error);
  }
  for (int c = 0; c < E50_CRITERIA && status == BT_OK; c++)
    for (int k = 0; k < study->n_configs && status == BT_OK; k++) {
      study->means[k][c] = mean_of(study, k, (e50_criterion)c);
      if (k == 0) continue;
      status = compare(study, k, (e50_criterion)c, false, seed, opt_error);
      if (status == BT_OK) status = compare(study, k, (e50_criterion)c, true, seed, opt_error);
    }
  return status;
}
