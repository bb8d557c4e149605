/* table.c - see table.h. */
#include "output/table.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text/csv.h"

typedef struct table_row {
  char **fields; /* [columns of the table], NULL: empty; owned */
  int group;     /* rows of one group are ranked together */
  double energy;
  size_t place; /* among equals */
} table_row;

typedef struct table {
  bt_text_list columns;
  table_row *rows;
  size_t n_rows, room;
} table;

static void table_free(table *t) {
  for (size_t r = 0; r < t->n_rows; r++) {
    for (int c = 0; t->rows[r].fields != NULL && c < t->columns.count; c++) free(t->rows[r].fields[c]);
    free(t->rows[r].fields);
  }
  free(t->rows);
  bt_text_list_destroy(&t->columns);
}

static int column_of(const table *t, const char *name) {
  for (int c = 0; c < t->columns.count; c++)
    if (strcmp(t->columns.items[c], name) == 0) return c;
  return -1;
}

/* --- reading ------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool is_done(char *const *names, size_t count, const char *name) {
  return count > 0 && bsearch(&name, names, count, sizeof *names, by_name) != NULL;
}

static bt_status add_columns(table *t, const bt_csv_row *header, bt_error *opt_error) {
  for (size_t k = 0; k < header->count; k++)
    if (column_of(t, header->fields[k]) < 0)
      BT_TRY(bt_text_list_add(&t->columns, bt_span_from(header->fields[k]), opt_error));
  return BT_OK;
}

/* to[k]: the table's column of field k. */
static bt_status add_row(table *t, const bt_csv_row *row, const int *to, size_t n_columns, bt_error *opt_error) {
  if (!BT_GROW(t->rows, &t->room, t->n_rows + 1)) return bt_fail_memory(opt_error);
  table_row *added = &t->rows[t->n_rows];
  *added = (table_row){.fields = bt_allocate((size_t)t->columns.count, sizeof(char *)), .place = t->n_rows};
  if (added->fields == NULL) return bt_fail_memory(opt_error);
  t->n_rows++;
  for (size_t k = 0; k < row->count && k < n_columns; k++) {
    const char *field = bt_csv_plain(row->fields[k]);
    free(added->fields[to[k]]);
    added->fields[to[k]] = bt_copy_text(field, strlen(field));
    if (added->fields[to[k]] == NULL) return bt_fail_memory(opt_error);
  }
  return BT_OK;
}

/* Rows of ligands that are done are left out. */
static bt_status add_rows(table *t, const char *text, char *const *done, size_t n_done, bt_error *opt_error) {
  BT_ENDED_BY(bt_csv_end) bt_csv csv = bt_csv_of(text, strlen(text));
  bt_csv_row row;
  if (!bt_csv_next(&csv, &row)) return csv.failed ? bt_fail_memory(opt_error) : BT_OK;
  size_t n = row.count, ligand = n;
  BT_SCOPED int *to = bt_allocate(n, sizeof *to);
  if (to == NULL) return bt_fail_memory(opt_error);
  for (size_t k = 0; k < n; k++) {
    to[k] = column_of(t, row.fields[k]);
    if (strcmp(row.fields[k], "ligand") == 0) ligand = k;
  }
  while (bt_csv_next(&csv, &row))
    if (ligand >= row.count || !is_done(done, n_done, bt_csv_plain(row.fields[ligand])))
      BT_TRY(add_row(t, &row, to, n, opt_error));
  return csv.failed ? bt_fail_memory(opt_error) : BT_OK;
}

static bt_status add_header(table *t, const char *text, bt_error *opt_error) {
  BT_ENDED_BY(bt_csv_end) bt_csv csv = bt_csv_of(text, strlen(text));
  bt_csv_row row;
  if (bt_csv_next(&csv, &row)) return add_columns(t, &row, opt_error);
  return csv.failed ? bt_fail_memory(opt_error) : BT_OK;
}

/* --- ranking ------------------------------------------------------------------------------------------- */

static int by_rank(const void *a, const void *b) {
  const table_row *p = a, *q = b;
  if (p->group != q->group) return p->group < q->group ? -1 : 1;
  if (p->energy != q->energy) return p->energy < q->energy ? -1 : 1;
  return p->place < q->place ? -1 : 1;
}

static const char *field_of(const table_row *row, int column) {
  return column >= 0 && row->fields[column] != NULL ? row->fields[column] : "";
}

/* Early versions had no column that ranks: there it was the free energy. */
static double energy_of(const table *t, const table_row *row) {
  double energy = 0;
  const char *text = field_of(row, column_of(t, "rank_energy"));
  if (text[0] == '\0') text = field_of(row, column_of(t, "free_energy"));
  (void)bt_parse_double(bt_span_from(text), &energy);
  return energy;
}

static bt_status rank(table *t, bt_error *opt_error) {
  int by = column_of(t, "ranked_by"), scoring = column_of(t, "scoring"), column = column_of(t, "rank");
  if (column < 0 || column_of(t, "rank_energy") < 0) return BT_OK;
  for (size_t r = 0; r < t->n_rows; r++) {
    table_row *row = &t->rows[r];
    const char *name = field_of(row, by);
    if (name[0] == '\0') name = field_of(row, scoring);
    row->energy = energy_of(t, row);
    row->group = (int)r;
    for (size_t s = 0; s < r && row->group == (int)r; s++) {
      const char *other = field_of(&t->rows[s], by);
      if (other[0] == '\0') other = field_of(&t->rows[s], scoring);
      if (strcmp(name, other) == 0) row->group = t->rows[s].group;
    }
  }
  if (t->n_rows > 0) qsort(t->rows, t->n_rows, sizeof *t->rows, by_rank);
  for (size_t r = 0, first = 0; r < t->n_rows; r++) {
    char number[24];
    if (t->rows[r].group != t->rows[first].group) first = r;
    snprintf(number, sizeof number, "%zu", r - first + 1);
    free(t->rows[r].fields[column]);
    t->rows[r].fields[column] = bt_copy_text(number, strlen(number));
    if (t->rows[r].fields[column] == NULL) return bt_fail_memory(opt_error);
  }
  return BT_OK;
}

/* --- writing ------------------------------------------------------------------------------------------- */

static bt_status write_table(const table *t, const char *path, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  for (int c = 0; c < t->columns.count; c++) {
    if (c > 0) bt_text_add_char(&text, ',');
    bt_text_add_string(&text, t->columns.items[c]);
  }
  for (size_t r = 0; r < t->n_rows; r++) {
    bt_text_add_char(&text, '\n');
    for (int c = 0; c < t->columns.count; c++) {
      const char *field = field_of(&t->rows[r], c);
      double number;
      if (c > 0) bt_text_add_char(&text, ',');
      if (bt_parse_double(bt_span_from(field), &number)) /* a negative one is no formula */
        bt_text_add_string(&text, field);
      else
        bt_text_csv(&text, field);
    }
  }
  bt_text_add_char(&text, '\n');
  return bt_file_write_text(path, &text, opt_error);
}

static bt_status merge(table *t, const char *path, const char *opt_text, const char *opt_earlier,
                       const bt_text_list *done, bt_error *opt_error) {
  size_t count = (size_t)done->count;
  BT_SCOPED char **names = bt_allocate(count + 1, sizeof *names);
  if (names == NULL) return bt_fail_memory(opt_error);
  for (size_t k = 0; k < count; k++) names[k] = done->items[k];
  if (count > 0) qsort(names, count, sizeof *names, by_name);
  const char *texts[] = {opt_text, opt_earlier};
  for (int k = 0; k < 2; k++)
    if (texts[k] != NULL) BT_TRY(add_header(t, texts[k], opt_error));
  for (int k = 0; k < 2; k++)
    if (texts[k] != NULL) BT_TRY(add_rows(t, texts[k], names, k == 0 ? 0 : count, opt_error));
  BT_TRY(rank(t, opt_error));
  if (t->n_rows > 0) return write_table(t, path, opt_error);
  unlink(path);
  return BT_OK;
}

bt_status cli_table_merge(const char *path, const char *opt_text, const bt_text_list *done, bt_error *opt_error) {
  BT_SCOPED char *earlier = NULL;
  size_t size;
  bool there;
  BT_TRY(bt_file_look(path, &there, opt_error));
  if (there) BT_TRY(bt_file_read(path, &earlier, &size, opt_error));
  if (opt_text == NULL && earlier == NULL) return BT_OK;
  BT_ENDED_BY(table_free) table t = {.n_rows = 0};
  return merge(&t, path, opt_text, earlier, done, opt_error);
}
