/* against_report.c - a study beside a table of reference, as JSON and as tables. */
#include <math.h>
#include <stdio.h>

#include "bench/e50/against.h"
#include "common/json.h"

/* What is known of the reference's E50 alone. */
static const char *bound_of(const bt_e50_reference_row *of) {
  return of->hits == of->runs ? "upper" : of->hits == 0 ? "lower" : NULL;
}

static void write_complex(FILE *f, const e50_against *against, const e50_study *study, int config, int k) {
  const bt_e50_match_result *r = e50_against_result(against, config, k);
  const bt_e50_reference_row *of = e50_against_row(against, study, k);
  const e50_cell *cell = e50_study_cell(study, against->complexes[k], config);
  double rate = e50_against_rate(of);
  const char *bound = bound_of(of);
  fputs("\n   {\"complex\": ", f);
  cli_json_string(f, of->name);
  e50_json_number(f, "reference", of->energy);
  fprintf(f, ", \"hits\": %d, \"runs\": %d, \"same_budget\": %s", r->hits, cell->trace.runs,
          r->same_budget ? "true" : "false");
  fprintf(f, ", \"reference_hits\": %d, \"reference_runs\": %d, \"reference_evaluations\": %lld", of->hits, of->runs,
          (long long)of->evaluations);
  e50_json_number(f, "missing_hits", r->missing);
  fprintf(f, ", \"worse\": %s", e50_against_is_worse(against, r) ? "true" : "false");
  e50_json_number(f, "e50", rint(r->e50.value));
  e50_json_number(f, "low", rint(r->e50.low));
  e50_json_number(f, "high", rint(r->e50.high));
  e50_json_number(f, "e50_by_hits", rint(r->e50_by_hits));
  e50_json_number(f, "reference_e50", rint(r->reference_e50));
  fprintf(f, ", \"reference_bound\": %s%s%s", bound != NULL ? "\"" : "", bound != NULL ? bound : "null",
          bound != NULL ? "\"" : "");
  e50_json_number(f, "ratio", r->ratio);
  e50_json_number(f, "ratio_by_hits", r->ratio_by_hits);
  e50_json_number(f, "seconds_50", bt_e50_seconds(r->e50.value, cell->rate, 0.5));
  e50_json_number(f, "seconds_99", bt_e50_seconds(r->e50.value, cell->rate, 0.99));
  e50_json_number(f, "reference_seconds_50", bt_e50_seconds(r->reference_e50, rate, 0.5));
  e50_json_number(f, "reference_seconds_99", bt_e50_seconds(r->reference_e50, rate, 0.99));
  e50_json_number(f, "seconds_ratio", r->seconds_ratio);
  e50_json_number(f, "seconds_ratio_by_hits", r->seconds_ratio_by_hits);
  fputc('}', f);
}

static void write_worse(FILE *f, const e50_against *against, const e50_study *study, int config) {
  const char *comma = "";
  for (int k = 0; k < against->count; k++) {
    if (!e50_against_is_worse(against, e50_against_result(against, config, k))) continue;
    fputs(comma, f);
    cli_json_string(f, e50_against_row(against, study, k)->name);
    comma = ", ";
  }
}

static void write_config(FILE *f, const e50_against *against, const e50_study *study, int config) {
  const bt_e50_match_summary *s = &against->summaries[config];
  const struct {
    const char *key;
    const bt_e50_comparison *mean;
  } means[] = {{"e50", &s->e50},
               {"seconds", &s->seconds},
               {"e50_without_bounds", &s->e50_no_bounds},
               {"seconds_without_bounds", &s->seconds_no_bounds},
               {"e50_by_hits", &s->e50_by_hits},
               {"seconds_by_hits", &s->seconds_by_hits}};
  fputs("\n  {\"configuration\": ", f);
  cli_json_string(f, study->configs[config].name);
  for (int i = 0; i < CLI_COUNT(means); i++) {
    fprintf(f, ", \"%s\": ", means[i].key);
    e50_ratio_json(f, means[i].mean);
    fputc('}', f);
  }
  fprintf(f, ", \"bounds\": %d, \"worse\": [", s->bounds);
  write_worse(f, against, study, config);
  fputs("],\n   \"complexes\": [", f);
  for (int k = 0; k < against->count; k++) {
    if (k > 0) fputc(',', f);
    write_complex(f, against, study, config, k);
  }
  fputs("]}", f);
}

void e50_against_json(FILE *f, const e50_against *against, const e50_study *study) {
  fputs(",\n\"against\": {\"file\": ", f);
  cli_json_string(f, against->opt_path);
  fputs(", \"program\": ", f);
  cli_json_string(f, against->reference->program);
  fprintf(f, ", \"margin\": %d, \"configurations\": [", against->margin);
  for (int config = 0; config < study->n_configs; config++) {
    if (config > 0) fputc(',', f);
    write_config(f, against, study, config);
  }
  fputs("]}", f);
}

static void print_bounded(const char *format, double value, const char *mark, int width) {
  char text[64] = "-";
  if (isfinite(value)) {
    text[0] = mark[0];
    snprintf(text + (mark[0] != '\0'), sizeof text - 1, format, value);
  }
  printf("%*s", width, text);
}

static void print_row(const e50_against *against, const e50_study *study, int config, int k) {
  const e50_complex *complex = &study->set->items[against->complexes[k]];
  const e50_cell *cell = e50_study_cell(study, against->complexes[k], config);
  const bt_e50_match_result *r = e50_against_result(against, config, k);
  const bt_e50_reference_row *of = e50_against_row(against, study, k);
  char hits[32];
  snprintf(hits, sizeof hits, "%s%d/%d", r->same_budget ? "" : "(", r->hits, cell->trace.runs);
  printf("  %-8s %3d %8.2f %9s%c %9d/%-6d", of->name, complex->torsions, of->energy, hits, r->same_budget ? ' ' : ')',
         of->hits, of->runs);
  /* the bound of a ratio is the other way round; the runs of the study are without a success only in a lower one */
  const char *bound = bound_of(of), *mark = bound == NULL ? "" : bound[0] == 'u' ? "<" : ">";
  const char *ratio_mark = mark[0] == '<' || r->e50.successes == 0 ? ">" : mark[0] == '>' ? "<" : "";
  e50_print_number("%.3g", 1e-6 * r->e50.value, 9);
  print_bounded("%.3g", 1e-6 * r->reference_e50, mark, 9);
  print_bounded("%.2f", r->ratio, ratio_mark, 8);
  e50_print_number("%.2f", r->ratio_by_hits, 8);
  e50_print_number("%.3g", bt_e50_seconds(r->e50.value, cell->rate, 0.99), 10);
  print_bounded("%.3g", bt_e50_seconds(r->reference_e50, e50_against_rate(of), 0.99), mark, 9);
  print_bounded("%.2f", r->seconds_ratio, ratio_mark, 8);
  e50_print_number("%.2f", r->seconds_ratio_by_hits, 8);
  puts(e50_against_is_worse(against, r) ? "  worse" : "");
}

/* How many hits there are in the complexes where they may be compared, and where there are fewer. */
static void print_hits(const e50_against *against, const e50_study *study, int config) {
  long long hits[2] = {0, 0}, runs[2] = {0, 0};
  int compared = 0, worse = 0;
  for (int k = 0; k < against->count; k++) {
    const bt_e50_match_result *r = e50_against_result(against, config, k);
    const bt_e50_reference_row *of = e50_against_row(against, study, k);
    if (!r->same_budget) continue;
    hits[0] += r->hits;
    hits[1] += of->hits;
    runs[0] += e50_study_cell(study, against->complexes[k], config)->trace.runs;
    runs[1] += of->runs;
    compared++;
  }
  if (compared < against->count)
    printf("hits in parentheses (%d of %d complexes) are not compared: fewer evaluations than those of %s\n",
           against->count - compared, against->count, against->reference->program);
  if (compared == 0) return;
  printf("hits: %lld of %lld runs, %s %lld of %lld; worse by more than %d of its hits:", hits[0], runs[0],
         against->reference->program, hits[1], runs[1], against->margin);
  for (int k = 0; k < against->count; k++) {
    const bt_e50_match_result *r = e50_against_result(against, config, k);
    if (!e50_against_is_worse(against, r)) continue;
    printf("%s %s (%.3g fewer)", worse++ > 0 ? "," : "", e50_against_row(against, study, k)->name, r->missing);
  }
  puts(worse > 0 ? "" : " none");
}

void e50_against_print(const e50_against *against, const e50_study *study) {
  const char *program = against->reference->program;
  for (int config = 0; config < study->n_configs; config++) {
    const bt_e50_match_summary *s = &against->summaries[config];
    const char *name = study->configs[config].name;
    printf("\n%s against %s of %s; a hit: within %g kcal/mol of the reference\n", name, program, against->opt_path,
           study->limits->window);
    printf("  %-8s %3s %8s %10s %16s %18s %15s %19s\n", "", "", "", "hits", "hits of", "E50, million", "ratio by",
           "seconds to 99 %");
    printf("  %-8s %3s %9s %9s %16s %9s %8s %7s %7s %9s %8s %7s %7s\n", "", "tor", "reference", "", program, "",
           "theirs", "times", "hits", "", "theirs", "times", "hits");
    for (int k = 0; k < against->count; k++) print_row(against, study, config, k);
    print_hits(against, study, config);
    e50_ratio_print(program, name, &s->e50, "times of success", "E50", "evaluations");
    e50_ratio_print(program, name, &s->seconds, "times of success", "seconds", "seconds");
    if (s->bounds > 0) {
      printf("these are lower bounds, since all runs of %s succeeded on %d of %d complexes; without those:\n", program,
             s->bounds, against->count);
      e50_ratio_print(program, name, &s->e50_no_bounds, "times of success", "E50", "evaluations");
      e50_ratio_print(program, name, &s->seconds_no_bounds, "times of success", "seconds", "seconds");
    }
    e50_ratio_print(program, name, &s->e50_by_hits, "hits alone", "E50", "evaluations");
    e50_ratio_print(program, name, &s->seconds_by_hits, "hits alone", "seconds", "seconds");
  }
  if (against->count < study->set->count)
    printf("%d of %d complexes are not in %s\n", study->set->count - against->count, study->set->count,
           against->opt_path);
  puts(
      "theirs: from hits alone, memoryless; <, >: a bound, since all of the runs succeeded, or none. By times: E50 of\n"
      "this study from when its runs succeeded; by hits: from hits alone on both sides, blind where all runs succeed");
}
