/* budgets_report.c - `berth bench e50 --against` with a table of budgets: every program against the first. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files/file.h"
#include "bench/e50/budgets.h"
#include "bench/e50/study.h"

static const char estimator[] =
    "least over budgets of seconds / runs * ln(0.01) / ln(1 - hits / runs), no share above 1 less half a run";

typedef struct report {
  const char *path;
  bt_e50_budgets table;
  bt_e50_budget_contest *contests;
  int n_contests;
} report;

static void write_side(bt_json *json, const bt_e50_least *side) {
  bench_json(json, "{ evaluations %ld hits %d runs %d seconds %.6f seconds_99 %g budgets %d bound %hhd at_edge %hhd }",
             side->row->evaluations, side->row->hits, side->row->runs, side->row->seconds, side->seconds, side->budgets,
             side->bound, side->at_edge);
}

static void write_contest(bt_json *json, const report *r, const bt_e50_budget_contest *c) {
  bench_json(json, "{ first %s second %s", r->table.programs[c->first].name, r->table.programs[c->second].name);
  bt_json_key(json, "seconds");
  e50_ratio_json(json, &c->mean);
  bench_json(json, "least %.6f largest %.6f } left_out %d complexes [", c->least, c->largest, c->alone);
  for (int i = 0; i < c->n_pairs; i++) {
    bench_json(json, "{ complex %s ratio %.6f", c->pairs[i].complex, c->pairs[i].ratio);
    bt_json_key(json, "first");
    write_side(json, &c->pairs[i].sides[0]);
    bt_json_key(json, "second");
    write_side(json, &c->pairs[i].sides[1]);
    bench_json(json, "}");
  }
  bench_json(json, "] }");
}

static void write_members(bt_json *json, const void *user) {
  const report *r = user;
  bench_json(json, "file %s estimator %s programs [", r->path, estimator);
  for (int i = 0; i < r->table.n_programs; i++) {
    const bt_e50_program *p = &r->table.programs[i];
    bench_json(json, "{ program %s commit %s card %s block %s }", p->name, p->commit, p->card, p->block);
  }
  bench_json(json, "] comparisons [");
  for (int k = 0; k < r->n_contests; k++) write_contest(json, r, &r->contests[k]);
  bench_json(json, "]");
}

static void print_side(const bt_e50_least *side) {
  printf("%12lld%c %6d/%-6d %s%-11.4g", (long long)side->row->evaluations, side->at_edge ? '*' : ' ', side->row->hits,
         side->row->runs, side->bound ? ">" : " ", side->seconds);
}

static void print_contest(const report *r, const bt_e50_budget_contest *c) {
  const char *first = r->table.programs[c->first].name, *second = r->table.programs[c->second].name;
  printf("\n%s against %s: each at its best budget\n", second, first);
  printf("  %-10s %-40.40s %-40.40s %s\n", "", first, second, "ratio");
  for (int side = 0; side < 2; side++)
    printf("%s%13s %13s   %-11s", side == 0 ? "  complex   " : "", "evaluations", "hits", "s to 99 %");
  putchar('\n');
  for (int i = 0; i < c->n_pairs; i++) {
    printf("  %-10.10s", c->pairs[i].complex);
    for (int side = 0; side < 2; side++) print_side(&c->pairs[i].sides[side]);
    bench_print("%8.4g\n", c->pairs[i].ratio);
  }
  e50_ratio_print(first, second, &c->mean, "hits, least over budgets", true);
  if (c->mean.pairs > 0) printf("ratios from %.4g to %.4g\n", c->least, c->largest);
  if (c->alone > 0) printf("%d complexes of one program alone are left out\n", c->alone);
}

static void print_text(const void *user) {
  const report *r = user;
  printf("%s on %s\n", r->path, r->table.programs[0].card);
  for (int i = 0; i < r->table.n_programs; i++)
    printf("  %s: commit %s, blocks of %s\n", r->table.programs[i].name, r->table.programs[i].commit,
           r->table.programs[i].block);
  for (int k = 0; k < r->n_contests; k++) print_contest(r, &r->contests[k]);
  printf(
      "\nseconds to 99 %%: %s.\n*: the shortest or longest budget, so that a better one may lie outside; "
      ">: no hit, a lower bound\n",
      estimator);
}

static bt_status compare_all(report *r, const char *opt_program, uint64_t seed, bt_error *opt_error) {
  int first = 0;
  while (opt_program != NULL && first < r->table.n_programs && strcmp(r->table.programs[first].name, opt_program) != 0)
    first++;
  if (first == r->table.n_programs)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = r->path}, "choose a program of the table",
                   "it has no rows of %.60s", opt_program);
  r->contests = bench_keep((size_t)r->table.n_programs, sizeof *r->contests);
  for (int other = 0; other < r->table.n_programs; other++) {
    if (other == first) continue;
    bt_e50_budget_pair *pairs = bench_keep((size_t)r->table.n_rows, sizeof *pairs);
    BT_TRY(
        bt_e50_budgets_compare(&r->table, r->path, first, other, seed, pairs, &r->contests[r->n_contests], opt_error));
    r->n_contests++;
  }
  return BT_OK;
}

bt_status e50_budgets_run(const char *path, const char *opt_program, bool has_set, uint64_t seed, bench_output *output,
                          bool *ret_done, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  size_t size;
  report r = {.path = bt_file_label(path)};
  BT_TRY(bt_file_read(path, &text, &size, opt_error));
  *ret_done = bt_e50_is_budgets(text, size);
  if (!*ret_done) return BT_OK;
  if (has_set) return bench_refuse(opt_error, "%.200s has the rows of both programs: leave out --set and -o", r.path);
  bt_status status = bt_e50_budgets_parse(r.path, text, size, &r.table, opt_error);
  if (status == BT_OK) status = compare_all(&r, opt_program, seed, opt_error);
  if (status == BT_OK)
    status = bench_output_write(output, "e50-budgets", true, write_members, print_text, &r, opt_error);
  bt_e50_budgets_free(&r.table);
  return status;
}
