/* row_scores.c - what re-scorers say of a ligand, as further columns of the table of ligands. */
#include <berth/rescore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/report_internal.h"

/* A column that no row before had goes to the end, so that the values of these rows stay where they are. */
static bt_status note_columns(bt_report *report, const bt_score_list *list, bool energies, bt_error *opt_error) {
  for (int k = 0; k < list->count; k++) {
    const char *name = list->items[k].name;
    int c = 0;
    while (c < report->n_score_columns && strcmp(report->score_columns[c].name, name) != 0) c++;
    if (c < report->n_score_columns) continue;
    if (!BT_GROW(report->score_columns, &report->score_room, c + 1)) return bt_fail_memory(opt_error);
    report->score_columns[c] = (bt_report_score_column){.name = strdup(name), .energy = energies};
    if (report->score_columns[c].name == NULL) return bt_fail_memory(opt_error);
    report->n_score_columns++;
  }
  return BT_OK;
}

bt_status bt_report_row_scores(bt_report *report, const bt_score_list *energies, const bt_score_list *values,
                               bt_error *opt_error) {
  BT_TRY(note_columns(report, energies, true, opt_error));
  BT_TRY(note_columns(report, values, false, opt_error));
  for (int c = 0; c < report->n_score_columns; c++) {
    const bt_report_score_column *column = &report->score_columns[c];
    const bt_named_score *score = bt_score_list_find(column->energy ? energies : values, column->name);
    if (score == NULL)
      bt_json_null(&report->json);
    else
      bt_json_rounded(&report->json, score->value, column->energy ? 2 : 3);
  }
  return BT_OK;
}

bool bt_report_sort_score(const char *name, double score, bt_score_list *energies, bt_score_list *values) {
  bt_rescorer_info by = bt_rescorer(name, 0);
  if (by.name != NULL && by.n_values > 0) return true; /* its values are made for people */
  if (by.name == NULL) return bt_score_list_add(values, name, score);
  return by.unitless ? bt_score_list_add(values, by.title, score) : bt_score_list_add(energies, name, score);
}

void bt_report_score_columns(bt_report *report) {
  bt_json *json = &report->json;
  bt_json_printf(json, "scores [");
  for (int c = 0; c < report->n_score_columns; c++) {
    const bt_report_score_column *column = &report->score_columns[c];
    bt_json_printf(json, "[ %s %hhd ]", column->energy ? bt_rescorer_title(column->name) : column->name,
                   column->energy);
  }
  bt_json_close(json, ']');
}

void bt_report_forget_columns(bt_report *report) {
  for (int c = 0; c < report->n_score_columns; c++) free(report->score_columns[c].name);
  free(report->score_columns);
}
