/* report.c - writes a study as JSON. */
#include <math.h>

#include "bench/e50/study.h"

static const char *const verdicts[] = {"undecided", "equivalent", "second needs fewer", "second needs more"};

/* E50 to whole evaluations, seconds and ratios to six decimals. */
static void write_e50(bt_json *json, const e50_cell *cell, int criterion) {
  const bt_e50 *e = &cell->e50[criterion];
  bt_json_key(json, e50_criteria[criterion]);
  bench_json(json, "{ successes %d e50 %.0f low %.0f high %.0f interpolated %hhd by_curve %.0f by_model %.0f "
             "shape %.6f shape_probability %.6f seconds_50 %.6f seconds_50_low %.6f seconds_50_high %.6f "
             "seconds_99 %.6f seconds_99_low %.6f seconds_99_high %.6f ratio %.6f seconds_ratio %.6f changes [",
             e->successes, e->value, e->low, e->high, e->interpolated, e->by_curve, e->by_model, e->shape,
             e->shape_probability,
             bt_e50_seconds(e->value, cell->rate, 0.5), bt_e50_seconds(e->low, cell->rate, 0.5),
             bt_e50_seconds(e->high, cell->rate, 0.5), bt_e50_seconds(e->value, cell->rate, 0.99),
             bt_e50_seconds(e->low, cell->rate, 0.99), bt_e50_seconds(e->high, cell->rate, 0.99),
             cell->ratios[criterion][0], cell->ratios[criterion][1]);
  for (int r = 0; r < cell->trace.runs; r++) {
    const bt_e50_run *run = &cell->runs[criterion][r];
    bench_json(json, "[");
    for (int k = 0; k < run->n_changes; k++) bt_json_integer(json, run->changes[k]);
    bench_json(json, "]");
  }
  bench_json(json, "] }");
}

static void write_cell(bt_json *json, const e50_study *study, int complex, int config) {
  const e50_cell *cell = e50_study_cell(study, complex, config);
  const e50_trace *t = &cell->trace;
  bench_json(json, "{ configuration %s device %s searched_by %s threads %d valid %hhd worst_energy_in_tolerances %.6f "
             "seconds %.6f docking_seconds %.6f evaluations_per_second %.0f evaluations %ld best %.6f best_rmsd %.6f "
             "run_evaluations [", study->configs[config].name, t->subject.device, t->commit, t->subject.threads,
             t->valid, t->worst_energy, t->seconds, t->docking_seconds, cell->rate, t->total, cell->best,
             cell->best_rmsd);
  for (int k = 0; k < t->runs; k++) bt_json_integer(json, t->evaluations[k]);
  bench_json(json, "]");
  double joules = bt_joules_sum(t->joules);
  if (!isnan(joules)) {
    int successes = cell->e50[E50_SCORE].successes;
    bench_json(json, "joules { processors %.3f gpus %.3f per_run %.6f per_success %.6f }", t->joules.processors,
               t->joules.gpus, joules / t->runs, successes > 0 ? joules / successes : NAN);
  }
  for (int c = 0; c < E50_CRITERIA; c++) write_e50(json, cell, c);
  bench_json(json, "}");
}

static void write_complex(bt_json *json, const e50_study *study, int complex) {
  const e50_complex *of = &study->set.items[complex];
  const bench_subject *any = &e50_study_cell(study, complex, 0)->trace.subject;
  const e50_cell *second = e50_study_cell(study, complex, study->n_configs > 1 ? 1 : 0); /* NaN for the first */
  bench_json(json, "{ complex %s atoms %d torsions %d pairs %d known %.6f proven %hhd best %.6f best_rmsd %.6f "
             "minimum %.6f minimum_rmsd %.6f by_rmsd %hhd ratio_score %.6f ratio_rmsd %.6f results [", of->name,
             any->atoms, any->torsions, any->pairs, of->known, of->proven, of->best, of->best_rmsd, of->minimum,
             of->minimum_rmsd, of->by_rmsd, second->ratios[E50_SCORE][0], second->ratios[E50_RMSD][0]);
  for (int k = 0; k < study->n_configs; k++) write_cell(json, study, complex, k);
  bench_json(json, "] }");
}

void e50_ratio_json(bt_json *json, const bt_e50_comparison *of) {
  bench_json(json, "{ complexes %d ratio %.6f low %.6f high %.6f wilcoxon_probability %.6f verdict %s", of->pairs,
             of->ratio, of->low, of->high, of->probability, verdicts[of->verdict]);
}

void e50_contest_json(bt_json *json, const char *first, const char *second, const e50_contest *contest) {
  bench_json(json, "{ first %s second %s test %s", first, second,
             "95 % interval of the geometric mean of ratios, nested bootstrap; equivalent within [0.8, 1.25]");
  for (int c = 0; c < E50_CRITERIA; c++) {
    bt_json_key(json, e50_criteria[c]);
    e50_ratio_json(json, &contest->of[c][0]);
    bt_json_key(json, "seconds");
    e50_ratio_json(json, &contest->of[c][1]);
    bench_json(json, "} }");
  }
  bench_json(json, "}");
}

static void write_contests(bt_json *json, const e50_study *study) {
  const e50_config *c = study->configs;
  bt_json_key(json, "comparison");
  e50_contest_json(json, c[0].name, c[1].name, &c[1].contest);
  bench_json(json, "comparisons [");
  for (int k = 1; k < study->n_configs; k++) e50_contest_json(json, c[0].name, c[k].name, &c[k].contest);
  bench_json(json, "]");
}

static void write_config(bt_json *json, const e50_study *study, int config) {
  bench_json(json, "{ name %s settings %s", study->configs[config].name, study->configs[config].settings);
  for (int c = 0; c < E50_CRITERIA; c++) {
    const e50_mean *mean = &study->configs[config].means[c];
    bt_json_key(json, e50_criteria[c]);
    bench_json(json, "{ complexes %d e50 %.0f seconds_50 %.6f seconds_99 %.6f }", mean->complexes, mean->e50,
               mean->seconds, bt_e50_seconds(mean->seconds, 1.0, 0.99));
  }
  bench_json(json, "}");
}

void e50_study_json(bt_json *json, const void *user) {
  const e50_study *study = user;
  const bt_dock_options *o = &study->configs[0].search;
  bench_json(json, "valid %hhd runs %d evaluations_per_run %ld enough %.6f window %.6f radius %.6f configurations [",
             e50_study_valid(study), o->runs, o->evaluations, study->limits.enough, study->limits.window,
             study->limits.radius);
  for (int k = 0; k < study->n_configs; k++) write_config(json, study, k);
  bench_json(json, "] complexes [");
  for (int i = 0; i < study->set.count; i++) write_complex(json, study, i);
  bench_json(json, "]");
  if (study->n_configs > 1) write_contests(json, study);
  if (study->opt_path != NULL) e50_against_json(json, study);
}
