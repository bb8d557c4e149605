/* bench_e50_report.c - a study as JSON and as a table. */
#include <math.h>
#include <stdio.h>

#include "bench_e50_study.h"
#include "json.h"

static const char *const criteria[E50_CRITERIA] = {"score", "rmsd"};
static const char *const verdicts[] = {"undecided", "equivalent", "second needs fewer", "second needs more"};

static void number(FILE *f, const char *key, double value) {
  fprintf(f, ", \"%s\": ", key);
  cli_json_number(f, isfinite(value) ? 1e-6 * rint(1e6 * value) : value);
}

static void text(FILE *f, const char *key, const char *value) {
  fprintf(f, ", \"%s\": ", key);
  cli_json_string(f, value);
}

/* E50 to whole evaluations. */
static void write_e50(FILE *f, const e50_cell *cell, e50_criterion criterion) {
  const bt_e50 *e = &cell->e50[criterion];
  fprintf(f, ",\n   \"%s\": {\"successes\": %d", criteria[criterion], e->successes);
  number(f, "e50", rint(e->value));
  number(f, "low", rint(e->low));
  number(f, "high", rint(e->high));
  fprintf(f, ", \"interpolated\": %s", e->interpolated ? "true" : "false");
  number(f, "by_curve", rint(e->by_curve));
  number(f, "by_model", rint(e->by_model));
  number(f, "shape", e->shape);
  number(f, "shape_probability", e->shape_probability);
  fputs(", \"changes\": [", f);
  for (int r = 0; r < cell->trace.runs; r++) {
    const bt_e50_run *run = &cell->runs[criterion][r];
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
  number(f, "worst_energy_in_tolerances", r->worst_energy);
  number(f, "seconds", r->seconds);
  fprintf(f, ", \"evaluations\": %lld", (long long)r->evaluations);
  number(f, "best", cell->best);
  number(f, "best_rmsd", cell->best_rmsd);
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
  number(f, "known", of->known);
  fprintf(f, ", \"proven\": %s", of->proven ? "true" : "false");
  number(f, "best", row->best);
  number(f, "best_rmsd", row->best_rmsd);
  number(f, "minimum", row->minimum);
  number(f, "minimum_rmsd", row->minimum_rmsd);
  fprintf(f, ", \"by_rmsd\": %s", row->by_rmsd ? "true" : "false");
  number(f, "ratio_score", row->ratio[E50_SCORE]);
  number(f, "ratio_rmsd", row->ratio[E50_RMSD]);
  fputs(", \"results\": [", f);
  for (int k = 0; k < study->n_configs; k++) {
    if (k > 0) fputc(',', f);
    write_cell(f, study, complex, k);
  }
  fputs("]}", f);
}

void e50_comparison_json(FILE *f, const char *first, const char *second, const bt_e50_comparison *comparison) {
  fputs("{\"first\": ", f);
  cli_json_string(f, first);
  text(f, "second", second);
  text(f, "test", "95 % interval of the geometric mean of ratios, nested bootstrap; equivalent within [0.8, 1.25]");
  for (int c = 0; c < E50_CRITERIA; c++) {
    const bt_e50_comparison *of = &comparison[c];
    fprintf(f, ", \"%s\": {\"complexes\": %d", criteria[c], of->pairs);
    number(f, "ratio", of->ratio);
    number(f, "low", of->low);
    number(f, "high", of->high);
    number(f, "wilcoxon_probability", of->probability);
    fprintf(f, ", \"verdict\": \"%s\"}", verdicts[of->verdict]);
  }
  fputc('}', f);
}

static void write_members(FILE *f, const void *user) {
  const e50_study *study = user;
  const bt_dock_options *o = &study->configs[0].search;
  fprintf(f, "\"valid\": %s, \"runs\": %d, \"evaluations_per_run\": %lld", e50_study_valid(study) ? "true" : "false",
          o->runs, (long long)o->evaluations);
  number(f, "enough", study->limits->enough);
  number(f, "window", study->limits->window);
  number(f, "radius", study->limits->radius);
  fputs(", \"configurations\": [", f);
  for (int k = 0; k < study->n_configs; k++) {
    fputs(k > 0 ? ",\n {\"name\": " : "\n {\"name\": ", f);
    cli_json_string(f, study->configs[k].name);
    text(f, "settings", study->configs[k].settings);
    fputc('}', f);
  }
  fputs("],\n\"complexes\": [", f);
  for (int i = 0; i < study->set->count; i++) {
    if (i > 0) fputc(',', f);
    write_complex(f, study, i);
  }
  fputs("]", f);
  if (study->n_configs < 2) return;
  fputs(",\n\"comparison\": ", f);
  e50_comparison_json(f, study->configs[0].name, study->configs[1].name, study->comparison);
}

/* A dash for what is not known. */
static void print_number(const char *format, double value, int width) {
  char text[64] = "-";
  if (isfinite(value)) snprintf(text, sizeof text, format, value);
  printf("%*s", width, text);
}

/* Millions of evaluations, three digits. */
static void print_millions(double value, int width) { print_number("%.3g", 1e-6 * value, width); }

static void print_row(const e50_study *study, int complex, e50_criterion criterion) {
  const e50_complex *of = &study->set->items[complex];
  const e50_row *row = &study->rows[complex];
  if (criterion == E50_RMSD && !row->by_rmsd) {
    printf("  %-8s %3d %8.2f   the minimum is ", of->name, of->torsions, row->minimum);
    if (isfinite(row->minimum_rmsd))
      printf("%.2f A from the crystal pose\n", row->minimum_rmsd);
    else
      puts("not known well enough");
    return;
  }
  printf("  %-8s %3d %8.2f", of->name, of->torsions, row->minimum);
  for (int k = 0; k < study->n_configs; k++) {
    const bt_e50 *e = &e50_study_cell(study, complex, k)->e50[criterion];
    printf("  %4d/%-4d ", e->successes, e->runs);
    print_millions(e->value, 7);
    print_millions(e->low, 8);
    fputs(" -", stdout);
    print_millions(e->high, 7);
    print_number("%.2f", e->shape, 6);
    putchar(e->interpolated ? '*' : ' ');
  }
  if (study->n_configs > 1) print_number("%.2f", row->ratio[criterion], 8);
  putchar('\n');
}

void e50_comparison_print(const char *first, const char *second, const bt_e50_comparison *comparison) {
  for (int c = 0; c < E50_CRITERIA; c++) {
    const bt_e50_comparison *of = &comparison[c];
    if (of->pairs == 0) continue;
    static const char *const words[] = {"nothing is decided", "they need the same", "%s needs fewer evaluations",
                                        "%s needs more evaluations"};
    printf("by %s: E50 of %s / %s = %.3f (95 %% interval %.3f - %.3f, %d complexes, Wilcoxon p = %.2g): ",
           c == E50_SCORE ? "score" : "RMSD", second, first, of->ratio, of->low, of->high, of->pairs, of->probability);
    if (of->verdict == BT_E50_SECOND_FEWER || of->verdict == BT_E50_SECOND_MORE) fputs(second, stdout);
    puts(words[of->verdict] + (words[of->verdict][0] == '%' ? 2 : 0));
  }
}

static void print_table(const void *user) {
  const e50_study *study = user;
  const bt_dock_options *o = &study->configs[0].search;
  printf("E50 in millions of evaluations, %d runs of up to %g million; valid: %s\n", o->runs,
         1e-6 * (double)o->evaluations, e50_study_valid(study) ? "yes" : "NO");
  for (int c = 0; c < E50_CRITERIA; c++) {
    if (c == E50_SCORE)
      printf("\nby score, within %g kcal/mol of the minimum\n  %-8s %3s %8s", study->limits->window, "", "tor",
             "minimum");
    else
      printf("\nby RMSD, within %g Angstrom of the crystal pose\n  %-8s %3s %8s", study->limits->radius, "", "tor",
             "minimum");
    for (int k = 0; k < study->n_configs; k++) printf("  %-26.26s %8s ", study->configs[k].name, "shape");
    puts(study->n_configs > 1 ? "   ratio" : "");
    for (int i = 0; i < study->set->count; i++) print_row(study, i, (e50_criterion)c);
  }
  puts("\nshape: exponent of the curve, 1: memoryless; *: E50 is where the curve crosses one half, else of the model");
  if (study->n_configs > 1) e50_comparison_print(study->configs[0].name, study->configs[1].name, study->comparison);
}

bt_status e50_study_report(const e50_study *study, const bench_output *output, bt_error *opt_error) {
  return bench_output_write(output, "e50", write_members, print_table, study, opt_error);
}
