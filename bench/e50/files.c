/* files.c - see files.h. */
#include "bench/e50/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/e50/study.h"
#include "common/json.h"
#include "common/report.h"

/* The runs of one configuration on one complex by one criterion. */
typedef struct sample {
  bt_e50_run *runs;
  int64_t *pool;
  int count;
  double rate; /* evaluations per second of docking; NaN: unknown */
} sample;

typedef struct match {
  const char *names[2];
  e50_contest contest;
} match;

typedef struct matches {
  match *items;
  int count;
  char *notes; /* one per line */
  size_t notes_size;
} matches;

static void free_sample(sample *s) {
  free(s->runs);
  free(s->pool);
  *s = (sample){0};
}

static bt_status out_of_memory(bt_error *opt_error) {
  return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
}

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

static bt_status take_sample(const cli_json *result, const char *criterion, sample *s, bt_error *opt_error) {
  const cli_json *ends, *changes;
  int count = cli_json_get_array(result, "run_evaluations", &ends);
  size_t total = 1, used = 0;
  bool good = count > 0 && cli_json_get_array(cli_json_get(result, criterion), "changes", &changes) == count;
  for (int r = 0; good && r < count; r++) {
    good = is_count(&ends[r]) && changes[r].kind == CLI_JSON_ARRAY;
    for (int k = 0; good && k < changes[r].count; k++) good = is_count(&changes[r].items[k]);
    if (good) total += (size_t)changes[r].count;
  }
  if (!good)
    return cli_fill_error(opt_error, BT_ERR_INPUT, NULL, "give JSON of berth bench e50", "runs of a study are missing");
  *s = (sample){calloc((size_t)count, sizeof *s->runs), calloc(total, sizeof *s->pool), count,
                cli_json_get_number(result, "evaluations_per_second")};
  if (s->runs == NULL || s->pool == NULL) return out_of_memory(opt_error);
  for (int r = 0; r < count; r++) {
    s->runs[r] = (bt_e50_run){s->pool + used, changes[r].count, (int64_t)ends[r].number};
    for (int k = 0; k < changes[r].count; k++) s->pool[used++] = (int64_t)changes[r].items[k].number;
  }
  return BT_OK;
}

static bool by_rmsd(const cli_json *complex) {
  const cli_json *member = cli_json_get(complex, "by_rmsd");
  return member != NULL && member->kind == CLI_JSON_BOOL && member->number == 1;
}

/* samples[2 * complexes of the first file]. */
static bt_status compare(const cli_json *files[2], match *m, e50_criterion criterion, sample *samples,
                         bt_e50_pair *pairs, bt_error *opt_error) {
  static const char *const keys[E50_CRITERIA] = {"score", "rmsd"};
  const cli_json *complexes;
  int count = cli_json_get_array(files[0], "complexes", &complexes), used = 0;
  for (int i = 0; i < count; i++) {
    const cli_json *sides[2] = {
        &complexes[i], find_named(files[1], "complexes", "complex", cli_json_get_text(&complexes[i], "complex"))};
    const cli_json *results[2];
    if (sides[1] == NULL || (criterion == E50_RMSD && (!by_rmsd(sides[0]) || !by_rmsd(sides[1])))) continue;
    for (int k = 0; k < 2; k++) results[k] = find_named(sides[k], "results", "configuration", m->names[k]);
    if (results[0] == NULL || results[1] == NULL) continue;
    for (int k = 0; k < 2; k++) {
      bt_status status = take_sample(results[k], keys[criterion], &samples[2 * used + k], opt_error);
      if (status != BT_OK) return status;
    }
    const sample *s = &samples[2 * used];
    pairs[used++] = (bt_e50_pair){s[0].runs, s[1].runs, s[0].count, s[1].count, 0, 0};
  }
  bt_status status = bt_e50_compare(pairs, used, 1, NULL, &m->contest.evaluations[criterion], opt_error);
  if (status != BT_OK) return status;
  int timed = 0;
  for (int i = 0; i < used; i++) {
    const sample *s = &samples[2 * i];
    if (!(s[0].rate > 0 && s[1].rate > 0)) continue;
    pairs[timed++] = (bt_e50_pair){s[0].runs, s[1].runs, s[0].count, s[1].count, 1.0 / s[0].rate, 1.0 / s[1].rate};
  }
  return bt_e50_compare(pairs, timed, 1, NULL, &m->contest.seconds[criterion], opt_error);
}

static bt_status compare_match(const cli_json *files[2], match *m, bt_error *opt_error) {
  const cli_json *complexes;
  size_t count = (size_t)cli_json_get_array(files[0], "complexes", &complexes);
  bt_status status = BT_OK;
  for (int c = 0; c < E50_CRITERIA && status == BT_OK; c++) {
    sample *samples = calloc(2 * count + 1, sizeof *samples);
    bt_e50_pair *pairs = calloc(count + 1, sizeof *pairs);
    status = samples == NULL || pairs == NULL ? out_of_memory(opt_error)
                                              : compare(files, m, (e50_criterion)c, samples, pairs, opt_error);
    for (size_t i = 0; samples != NULL && i < 2 * count; i++) free_sample(&samples[i]);
    free(samples);
    free(pairs);
  }
  return status;
}

/* Configurations of the same name, or the first ones. */
static bt_status find_matches(const cli_json *files[2], matches *all, bt_error *opt_error) {
  const cli_json *configs[2];
  int n = cli_json_get_array(files[0], "configurations", &configs[0]);
  int n_second = cli_json_get_array(files[1], "configurations", &configs[1]);
  if (n == 0 || n_second == 0)
    return cli_fill_error(opt_error, BT_ERR_INPUT, NULL, "give JSON of berth bench e50",
                          "a study has no configuration");
  all->items = calloc((size_t)n, sizeof *all->items);
  if (all->items == NULL) return out_of_memory(opt_error);
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

static bt_status note_minima(const cli_json *files[2], matches *all, bt_error *opt_error) {
  FILE *stream = open_memstream(&all->notes, &all->notes_size);
  if (stream == NULL) return out_of_memory(opt_error);
  const cli_json *complexes;
  int count = cli_json_get_array(files[0], "complexes", &complexes);
  for (int i = 0; i < count; i++) {
    const char *name = cli_json_get_text(&complexes[i], "complex");
    double first = cli_json_get_number(&complexes[i], "minimum");
    double second = cli_json_get_number(find_named(files[1], "complexes", "complex", name), "minimum");
    if (fabs(first - second) > 0.1)
      fprintf(stream, "%s: the minima differ, %.2f and %.2f kcal/mol\n", name, first, second);
  }
  return fclose(stream) == 0 ? BT_OK : out_of_memory(opt_error);
}

static void write_members(FILE *f, const void *user) {
  const matches *all = user;
  fputs("\"of\": \"e50\", \"notes\": ", f);
  cli_json_string(f, all->notes);
  fputs(", \"comparisons\": [", f);
  for (int i = 0; i < all->count; i++) {
    fputs(i > 0 ? ",\n " : "\n ", f);
    e50_contest_json(f, all->items[i].names[0], all->items[i].names[1], &all->items[i].contest);
  }
  fputs("], \"rows\": [", f);
  for (int i = 0; i < all->count; i++) {
    fputs(i > 0 ? ", {\"name\": " : "{\"name\": ", f);
    cli_json_string(f, all->items[i].names[1]);
    fputs(", \"metric\": \"E50 by score\", \"ratio\": ", f);
    cli_json_number(f, all->items[i].contest.evaluations[E50_SCORE].ratio);
    fputc('}', f);
  }
  fputc(']', f);
}

static void print_table(const void *user) {
  const matches *all = user;
  fputs(all->notes, stdout);
  for (int i = 0; i < all->count; i++) {
    char first[120], second[120];
    snprintf(first, sizeof first, "%.100s of A", all->items[i].names[0]);
    snprintf(second, sizeof second, "%.100s of B", all->items[i].names[1]);
    e50_contest_print(first, second, &all->items[i].contest);
  }
}

bt_status bench_compare_e50(const cli_json *first, const cli_json *second, const bench_output *output,
                            bt_error *opt_error) {
  const cli_json *files[2] = {first, second};
  matches all = {0};
  bt_status status = find_matches(files, &all, opt_error);
  for (int i = 0; i < all.count && status == BT_OK; i++) status = compare_match(files, &all.items[i], opt_error);
  if (status == BT_OK) status = note_minima(files, &all, opt_error);
  if (status == BT_OK) status = bench_output_write(output, "compare", write_members, print_table, &all, opt_error);
  free(all.items);
  free(all.notes);
  return status;
}
