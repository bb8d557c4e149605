/* rows.c - writes a study's hits at its budget as rows of a table that --against compares (budgets.h). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files/file.h"
#include "bench/e50/study.h"

/* Seconds of all runs with the whole budget: a search that ended early, since all its runs had succeeded, is charged
 * for the rest, as is one of a program without that rule. */
static double seconds_of(const e50_cell *cell, int64_t evaluations) {
  double whole = (double)evaluations * cell->trace.runs;
  return fmax((double)cell->trace.total, whole) / cell->rate;
}

static void add_row(bt_text *text, const e50_study *study, int complex, int config) {
  const e50_cell *cell = e50_study_cell(study, complex, config);
  const e50_config *how = &study->configs[config];
  const char *card = cell->trace.subject.description;
  char block[16] = "chosen";
  if (how->search.team > 0) snprintf(block, sizeof block, "%d", how->search.team);
  bt_text_printf(text, "berth%s%s\t%s\t%s\t%s\thits\t%s\t%.6f\t%lld\t%d\t%d\t%.6f\n", study->n_configs > 1 ? "-" : "",
                 study->n_configs > 1 ? how->name : "", cell->trace.commit,
                 card[0] != '\0' ? card : cell->trace.subject.device, block, study->set.items[complex].name,
                 study->set.items[complex].minimum, (long long)how->search.evaluations, cell->trace.runs,
                 cell->e50[E50_SCORE].successes, seconds_of(cell, how->search.evaluations));
}

bt_status e50_rows_write(const e50_study *study, const char *path, bt_error *opt_error) {
  bt_text text = {0};
  bt_text_add_string(&text,
                     "program\tcommit\tcard\tblock\testimator\tcomplex\treference\tevaluations\truns\thits\tseconds\n");
  for (int i = 0; i < study->set.count; i++)
    for (int k = 0; k < study->n_configs; k++)
      if (isfinite(study->set.items[i].minimum) && e50_study_cell(study, i, k)->rate > 0) add_row(&text, study, i, k);
  bt_status status = bt_text_status(&text, opt_error);
  if (status == BT_OK) status = bt_file_write_text(path, &text, opt_error);
  bt_text_destroy(&text);
  return status;
}
