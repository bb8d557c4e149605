/* export_table.c - the docked ligands of a screen as a table. */
#include "store/export/export_table.h"

#include <berth/score.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "formats/properties.h"
#include "results/result.h"
#include "store/stored_result.h"

/* --- columns ------------------------------------------------------------------------------------------- */

static bool add_column(bt_export_table *t, const char *name, bt_cell_kind kind) {
  bt_export_column column = {.name = bt_copy_text(name, strlen(name)), .kind = kind};
  if (column.name != NULL && BT_APPEND(t->columns, t->n_columns, &t->room, column)) return true;
  free(column.name);
  return false;
}

static bool add_text(bt_export_table *t, const char *name) { return add_column(t, name, BT_CELL_TEXT); }
static bool add_real(bt_export_table *t, const char *name) { return add_column(t, name, BT_CELL_REAL); }
static bool add_count(bt_export_table *t, const char *name) { return add_column(t, name, BT_CELL_INTEGER); }

bool bt_export_is_value(const bt_export_table *t, const char *name) {
  return bt_score_list_find(&t->values, name) != NULL;
}

/* The docking's function, the re-scorers and their values; without re-scorers no column of scores. */
static bt_status find_scores(bt_store *store, bt_export_table *t, bt_error *opt_error) {
  BT_SCOPED char *names = NULL, *values = NULL;
  BT_TRY(bt_store_get(store, "rescore", &names, opt_error));
  BT_TRY(bt_store_get(store, "rescore_values", &values, opt_error));
  bool added = names == NULL || bt_score_list_add(&t->scores, bt_scoring_name(t->scoring), 0);
  for (char *at = values, *name; added && at != NULL && (name = strsep(&at, ",")) != NULL;)
    added = bt_score_list_add(&t->values, name, 0) && bt_score_list_add(&t->scores, name, 0);
  for (char *at = names, *name; added && at != NULL && (name = strsep(&at, ",")) != NULL;)
    added = bt_score_list_add(&t->scores, name, 0);
  return added ? BT_OK : bt_fail_memory(opt_error);
}

/* In the order in which bt_export_row fills them. */
static bool add_own(bt_export_table *t, const bt_store *store) {
  bool ok = add_count(t, "rank") && add_count(t, "ordinal") && add_text(t, "name") && add_real(t, "free_energy");
  for (int k = 0; ok && k < BT_STORE_TERMS; k++) ok = add_real(t, bt_store_term(store, k));
  ok = ok && add_count(t, "atoms") && add_count(t, "torsions");
  ok = ok && add_count(t, t->records ? "conformers" : "runs") && add_count(t, t->records ? "poses" : "clusters");
  ok = ok && add_count(t, "evaluations") && add_real(t, "seconds") && add_text(t, "device") && add_text(t, "source");
  ok = ok && (t->records || add_text(t, "scoring"));
  for (int k = 0; ok && k < t->scores.count; k++) {
    const char *name = t->scores.items[k].name;
    ok = add_real(t, name);
    if (ok) t->columns[t->n_columns - 1].value = bt_export_is_value(t, name);
  }
  ok = ok && (t->records || add_real(t, "unbound")) && add_text(t, "ranked_by") && add_real(t, "rank_energy");
  ok = ok && (t->doubt.count == 0 || add_text(t, "doubt"));
  t->first_property = t->n_columns;
  return ok;
}

/* --- properties ---------------------------------------------------------------------------------------- */

static size_t digits(const char *text) { return strspn(text, "0123456789"); }

/* A whole number as programs write it: a code such as 007 is a text. */
static bool is_integer(const char *text) {
  text += *text == '-';
  size_t n = digits(text);
  return n > 0 && n <= 18 && text[n] == '\0' && (n == 1 || text[0] != '0');
}

static bool is_real(const char *text) {
  double value;
  if (!bt_parse_double(bt_span_from(text), &value)) return false;
  text += *text == '-';
  return *text != '+' && (digits(text) < 2 || text[0] != '0');
}

static bool is_boolean(const char *text) { return strcasecmp(text, "true") == 0 || strcasecmp(text, "false") == 0; }

/* The narrowest kind that has this value as well. */
static bt_cell_kind widen(bt_cell_kind kind, bool first, const char *value) {
  if ((first || kind == BT_CELL_BOOLEAN) && is_boolean(value)) return BT_CELL_BOOLEAN;
  if ((first || kind == BT_CELL_INTEGER) && is_integer(value)) return BT_CELL_INTEGER;
  if ((first || kind == BT_CELL_INTEGER || kind == BT_CELL_REAL) && is_real(value)) return BT_CELL_REAL;
  return BT_CELL_TEXT;
}

static int find_property(const bt_export_table *t, const char *name) {
  for (int k = t->first_property; k < t->n_columns; k++)
    if (strcmp(t->columns[k].property, name) == 0) return k;
  return -1;
}

/* Data items of the poses in SDF that are no columns. */
static bool is_reserved(const bt_export_table *t, const char *name, int own) {
  static const char *const tags[] = {
      "docking_score", "energy_inter", "energy_intra", "energy_torsional", "energy_unbound", "screen_rank",
      "pose",          "run",          "cluster_id",   "cluster_size",     "strain",         "strain_source",
      "twisted_amide", "open_ring",    "wrong_stereo", "berth_grid",       "berth_opened",   "berth_covalent",
      "berth_pose",    "meeko",        "checks",       "rank_in_cluster"};
  for (size_t k = 0; k < sizeof tags / sizeof *tags; k++)
    if (strcasecmp(name, tags[k]) == 0) return true;
  if (strncasecmp(name, "score_", 6) == 0 && bt_score_list_find(&t->scores, name + 6) != NULL) return true;
  for (int k = 0; k < t->n_columns; k++)
    if (k != own && strcasecmp(name, t->columns[k].name) == 0) return true;
  return false;
}

static bool add_property(bt_export_table *t, const char *name, const char *value) {
  char *property = bt_copy_text(name, strlen(name));
  BT_ENDED_BY(bt_text_destroy) bt_text shown = {0};
  bt_text_add_string(&shown, name);
  while (!shown.failed && is_reserved(t, shown.data, -1)) {
    bt_text longer = {0};
    bt_text_printf(&longer, "library_%s", shown.data);
    bt_text_destroy(&shown);
    shown = longer;
  }
  char *tag = shown.failed ? NULL : bt_copy_text(shown.data, shown.size);
  bool added = property != NULL && tag != NULL && add_column(t, shown.data, widen(BT_CELL_TEXT, true, value));
  if (!added) {
    free(property);
    free(tag);
    return false;
  }
  for (char *c = tag; (c = strpbrk(c, "<>")) != NULL;) *c = '_';
  t->columns[t->n_columns - 1].property = property;
  t->columns[t->n_columns - 1].tag = tag;
  return true;
}

/* As bt_store_property_fn. */
static bool note_property(void *user, bt_span name, bt_span value) {
  bt_export_table *t = user;
  BT_SCOPED char *of = bt_copy_text(name.text, name.size), *is = bt_copy_text(value.text, value.size);
  if (of == NULL || is == NULL) return false;
  int k = find_property(t, of);
  if (k < 0) return add_property(t, of, is);
  if (t->columns[k].kind != BT_CELL_TEXT) t->columns[k].kind = widen(t->columns[k].kind, false, is);
  return true;
}

/* Columns of properties stand in the order of --keep-fields, then in that of their first values. */
static void sort_by_list(bt_export_table *t, const char *list) {
  int next = t->first_property;
  for (const char *at = list; *at != '\0'; at += strcspn(at, ","), at += *at == ',') {
    bt_span word = bt_span_trim((bt_span){at, strcspn(at, ",")});
    for (int k = next; k < t->n_columns; k++) {
      if (!bt_span_equals_ignoring_case(word, t->columns[k].property)) continue;
      bt_export_column found = t->columns[k];
      memmove(&t->columns[next + 1], &t->columns[next], (size_t)(k - next) * sizeof found);
      t->columns[next++] = found;
    }
  }
}

bt_status bt_export_table_open(bt_store *store, bt_scoring scoring, bool records, bt_export_table *t,
                               bt_error *opt_error) {
  BT_SCOPED char *list = NULL;
  *t = (bt_export_table){.scoring = scoring, .records = records};
  BT_TRY(bt_store_ranked_by(store, &t->ranked_by, opt_error));
  BT_TRY(find_scores(store, t, opt_error));
  BT_TRY(bt_doubt_open(store, &t->doubt, opt_error));
  if (!add_own(t, store)) return bt_fail_memory(opt_error);
  BT_TRY(bt_store_visit_properties(store, note_property, t, opt_error));
  BT_TRY(bt_store_get(store, "keep_fields", &list, opt_error));
  if (list != NULL) sort_by_list(t, list);
  t->cells = bt_allocate((size_t)t->n_columns, sizeof *t->cells);
  return t->cells != NULL ? BT_OK : bt_fail_memory(opt_error);
}

void bt_export_table_close(bt_export_table *t) {
  for (int k = 0; k < t->n_columns; k++) {
    free(t->columns[k].name);
    free(t->columns[k].property);
    free(t->columns[k].tag);
  }
  free(t->columns);
  free(t->cells);
  free(t->ranked_by);
  bt_score_list_clear(&t->scores);
  bt_score_list_clear(&t->values);
  bt_text_destroy(&t->texts);
  bt_text_destroy(&t->doubted);
  bt_doubt_close(&t->doubt);
  *t = (bt_export_table){0};
}

/* --- rows ---------------------------------------------------------------------------------------------- */

/* What Vina's affinity takes off: a term of the row's sum. */
static double unbound_of(const bt_store_row *row, bt_scoring scoring) {
  if (!bt_scoring_traits_of(scoring)->affinity) return 0;
  return row->terms[0] + row->terms[1] + row->terms[2] - row->free_energy;
}

static bt_export_cell text_cell(const char *text) { return (bt_export_cell){.there = true, .text = text}; }
static bt_export_cell real_cell(double real) { return (bt_export_cell){.there = true, .real = real}; }
static bt_export_cell count_cell(int64_t count) { return (bt_export_cell){.there = true, .integer = count}; }

bt_status bt_export_properties_start(bt_export_table *t, const bt_store_row *row, bt_error *opt_error) {
  const char *at = row->properties;
  bt_span name, value;
  t->texts.size = t->at = 0;
  while (bt_properties_next(&at, &name, &value)) {
    bt_text_add(&t->texts, name.text, name.size);
    bt_text_add_char(&t->texts, '\0');
    bt_text_add(&t->texts, value.text, value.size);
    bt_text_add_char(&t->texts, '\0');
  }
  return bt_text_status(&t->texts, opt_error);
}

bool bt_export_properties_next(bt_export_table *t, bt_export_property *ret_property) {
  if (t->at >= t->texts.size) return t->at = 0, false;
  ret_property->name = t->texts.data + t->at;
  ret_property->value = ret_property->name + strlen(ret_property->name) + 1;
  t->at = (size_t)(ret_property->value - t->texts.data) + strlen(ret_property->value) + 1;
  int k = find_property(t, ret_property->name);
  ret_property->tag = k >= 0 ? t->columns[k].tag : NULL;
  return true;
}

/* The first of a name counts: an SDF record may have it twice. */
static bt_status fill_properties(bt_export_table *t, const bt_store_row *row, bt_error *opt_error) {
  for (int k = t->first_property; k < t->n_columns; k++) t->cells[k] = (bt_export_cell){.there = false};
  if (t->first_property == t->n_columns) return BT_OK;
  BT_TRY(bt_export_properties_start(t, row, opt_error));
  for (bt_export_property p; bt_export_properties_next(t, &p);) {
    int k = find_property(t, p.name);
    if (k < 0 || t->cells[k].text != NULL) continue; /* k < 0: a row of a screen that is running */
    bt_export_cell *cell = &t->cells[k];
    *cell = text_cell(p.value);
    bt_cell_kind kind = t->columns[k].kind;
    cell->there = kind == BT_CELL_TEXT || widen(kind, false, p.value) == kind;
    if (cell->there && kind == BT_CELL_BOOLEAN) cell->integer = strcasecmp(p.value, "true") == 0;
    if (cell->there && kind == BT_CELL_INTEGER) cell->there = bt_parse_int64(bt_span_from(p.value), &cell->integer);
    if (cell->there && kind == BT_CELL_REAL) cell->there = bt_parse_double(bt_span_from(p.value), &cell->real);
  }
  return BT_OK;
}

bt_status bt_export_doubt(bt_export_table *t, int64_t rank, const bt_store_row *row, bt_error *opt_error) {
  int percent = bt_doubt_of(&t->doubt, rank, row);
  t->doubted.size = 0;
  bt_text_add_string(&t->doubted, "");
  if (percent >= 0) bt_text_printf(&t->doubted, "CNN: %d %% of the ligands are better", percent);
  return bt_text_status(&t->doubted, opt_error);
}

bt_status bt_export_row(bt_export_table *t, int64_t rank, const bt_store_row *row, bt_error *opt_error) {
  bt_export_cell *to = t->cells;
  *to++ = count_cell(rank);
  *to++ = count_cell(row->ordinal);
  *to++ = text_cell(row->name);
  *to++ = real_cell(row->free_energy);
  for (int k = 0; k < BT_STORE_TERMS; k++) *to++ = real_cell(row->terms[k]);
  *to++ = count_cell(row->atoms);
  *to++ = count_cell(row->torsions);
  *to++ = count_cell(row->runs);
  *to++ = count_cell(row->clusters);
  *to++ = count_cell(row->evaluations);
  *to++ = real_cell(row->seconds);
  *to++ = text_cell(row->device);
  *to++ = text_cell(row->source);
  if (!t->records) *to++ = text_cell(bt_scoring_name(t->scoring));
  for (int k = 0; k < t->scores.count; k++) {
    const bt_named_score *score = bt_score_list_find(&row->scores, t->scores.items[k].name);
    *to++ = score != NULL ? real_cell(score->value) : (bt_export_cell){.there = false};
  }
  if (!t->records) *to++ = real_cell(unbound_of(row, t->scoring));
  *to++ = text_cell(t->ranked_by);
  *to++ = real_cell(row->rank_energy);
  if (t->doubt.count > 0) {
    BT_TRY(bt_export_doubt(t, rank, row, opt_error));
    *to++ = text_cell(t->doubted.data);
  }
  return fill_properties(t, row, opt_error);
}

static void csv_cell(const bt_export_column *column, const bt_export_cell *cell, bt_text *text) {
  if (!cell->there && cell->text == NULL) return;
  double number;
  if (column->property != NULL && bt_parse_double(bt_span_from(cell->text), &number))
    bt_text_add_string(text, cell->text); /* a number, such as -1.5, is no formula */
  else if (column->property != NULL || column->kind == BT_CELL_TEXT)
    bt_text_csv(text, cell->text);
  else if (column->kind == BT_CELL_INTEGER)
    bt_text_printf(text, "%lld", (long long)cell->integer);
  else if (!column->value)
    bt_text_printf(text, "%.3f", cell->real);
  else
    bt_text_printf(text, BT_VALUE_FORMAT, cell->real);
}

bt_status bt_export_csv_row(bt_export_table *t, int64_t rank, const bt_store_row *row, bt_text *text,
                            bt_error *opt_error) {
  BT_TRY(bt_export_row(t, rank, row, opt_error));
  for (int k = 0; k < t->n_columns; k++) {
    if (k > 0) bt_text_add_char(text, ',');
    csv_cell(&t->columns[k], &t->cells[k], text);
  }
  bt_text_add_char(text, '\n');
  return bt_text_status(text, opt_error);
}

bt_status bt_export_properties_csv(bt_export_table *t, const bt_store_row *row, bt_text *text, bt_error *opt_error) {
  BT_TRY(fill_properties(t, row, opt_error));
  for (int k = t->first_property; k < t->n_columns; k++) {
    bt_text_add_char(text, ',');
    csv_cell(&t->columns[k], &t->cells[k], text);
  }
  return bt_text_status(text, opt_error);
}
