/* files.c - two studies of E50 against each other. */
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

/* The runs of one configuration on one complex by one criterion. */
static bt_status take_side(const cli_json *result, const char *criterion, bt_arena *arena, bt_e50_side *side,
                             bt_error *opt_error) {
  const cli_json *ends, *changes;
  int count = cli_json_get_array(result, "run_evaluations", &ends);
  size_t total = 0, used = 0;
  bool good = count > 0 && cli_json_get_array(cli_json_get(result, criterion), "changes", &changes) == count;
  for (int r = 0; good && r < count; r++) {
    good = is_count(&ends[r]) && changes[r].kind == CLI_JSON_ARRAY;
    for (int k = 0; good && k < changes[r].count; k++) good = is_count(&changes[r].items[k]);
    total += (size_t)changes[r].count;
  }
  if (!good)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){0}, "give JSON of berth bench e50",
                   "runs of a study are missing");
  int64_t *pool = bt_arena_allocate(arena, total, sizeof *pool);
  bt_e50_run *runs = bt_arena_allocate(arena, (size_t)count, sizeof *runs);
  *side = (bt_e50_side){runs, count, cli_json_get_number(result, "evaluations_per_second")};
  BT_TRY(bt_arena_status(arena, opt_error));
  for (int r = 0; r < count; r++) {
    runs[r] = (bt_e50_run){pool + used, changes[r].count, (int64_t)ends[r].number};
    for (int k = 0; k < changes[r].count; k++) pool[used++] = (int64_t)changes[r].items[k].number;
  }
  return BT_OK;
}

/* pairs[complexes of the first file] is room; *ret_used: complexes of both files. */
static bt_status take_pairs(const cli_json *files[2], const match *m, int criterion, bt_arena *arena,
                            bt_e50_pair *pairs, int *ret_used, bt_error *opt_error) {
  const cli_json *complexes;
  int count = cli_json_get_array(files[0], "complexes", &complexes);
  for (int i = 0; i < count; i++) {
    const char *name = cli_json_get_text(&complexes[i], "complex");
    const cli_json *sides[2] = {&complexes[i], find_named(files[1], "complexes", "complex", name)}, *results[2];
    if (sides[1] == NULL) continue;
    if (criterion == E50_RMSD && !(cli_json_get_bool(sides[0], "by_rmsd") && cli_json_get_bool(sides[1], "by_rmsd")))
      continue;
    for (int k = 0; k < 2; k++) results[k] = find_named(sides[k], "results", "configuration", m->names[k]);
    if (results[0] == NULL || results[1] == NULL) continue;
    bt_e50_side *s = pairs[(*ret_used)++].sides;
    for (int k = 0; k < 2; k++) BT_TRY(take_side(results[k], e50_criteria[criterion], arena, &s[k], opt_error));
  }
  return BT_OK;
}

static bt_status compare_match(const cli_json *files[2], match *m, bt_error *opt_error) {
  const cli_json *complexes;
  int count = cli_json_get_array(files[0], "complexes", &complexes);
  for (int c = 0; c < E50_CRITERIA; c++) {
    BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
    BT_SCOPED bt_e50_pair *pairs = bench_allocate((size_t)count, sizeof *pairs);
    int used = 0;
    BT_TRY(take_pairs(files, m, c, &arena, pairs, &used, opt_error));
    m->contest.evaluations[c] = bt_e50_compare(pairs, used, false, 1, NULL);
    m->contest.seconds[c] = bt_e50_compare(pairs, used, true, 1, NULL);
  }
  return BT_OK;
}

/* Configurations of the same name, or the first ones. */
static bt_status find_matches(const cli_json *files[2], matches *all, bt_error *opt_error) {
  const cli_json *configs[2];
  int n = cli_json_get_array(files[0], "configurations", &configs[0]);
  int n_second = cli_json_get_array(files[1], "configurations", &configs[1]);
  if (n == 0 || n_second == 0)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){0}, "give JSON of berth bench e50",
                   "a study has no configuration");
  all->items = bench_allocate((size_t)n, sizeof *all->items);
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
               all->items[i].contest.evaluations[E50_SCORE].ratio);
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
  bt_status status = find_matches(files, &all, opt_error);
  for (int i = 0; i < all.count && status == BT_OK; i++) status = compare_match(files, &all.items[i], opt_error);
  note_minima(files, &all.notes);
  if (status == BT_OK)
    status = bench_output_write(output, "compare", true, write_members, print_table, &all, opt_error);
  free(all.items);
  bt_text_destroy(&all.notes);
  return status;
}
