/* against.c - compares a study with a reference table; writes the comparison as JSON and as tables. */
#include <math.h>
#include <stdio.h>

#include "bench/e50/study.h"

bt_status e50_against_open(e50_study *study, bt_error *opt_error) {
  BT_TRY(bt_e50_reference_read(study->opt_path, study->opt_program, &study->reference, opt_error));
  for (int i = 0; i < study->set.count; i++) {
    e50_complex *of = &study->set.items[i];
    of->opt_reference = bt_e50_reference_find(study->reference, of->name);
    study->n_references += of->opt_reference != NULL;
  }
  if (study->n_references > 0) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = study->opt_path}, "use a table of the same complexes",
                 "it has none of the complexes of the study");
}

static bool is_worse(const e50_study *study, const e50_cell *cell) {
  return cell->match.missing > study->margin; /* false if NaN */
}

/* Evaluations per second of all runs together; NaN: unknown. */
static double rate_of(const bt_e50_reference_row *row) { return (double)row->evaluations * row->runs / row->seconds; }

/* Success is judged by the energies of the table, even where the study found lower minima. */
void e50_against_evaluate(e50_study *study, uint64_t seed) {
  size_t count = (size_t)study->n_references;
  BT_SCOPED bt_e50_match *matches = bench_allocate(count, sizeof *matches);
  BT_SCOPED bt_e50_match_result *results = bench_allocate(count, sizeof *results);
  for (int config = 0; config < study->n_configs; config++) {
    int n = 0;
    for (int i = 0; i < study->set.count; i++) {
      const e50_cell *cell = e50_study_cell(study, i, config);
      const bt_e50_reference_row *row = study->set.items[i].opt_reference;
      if (row == NULL) continue;
      const bt_e50_run *runs = e50_runs_find(&cell->trace, row->energy + study->limits.window, INFINITY);
      matches[n++] =
          (bt_e50_match){runs, cell->trace.runs, study->configs[config].search.evaluations, 1.0 / cell->rate, row};
    }
    study->configs[config].against = bt_e50_match_all(matches, n, seed, results);
    for (int i = 0, k = 0; k < n; i++)
      if (study->set.items[i].opt_reference != NULL) e50_study_cell(study, i, config)->match = results[k++];
  }
}

/* Which bound the reference's E50 is, if it is only one. */
static const char *bound_of(const bt_e50_reference_row *of) {
  return of->hits == of->runs ? "upper" : of->hits == 0 ? "lower" : NULL;
}

static void write_complex(bt_json *json, const e50_study *study, const e50_cell *cell, const bt_e50_reference_row *of) {
  const bt_e50_match_result *r = &cell->match;
  double rate = rate_of(of);
  bench_json(json, "{ complex %s reference %.6f hits %d runs %d same_budget %hhd reference_hits %d reference_runs %d "
             "reference_evaluations %ld missing_hits %.6f worse %hhd e50 %.0f low %.0f high %.0f e50_by_hits %.0f "
             "reference_e50 %.0f reference_bound %s ratio %.6f ratio_by_hits %.6f seconds_50 %.6f seconds_99 %.6f "
             "reference_seconds_50 %.6f reference_seconds_99 %.6f seconds_ratio %.6f seconds_ratio_by_hits %.6f }",
             of->name, of->energy, r->hits, cell->trace.runs, r->same_budget, of->hits, of->runs, of->evaluations,
             r->missing, is_worse(study, cell), r->e50.value, r->e50.low, r->e50.high, r->e50_by_hits, r->reference_e50,
             bound_of(of), r->ratios[BT_E50_TIMES], r->ratios[BT_E50_HITS],
             bt_e50_seconds(r->e50.value, cell->rate, 0.5), bt_e50_seconds(r->e50.value, cell->rate, 0.99),
             bt_e50_seconds(r->reference_e50, rate, 0.5), bt_e50_seconds(r->reference_e50, rate, 0.99),
             r->ratios[BT_E50_TIMES_SECONDS], r->ratios[BT_E50_HITS_SECONDS]);
}

static void write_config(bt_json *json, const e50_study *study, int config) {
  const e50_complex *complexes = study->set.items;
  const bt_e50_match_summary *s = &study->configs[config].against;
  bench_json(json, "{ configuration %s", study->configs[config].name);
  for (int q = 0; q < BT_E50_QUESTIONS; q++) {
    bt_json_key(json, bt_e50_questions[q].key);
    e50_ratio_json(json, &s->means[q]);
    bench_json(json, "}");
  }
  bench_json(json, "bounds %d worse [", s->bounds);
  for (int i = 0; i < study->set.count; i++)
    if (is_worse(study, e50_study_cell(study, i, config))) bt_json_string(json, complexes[i].name);
  bench_json(json, "] complexes [");
  for (int i = 0; i < study->set.count; i++)
    if (complexes[i].opt_reference != NULL)
      write_complex(json, study, e50_study_cell(study, i, config), complexes[i].opt_reference);
  bench_json(json, "] }");
}

void e50_against_json(bt_json *json, const e50_study *study) {
  bench_json(json, "against { file %s program %s margin %d configurations [", study->opt_path,
             study->reference->program, study->margin);
  for (int config = 0; config < study->n_configs; config++) write_config(json, study, config);
  bench_json(json, "] }");
}

static void print_bounded(const char *format, double value, const char *mark, int width) {
  char text[64] = "-";
  if (isfinite(value)) {
    text[0] = mark[0];
    snprintf(text + (mark[0] != '\0'), sizeof text - 1, format, value);
  }
  printf("%*s", width, text);
}

static void print_row(const e50_study *study, const e50_complex *complex, const e50_cell *cell) {
  const bt_e50_match_result *r = &cell->match;
  const bt_e50_reference_row *of = complex->opt_reference;
  char hits[32];
  snprintf(hits, sizeof hits, "%s%d/%d", r->same_budget ? "" : "(", r->hits, cell->trace.runs);
  printf("  %-8s %3d %8.2f %9s%c %9d/%-6d", of->name, complex->torsions, of->energy, hits, r->same_budget ? ' ' : ')',
         of->hits, of->runs);
  /* a ratio has the opposite bound; where the study's own runs have no success it is a lower one */
  const char *bound = bound_of(of), *mark = bound == NULL ? "" : bound[0] == 'u' ? "<" : ">";
  const char *ratio_mark = mark[0] == '<' || r->e50.successes == 0 ? ">" : mark[0] == '>' ? "<" : "";
  bench_print("%9.3g", 1e-6 * r->e50.value);
  print_bounded("%.3g", 1e-6 * r->reference_e50, mark, 9);
  print_bounded("%.2f", r->ratios[BT_E50_TIMES], ratio_mark, 8);
  bench_print("%8.2f%10.3g", r->ratios[BT_E50_HITS], bt_e50_seconds(r->e50.value, cell->rate, 0.99));
  print_bounded("%.3g", bt_e50_seconds(r->reference_e50, rate_of(of), 0.99), mark, 9);
  print_bounded("%.2f", r->ratios[BT_E50_TIMES_SECONDS], ratio_mark, 8);
  bench_print("%8.2f", r->ratios[BT_E50_HITS_SECONDS]);
  puts(is_worse(study, cell) ? "  worse" : "");
}

/* Prints the hits over the complexes where they are comparable, and the complexes with fewer hits. */
static void print_hits(const e50_study *study, int config) {
  long long hits[2] = {0, 0}, runs[2] = {0, 0};
  int compared = 0, worse = 0;
  for (int i = 0; i < study->set.count; i++) {
    const e50_cell *cell = e50_study_cell(study, i, config);
    const bt_e50_reference_row *of = study->set.items[i].opt_reference;
    if (!cell->match.same_budget) continue;
    hits[0] += cell->match.hits;
    hits[1] += of->hits;
    runs[0] += cell->trace.runs;
    runs[1] += of->runs;
    compared++;
  }
  if (compared < study->n_references)
    printf("hits in parentheses (%d of %d complexes) are not compared: fewer evaluations than those of %s\n",
           study->n_references - compared, study->n_references, study->reference->program);
  if (compared == 0) return;
  printf("hits: %lld of %lld runs, %s %lld of %lld; worse by more than %d of its hits:", hits[0], runs[0],
         study->reference->program, hits[1], runs[1], study->margin);
  for (int i = 0; i < study->set.count; i++) {
    const e50_cell *cell = e50_study_cell(study, i, config);
    if (!is_worse(study, cell)) continue;
    printf("%s %s (%.3g fewer)", worse++ > 0 ? "," : "", study->set.items[i].name, cell->match.missing);
  }
  puts(worse > 0 ? "" : " none");
}

void e50_against_print(const e50_study *study) {
  const char *program = study->reference->program;
  for (int config = 0; config < study->n_configs; config++) {
    const bt_e50_match_summary *s = &study->configs[config].against;
    const char *name = study->configs[config].name;
    printf("\n%s against %s of %s; a hit: within %g kcal/mol of the reference\n", name, program,
           study->opt_path, study->limits.window);
    printf("  %-8s %3s %8s %10s %16s %18s %15s %19s\n", "", "", "", "hits", "hits of", "E50, million", "ratio by",
           "seconds to 99 %");
    printf("  %-8s %3s %9s %9s %16s %9s %8s %7s %7s %9s %8s %7s %7s\n", "", "tor", "reference", "", program, "",
           "theirs", "times", "hits", "", "theirs", "times", "hits");
    for (int i = 0; i < study->set.count; i++)
      if (study->set.items[i].opt_reference != NULL)
        print_row(study, &study->set.items[i], e50_study_cell(study, i, config));
    print_hits(study, config);
    for (int q = 0; q < BT_E50_QUESTIONS; q++) {
      const bt_e50_question *of = &bt_e50_questions[q];
      if (of->no_bounds && s->bounds == 0) continue;
      if (q == BT_E50_NO_BOUNDS)
        printf("these are lower bounds, since all runs of %s succeeded on %d of %d complexes; without those:\n",
               program, s->bounds, study->n_references);
      e50_ratio_print(program, name, &s->means[q], of->by_hits ? "hits alone" : "times of success", of->in_seconds);
    }
  }
  if (study->n_references < study->set.count)
    printf("%d of %d complexes are not in %s\n", study->set.count - study->n_references, study->set.count,
           study->opt_path);
  puts(
      "theirs: from hits alone, memoryless; <, >: a bound, since all of the runs succeeded, or none. By times: E50 of\n"
      "this study from when its runs succeeded; by hits: from hits alone on both sides, blind where all runs succeed");
}
