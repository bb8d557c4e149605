/* against.c - a study beside a table of reference: evaluated, as JSON and as tables. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/e50/study.h"

bt_status e50_against_open(e50_against *against, const e50_set *set, bt_error *opt_error) {
  BT_TRY(bt_e50_reference_read(against->opt_path, against->opt_program, &against->reference, opt_error));
  against->complexes = bench_allocate((size_t)set->count, sizeof *against->complexes);
  for (int i = 0; i < set->count; i++)
    if (bt_e50_reference_find(against->reference, set->items[i].name) != NULL) against->complexes[against->count++] = i;
  if (against->count == 0)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = against->opt_path}, "give a table of the same complexes",
                   "it has none of the complexes of the study");
  return BT_OK;
}

void e50_against_close(e50_against *against) {
  bt_e50_reference_destroy(against->reference);
  free(against->complexes);
  free(against->results);
  free(against->summaries);
}

static const bt_e50_match_result *result_of(const e50_study *study, int config, int k) {
  return &study->against.results[config * study->against.count + k];
}

static const bt_e50_reference_row *row_of(const e50_study *study, int k) {
  return bt_e50_reference_find(study->against.reference, study->set.items[study->against.complexes[k]].name);
}

static bool is_worse(const e50_study *study, const bt_e50_match_result *result) {
  return result->missing > study->against.margin; /* false of NaN */
}

/* Evaluations per second of all runs together; NaN: unknown. */
static double rate_of(const bt_e50_reference_row *row) { return (double)row->evaluations * row->runs / row->seconds; }

/* Success is measured from the table's energies, which the study's minima may be below. */
void e50_against_evaluate(e50_study *study, uint64_t seed) {
  e50_against *against = &study->against;
  size_t count = (size_t)against->count, n_configs = (size_t)study->n_configs;
  BT_SCOPED bt_e50_run **runs = bench_allocate(count, sizeof *runs);
  BT_SCOPED bt_e50_match *matches = bench_allocate(count, sizeof *matches);
  against->results = bench_allocate(n_configs * count, sizeof *against->results);
  against->summaries = bench_allocate(n_configs, sizeof *against->summaries);
  for (int config = 0; config < study->n_configs; config++) {
    for (int k = 0; k < against->count; k++) {
      const e50_cell *cell = e50_study_cell(study, against->complexes[k], config);
      const bt_e50_reference_row *row = row_of(study, k);
      runs[k] = e50_runs_find(&cell->trace, row->energy + study->limits.window, INFINITY);
      matches[k] = (bt_e50_match){runs[k], cell->trace.runs, study->configs[config].search.evaluations,
                                  1.0 / cell->rate, row};
    }
    against->summaries[config] =
        bt_e50_match_all(matches, against->count, seed, &against->results[config * against->count]);
    for (int k = 0; k < against->count; k++) free(runs[k]);
  }
}

/* What is known of the reference's E50 alone. */
static const char *bound_of(const bt_e50_reference_row *of) {
  return of->hits == of->runs ? "upper" : of->hits == 0 ? "lower" : NULL;
}

static void write_complex(bt_json *json, const e50_study *study, int config, int k) {
  const bt_e50_match_result *r = result_of(study, config, k);
  const bt_e50_reference_row *of = row_of(study, k);
  const e50_cell *cell = e50_study_cell(study, study->against.complexes[k], config);
  double rate = rate_of(of);
  bench_json(json, "{ complex %s reference %.6f hits %d runs %d same_budget %hhd reference_hits %d reference_runs %d "
             "reference_evaluations %ld missing_hits %.6f worse %hhd e50 %.0f low %.0f high %.0f e50_by_hits %.0f "
             "reference_e50 %.0f reference_bound %s ratio %.6f ratio_by_hits %.6f seconds_50 %.6f seconds_99 %.6f "
             "reference_seconds_50 %.6f reference_seconds_99 %.6f seconds_ratio %.6f seconds_ratio_by_hits %.6f }",
             of->name, of->energy, r->hits, cell->trace.runs, r->same_budget, of->hits, of->runs, of->evaluations,
             r->missing, is_worse(study, r), r->e50.value, r->e50.low, r->e50.high, r->e50_by_hits, r->reference_e50,
             bound_of(of), r->ratio, r->ratio_by_hits, bt_e50_seconds(r->e50.value, cell->rate, 0.5),
             bt_e50_seconds(r->e50.value, cell->rate, 0.99), bt_e50_seconds(r->reference_e50, rate, 0.5),
             bt_e50_seconds(r->reference_e50, rate, 0.99), r->seconds_ratio, r->seconds_ratio_by_hits);
}

static void write_config(bt_json *json, const e50_study *study, int config) {
  const bt_e50_match_summary *s = &study->against.summaries[config];
  const struct {
    const char *key;
    const bt_e50_comparison *mean;
  } means[] = {{"e50", &s->e50},
               {"seconds", &s->seconds},
               {"e50_without_bounds", &s->e50_no_bounds},
               {"seconds_without_bounds", &s->seconds_no_bounds},
               {"e50_by_hits", &s->e50_by_hits},
               {"seconds_by_hits", &s->seconds_by_hits}};
  bench_json(json, "{ configuration %s", study->configs[config].name);
  for (int i = 0; i < CLI_COUNT(means); i++) {
    bt_json_key(json, means[i].key);
    e50_ratio_json(json, means[i].mean);
    bench_json(json, "}");
  }
  bench_json(json, "bounds %d worse [", s->bounds);
  for (int k = 0; k < study->against.count; k++)
    if (is_worse(study, result_of(study, config, k))) bt_json_string(json, row_of(study, k)->name);
  bench_json(json, "] complexes [");
  for (int k = 0; k < study->against.count; k++) write_complex(json, study, config, k);
  bench_json(json, "] }");
}

void e50_against_json(bt_json *json, const e50_study *study) {
  bench_json(json, "against { file %s program %s margin %d configurations [", study->against.opt_path,
             study->against.reference->program, study->against.margin);
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

static void print_row(const e50_study *study, int config, int k) {
  const e50_complex *complex = &study->set.items[study->against.complexes[k]];
  const e50_cell *cell = e50_study_cell(study, study->against.complexes[k], config);
  const bt_e50_match_result *r = result_of(study, config, k);
  const bt_e50_reference_row *of = row_of(study, k);
  char hits[32];
  snprintf(hits, sizeof hits, "%s%d/%d", r->same_budget ? "" : "(", r->hits, cell->trace.runs);
  printf("  %-8s %3d %8.2f %9s%c %9d/%-6d", of->name, complex->torsions, of->energy, hits, r->same_budget ? ' ' : ')',
         of->hits, of->runs);
  /* the bound of a ratio is the other way round; the runs of the study are without a success only in a lower one */
  const char *bound = bound_of(of), *mark = bound == NULL ? "" : bound[0] == 'u' ? "<" : ">";
  const char *ratio_mark = mark[0] == '<' || r->e50.successes == 0 ? ">" : mark[0] == '>' ? "<" : "";
  bench_cell(9, "%.3g", 1e-6 * r->e50.value);
  print_bounded("%.3g", 1e-6 * r->reference_e50, mark, 9);
  print_bounded("%.2f", r->ratio, ratio_mark, 8);
  bench_cell(8, "%.2f", r->ratio_by_hits);
  bench_cell(10, "%.3g", bt_e50_seconds(r->e50.value, cell->rate, 0.99));
  print_bounded("%.3g", bt_e50_seconds(r->reference_e50, rate_of(of), 0.99), mark, 9);
  print_bounded("%.2f", r->seconds_ratio, ratio_mark, 8);
  bench_cell(8, "%.2f", r->seconds_ratio_by_hits);
  puts(is_worse(study, r) ? "  worse" : "");
}

/* How many hits there are in the complexes where they may be compared, and where there are fewer. */
static void print_hits(const e50_study *study, int config) {
  long long hits[2] = {0, 0}, runs[2] = {0, 0};
  int compared = 0, worse = 0;
  for (int k = 0; k < study->against.count; k++) {
    const bt_e50_match_result *r = result_of(study, config, k);
    const bt_e50_reference_row *of = row_of(study, k);
    if (!r->same_budget) continue;
    hits[0] += r->hits;
    hits[1] += of->hits;
    runs[0] += e50_study_cell(study, study->against.complexes[k], config)->trace.runs;
    runs[1] += of->runs;
    compared++;
  }
  if (compared < study->against.count)
    printf("hits in parentheses (%d of %d complexes) are not compared: fewer evaluations than those of %s\n",
           study->against.count - compared, study->against.count, study->against.reference->program);
  if (compared == 0) return;
  printf("hits: %lld of %lld runs, %s %lld of %lld; worse by more than %d of its hits:", hits[0], runs[0],
         study->against.reference->program, hits[1], runs[1], study->against.margin);
  for (int k = 0; k < study->against.count; k++) {
    const bt_e50_match_result *r = result_of(study, config, k);
    if (!is_worse(study, r)) continue;
    printf("%s %s (%.3g fewer)", worse++ > 0 ? "," : "", row_of(study, k)->name, r->missing);
  }
  puts(worse > 0 ? "" : " none");
}

void e50_against_print(const e50_study *study) {
  const char *program = study->against.reference->program;
  for (int config = 0; config < study->n_configs; config++) {
    const bt_e50_match_summary *s = &study->against.summaries[config];
    const char *name = study->configs[config].name;
    printf("\n%s against %s of %s; a hit: within %g kcal/mol of the reference\n", name, program,
           study->against.opt_path, study->limits.window);
    printf("  %-8s %3s %8s %10s %16s %18s %15s %19s\n", "", "", "", "hits", "hits of", "E50, million", "ratio by",
           "seconds to 99 %");
    printf("  %-8s %3s %9s %9s %16s %9s %8s %7s %7s %9s %8s %7s %7s\n", "", "tor", "reference", "", program, "",
           "theirs", "times", "hits", "", "theirs", "times", "hits");
    for (int k = 0; k < study->against.count; k++) print_row(study, config, k);
    print_hits(study, config);
    e50_ratio_print(program, name, &s->e50, "times of success", false);
    e50_ratio_print(program, name, &s->seconds, "times of success", true);
    if (s->bounds > 0) {
      printf("these are lower bounds, since all runs of %s succeeded on %d of %d complexes; without those:\n", program,
             s->bounds, study->against.count);
      e50_ratio_print(program, name, &s->e50_no_bounds, "times of success", false);
      e50_ratio_print(program, name, &s->seconds_no_bounds, "times of success", true);
    }
    e50_ratio_print(program, name, &s->e50_by_hits, "hits alone", false);
    e50_ratio_print(program, name, &s->seconds_by_hits, "hits alone", true);
  }
  if (study->against.count < study->set.count)
    printf("%d of %d complexes are not in %s\n", study->set.count - study->against.count, study->set.count,
           study->against.opt_path);
  puts(
      "theirs: from hits alone, memoryless; <, >: a bound, since all of the runs succeeded, or none. By times: E50 of\n"
      "this study from when its runs succeeded; by hits: from hits alone on both sides, blind where all runs succeed");
}
