/* files.c - compares two E50 studies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/e50/study.h"

typedef struct match {
  const char *names[2];
  e50_contest contest;
} match;

typedef struct matches {
  match *items;
  int count;
  bt_text notes; /* one per line */
} matches;

static const cli_json *find_named(const cli_json *object, const char *array, const char *key, const char *name) {
  const cli_json *items;
  int count = cli_json_get_array(object, array, &items);
  for (int i = 0; i < count; i++)
    if (strcmp(cli_json_get_text(&items[i], key), name) == 0) return &items[i];
  return NULL;
}

static bool is_count(const cli_json *value) {
  return value->kind == CLI_JSON_NUMBER && value->number >= 0 && value->number < 9e15;
}

/* False if this is not a run. */
static bool take_run(const cli_json *end, const cli_json *changes, bt_e50_run *run) {
  int64_t *times = bench_keep((size_t)changes->count, sizeof *times);
  if (!is_count(end) || changes->kind != CLI_JSON_ARRAY) return false;
  *run = (bt_e50_run){times, changes->count, (int64_t)end->number};
  for (int k = 0; k < changes->count; k++) {
    if (!is_count(&changes->items[k])) return false;
    times[k] = (int64_t)changes->items[k].number;
  }
  return true;
}

/* Reads the runs of one configuration on one complex, by one criterion. */
static bt_status take_side(const cli_json *result, const char *criterion, bt_e50_side *side, bt_error *opt_error) {
  const cli_json *ends, *changes;
  int count = cli_json_get_array(result, "run_evaluations", &ends);
  bool good = count > 0 && cli_json_get_array(cli_json_get(result, criterion), "changes", &changes) == count;
  bt_e50_run *runs = bench_keep((size_t)count, sizeof *runs);
  *side = (bt_e50_side){runs, count, cli_json_get_number(result, "evaluations_per_second")};
  for (int r = 0; good && r < count; r++) good = take_run(&ends[r], &changes[r], &runs[r]);
  if (good) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){0}, "provide JSON of berth bench e50", "runs of a study are missing");
}

/* Compares by one criterion, over the complexes in both files. */
static bt_status compare_match(const cli_json *files[2], match *m, int criterion, bt_error *opt_error) {
  const cli_json *complexes;
  int count = cli_json_get_array(files[0], "complexes", &complexes), used = 0;
  BT_SCOPED bt_e50_pair *pairs = bench_allocate((size_t)count, sizeof *pairs);
  for (int i = 0; i < count; i++) {
    const char *name = cli_json_get_text(&complexes[i], "complex");
    const cli_json *sides[2] = {&complexes[i], find_named(files[1], "complexes", "complex", name)}, *results[2];
    bool counts = sides[1] != NULL;
    for (int k = 0; k < 2 && counts; k++) {
      results[k] = find_named(sides[k], "results", "configuration", m->names[k]);
      counts = results[k] != NULL && (criterion != E50_RMSD || cli_json_get_bool(sides[k], "by_rmsd"));
    }
    for (int k = 0; k < 2 && counts; k++)
      BT_TRY(take_side(results[k], e50_criteria[criterion], &pairs[used].sides[k], opt_error));
    used += counts;
  }
  for (int seconds = 0; seconds < 2; seconds++)
    m->contest.of[criterion][seconds] = bt_e50_compare(pairs, used, seconds, 1, NULL);
  return BT_OK;
}

/* Pairs configurations of the same name, or else the first of each file. */
static bt_status find_matches(const cli_json *files[2], matches *all, bt_error *opt_error) {
  const cli_json *configs[2];
  int n = cli_json_get_array(files[0], "configurations", &configs[0]);
  int n_second = cli_json_get_array(files[1], "configurations", &configs[1]);
  if (n == 0 || n_second == 0)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){0}, "provide JSON of berth bench e50",
                   "a study has no configuration");
  all->items = bench_keep((size_t)n, sizeof *all->items);
  for (int i = 0; i < n; i++) {
    const char *name = cli_json_get_text(&configs[0][i], "name");
    if (find_named(files[1], "configurations", "name", name) != NULL)
      all->items[all->count++] = (match){.names = {name, name}};
  }
  if (all->count == 0)
    all->items[all->count++] =
        (match){.names = {cli_json_get_text(&configs[0][0], "name"), cli_json_get_text(&configs[1][0], "name")}};
  return BT_OK;
}

static void note_minima(const cli_json *files[2], bt_text *notes) {
  const cli_json *complexes;
  int count = cli_json_get_array(files[0], "complexes", &complexes);
  for (int i = 0; i < count; i++) {
    const char *name = cli_json_get_text(&complexes[i], "complex");
    double first = cli_json_get_number(&complexes[i], "minimum");
    double second = cli_json_get_number(find_named(files[1], "complexes", "complex", name), "minimum");
    if (fabs(first - second) > 0.1)
      bt_text_printf(notes, "%s: the minima differ, %.2f and %.2f kcal/mol\n", name, first, second);
  }
}

static void write_members(bt_json *json, const void *user) {
  const matches *all = user;
  bench_json(json, "of %s notes %s comparisons [", "e50", all->notes.size > 0 ? all->notes.data : "");
  for (int i = 0; i < all->count; i++)
    e50_contest_json(json, all->items[i].names[0], all->items[i].names[1], &all->items[i].contest);
  bench_json(json, "] rows [");
  for (int i = 0; i < all->count; i++) {
    bench_json(json, "{ name %s metric %s ratio %g }", all->items[i].names[1], "E50 by score",
               all->items[i].contest.of[E50_SCORE][0].ratio);
  }
  bench_json(json, "]");
}

static void print_table(const void *user) {
  const matches *all = user;
  if (all->notes.size > 0) fputs(all->notes.data, stdout);
  for (int i = 0; i < all->count; i++) {
    char first[120], second[120];
    snprintf(first, sizeof first, "%.100s of A", all->items[i].names[0]);
    snprintf(second, sizeof second, "%.100s of B", all->items[i].names[1]);
    e50_contest_print(first, second, &all->items[i].contest);
  }
}

bt_status e50_files_compare(const cli_json *first, const cli_json *second, bench_output *output, bt_error *opt_error) {
  const cli_json *files[2] = {first, second};
  matches all = {.count = 0};
  BT_TRY(find_matches(files, &all, opt_error));
  for (int i = 0; i < all.count; i++)
    for (int c = 0; c < E50_CRITERIA; c++) BT_TRY(compare_match(files, &all.items[i], c, opt_error));
  note_minima(files, &all.notes);
  bt_status status = bench_output_write(output, "compare", true, write_members, print_table, &all, opt_error);
  bt_text_destroy(&all.notes);
  return status;
}
