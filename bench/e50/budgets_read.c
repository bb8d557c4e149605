/* budgets_read.c - reads tables of hits and seconds of several programs, with several budgets each. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bench/e50/budgets.h"

enum { PROGRAM, COMMIT, CARD, BLOCK, ESTIMATOR, COMPLEX, REFERENCE, EVALUATIONS, RUNS, HITS, SECONDS, N_COLUMNS };
static const char *const names[N_COLUMNS] = {"program",   "commit",      "card", "block", "estimator", "complex",
                                             "reference", "evaluations", "runs", "hits",  "seconds"};
static const char known_estimator[] = "hits";
static const double same_energy = 0.005; /* kcal/mol: tables give two decimals */

typedef struct reader {
  bt_where at;
  int places[N_COLUMNS]; /* -1: not seen */
  int n_fields;
  bt_span header;     /* repeated where tables were joined */
  char estimator[32]; /* of the rows so far */
  bt_e50_budgets *table;
} reader;

bool bt_e50_is_budgets(const char *text, size_t size) {
  bt_lines lines = bt_lines_of(text, size);
  for (bt_span line, field; bt_lines_next(&lines, &line);) {
    if (bt_span_trim(line).size == 0 || line.text[0] == '#') continue;
    while (bt_e50_next_field(&line, &field))
      if (bt_span_equals(field, names[PROGRAM])) return true;
    return false;
  }
  return false;
}

static bt_status read_header(reader *r, bt_span line, bt_error *opt_error) {
  for (bt_span field; bt_e50_next_field(&line, &field); r->n_fields++)
    for (int k = 0; k < N_COLUMNS; k++)
      if (bt_span_equals(field, names[k])) r->places[k] = r->n_fields;
  for (int k = 0; k < N_COLUMNS; k++)
    if (r->places[k] < 0)
      return bt_fail(opt_error, BT_ERR_INPUT, r->at, "name it in the first line, fields between tabs",
                     "there is no column %s", names[k]);
  return BT_OK;
}

static bool is_header(const reader *r, bt_span line) {
  bt_span words = bt_span_trim(line);
  return words.size == r->header.size && memcmp(words.text, r->header.text, words.size) == 0;
}

static bt_status read_fields(const reader *r, bt_span line, bt_span fields[N_COLUMNS], bt_error *opt_error) {
  int n = 0;
  for (bt_span field; bt_e50_next_field(&line, &field); n++)
    for (int k = 0; k < N_COLUMNS; k++)
      if (r->places[k] == n) fields[k] = field;
  if (n != r->n_fields)
    return bt_fail(opt_error, BT_ERR_INPUT, r->at, "put one tab between fields",
                   "there are %d fields, the first line names %d", n, r->n_fields);
  for (int k = 0; k < N_COLUMNS; k++)
    if (fields[k].size == 0)
      return bt_fail(opt_error, BT_ERR_INPUT, r->at, "fill it in, or leave out the row", "the %s is missing", names[k]);
  return BT_OK;
}

/* Successes that are counted in two ways have no ratio. */
static bt_status check_estimator(reader *r, bt_span word, bt_error *opt_error) {
  static const char remedy[] = "count the successes of all programs alike: runs that hit within each budget, 'hits'";
  if (r->estimator[0] != '\0' && !bt_span_equals(word, r->estimator))
    return bt_fail(opt_error, BT_ERR_INPUT, r->at, remedy, "estimators are mixed: '%.*s' here, '%s' above",
                   BT_SHOWN(word), r->estimator);
  if (!bt_span_equals(word, known_estimator))
    return bt_fail(opt_error, BT_ERR_INPUT, r->at, remedy, "'%.*s' is no estimator", BT_SHOWN(word));
  bt_span_copy(word, r->estimator, sizeof r->estimator);
  return BT_OK;
}

/* The program of the row, as it was listed before, or a new one. */
static bt_status find_program(reader *r, const bt_span fields[N_COLUMNS], int *ret_program, bt_error *opt_error) {
  bt_e50_budgets *t = r->table;
  for (int i = 0; i < t->n_programs; i++) {
    const bt_e50_program *p = &t->programs[i];
    if (!bt_span_equals(fields[CARD], p->card))
      return bt_fail(opt_error, BT_ERR_INPUT, r->at, "compare programs on one card: seconds are those of the card",
                     "the card is '%.*s' here, '%.60s' above", BT_SHOWN(fields[CARD]), p->card);
    if (!bt_span_equals(fields[PROGRAM], p->name)) continue;
    *ret_program = i;
    if (bt_span_equals(fields[COMMIT], p->commit) && bt_span_equals(fields[BLOCK], p->block)) return BT_OK;
    return bt_fail(opt_error, BT_ERR_INPUT, r->at, "name them apart, such as autodock-gpu-64 and autodock-gpu-128",
                   "%.60s has rows of two commits or block sizes", p->name);
  }
  if (!BT_GROW(t->programs, &t->program_capacity, (size_t)t->n_programs + 1)) return bt_fail_memory(opt_error);
  bt_e50_program *p = &t->programs[ *ret_program = t->n_programs++];
  p->name = bt_copy_text(fields[PROGRAM].text, fields[PROGRAM].size);
  p->commit = bt_copy_text(fields[COMMIT].text, fields[COMMIT].size);
  p->card = bt_copy_text(fields[CARD].text, fields[CARD].size);
  p->block = bt_copy_text(fields[BLOCK].text, fields[BLOCK].size);
  return p->name && p->commit && p->card && p->block ? BT_OK : bt_fail_memory(opt_error);
}

static bt_status read_numbers(const reader *r, const bt_span fields[N_COLUMNS], bt_e50_budget *row,
                              bt_error *opt_error) {
  int64_t runs = 0;
  int wrong = !bt_e50_parse_count(fields[EVALUATIONS], INT64_MAX, &row->evaluations)  ? EVALUATIONS
            : !bt_e50_parse_count(fields[RUNS], 10000000, &runs)                      ? RUNS
            : !bt_parse_double(fields[REFERENCE], &row->reference)                    ? REFERENCE
            : !bt_parse_double(fields[SECONDS], &row->seconds) || !(row->seconds > 0) ? SECONDS
                                                                                      : N_COLUMNS;
  if (wrong < N_COLUMNS)
    return bt_fail(opt_error, BT_ERR_INPUT, r->at, "use whole numbers and seconds above 0, and an energy in kcal/mol",
                   "the %s cannot be '%.*s'", names[wrong], BT_SHOWN(fields[wrong]));
  row->runs = (int)runs;
  if (bt_parse_int(fields[HITS], &row->hits) && row->hits >= 0 && row->hits <= row->runs) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, r->at, "use a whole number", "hits are '%.*s' and must lie between 0 and %d",
                 BT_SHOWN(fields[HITS]), row->runs);
}

static bt_status check_against_others(const reader *r, const bt_e50_budget *row, bt_error *opt_error) {
  for (int i = 0; i < r->table->n_rows - 1; i++) { /* the row is the last one */
    const bt_e50_budget *other = &r->table->rows[i];
    if (strcmp(other->complex, row->complex) != 0) continue;
    if (fabs(other->reference - row->reference) > same_energy)
      return bt_fail(opt_error, BT_ERR_INPUT, r->at, "judge all runs of a complex from the same energy",
                     "%.60s is judged from %g here, from %g above", row->complex, row->reference, other->reference);
    if (other->program == row->program && other->evaluations == row->evaluations)
      return bt_fail(opt_error, BT_ERR_INPUT, r->at, "keep one of the lines", "this budget of %.60s is listed twice",
                     row->complex);
  }
  return BT_OK;
}

static bt_status read_row(reader *r, bt_span line, bt_error *opt_error) {
  bt_span fields[N_COLUMNS] = {{NULL, 0}};
  bt_e50_budget row = {.complex = NULL};
  bt_e50_budgets *t = r->table;
  BT_TRY(read_fields(r, line, fields, opt_error));
  BT_TRY(check_estimator(r, fields[ESTIMATOR], opt_error));
  BT_TRY(find_program(r, fields, &row.program, opt_error));
  BT_TRY(read_numbers(r, fields, &row, opt_error));
  if (!BT_GROW(t->rows, &t->row_capacity, (size_t)t->n_rows + 1)) return bt_fail_memory(opt_error);
  row.complex = bt_copy_text(fields[COMPLEX].text, fields[COMPLEX].size);
  if (row.complex == NULL) return bt_fail_memory(opt_error);
  t->rows[t->n_rows++] = row;
  return check_against_others(r, &row, opt_error);
}

bt_status bt_e50_budgets_parse(const char *path, const char *text, size_t size, bt_e50_budgets *ret_table,
                               bt_error *opt_error) {
  reader r = {.at = {.file = path}, .table = ret_table};
  bt_lines lines = bt_lines_of(text, size);
  *ret_table = (bt_e50_budgets){0};
  for (int k = 0; k < N_COLUMNS; k++) r.places[k] = -1;
  if (bt_text_is_binary(text, size))
    return bt_fail(opt_error, BT_ERR_INPUT, r.at, "use a table with tabs between fields", "this is not a text file");
  for (bt_span line; bt_lines_next(&lines, &line);) {
    r.at.line = lines.number;
    if (bt_span_trim(line).size == 0 || line.text[0] == '#') continue;
    if (r.n_fields == 0) {
      r.header = bt_span_trim(line);
      BT_TRY(read_header(&r, line, opt_error));
    } else if (!is_header(&r, line)) {
      BT_TRY(read_row(&r, line, opt_error));
    }
  }
  r.at.line = 0;
  if (ret_table->n_programs >= 2) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, r.at, "add the rows of another program, judged alike",
                 "a comparison needs two programs, this table has %d", ret_table->n_programs);
}

void bt_e50_budgets_free(bt_e50_budgets *table) {
  for (int i = 0; i < table->n_programs; i++) {
    free(table->programs[i].name);
    free(table->programs[i].commit);
    free(table->programs[i].card);
    free(table->programs[i].block);
  }
  for (int i = 0; i < table->n_rows; i++) free(table->rows[i].complex);
  free(table->programs);
  free(table->rows);
  *table = (bt_e50_budgets){0};
}
