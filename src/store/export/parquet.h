/* parquet.h - writes a table as Apache Parquet: https://parquet.apache.org/docs/file-format/.
 *
 * All columns are optional. Values are encoded PLAIN in one page per column and row group, compressed by Zstandard
 * where the build has it. A row group is written as soon as it is full, so that memory does not grow with the table;
 * the metadata at the end of the file has about 60 bytes per column and row group.
 */
#ifndef BERTH_STORE_EXPORT_PARQUET_H
#define BERTH_STORE_EXPORT_PARQUET_H

#include "store/export/export_table.h"

typedef struct bt_parquet bt_parquet;

/* Kinds of columns become BYTE_ARRAY with the logical type STRING, DOUBLE, INT64, BOOLEAN. Columns are borrowed. */
bt_status bt_parquet_open(const char *path, const bt_export_column *columns, int n_columns, bt_parquet **ret_file,
                          bt_error *opt_error) BT_MUST_USE;
/* Texts that are no UTF-8 have U+FFFD in the place of each byte that is none. */
bt_status bt_parquet_add(bt_parquet *file, const bt_export_cell *cells, bt_error *opt_error) BT_MUST_USE;
/* The file appears complete or not at all; it is destroyed. */
bt_status bt_parquet_commit(bt_parquet *file, bt_error *opt_error) BT_MUST_USE;
void bt_parquet_abandon(bt_parquet *opt_file);

#endif
