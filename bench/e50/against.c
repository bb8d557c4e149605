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

static void write_complex(bt_json *json, const e50_study *study, const e50_cell *cell, const bt_e50_reference_row *of) {
  const bt_e50_match_result *r = &cell->match;
  double rate = rate_of(of);
  bench_json(json,
             "{ complex %s reference %.6f hits %d runs %d same_budget %hhd reference_hits %d reference_runs %d "
             "reference_evaluations %ld missing_hits %.6f worse %hhd e50_by_hits %.0f reference_e50 %.0f "
             "ratio_by_hits %.6f seconds_99_by_hits %.6f reference_seconds_99 %.6f seconds_ratio_by_hits %.6f }",
             of->name, of->energy, r->hits, cell->trace.runs, r->same_budget, of->hits, of->runs, of->evaluations,
             r->missing, is_worse(study, cell), r->e50_by_hits, r->reference_e50, r->ratios[BT_E50_HITS],
             bt_e50_seconds(r->e50_by_hits, cell->rate, 0.99), bt_e50_seconds(r->reference_e50, rate, 0.99),
             r->ratios[BT_E50_HITS_SECONDS]);
}

static void write_config(bt_json *json, const e50_study *study, int config) {
  const e50_complex *complexes = study->set.items;
  const bt_e50_match_summary *s = &study->configs[config].against;
  bench_json(json, "{ configuration %s", study->configs[config].name);
  for (int q = 0; q < BT_E50_QUESTIONS; q++) {
    bt_json_key(json, bt_e50_question_keys[q]);
    e50_ratio_json(json, &s->means[q]);
    bench_json(json, "}");
  }
  bench_json(json, "worse [");
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

static void print_row(const e50_study *study, const e50_complex *complex, const e50_cell *cell) {
  const bt_e50_match_result *r = &cell->match;
  const bt_e50_reference_row *of = complex->opt_reference;
  char hits[32];
  snprintf(hits, sizeof hits, "%s%d/%d", r->same_budget ? "" : "(", r->hits, cell->trace.runs);
  printf("  %-8s %3d %8.2f %9s%c %9d/%-6d", of->name, complex->torsions, of->energy, hits, r->same_budget ? ' ' : ')',
         of->hits, of->runs);
  bench_print("%9.3g%9.3g%8.2f%10.3g%9.3g%8.2f", 1e-6 * r->e50_by_hits, 1e-6 * r->reference_e50, r->ratios[BT_E50_HITS],
              bt_e50_seconds(r->e50_by_hits, cell->rate, 0.99), bt_e50_seconds(r->reference_e50, rate_of(of), 0.99),
              r->ratios[BT_E50_HITS_SECONDS]);
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
    printf("  %-8s %3s %9s %9s %16s %26s %27s\n", "", "", "", "", "", "E50, million ", "seconds to 99 %");
    printf("  %-8s %3s %9s %9s %16s %9s %8s %7s %9s %8s %7s\n", "", "tor", "reference", "hits", program, "", "theirs",
           "ratio", "", "theirs", "ratio");
    for (int i = 0; i < study->set.count; i++)
      if (study->set.items[i].opt_reference != NULL)
        print_row(study, &study->set.items[i], e50_study_cell(study, i, config));
    print_hits(study, config);
    for (int q = 0; q < BT_E50_QUESTIONS; q++)
      e50_ratio_print(program, name, &s->means[q], "hits at one budget", q == BT_E50_HITS_SECONDS);
  }
  if (study->n_references < study->set.count)
    printf("%d of %d complexes are not in %s\n", study->set.count - study->n_references, study->set.count,
           study->opt_path);
  puts("From hits alone on both sides, memoryless. Blind where all runs succeed: tables of several budgets are not");
}
