/* report.c - a study as JSON. */
#include <math.h>
#include <stdio.h>

#include "bench/e50/against.h"
#include "common/json.h"

static const char *const criteria[E50_CRITERIA] = {"score", "rmsd"};
static const char *const verdicts[] = {"undecided", "equivalent", "second needs fewer", "second needs more"};

void e50_json_number(FILE *f, const char *key, double value) {
  fprintf(f, ", \"%s\": ", key);
  cli_json_number(f, isfinite(value) ? 1e-6 * rint(1e6 * value) : value);
}

static void text(FILE *f, const char *key, const char *value) {
  fprintf(f, ", \"%s\": ", key);
  cli_json_string(f, value);
}

/* E50 to whole evaluations, seconds and ratios to six decimals. */
static void write_e50(FILE *f, const e50_cell *cell, e50_criterion criterion) {
  const bt_e50 *e = &cell->e50[criterion];
  fprintf(f, ",\n   \"%s\": {\"successes\": %d", criteria[criterion], e->successes);
  e50_json_number(f, "e50", rint(e->value));
  e50_json_number(f, "low", rint(e->low));
  e50_json_number(f, "high", rint(e->high));
  fprintf(f, ", \"interpolated\": %s", e->interpolated ? "true" : "false");
  e50_json_number(f, "by_curve", rint(e->by_curve));
  e50_json_number(f, "by_model", rint(e->by_model));
  e50_json_number(f, "shape", e->shape);
  e50_json_number(f, "shape_probability", e->shape_probability);
  e50_json_number(f, "seconds_50", bt_e50_seconds(e->value, cell->rate, 0.5));
  e50_json_number(f, "seconds_50_low", bt_e50_seconds(e->low, cell->rate, 0.5));
  e50_json_number(f, "seconds_50_high", bt_e50_seconds(e->high, cell->rate, 0.5));
  e50_json_number(f, "seconds_99", bt_e50_seconds(e->value, cell->rate, 0.99));
  e50_json_number(f, "seconds_99_low", bt_e50_seconds(e->low, cell->rate, 0.99));
  e50_json_number(f, "seconds_99_high", bt_e50_seconds(e->high, cell->rate, 0.99));
  e50_json_number(f, "ratio", cell->ratio[criterion]);
  e50_json_number(f, "seconds_ratio", cell->seconds_ratio[criterion]);
  fputs(", \"changes\": [", f);
  for (int r = 0; r < cell->trace.runs; r++) {
    const bt_e50_run *run = &cell->runs[criterion].items[r];
    fputs(r > 0 ? ",[" : "[", f);
    for (int k = 0; k < run->n_changes; k++) fprintf(f, "%s%lld", k > 0 ? "," : "", (long long)run->changes[k]);
    fputc(']', f);
  }
  fputs("]}", f);
}

static void write_cell(FILE *f, const e50_study *study, int complex, int config) {
  const e50_cell *cell = e50_study_cell(study, complex, config);
  const bt_bench_convergence_result *r = &cell->trace.result;
  fputs("\n  {\"configuration\": ", f);
  cli_json_string(f, study->configs[config].name);
  text(f, "device", r->device);
  text(f, "searched_by", cell->trace.commit);
  fprintf(f, ", \"threads\": %d, \"valid\": %s", r->threads, r->valid ? "true" : "false");
  e50_json_number(f, "worst_energy_in_tolerances", r->worst_energy);
  e50_json_number(f, "seconds", r->seconds);
  e50_json_number(f, "docking_seconds", r->docking_seconds);
  e50_json_number(f, "evaluations_per_second", rint(cell->rate));
  fprintf(f, ", \"evaluations\": %lld", (long long)r->evaluations);
  e50_json_number(f, "best", cell->best);
  e50_json_number(f, "best_rmsd", cell->best_rmsd);
  fputs(",\n   \"run_evaluations\": [", f);
  for (int k = 0; k < cell->trace.runs; k++)
    fprintf(f, "%s%lld", k > 0 ? "," : "", (long long)cell->trace.evaluations[k]);
  fputc(']', f);
  for (int c = 0; c < E50_CRITERIA; c++) write_e50(f, cell, (e50_criterion)c);
  fputc('}', f);
}

static void write_complex(FILE *f, const e50_study *study, int complex) {
  const e50_complex *of = &study->set->items[complex];
  const e50_row *row = &study->rows[complex];
  const bt_bench_convergence_result *any = &e50_study_cell(study, complex, 0)->trace.result;
  fputs("\n {\"complex\": ", f);
  cli_json_string(f, of->name);
  fprintf(f, ", \"atoms\": %d, \"torsions\": %d, \"pairs\": %d", any->atoms, any->torsions, any->pairs);
  e50_json_number(f, "known", of->known);
  fprintf(f, ", \"proven\": %s", of->proven ? "true" : "false");
  e50_json_number(f, "best", row->best);
  e50_json_number(f, "best_rmsd", row->best_rmsd);
  e50_json_number(f, "minimum", row->minimum);
  e50_json_number(f, "minimum_rmsd", row->minimum_rmsd);
  fprintf(f, ", \"by_rmsd\": %s", row->by_rmsd ? "true" : "false");
  const e50_cell *second = study->n_configs > 1 ? e50_study_cell(study, complex, 1) : NULL;
  e50_json_number(f, "ratio_score", second != NULL ? second->ratio[E50_SCORE] : NAN);
  e50_json_number(f, "ratio_rmsd", second != NULL ? second->ratio[E50_RMSD] : NAN);
  fputs(", \"results\": [", f);
  for (int k = 0; k < study->n_configs; k++) {
    if (k > 0) fputc(',', f);
    write_cell(f, study, complex, k);
  }
  fputs("]}", f);
}

void e50_ratio_json(FILE *f, const bt_e50_comparison *of) {
  fprintf(f, "{\"complexes\": %d", of->pairs);
  e50_json_number(f, "ratio", of->ratio);
  e50_json_number(f, "low", of->low);
  e50_json_number(f, "high", of->high);
  e50_json_number(f, "wilcoxon_probability", of->probability);
  fprintf(f, ", \"verdict\": \"%s\"", verdicts[of->verdict]);
}

void e50_contest_json(FILE *f, const char *first, const char *second, const e50_contest *contest) {
  fputs("{\"first\": ", f);
  cli_json_string(f, first);
  text(f, "second", second);
  text(f, "test", "95 % interval of the geometric mean of ratios, nested bootstrap; equivalent within [0.8, 1.25]");
  for (int c = 0; c < E50_CRITERIA; c++) {
    fprintf(f, ", \"%s\": ", criteria[c]);
    e50_ratio_json(f, &contest->evaluations[c]);
    fputs(", \"seconds\": ", f);
    e50_ratio_json(f, &contest->seconds[c]);
    fputs("}}", f);
  }
  fputc('}', f);
}

static void write_contests(FILE *f, const e50_study *study) {
  const char *first = study->configs[0].name;
  fputs(",\n\"comparison\": ", f);
  e50_contest_json(f, first, study->configs[1].name, &study->contests[1]);
  fputs(",\n\"comparisons\": [", f);
  for (int k = 1; k < study->n_configs; k++) {
    fputs(k > 1 ? ",\n " : "\n ", f);
    e50_contest_json(f, first, study->configs[k].name, &study->contests[k]);
  }
  fputc(']', f);
}

static void write_config(FILE *f, const e50_study *study, int config) {
  fputs("\n {\"name\": ", f);
  cli_json_string(f, study->configs[config].name);
  text(f, "settings", study->configs[config].settings);
  for (int c = 0; c < E50_CRITERIA; c++) {
    const e50_mean *mean = &study->means[config][c];
    fprintf(f, ",\n  \"%s\": {\"complexes\": %d", criteria[c], mean->complexes);
    e50_json_number(f, "e50", rint(mean->e50));
    e50_json_number(f, "seconds_50", mean->seconds);
    e50_json_number(f, "seconds_99", bt_e50_seconds(mean->seconds, 1.0, 0.99));
    fputc('}', f);
  }
  fputc('}', f);
}

static void write_members(FILE *f, const void *user) {
  const e50_study *study = user;
  const bt_dock_options *o = &study->configs[0].search;
  fprintf(f, "\"valid\": %s, \"runs\": %d, \"evaluations_per_run\": %lld", e50_study_valid(study) ? "true" : "false",
          o->runs, (long long)o->evaluations);
  e50_json_number(f, "enough", study->limits->enough);
  e50_json_number(f, "window", study->limits->window);
  e50_json_number(f, "radius", study->limits->radius);
  fputs(", \"configurations\": [", f);
  for (int k = 0; k < study->n_configs; k++) {
    if (k > 0) fputc(',', f);
    write_config(f, study, k);
  }
  fputs("],\n\"complexes\": [", f);
  for (int i = 0; i < study->set->count; i++) {
    if (i > 0) fputc(',', f);
    write_complex(f, study, i);
  }
  fputs("]", f);
  if (study->n_configs > 1) write_contests(f, study);
  if (study->opt_against != NULL) e50_against_json(f, study->opt_against, study);
}

static void print_table(const void *user) { e50_study_print(user); }

bt_status e50_study_report(const e50_study *study, const bench_output *output, bt_error *opt_error) {
  return bench_output_write(output, "e50", write_members, print_table, study, opt_error);
}
