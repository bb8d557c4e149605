/* json_read.c - see json_read.h. */
#include "bench/common/json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

enum { DEEPEST = 64 };

typedef struct reader {
  const char *path;
  const char *at, *end;
  long line;
  bt_error *opt_error;
} reader;

static bt_status wrong(const reader *r, const char *what) {
  return bt_fail(r->opt_error, BT_ERR_INPUT, (bt_where){.file = r->path, .line = r->line},
                 "give a file that `berth bench` wrote", "%s", what);
}

static void skip_blanks(reader *r) {
  for (; r->at < r->end && strchr(" \t\r\n", *r->at) != NULL && *r->at != '\0'; r->at++)
    if (*r->at == '\n') r->line++;
}

static bool take(reader *r, char c) {
  skip_blanks(r);
  if (r->at >= r->end || *r->at != c) return false;
  r->at++;
  return true;
}

static bool take_word(reader *r, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0) return false;
  r->at += length;
  return true;
}

/* Four hexadecimal digits; -1 when they are none. */
static long hexadecimal(reader *r) {
  long value = 0;
  for (int k = 0; k < 4; k++, r->at++) {
    char c = r->at < r->end ? *r->at : '\0';
    int digit = c >= '0' && c <= '9' ? c - '0'
              : c >= 'a' && c <= 'f' ? c - 'a' + 10
              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                     : -1;
    if (digit < 0) return -1;
    value = 16 * value + digit;
  }
  return value;
}

static char *add_utf8(char *to, long point) {
  int more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3; /* bytes behind the first */
  static const int marks[] = {0, 0xc0, 0xe0, 0xf0};
  *to++ = (char)(marks[more] | point >> 6 * more);
  while (more-- > 0) *to++ = (char)(0x80 | (point >> 6 * more & 0x3f));
  return to;
}

/* What follows a backslash; NULL when it is no escape. The text of an escape is never shorter than its UTF-8. */
static char *add_escape(reader *r, char *to) {
  static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  char c = r->at < r->end ? *r->at++ : '\0';
  const char *found = c != '\0' ? strchr(names, c) : NULL;
  if (found != NULL) {
    *to++ = values[found - names];
    return to;
  }
  long point = c == 'u' ? hexadecimal(r) : -1;
  if (point >= 0xd800 && point < 0xdc00) {
    long low = take_word(r, "\\u") ? hexadecimal(r) : -1;
    if (low < 0xdc00 || low > 0xdfff) return NULL;
    point = 0x10000 + (point - 0xd800) * 0x400 + (low - 0xdc00);
  } else if (point >= 0xdc00 && point < 0xe000) {
    return NULL;
  }
  return point <= 0 ? NULL : add_utf8(to, point);
}

static bt_status read_string(reader *r, char **ret_text) {
  if (!take(r, '"')) return wrong(r, "a string is missing");
  const char *close = r->at;
  for (; close < r->end && *close != '"'; close++)
    if (*close == '\\') close++;
  if (close >= r->end) return wrong(r, "a string does not end");
  char *text = malloc((size_t)(close - r->at) + 1), *to = text;
  if (text == NULL) return bt_fail_memory(r->opt_error);
  while (to != NULL && r->at < close) {
    char c = *r->at++;
    if ((unsigned char)c < 0x20)
      to = NULL;
    else if (c == '\\')
      to = add_escape(r, to);
    else
      *to++ = c;
  }
  if (to == NULL || r->at != close) {
    free(text);
    return wrong(r, "a string has a character that is not allowed");
  }
  *to = '\0';
  r->at++;
  *ret_text = text;
  return BT_OK;
}

static bt_status read_number(reader *r, double *ret_number) {
  size_t length = strspn(r->at, "+-0123456789.eE");
  if (length == 0 || length >= 64 || strchr("+.", *r->at) != NULL) return wrong(r, "a value is not valid");
  if (!bt_parse_double((bt_span){r->at, length}, ret_number)) return wrong(r, "a number is not valid");
  r->at += length;
  return BT_OK;
}

static bt_status read_value(reader *r, int depth, cli_json *value);

/* The elements up to the closing bracket. */
static bt_status read_items(reader *r, int depth, cli_json *value, char close) {
  size_t capacity = 0;
  if (depth >= DEEPEST) return wrong(r, "the values are nested too deep");
  if (take(r, close)) return BT_OK;
  do {
    if (!BT_GROW(value->items, &capacity, value->count + 1)) return bt_fail_memory(r->opt_error);
    cli_json *item = &value->items[value->count++];
    *item = (cli_json){.number = NAN};
    if (value->kind == CLI_JSON_OBJECT) {
      BT_TRY(read_string(r, &item->key));
      if (!take(r, ':')) return wrong(r, "a colon is missing");
    }
    BT_TRY(read_value(r, depth + 1, item));
  } while (take(r, ','));
  return take(r, close) ? BT_OK : wrong(r, "a comma or a bracket is missing");
}

static bt_status read_value(reader *r, int depth, cli_json *value) {
  skip_blanks(r);
  char c = r->at < r->end ? *r->at : '\0';
  if (c == '{' || c == '[') {
    r->at++;
    value->kind = c == '{' ? CLI_JSON_OBJECT : CLI_JSON_ARRAY;
    return read_items(r, depth, value, c == '{' ? '}' : ']');
  }
  if (c == '"') {
    value->kind = CLI_JSON_STRING;
    return read_string(r, &value->text);
  }
  if (take_word(r, "null")) return BT_OK;
  bool yes = take_word(r, "true");
  if (yes || take_word(r, "false")) {
    value->kind = CLI_JSON_BOOL;
    value->number = yes ? 1 : 0;
    return BT_OK;
  }
  value->kind = CLI_JSON_NUMBER;
  return read_number(r, &value->number);
}

bt_status cli_json_parse(const char *path, const char *text, size_t size, cli_json *ret_value, bt_error *opt_error) {
  reader r = {.path = path, .at = text, .end = text + size, .line = 1, .opt_error = opt_error};
  *ret_value = (cli_json){.number = NAN};
  BT_TRY(read_value(&r, 0, ret_value));
  skip_blanks(&r);
  return r.at == r.end ? BT_OK : wrong(&r, "something follows the value");
}

bt_status cli_json_read(const char *path, cli_json *ret_value, bt_error *opt_error) {
  char *text;
  size_t size;
  *ret_value = (cli_json){.number = NAN};
  BT_TRY(bt_file_read(path, &text, &size, opt_error));
  bt_status status = cli_json_parse(path, text, size, ret_value, opt_error);
  free(text);
  return status;
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
