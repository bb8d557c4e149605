/* csv.h - reading CSV (RFC 4180), row by row. */
#ifndef BERTH_BASE_TEXT_CSV_H
#define BERTH_BASE_TEXT_CSV_H

#include "base/text/text.h"

typedef struct bt_csv {
  const char *at, *end;
  char separator; /* [,] */
  char *buffer;   /* of the row's fields */
  const char **fields;
  size_t capacity;
  bool failed; /* memory is exhausted */
} bt_csv;

typedef struct bt_csv_row {
  const char *const *fields; /* NUL-terminated; until the next call */
  size_t count;
} bt_csv_row;

bt_csv bt_csv_of(const char *text, size_t size);
/* A field without the apostrophe that bt_text_csv puts before formulas. */
const char *bt_csv_plain(const char *field);
/* False at the end, and when memory is exhausted: csv->failed distinguishes the two. */
bool bt_csv_next(bt_csv *csv, bt_csv_row *ret_row);
void bt_csv_end(bt_csv *csv);

#endif
