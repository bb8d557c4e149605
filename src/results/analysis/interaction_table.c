/* interaction_table.c - which residues each pose touches, and how: a table of 0 and 1. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "results/analysis/interaction_set.h"

typedef struct row {
  char *ligand;
  int pose;
  double similarity; /* NaN: there is no reference */
} row;

typedef struct mark {
  size_t row;
  bt_interaction_key key;
} mark;

struct bt_interaction_table {
  bool poses, autodock, referred;
  row *rows;
  mark *marks; /* by row */
  size_t n_rows, n_marks, row_room, mark_room;
};

bt_status bt_interaction_table_create(bool poses, bool autodock, bt_interaction_table **ret_table,
                                      bt_error *opt_error) {
  bt_interaction_table *made = bt_allocate(1, sizeof *made);
  if (made == NULL) return bt_fail_memory(opt_error);
  made->poses = poses;
  made->autodock = autodock;
  *ret_table = made;
  return BT_OK;
}

void bt_interaction_table_destroy(bt_interaction_table *opt_table) {
  if (opt_table == NULL) return;
  for (size_t k = 0; k < opt_table->n_rows; k++) free(opt_table->rows[k].ligand);
  free(opt_table->rows);
  free(opt_table->marks);
  free(opt_table);
}

bt_status bt_interaction_table_add(bt_interaction_table *table, const char *ligand, int pose,
                                   const bt_interactions *interactions, const bt_interactions *opt_reference,
                                   bt_error *opt_error) {
  row made = {.ligand = bt_copy_text(ligand, strlen(ligand)), .pose = pose, .similarity = NAN};
  if (opt_reference != NULL) made.similarity = bt_interactions_similarity(interactions, opt_reference);
  if (made.ligand == NULL) return bt_fail_memory(opt_error);
  if (!BT_APPEND(table->rows, table->n_rows, &table->row_room, made)) {
    free(made.ligand);
    return bt_fail_memory(opt_error);
  }
  table->referred = table->referred || opt_reference != NULL;
  for (size_t k = 0; k < interactions->n_keys; k++) {
    mark of = {.row = table->n_rows - 1, .key = interactions->keys[k]};
    if (!table->autodock && bt_interaction_key_is_autodock(&of.key)) continue;
    if (!BT_APPEND(table->marks, table->n_marks, &table->mark_room, of)) return bt_fail_memory(opt_error);
  }
  return BT_OK;
}

/* Sorted and each once; their number. */
static size_t collect_keys(const bt_interaction_table *table, bt_interaction_key *keys) {
  size_t n = 0;
  for (size_t k = 0; k < table->n_marks; k++) keys[k] = table->marks[k].key;
  if (table->n_marks > 1) qsort(keys, table->n_marks, sizeof *keys, bt_interaction_key_compare);
  for (size_t k = 0; k < table->n_marks; k++)
    if (n == 0 || bt_interaction_key_compare(&keys[n - 1], &keys[k]) != 0) keys[n++] = keys[k];
  return n;
}

static void add_heading(const bt_interaction_table *table, bt_text *text, const bt_interaction_key *keys, size_t n) {
  bt_text_add_string(text, table->poses ? "ligand,pose" : "ligand");
  if (table->referred) bt_text_add_string(text, ",similarity");
  for (size_t k = 0; k < n; k++) {
    bt_text_add_char(text, ',');
    bt_interaction_key_add(text, &keys[k]);
  }
  bt_text_add_char(text, '\n');
}

bt_status bt_interaction_table_write(const bt_interaction_table *table, const char *path, bt_error *opt_error) {
  BT_SCOPED bt_interaction_key *keys = bt_allocate(table->n_marks, sizeof *keys);
  BT_SCOPED bool *found = bt_allocate(table->n_marks, sizeof *found);
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  if (keys == NULL || found == NULL) return bt_fail_memory(opt_error);
  size_t n = collect_keys(table, keys), at = 0;
  add_heading(table, &text, keys, n);
  for (size_t r = 0; r < table->n_rows; r++) {
    const row *of = &table->rows[r];
    if (n > 0) memset(found, 0, n * sizeof *found);
    for (; at < table->n_marks && table->marks[at].row == r; at++) {
      const bt_interaction_key *key = bsearch(&table->marks[at].key, keys, n, sizeof *keys, bt_interaction_key_compare);
      if (key != NULL) found[key - keys] = true;
    }
    bt_text_csv(&text, of->ligand);
    if (table->poses) bt_text_printf(&text, ",%d", of->pose);
    if (table->referred) bt_text_add_char(&text, ',');
    if (!isnan(of->similarity)) bt_text_printf(&text, "%.4f", of->similarity);
    for (size_t k = 0; k < n; k++) bt_text_add_string(&text, found[k] ? ",1" : ",0");
    bt_text_add_char(&text, '\n');
  }
  BT_TRY(bt_text_status(&text, opt_error));
  return bt_file_write_text(path, &text, opt_error);
}
