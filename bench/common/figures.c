/* figures.c - see figures.h. */
#include "bench/common/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "common/report.h"

/* Where the figures of each benchmark are: in members of the object itself, or of the objects of an array. */
static const struct {
  const char *benchmark, *opt_rows;
  bool more_is_better;
  const char *metrics[6];
} sources[] = {
    {"evals", NULL, false, {"energy_us", "gradient_us", "solis_wets_us", "adadelta_us", "adam_us"}},
    {"portability", "rows", true, {"evaluations_per_second"}},
    {"mappings", "rows", true, {"evaluations_per_second"}},
    {"reductions", "rows", false, {"microseconds", "seconds"}},
    {"grid", "rows", true, {"values_per_second"}},
    {"screen",
     NULL,
     true,
     {"docking_ligands_per_second", "whole_ligands_per_second", "docking_evaluations_per_second"}},
    {"compare", "rows", true, {"ratio"}},
};

/* Members that say what a row is. Numbers are followed by their word. */
static const struct {
  const char *key, *word;
} identities[] = {{"ligand", ""},    {"case", ""},         {"name", ""},     {"device", ""}, {"reduction", ""},
                  {"team", "lanes"}, {"batch", "a batch"}, {"runs", "runs"}, {"metric", ""}};

void bench_figures_free(bench_figures *figures) {
  for (int i = 0; i < figures->count; i++) free(figures->items[i].name);
  free(figures->items);
  *figures = (bench_figures){0};
}

/* "1jla, cpu/avx512, 20 runs"; allocated. */
static char *identify(const cli_json *row) {
  char *name = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&name, &size);
  if (stream == NULL) return NULL;
  const char *comma = "";
  for (int i = 0; i < CLI_COUNT(identities); i++) {
    const cli_json *member = cli_json_get(row, identities[i].key);
    if (member == NULL || (member->kind == CLI_JSON_STRING && member->text[0] == '\0')) continue;
    if (member->kind == CLI_JSON_STRING)
      fprintf(stream, "%s%s", comma, member->text);
    else if (member->kind == CLI_JSON_NUMBER && member->number != 0)
      fprintf(stream, "%s%g %s", comma, member->number, identities[i].word);
    else
      continue;
    comma = ", ";
  }
  if (fclose(stream) == 0) return name;
  free(name);
  return NULL;
}

static bt_status add(bench_figures *figures, const cli_json *row, const char *metric, bool more_is_better,
                     bt_error *opt_error) {
  if (figures->count == figures->capacity) {
    int capacity = figures->capacity > 0 ? 2 * figures->capacity : 16;
    bench_figure *items = realloc(figures->items, (size_t)capacity * sizeof *items);
    if (items == NULL) return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
    figures->items = items;
    figures->capacity = capacity;
  }
  char *name = identify(row);
  if (name == NULL) return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
  figures->items[figures->count++] = (bench_figure){name, metric, more_is_better, cli_json_get_number(row, metric)};
  return BT_OK;
}

bt_status bench_figures_take(const cli_json *json, bench_figures *ret_figures, bt_error *opt_error) {
  const char *benchmark = cli_json_get_text(json, "benchmark");
  *ret_figures = (bench_figures){0};
  for (int s = 0; s < CLI_COUNT(sources); s++) {
    if (strcmp(sources[s].benchmark, benchmark) != 0) continue;
    const cli_json *rows = json;
    int count = sources[s].opt_rows != NULL ? cli_json_get_array(json, sources[s].opt_rows, &rows) : 1;
    bt_status status = BT_OK;
    for (int k = 0; k < CLI_COUNT(sources[s].metrics) && sources[s].metrics[k] != NULL; k++)
      for (int i = 0; i < count && status == BT_OK; i++)
        status = add(ret_figures, &rows[i], sources[s].metrics[k], sources[s].more_is_better, opt_error);
    return status;
  }
  return cli_fill_error(opt_error, BT_ERR_INPUT, NULL, "give JSON of berth bench",
                        "'%.60s' is no benchmark with figures", benchmark);
}

const bench_figure *bench_figures_find(const bench_figures *figures, const char *name, const char *metric) {
  for (int i = 0; i < figures->count; i++)
    if (strcmp(figures->items[i].name, name) == 0 && strcmp(figures->items[i].metric, metric) == 0)
      return &figures->items[i];
  return NULL;
}
