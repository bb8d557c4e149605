/* export_table.h - the docked ligands of a screen as a table: its columns with their types, and the cells of a row. */
#ifndef BERTH_STORE_EXPORT_EXPORT_TABLE_H
#define BERTH_STORE_EXPORT_EXPORT_TABLE_H

#include "store/export/doubt.h"
#include "store/store.h"

typedef enum bt_cell_kind { BT_CELL_TEXT, BT_CELL_REAL, BT_CELL_INTEGER, BT_CELL_BOOLEAN } bt_cell_kind;

typedef struct bt_export_column {
  char *name;
  bt_cell_kind kind;
  bool value;     /* a real number with BT_VALUE_FORMAT in CSV, instead of three decimals */
  char *property; /* the ligands' property that it shows; NULL: it is the screen's own */
  char *tag;      /* of a property: the name of its data item in SDF, without angle brackets */
} bt_export_column;

typedef struct bt_export_cell {
  bool there;       /* false: empty, or a property that is not of the column's kind */
  const char *text; /* of BT_CELL_TEXT, and of every property that the row has, as its file states it */
  double real;
  int64_t integer; /* a boolean: 0 or 1 */
} bt_export_cell;

/* Starts as {0}. */
typedef struct bt_export_table {
  bt_export_column *columns; /* [n_columns] */
  bt_export_cell *cells;     /* [n_columns] of a row, by bt_export_row */
  int n_columns;
  int first_property; /* columns from there on are properties */
  size_t room;
  char *ranked_by;
  bt_scoring scoring;
  bool records;         /* of an engine whose poses are SDF records */
  bt_score_list scores; /* columns of scores and values of re-scorers; the numbers mean nothing */
  bt_score_list values; /* those of values */
  bt_doubt doubt;
  bt_text doubted;      /* of the row */
  bt_text texts;        /* properties of the row, NUL behind each name and value */
  size_t at;            /* there, of bt_export_properties_next */
} bt_export_table;

/* A property whose name is that of another column, or of a data item of ours in SDF, is shown as library_NAME. */
bt_status bt_export_table_open(bt_store *store, bt_scoring scoring, bool records, bt_export_table *table,
                               bt_error *opt_error) BT_MUST_USE;
void bt_export_table_close(bt_export_table *table);
/* Is the score of this name a further value of a re-scorer? */
bool bt_export_is_value(const bt_export_table *table, const char *name);

/* Fills table->cells, whose texts live as long as row and table. */
bt_status bt_export_row(bt_export_table *table, int64_t rank, const bt_store_row *row, bt_error *opt_error) BT_MUST_USE;
/* Fills table->doubted with what speaks against the ligand's rank: "", or "CNN: 41 % of the ligands are better". */
bt_status bt_export_doubt(bt_export_table *table, int64_t rank, const bt_store_row *row,
                          bt_error *opt_error) BT_MUST_USE;
bt_status bt_export_csv_row(bt_export_table *table, int64_t rank, const bt_store_row *row, bt_text *text,
                            bt_error *opt_error) BT_MUST_USE;
/* The columns of properties alone, a comma before each. */
bt_status bt_export_properties_csv(bt_export_table *table, const bt_store_row *row, bt_text *text,
                                   bt_error *opt_error) BT_MUST_USE;

/* A row's properties one by one, for files that are no tables. */
typedef struct bt_export_property {
  const char *name, *tag; /* tag: the name of an SDF data item; NULL: of a row that came later */
  const char *value;
} bt_export_property;

bt_status bt_export_properties_start(bt_export_table *table, const bt_store_row *row, bt_error *opt_error) BT_MUST_USE;
/* False at the end, after which it begins again. */
bool bt_export_properties_next(bt_export_table *table, bt_export_property *ret_property);

#endif
