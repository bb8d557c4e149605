/* against.c - see against.h. */
#include "bench/e50/against.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "common/report.h"

static bt_status out_of_memory(bt_error *opt_error) {
  return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
}

bt_status e50_against_open(e50_against *against, const e50_set *set, bt_error *opt_error) {
  bt_status status = bt_e50_reference_read(against->opt_path, against->opt_program, &against->reference, opt_error);
  if (status != BT_OK) return status;
  against->complexes = calloc((size_t)set->count, sizeof *against->complexes);
  if (against->complexes == NULL) return out_of_memory(opt_error);
  for (int i = 0; i < set->count; i++)
    if (bt_e50_reference_find(against->reference, set->items[i].name) != NULL) against->complexes[against->count++] = i;
  if (against->count == 0)
    return cli_fill_error(opt_error, BT_ERR_INPUT, against->opt_path, "give a table of the same complexes",
                          "it has none of the complexes of the study");
  return BT_OK;
}

void e50_against_close(e50_against *against) {
  bt_e50_reference_destroy(against->reference);
  free(against->complexes);
  free(against->results);
  free(against->summaries);
  *against = (e50_against){0};
}

const bt_e50_match_result *e50_against_result(const e50_against *against, int config, int k) {
  return &against->results[config * against->count + k];
}

const bt_e50_reference_row *e50_against_row(const e50_against *against, const e50_study *study, int k) {
  return bt_e50_reference_find(against->reference, study->set->items[against->complexes[k]].name);
}

bool e50_against_is_worse(const e50_against *against, const bt_e50_match_result *result) {
  return result->missing > against->margin; /* false of NaN */
}

double e50_against_rate(const bt_e50_reference_row *row) { return (double)row->evaluations * row->runs / row->seconds; }

/* runs[count] and matches[count] are room. Success is measured from the table's energies, which the study's minima may
 * be below. */
static bt_status evaluate_config(e50_against *against, const e50_study *study, int config, uint64_t seed,
                                 e50_runs *runs, bt_e50_match *matches, bt_error *opt_error) {
  bt_status status = BT_OK;
  for (int k = 0; k < against->count && status == BT_OK; k++) {
    const e50_cell *cell = e50_study_cell(study, against->complexes[k], config);
    const bt_e50_reference_row *row = e50_against_row(against, study, k);
    status = e50_runs_find(&cell->trace, row->energy + study->limits->window, INFINITY, &runs[k], opt_error);
    matches[k] = (bt_e50_match){.runs = runs[k].items,
                                .n_runs = cell->trace.runs,
                                .evaluations = study->configs[config].search.evaluations,
                                .cost = 1.0 / cell->rate,
                                .reference = row};
  }
  if (status == BT_OK)
    status = bt_e50_match_all(matches, against->count, seed, &against->results[config * against->count],
                              &against->summaries[config], opt_error);
  for (int k = 0; k < against->count; k++) e50_runs_free(&runs[k]);
  return status;
}

bt_status e50_against_evaluate(e50_against *against, const e50_study *study, uint64_t seed, bt_error *opt_error) {
  size_t count = (size_t)against->count, n_configs = (size_t)study->n_configs;
  BT_SCOPED e50_runs *runs = calloc(count, sizeof *runs);
  BT_SCOPED bt_e50_match *matches = calloc(count, sizeof *matches);
  against->results = calloc(n_configs * count, sizeof *against->results);
  against->summaries = calloc(n_configs, sizeof *against->summaries);
  bool memory = runs != NULL && matches != NULL && against->results != NULL && against->summaries != NULL;
  bt_status status = memory ? BT_OK : out_of_memory(opt_error);
  for (int config = 0; config < study->n_configs && status == BT_OK; config++)
    status = evaluate_config(against, study, config, seed, runs, matches, opt_error);
  return status;
}
