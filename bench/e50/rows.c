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

/* The energy from which hits are judged: that of the table of --against, or else the known minimum; not the lowest that
 * was found, which differs between budgets. NaN: there is none, and no row. */
static double reference_of(const e50_study *study, int complex) {
  const e50_complex *of = &study->set.items[complex];
  if (of->opt_reference != NULL) return of->opt_reference->energy;
  return study->opt_path != NULL ? NAN : of->known;
}

static int hits_of(const e50_trace *trace, double energy) {
  return (int)(bt_e50_share(e50_runs_find(trace, energy, INFINITY), trace->runs, INFINITY) * trace->runs + 0.5);
}

static void add_row(bt_text *text, const e50_study *study, int complex, int config) {
  const e50_cell *cell = e50_study_cell(study, complex, config);
  const e50_config *how = &study->configs[config];
  const bench_subject *on = &cell->trace.subject;
  char processor[256];
  bool host = strncmp(on->device, "cpu", 3) == 0; /* described by its instructions alone */
  const char *card = host ? bt_cpu_name(processor, sizeof processor) : on->description;
  double reference = reference_of(study, complex);
  char block[16] = "chosen";
  if (how->search.team > 0) snprintf(block, sizeof block, "%d", how->search.team);
  bt_text_printf(text, "berth%s%s\t%s\t%s\t%s\thits\t%s\t%.6f\t%lld\t%d\t%d\t%.6f\n", study->n_configs > 1 ? "-" : "",
                 study->n_configs > 1 ? how->name : "", cell->trace.commit, card[0] != '\0' ? card : on->device, block,
                 study->set.items[complex].name, reference, (long long)how->search.evaluations, cell->trace.runs,
                 hits_of(&cell->trace, reference + study->limits.window), seconds_of(cell, how->search.evaluations));
}

bt_status e50_rows_write(const e50_study *study, const char *path, bt_error *opt_error) {
  bt_text text = {0};
  bt_text_add_string(&text,
                     "program\tcommit\tcard\tblock\testimator\tcomplex\treference\tevaluations\truns\thits\tseconds\n");
  for (int i = 0; i < study->set.count; i++)
    for (int k = 0; k < study->n_configs; k++)
      if (isfinite(reference_of(study, i)) && e50_study_cell(study, i, k)->rate > 0) add_row(&text, study, i, k);
  bt_status status = bt_text_status(&text, opt_error);
  if (status == BT_OK) status = bt_file_write_text(path, &text, opt_error);
  bt_text_destroy(&text);
  return status;
}
