/* json_read.c - see json_read.h. */
#include "bench/common/json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "base/text/json.h"

enum { DEEPEST = 64 };

typedef struct reader {
  const char *path, *text;
  bt_error *opt_error;
} reader;

static bt_status wrong(const reader *r, const char *at, const char *what) {
  long line = 1;
  for (const char *c = r->text; c < at; c++) line += *c == '\n';
  return bt_fail(r->opt_error, BT_ERR_INPUT, (bt_where){.file = r->path, .line = line},
                 "use a file that `berth bench` wrote", "%s", what);
}

static bt_span trim(bt_span span) {
  while (span.size > 0 && strchr(" \t\r\n", span.text[0]) != NULL) span.text++, span.size--;
  while (span.size > 0 && strchr(" \t\r\n", span.text[span.size - 1]) != NULL) span.size--;
  return span;
}

static bt_status read_string(const reader *r, bt_span quoted, char **ret_text) {
  for (size_t i = 0; i < quoted.size; i++)
    if ((unsigned char)quoted.text[i] < 0x20)
      return wrong(r, quoted.text + i, "a string has a character that is not allowed");
  *ret_text = bt_json_unquote(quoted);
  return *ret_text != NULL ? BT_OK : wrong(r, quoted.text, "a value is not valid");
}

static bt_status read_value(const reader *r, bt_span text, int depth, cli_json *value);

static bt_status read_items(const reader *r, bt_span rest, int depth, cli_json *value) {
  bool object = value->kind == CLI_JSON_OBJECT;
  size_t capacity = 0;
  bt_span key, item;
  if (depth >= DEEPEST) return wrong(r, rest.text, "the values are nested too deep");
  char before = rest.text[0];
  for (; bt_json_next(&rest, object ? &key : NULL, &item); before = rest.size > 0 ? rest.text[0] : '\0') {
    if (!BT_GROW(value->items, &capacity, value->count + 1)) return bt_fail_memory(r->opt_error);
    cli_json *next = &value->items[value->count++];
    *next = (cli_json){.number = NAN};
    if (object) BT_TRY(read_string(r, (bt_span){key.text - 1, key.size + 2}, &next->key));
    BT_TRY(read_value(r, item, depth + 1, next));
    rest = trim(rest);
  }
  rest = trim(rest);
  if (before != ',' && rest.size > 1 && rest.text[0] == before) rest = trim((bt_span){rest.text + 1, rest.size - 1});
  bool closed = rest.size == 1 && rest.text[0] == (object ? '}' : ']') && before != ',';
  return closed ? BT_OK : wrong(r, rest.text, "a comma or a bracket is missing");
}

static bt_status read_value(const reader *r, bt_span text, int depth, cli_json *value) {
  text = trim(text);
  char c = text.size > 0 ? text.text[0] : '\0';
  if (bt_span_equals(text, "null")) return BT_OK;
  if (bt_span_equals(text, "true") || bt_span_equals(text, "false")) {
    value->kind = CLI_JSON_BOOL;
    value->number = c == 't';
    return BT_OK;
  }
  value->kind = c == '{' ? CLI_JSON_OBJECT : c == '[' ? CLI_JSON_ARRAY : c == '"' ? CLI_JSON_STRING : CLI_JSON_NUMBER;
  if (c == '{' || c == '[') return read_items(r, text, depth, value);
  if (c == '"') return read_string(r, text, &value->text);
  bool good = c != '+' && c != '.' && bt_parse_double(text, &value->number);
  return good ? BT_OK : wrong(r, text.text, "a value is not valid");
}

bt_status cli_json_parse(const char *path, const char *text, size_t size, cli_json *ret_value, bt_error *opt_error) {
  *ret_value = (cli_json){.number = NAN};
  return read_value(&(reader){path, text, opt_error}, (bt_span){text, size}, 0, ret_value);
}

bt_status cli_json_read(const char *path, cli_json *ret_value, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  size_t size;
  *ret_value = (cli_json){.number = NAN};
  BT_TRY(bt_file_read(path, &text, &size, opt_error));
  return cli_json_parse(path, text, size, ret_value, opt_error);
}

void cli_json_free(cli_json *value) {
  for (int i = 0; i < value->count; i++) cli_json_free(&value->items[i]);
  free(value->items);
  free(value->key);
  free(value->text);
  *value = (cli_json){.number = NAN};
}

const cli_json *cli_json_get(const cli_json *opt_value, const char *key) {
  if (opt_value == NULL || opt_value->kind != CLI_JSON_OBJECT) return NULL;
  for (int i = 0; i < opt_value->count; i++)
    if (strcmp(opt_value->items[i].key, key) == 0) return &opt_value->items[i];
  return NULL;
}

double cli_json_get_number(const cli_json *opt_value, const char *key) {
  const cli_json *member = cli_json_get(opt_value, key);
  return member != NULL && member->kind == CLI_JSON_NUMBER ? member->number : NAN;
}

const char *cli_json_get_text(const cli_json *opt_value, const char *key) {
  const cli_json *member = cli_json_get(opt_value, key);
  return member != NULL && member->text != NULL ? member->text : "";
}

bool cli_json_get_bool(const cli_json *opt_value, const char *key) {
  const cli_json *member = cli_json_get(opt_value, key);
  return member != NULL && member->kind == CLI_JSON_BOOL && member->number == 1;
}

int cli_json_get_array(const cli_json *opt_value, const char *key, const cli_json **ret_items) {
  const cli_json *member = cli_json_get(opt_value, key);
  *ret_items = NULL;
  if (member == NULL || member->kind != CLI_JSON_ARRAY) return 0;
  *ret_items = member->items;
  return member->count;
}
