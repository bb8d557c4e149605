/* reference.c - reads tables of a program's known hits and seconds (docs/benchmarks/e50.md). */
#include "bench/e50/budgets.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "base/text/text.h"

enum { COMPLEX, ENERGY, HITS, SECONDS, RUNS, EVALUATIONS, N_COLUMNS };
static const char *const column_names[N_COLUMNS] = {"complex", "reference", NULL, NULL, "runs", "evaluations"};
static const char *const suffixes[N_COLUMNS] = {[HITS] = "_hits", [SECONDS] = "_seconds"}; /* after the program */

typedef struct reader {
  bt_where at;
  int places[N_COLUMNS];     /* -1: there is no such column */
  int n_fields;              /* of the header; 0: not seen yet */
  int64_t runs, evaluations; /* from the comment; 0: not given */
  bt_e50_reference *table;
  size_t capacity;
} reader;

bool bt_e50_next_field(bt_span *rest, bt_span *ret_field) {
  if (rest->text == NULL) return false;
  const char *tab = memchr(rest->text, '\t', rest->size);
  size_t size = tab != NULL ? (size_t)(tab - rest->text) : rest->size;
  *ret_field = bt_span_trim((bt_span){rest->text, size});
  *rest = tab != NULL ? (bt_span){tab + 1, rest->size - size - 1} : (bt_span){NULL, 0};
  return true;
}

static bool is_unknown(bt_span field) { return field.size == 0 || bt_span_equals(field, "-"); }

/* The program whose column this is; empty if the field does not end in the suffix. */
static bt_span program_of(bt_span field, const char *suffix) {
  size_t size = strlen(suffix);
  bool ends = field.size > size && memcmp(field.text + field.size - size, suffix, size) == 0;
  return (bt_span){field.text, ends ? field.size - size : 0};
}

bool bt_e50_parse_count(bt_span word, int64_t most, int64_t *ret_count) {
  char digits[24];
  size_t n = 0;
  for (size_t i = 0; i < word.size; i++) {
    if (word.text[i] == ',' && i > 0) continue;
    if (word.text[i] < '0' || word.text[i] > '9' || n + 1 >= sizeof digits) return false;
    digits[n++] = word.text[i];
  }
  return bt_parse_int64((bt_span){digits, n}, ret_count) && *ret_count > 0 && *ret_count <= most;
}

/* "N runs of M evaluations" anywhere in the comment. */
static void read_comment(reader *r, bt_span line) {
  for (bt_span word; (word = bt_span_word(&line)).size > 0;) {
    int64_t runs, evaluations;
    bt_span rest = line;
    if (bt_e50_parse_count(word, INT_MAX, &runs) && bt_span_equals(bt_span_word(&rest), "runs") &&
        bt_span_equals(bt_span_word(&rest), "of") && bt_e50_parse_count(bt_span_word(&rest), INT64_MAX, &evaluations) &&
        bt_span_starts(bt_span_word(&rest), "evaluations")) {
      r->runs = runs;
      r->evaluations = evaluations;
    }
  }
}

static bt_status read_header(reader *r, bt_span line, const char *opt_program, bt_error *opt_error) {
  bt_span chosen = {opt_program, opt_program != NULL ? strlen(opt_program) : 0}, rest = line;
  for (bt_span field; chosen.size == 0 && bt_e50_next_field(&rest, &field);) chosen = program_of(field, suffixes[HITS]);
  if (chosen.size == 0)
    return bt_fail(opt_error, BT_ERR_INPUT, r->at, "name a column PROGRAM_hits in the first line, fields between tabs",
                   "there is no column of hits");
  char *program = r->table->program = bt_copy_text(chosen.text, chosen.size);
  if (program == NULL) return bt_fail_memory(opt_error);
  for (bt_span field; bt_e50_next_field(&line, &field); r->n_fields++)
    for (int k = 0; k < N_COLUMNS; k++)
      if (suffixes[k] != NULL ? bt_span_equals(program_of(field, suffixes[k]), program)
                              : bt_span_equals(field, column_names[k]))
        r->places[k] = r->n_fields;
  for (int k = 0; k <= HITS; k++)
    if (r->places[k] < 0)
      return bt_fail(
          opt_error, BT_ERR_INPUT, r->at,
          k == HITS ? "choose a program that the first line names" : "name it in the first line, fields between tabs",
          "there is no column %.100s%s", k == HITS ? program : column_names[k], k == HITS ? suffixes[k] : "");
  return BT_OK;
}

static bt_status bad_field(const reader *r, bt_span field, const char *what, const char *remedy, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_INPUT, r->at, remedy, "'%.*s' is no %s", BT_SHOWN(field), what);
}

/* Runs and evaluations: from the row, or else from the comment. */
static bt_status read_budget(const reader *r, const bt_span fields[N_COLUMNS], bt_e50_reference_row *row,
                             bt_error *opt_error) {
  static const char remedy[] = "use a whole number above 0";
  int64_t runs = r->runs;
  row->evaluations = r->evaluations;
  if (r->places[RUNS] >= 0 && !bt_e50_parse_count(fields[RUNS], INT_MAX, &runs))
    return bad_field(r, fields[RUNS], "number of runs", remedy, opt_error);
  if (r->places[EVALUATIONS] >= 0 && !bt_e50_parse_count(fields[EVALUATIONS], INT64_MAX, &row->evaluations))
    return bad_field(r, fields[EVALUATIONS], "number of evaluations", remedy, opt_error);
  row->runs = (int)runs;
  if (runs > 0 && row->evaluations > 0) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, r->at,
                 "add columns runs and evaluations, or a comment above: # 100 runs of 1,000,000 evaluations",
                 "the number of runs and evaluations is missing");
}

static bt_status read_values(const reader *r, const bt_span fields[N_COLUMNS], bt_e50_reference_row *row,
                             bt_error *opt_error) {
  BT_TRY(read_budget(r, fields, row, opt_error));
  if (!bt_parse_double(fields[ENERGY], &row->energy))
    return bad_field(r, fields[ENERGY], "energy", "use kcal/mol, or - for a complex to leave out", opt_error);
  if (!bt_parse_int(fields[HITS], &row->hits) || row->hits < 0 || row->hits > row->runs)
    return bt_fail(opt_error, BT_ERR_INPUT, r->at, "use a whole number, or - for a complex to leave out",
                   "hits are '%.*s' and must lie between 0 and %d", BT_SHOWN(fields[HITS]), row->runs);
  row->seconds = NAN;
  if (is_unknown(fields[SECONDS])) return BT_OK;
  if (bt_parse_double(fields[SECONDS], &row->seconds) && row->seconds > 0) return BT_OK;
  return bad_field(r, fields[SECONDS], "docking time", "use seconds above 0, or - if unknown", opt_error);
}

static bt_status read_row(reader *r, bt_span line, bt_error *opt_error) {
  bt_span fields[N_COLUMNS] = {{NULL, 0}};
  bt_e50_reference *table = r->table;
  int n = 0;
  for (bt_span field; bt_e50_next_field(&line, &field); n++)
    for (int k = 0; k < N_COLUMNS; k++)
      if (r->places[k] == n) fields[k] = field;
  if (n != r->n_fields)
    return bt_fail(opt_error, BT_ERR_INPUT, r->at, "put one tab between fields, and - for unknown values",
                   "there are %d fields, the first line names %d", n, r->n_fields);
  if (fields[COMPLEX].size == 0)
    return bt_fail(opt_error, BT_ERR_INPUT, r->at, "name the complex", "the complex has no name");
  if (is_unknown(fields[HITS]) || is_unknown(fields[ENERGY])) return BT_OK;
  bt_e50_reference_row row = {.name = NULL};
  BT_TRY(read_values(r, fields, &row, opt_error));
  if (!BT_GROW(table->rows, &r->capacity, (size_t)table->count + 1)) return bt_fail_memory(opt_error);
  row.name = bt_copy_text(fields[COMPLEX].text, fields[COMPLEX].size);
  if (row.name == NULL) return bt_fail_memory(opt_error);
  bool twice = bt_e50_reference_find(table, row.name) != NULL;
  table->rows[table->count++] = row;
  if (twice) return bt_fail(opt_error, BT_ERR_INPUT, r->at, "keep one of the lines", "%.60s is listed twice", row.name);
  return BT_OK;
}

static bt_status parse(reader *r, const char *text, size_t size, const char *opt_program, bt_error *opt_error) {
  bt_lines lines = bt_lines_of(text, size);
  if (bt_text_is_binary(text, size))
    return bt_fail(opt_error, BT_ERR_INPUT, r->at, "use a table with tabs between fields", "this is not a text file");
  for (bt_span line; bt_lines_next(&lines, &line);) {
    r->at.line = lines.number;
    if (bt_span_trim(line).size == 0) continue;
    if (line.text[0] == '#')
      read_comment(r, line);
    else
      BT_TRY(r->n_fields == 0 ? read_header(r, line, opt_program, opt_error) : read_row(r, line, opt_error));
  }
  r->at.line = 0;
  if (r->table->count > 0) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, r->at, "use a table with a line for each complex", "no complex has hits");
}

bt_status bt_e50_reference_parse(const char *path, const char *text, size_t size, const char *opt_program,
                                 bt_e50_reference **ret_reference, bt_error *opt_error) {
  reader r = {.at = {.file = path}, .table = bt_allocate(1, sizeof *r.table)};
  *ret_reference = NULL;
  if (r.table == NULL) return bt_fail_memory(opt_error);
  for (int k = 0; k < N_COLUMNS; k++) r.places[k] = -1;
  bt_status status = parse(&r, text, size, opt_program, opt_error);
  if (status == BT_OK)
    *ret_reference = r.table;
  else
    bt_e50_reference_destroy(r.table);
  return status;
}

bt_status bt_e50_reference_read(const char *path, const char *opt_program, bt_e50_reference **ret_reference,
                                bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  size_t size;
  *ret_reference = NULL;
  BT_TRY(bt_file_read(path, &text, &size, opt_error));
  return bt_e50_reference_parse(bt_file_label(path), text, size, opt_program, ret_reference, opt_error);
}

void bt_e50_reference_destroy(bt_e50_reference *opt_reference) {
  if (opt_reference == NULL) return;
  for (int i = 0; i < opt_reference->count; i++) free(opt_reference->rows[i].name);
  free(opt_reference->rows);
  free(opt_reference->program);
  free(opt_reference);
}

const bt_e50_reference_row *bt_e50_reference_find(const bt_e50_reference *reference, const char *name) {
  for (int i = 0; i < reference->count; i++)
    if (strcmp(reference->rows[i].name, name) == 0) return &reference->rows[i];
  return NULL;
}
