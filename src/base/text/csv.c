/* csv.c - reading CSV (RFC 4180), row by row. */
#include "base/text/csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bt_csv bt_csv_of(const char *text, size_t size) { return (bt_csv){.at = text, .end = text + size, .separator = ','}; }

void bt_csv_end(bt_csv *csv) {
  free(csv->buffer);
  free(csv->fields);
  *csv = (bt_csv){0};
}

/* Copies a field to *to and ends it with a NUL; what follows it is at csv->at. */
static void read_field(bt_csv *csv, char **to) {
  bool quoted = csv->at < csv->end && *csv->at == '"';
  if (quoted) csv->at++;
  for (; csv->at < csv->end; csv->at++) {
    char c = *csv->at;
    if (quoted && c == '"') {
      if (csv->at + 1 < csv->end && csv->at[1] == '"')
        csv->at++;
      else {
        quoted = false;
        continue;
      }
    } else if (!quoted && (c == csv->separator || c == '\n' || c == '\r')) {
      break;
    }
    if (c != '\0') *(*to)++ = c;
  }
  *(*to)++ = '\0';
}

const char *bt_csv_plain(const char *field) {
  bool guarded = field[0] == '\'' && field[1] != '\0' && strchr("=+-@\t\r\n", field[1]) != NULL;
  return guarded ? field + 1 : field;
}

bool bt_csv_next(bt_csv *csv, bt_csv_row *ret_row) {
  *ret_row = (bt_csv_row){0};
  if (csv->at >= csv->end) return false;
  if (csv->buffer == NULL) csv->buffer = malloc((size_t)(csv->end - csv->at) + 2);
  csv->failed = csv->buffer == NULL;
  if (csv->failed) return false;
  char *to = csv->buffer;
  for (bool more = true; more;) {
    csv->failed = !BT_GROW(csv->fields, &csv->capacity, ret_row->count + 1);
    if (csv->failed) return false;
    csv->fields[ret_row->count++] = to;
    read_field(csv, &to);
    more = csv->at < csv->end && *csv->at == csv->separator;
    if (more) csv->at++;
  }
  while (csv->at < csv->end && (*csv->at == '\r' || *csv->at == '\n')) csv->at++;
  ret_row->fields = csv->fields;
  return true;
}
