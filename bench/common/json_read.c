/* json_read.c - see json_read.h. */
#include "bench/common/json_read.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "common/options.h"
#include "common/report.h"

enum { DEEPEST = 64 };

typedef struct reader {
  const char *path;
  const char *at, *end;
  long line;
  bt_error *opt_error;
} reader;

static bt_status wrong(const reader *r, const char *what) {
  cli_fill_error(r->opt_error, BT_ERR_INPUT, r->path, "give a file that `berth bench` wrote", "%s", what);
  if (r->opt_error != NULL) r->opt_error->line = r->line;
  return BT_ERR_INPUT;
}

static bt_status no_memory(const reader *r) {
  return cli_fill_error(r->opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
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
  if (point < 0x80) {
    *to++ = (char)point;
  } else if (point < 0x800) {
    *to++ = (char)(0xc0 | point >> 6);
    *to++ = (char)(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    *to++ = (char)(0xe0 | point >> 12);
    *to++ = (char)(0x80 | (point >> 6 & 0x3f));
    *to++ = (char)(0x80 | (point & 0x3f));
  } else {
    *to++ = (char)(0xf0 | point >> 18);
    *to++ = (char)(0x80 | (point >> 12 & 0x3f));
    *to++ = (char)(0x80 | (point >> 6 & 0x3f));
    *to++ = (char)(0x80 | (point & 0x3f));
  }
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
  if (text == NULL) return no_memory(r);
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
  char word[64];
  size_t length = strspn(r->at, "+-0123456789.eE");
  if (length == 0 || length >= sizeof word || strchr("+.", *r->at) != NULL) return wrong(r, "a value is not valid");
  memcpy(word, r->at, length);
  word[length] = '\0';
  if (!cli_read_real(word, ret_number)) return wrong(r, "a number is not valid");
  r->at += length;
  return BT_OK;
}

static bt_status read_value(reader *r, int depth, cli_json *value);

/* The elements up to the closing bracket. */
static bt_status read_items(reader *r, int depth, cli_json *value, char close) {
  int capacity = 0;
  if (depth >= DEEPEST) return wrong(r, "the values are nested too deep");
  if (take(r, close)) return BT_OK;
  do {
    if (value->count == capacity) {
      capacity = capacity > 0 ? 2 * capacity : 4;
      cli_json *items = realloc(value->items, (size_t)capacity * sizeof *items);
      if (items == NULL) return no_memory(r);
      value->items = items;
    }
    cli_json *item = &value->items[value->count++];
    *item = (cli_json){.number = NAN};
    if (value->kind == CLI_JSON_OBJECT) {
      bt_status status = read_string(r, &item->key);
      if (status != BT_OK) return status;
      if (!take(r, ':')) return wrong(r, "a colon is missing");
    }
    bt_status status = read_value(r, depth + 1, item);
    if (status != BT_OK) return status;
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
  bt_status status = read_value(&r, 0, ret_value);
  if (status != BT_OK) return status;
  skip_blanks(&r);
  return r.at == r.end ? BT_OK : wrong(&r, "something follows the value");
}

bt_status cli_json_read(const char *path, cli_json *ret_value, bt_error *opt_error) {
  *ret_value = (cli_json){.number = NAN};
  FILE *stream = fopen(path, "rb");
  if (stream == NULL)
    return cli_fill_error(opt_error, BT_ERR_IO, path, "check the path", "cannot be read: %s", strerror(errno));
  BT_SCOPED char *text = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&text, &size);
  char block[8192];
  size_t n = 0;
  while (memory != NULL && (n = fread(block, 1, sizeof block, stream)) > 0) fwrite(block, 1, n, memory);
  bool failed = ferror(stream) != 0;
  fclose(stream);
  if (memory == NULL || fclose(memory) != 0) return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
  return failed ? cli_fill_error(opt_error, BT_ERR_IO, path, "give a file", "cannot be read")
                : cli_json_parse(path, text, size, ret_value, opt_error);
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

int cli_json_get_array(const cli_json *opt_value, const char *key, const cli_json **ret_items) {
  const cli_json *member = cli_json_get(opt_value, key);
  *ret_items = NULL;
  if (member == NULL || member->kind != CLI_JSON_ARRAY) return 0;
  *ret_items = member->items;
  return member->count;
}
