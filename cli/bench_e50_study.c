/* bench_e50_study.c - from traces to successes, E50 and ratios. */
#include "bench_e50_study.h"

#include <math.h>
#include <stdlib.h>

#include "report.h"

static bt_status out_of_memory(bt_error *opt_error) {
  return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
}

bt_status e50_study_open(e50_study *study, const e50_set *set, const e50_limits *limits, bt_error *opt_error) {
  study->set = set;
  study->limits = limits;
  study->cells = calloc((size_t)set->count * (size_t)study->n_configs, sizeof *study->cells);
  study->rows = calloc((size_t)set->count, sizeof *study->rows);
  return study->cells == NULL || study->rows == NULL ? out_of_memory(opt_error) : BT_OK;
}

void e50_study_close(e50_study *study) {
  int count = study->cells != NULL ? study->set->count * study->n_configs : 0;
  for (int i = 0; i < count; i++) {
    e50_cell *cell = &study->cells[i];
    e50_trace_free(&cell->trace);
    for (int k = 0; k < E50_CRITERIA; k++) free(cell->runs[k]);
    free(cell->pool);
  }
  for (int k = 0; k < study->n_configs; k++) e50_config_free(&study->configs[k]);
  free(study->configs);
  free(study->cells);
  free(study->rows);
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
  for (int c = 0; c < E50_CRITERIA; c++) row->ratio[c] = NAN;
}

static bool succeeds(const e50_study *study, const e50_row *row, e50_criterion criterion, const bt_bench_step *step) {
  return criterion == E50_SCORE ? step->energy <= row->minimum + study->limits->window
                                : step->rmsd <= study->limits->radius;
}

/* When each run began or ceased to be successful. Steps of a run are in order, those of different runs are mixed. */
static bt_status find_changes(const e50_study *study, const e50_row *row, e50_cell *cell, bt_error *opt_error) {
  const e50_trace *t = &cell->trace;
  size_t runs = (size_t)t->runs, n = t->n_steps, used = 0;
  cell->pool = calloc(E50_CRITERIA * n + 1, sizeof *cell->pool);
  size_t *first = calloc(runs + 1, sizeof *first), *order = calloc(n + 1, sizeof *order);
  for (int c = 0; c < E50_CRITERIA; c++) cell->runs[c] = calloc(runs, sizeof *cell->runs[c]);
  bool memory = cell->pool != NULL && first != NULL && order != NULL && cell->runs[0] != NULL && cell->runs[1] != NULL;
  for (size_t i = 0; memory && i < n; i++) first[t->steps[i].run + 1]++;
  for (size_t r = 0; memory && r < runs; r++) first[r + 1] += first[r];
  for (size_t i = n; memory && i-- > 0;) order[--first[t->steps[i].run + 1]] = i; /* now first[r + 1] opens run r */
  for (int c = 0; memory && c < E50_CRITERIA; c++)
    for (size_t r = 0; r < runs; r++) {
      bt_e50_run *run = &cell->runs[c][r];
      bool now = false;
      size_t end = r + 1 < runs ? first[r + 2] : n;
      *run = (bt_e50_run){.changes = cell->pool + used, .evaluations = t->evaluations[r]};
      for (size_t i = first[r + 1]; i < end; i++) {
        const bt_bench_step *step = &t->steps[order[i]];
        if (succeeds(study, row, (e50_criterion)c, step) == now) continue;
        now = !now;
        cell->pool[used++] = step->evaluations;
        run->n_changes++;
      }
    }
  free(first);
  free(order);
  return memory ? BT_OK : out_of_memory(opt_error);
}

static bt_status compare(e50_study *study, e50_criterion criterion, uint64_t seed, bt_error *opt_error) {
  int count = study->set->count, used = 0;
  bt_e50_pair *pairs = calloc((size_t)count, sizeof *pairs);
  double *ratios = calloc((size_t)count, sizeof *ratios);
  bt_status status = pairs == NULL || ratios == NULL ? out_of_memory(opt_error) : BT_OK;
  for (int i = 0; status == BT_OK && i < count; i++) {
    if (criterion == E50_RMSD && !study->rows[i].by_rmsd) continue;
    const e50_cell *a = e50_study_cell(study, i, 0), *b = e50_study_cell(study, i, 1);
    pairs[used++] = (bt_e50_pair){a->runs[criterion], b->runs[criterion], a->trace.runs, b->trace.runs};
  }
  if (status == BT_OK) status = bt_e50_compare(pairs, used, seed, ratios, &study->comparison[criterion], opt_error);
  for (int i = 0, k = 0; status == BT_OK && i < count; i++)
    if (criterion == E50_SCORE || study->rows[i].by_rmsd) study->rows[i].ratio[criterion] = ratios[k++];
  free(pairs);
  free(ratios);
  return status;
}

bt_status e50_study_evaluate(e50_study *study, uint64_t seed, bt_error *opt_error) {
  bt_status status = BT_OK;
  for (int i = 0; i < study->set->count; i++) {
    judge_complex(study, i);
    for (int k = 0; k < study->n_configs && status == BT_OK; k++) {
      e50_cell *cell = e50_study_cell(study, i, k);
      status = find_changes(study, &study->rows[i], cell, opt_error);
      for (int c = 0; c < E50_CRITERIA && status == BT_OK; c++)
        status = bt_e50_estimate(cell->runs[c], cell->trace.runs, seed, &cell->e50[c], opt_error);
    }
  }
  for (int c = 0; c < E50_CRITERIA && study->n_configs > 1 && status == BT_OK; c++)
    status = compare(study, (e50_criterion)c, seed, opt_error);
  return status;
}
