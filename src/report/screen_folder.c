/* screen_folder.c - the data of a page from the database of a screen. */
#include <berth/score.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "report/report_internal.h"
#include "results/enrichment.h"
#include "store/stored_result.h"

enum { RESAMPLINGS = 2000, MOST_REJECTS = 2000, MOST_REASONS = 16, RATE_BINS = 120 };

typedef struct reason {
  char status[32];
  int64_t count;
} reason;

typedef struct screen {
  bt_report *report;
  bt_store *store;
  bt_molecule *opt_flexible;
  bt_scoring scoring;
  void *pattern;
  bool autodock; /* else no row has poses of a PDBQT molecule */
  double *scores; /* of all ligands, in no order */
  bool *active;
  size_t n, score_room, active_room;
  size_t n_docked;
  double *energies; /* [n_docked] ascending */
  size_t energy_room;
  reason reasons[MOST_REASONS];
  int n_reasons;
} screen;

/* --- one ligand after the other ------------------------------------------------------------------------ */

static bt_status note_score(screen *s, const char *name, double score, bt_error *opt_error) {
  if (s->pattern == NULL) return BT_OK;
  if (!BT_GROW(s->scores, &s->score_room, s->n + 1)) return bt_fail_memory(opt_error);
  if (!BT_GROW(s->active, &s->active_room, s->n + 1)) return bt_fail_memory(opt_error);
  s->scores[s->n] = score;
  s->active[s->n++] = bt_report_is_active(s->pattern, name);
  return BT_OK;
}

static bt_status add_row(screen *s, const bt_store_row *row, bt_error *opt_error) {
  BT_ENDED_BY(bt_score_list_clear) bt_score_list energies = {0};
  BT_ENDED_BY(bt_score_list_clear) bt_score_list values = {0};
  bool sorted = true;
  for (int k = 0; sorted && k < row->scores.count; k++)
    sorted = bt_report_sort_score(row->scores.items[k].name, row->scores.items[k].value, &energies, &values);
  if (!sorted) return bt_fail_memory(opt_error);
  bt_json_printf(&s->report->json, "[ %s %.2f %.2f %.2f %.2f %d %d %d %d %" PRId64 " %.2f %d %s %.2f", row->name,
                 row->free_energy, row->terms[0], row->terms[1], row->terms[2], row->atoms, row->torsions, row->runs,
                 row->clusters, row->evaluations, row->seconds, bt_report_is_active(s->pattern, row->name),
                 row->source, row->rank_energy);
  BT_TRY(bt_report_row_scores(s->report, &energies, &values, opt_error));
  bt_json_close(&s->report->json, ']');
  s->report->summary->rows++;
  return BT_OK;
}

static bt_status visit_row(void *user, int64_t rank, const bt_store_row *row, bt_error *opt_error) {
  screen *s = user;
  int64_t most = s->report->options->rows;
  if (!BT_GROW(s->energies, &s->energy_room, s->n_docked + 1)) return bt_fail_memory(opt_error);
  s->energies[s->n_docked++] = row->rank_energy;
  if (most <= 0 || rank <= most) BT_TRY(add_row(s, row, opt_error));
  return note_score(s, row->name, row->rank_energy, opt_error);
}

static bt_status visit_reject(void *user, int64_t rank, const bt_store_row *row, bt_error *opt_error) {
  screen *s = user;
  const char *status = row->status != NULL ? row->status : "";
  int k = 0;
  while (k < s->n_reasons && strcmp(s->reasons[k].status, status) != 0) k++;
  if (k < MOST_REASONS) {
    if (k == s->n_reasons) snprintf(s->reasons[s->n_reasons++].status, sizeof s->reasons[0].status, "%s", status);
    s->reasons[k].count++;
  }
  s->report->summary->rejected++;
  if (rank <= MOST_REJECTS)
    bt_json_printf(&s->report->json, "[ %s %s %s %s ]", row->name, row->state, status,
                   row->reason != NULL ? row->reason : "");
  return note_score(s, row->name, INFINITY, opt_error);
}

static bt_status visit_fingerprint(void *user, int64_t rank, const bt_store_row *row, bt_error *opt_error) {
  screen *s = user;
  (void)rank;
  if (row->molecule == NULL || row->n_poses == 0 || !s->autodock) return BT_OK;
  BT_ENDED_BY(bt_stored_result_clear) bt_stored_result r = {0};
  BT_TRY(bt_store_result(row, s->scoring, s->opt_flexible, NULL, &r, opt_error));
  return bt_report_fingerprint(s->report, row->name, r.ligand, r.result->runs[0].xyz, opt_error);
}

/* --- members ------------------------------------------------------------------------------------------- */

static bt_status add_facts(screen *s, bt_error *opt_error) {
  static const struct {
    const char *label, *key;
  } facts[] = {{"Command", "command_line"}, {"Began", "began"},     {"Seed", "seed"},
               {"Effort", "effort"},        {"Runs", "runs"},       {"Evaluations per run", "evaluations"},
               {"Grid spacing", "spacing"}, {"Scoring", "scoring"}, {"Ranked by", "ranked_by"},
               {"Constraints", "constraints"}, {"Protonation", "protonation"}, {"Commit", "commit"}};
  bt_report *report = s->report;
  BT_SCOPED char *ranked_by = NULL;
  BT_TRY(bt_store_get(s->store, "ranked_by", &ranked_by, opt_error));
  bt_report_rank(report, ranked_by);
  bt_json_printf(&report->json, "facts [");
  for (size_t k = 0; k < sizeof facts / sizeof *facts; k++) {
    BT_SCOPED char *value = NULL;
    BT_TRY(bt_store_get(s->store, facts[k].key, &value, opt_error));
    bt_report_fact(report, facts[k].label, value);
  }
  bt_json_close(&report->json, ']');
  return BT_OK;
}

static bt_status add_receptor(screen *s, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  const char *given = s->report->options->opt_receptor;
  size_t size;
  BT_TRY(given != NULL ? bt_file_read(given, &text, &size, opt_error)
                       : bt_store_get_text(s->store, "receptor", &text, opt_error));
  if (text == NULL) return BT_OK;
  return bt_report_receptor(s->report, given != NULL ? given : "receptor", text, strlen(text), opt_error);
}

/* Energies that are numbers; a database may have any. They are ascending. */
static void finite_part(const screen *s, size_t *ret_first, size_t *ret_end) {
  size_t first = 0, end = s->n_docked;
  while (first < end && !isfinite(s->energies[first])) first++;
  while (end > first && !isfinite(s->energies[end - 1])) end--;
  *ret_first = first;
  *ret_end = end;
}

/* Bins of a width that gives about 40 of them; of the many that clash the last bin holds all. */
static void add_histogram(screen *s) {
  enum { MOST_BINS = 100 };
  static const double widths[] = {0.05, 0.1, 0.25, 0.5, 1, 2, 5};
  bt_json *json = &s->report->json;
  size_t at, n_finite;
  finite_part(s, &at, &n_finite);
  if (n_finite - at < 3) return;
  double low = s->energies[at], high = s->energies[at + (size_t)(0.99 * (double)(n_finite - at - 1))], width = 10;
  for (int k = 6; k >= 0; k--)
    if ((high - low) / widths[k] <= 40) width = widths[k];
  double first = floor(low / width), bins = floor(high / width) + 1 - first;
  int last = bins < MOST_BINS ? (int)bins : MOST_BINS;
  bt_json_printf(json, "histogram { width %.3f bins [", width);
  for (int k = 0; k <= last; k++) {
    int64_t count = 0;
    while (at < n_finite && (k == last || s->energies[at] < (first + k + 1) * width)) count++, at++;
    bt_json_printf(json, "[ %.3f %" PRId64 " ]", (first + k) * width, count);
  }
  bt_json_printf(json, "] }");
}

static bt_status add_enrichment(screen *s, bt_error *opt_error) {
  if (s->pattern == NULL) return BT_OK;
  bt_enrichment e;
  bt_json *json = &s->report->json;
  BT_TRY(bt_enrichment_measure(s->scores, s->active, s->n, RESAMPLINGS, 1, &e, opt_error));
  bt_json_printf(json, "enrichment { actives %" PRId64 " decoys %" PRId64 " auc [ %.4f %.4f %.4f ]", e.actives,
                 e.decoys, e.auc.value, e.auc.low, e.auc.high);
  bt_json_printf(json, "ef1 [ %.4f %.4f %.4f ] ef5 [ %.4f %.4f %.4f ] roc [", e.ef1.value, e.ef1.low, e.ef1.high,
                 e.ef5.value, e.ef5.low, e.ef5.high);
  for (int k = 0; k < e.n_roc; k++) bt_json_printf(json, "[ %.4f %.4f ]", e.roc[k][0], e.roc[k][1]);
  bt_json_printf(json, "] }");
  return BT_OK;
}

/* Ligands per second over the time from the first to the last commit. A commit's ligands were docked since the one
 * before, by each process by itself, so that the rates of shards add up. */
typedef struct rate {
  double begin, end;
  double bins[RATE_BINS];
  bool counting; /* second time: the ends are known */
} rate;

static bt_status visit_progress(void *user, const bt_store_progress *p, bt_error *opt_error) {
  rate *r = user;
  (void)opt_error;
  double begin = p->ended - p->seconds;
  if (!r->counting) {
    r->begin = fmin(r->begin, begin);
    r->end = fmax(r->end, p->ended);
    return BT_OK;
  }
  double width = (r->end - r->begin) / RATE_BINS, length = fmax(p->seconds, 1e-3);
  for (int k = (int)fmax(0, floor((begin - r->begin) / width)); k < RATE_BINS; k++) {
    double low = fmax(begin, r->begin + k * width), high = fmin(p->ended, r->begin + (k + 1) * width);
    if (low >= p->ended) break;
    r->bins[k] += fmax(0, high - low) / length * (double)p->ligands / width;
  }
  return BT_OK;
}

static bt_status add_rate(screen *s, bt_error *opt_error) {
  rate r = {.begin = INFINITY, .end = -INFINITY};
  bt_json *json = &s->report->json;
  BT_TRY(bt_store_visit_progress(s->store, visit_progress, &r, opt_error));
  if (!(r.end - r.begin > 2)) return BT_OK;
  r.counting = true;
  BT_TRY(bt_store_visit_progress(s->store, visit_progress, &r, opt_error));
  bt_json_printf(json, "rate [");
  for (int k = 0; k < RATE_BINS; k++)
    bt_json_printf(json, "[ %.2f %.3f ]", (k + 0.5) * (r.end - r.begin) / RATE_BINS, r.bins[k]);
  bt_json_close(json, ']');
  return BT_OK;
}

static int by_count(const void *a, const void *b) {
  int64_t p = ((const reason *)a)->count, q = ((const reason *)b)->count;
  return p > q ? -1 : p < q;
}

static bt_status add_rejects(screen *s, bt_error *opt_error) {
  bt_json *json = &s->report->json;
  bt_json_printf(json, "rejects [");
  BT_TRY(bt_store_visit(s->store, false, false, -1, visit_reject, s, opt_error));
  qsort(s->reasons, (size_t)s->n_reasons, sizeof s->reasons[0], by_count);
  bt_json_printf(json, "] rejected %" PRId64 " reasons [", s->report->summary->rejected);
  for (int k = 0; k < s->n_reasons; k++)
    bt_json_printf(json, "[ %s %" PRId64 " ]", s->reasons[k].status, s->reasons[k].count);
  bt_json_close(json, ']');
  return BT_OK;
}

static bt_status add_members(screen *s, bt_error *opt_error) {
  bt_report *report = s->report;
  bt_json *json = &report->json;
  const bt_report_options *o = report->options;
  bt_report_begin(report, "screen");
  if (!report->rows_only) BT_TRY(add_receptor(s, opt_error));
  bt_report_scoring(report, bt_scoring_name(s->scoring));
  BT_TRY(add_facts(s, opt_error));
  const char *terms[] = {bt_store_term(s->store, 0), bt_store_term(s->store, 1), bt_store_term(s->store, 2)};
  char columns[192];
  s->autodock = strcmp(terms[0], "inter") == 0;
  snprintf(columns, sizeof columns, "name free %s %s %s atoms torsions runs clusters evals seconds active source ranked",
           terms[0], terms[1], s->autodock ? "tors" : terms[2]);
  bt_report_columns(report, columns);
  bt_json_printf(json, "rows [");
  BT_TRY(bt_store_visit(s->store, true, false, -1, visit_row, s, opt_error));
  bt_json_close(json, ']');
  bt_report_score_columns(report);
  bt_report_limits(report);
  bt_json_printf(json, "total %zu details [", s->n_docked);
  report->summary->ligands = (int64_t)s->n_docked;
  int64_t top = o->rows > 0 && o->rows < o->top ? o->rows : o->top;
  const bt_screen_poses poses = {s->store, s->scoring, s->opt_flexible, s->autodock};
  if (top > 0) BT_TRY(bt_report_screen_details(report, &poses, top, opt_error));
  bt_json_close(json, ']');
  if (report->fingerprints != NULL)
    BT_TRY(bt_store_visit(s->store, true, true, -1, visit_fingerprint, s, opt_error));
  add_histogram(s);
  BT_TRY(add_rejects(s, opt_error));
  BT_TRY(add_enrichment(s, opt_error));
  return add_rate(s, opt_error);
}

bt_status bt_report_screen_database(bt_report *report, const char *path, bt_error *opt_error) {
  screen s = {.report = report};
  report->summary->screen = true;
  bt_status status = bt_report_compile(report, &s.pattern, opt_error);
  if (status == BT_OK) status = bt_store_open(path, BT_STORE_READ, -1, &s.store, opt_error);
  if (status == BT_OK) status = bt_store_scoring(s.store, &s.scoring, opt_error);
  if (status == BT_OK) status = bt_store_flexible(s.store, &s.opt_flexible, opt_error);
  if (status == BT_OK) status = bt_store_find_damage(s.store, opt_error); /* rows and details list the same ligands */
  if (status == BT_OK) status = add_members(&s, opt_error);
  if (status == BT_OK) report->summary->damage = *bt_store_damage(s.store);
  bt_store_close(s.store);
  bt_molecule_destroy(s.opt_flexible);
  bt_report_pattern_free(s.pattern);
  free(s.scores);
  free(s.active);
  free(s.energies);
  return status;
}
