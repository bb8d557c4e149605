/* json_read.c - reading JSON: value by value, without building a tree. */
#include <stdlib.h>
#include <string.h>

#include "base/text/json.h"

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && strchr(" \t\r\n", *at) != NULL && *at != '\0') at++;
  return at;
}

/* The position after the string whose opening quote is given; end when it is unterminated. */
static const char *skip_string(const char *at, const char *end) {
  for (at++; at < end && *at != '"'; at++)
    if (*at == '\\' && at + 1 < end) at++;
  return at < end ? at + 1 : end;
}

static const char *skip_value(const char *at, const char *end) {
  int depth = 0;
  while (at < end) {
    char c = *at;
    if (depth == 0 && strchr(",]}", c) != NULL) break;
    at = c == '"' ? skip_string(at, end) : at + 1;
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
  }
  return at;
}

bool bt_json_next(bt_span *rest, bt_span *opt_key, bt_span *ret_value) {
  *ret_value = (bt_span){rest->text, 0};
  if (rest->size == 0) return false; /* and the text may be NULL */
  const char *end = rest->text + rest->size, *at = skip_blanks(rest->text, end);
  *ret_value = (bt_span){at, 0};
  if (at == end || (*at != '[' && *at != '{' && *at != ',')) return false;
  at = skip_blanks(at + 1, end);
  if (opt_key != NULL) {
    if (at == end || *at != '"') return false;
    const char *behind = skip_string(at, end), *colon = skip_blanks(behind, end);
    if (colon == end || *colon != ':') return false;
    *opt_key = (bt_span){at + 1, (size_t)(behind - at) - 2};
    at = skip_blanks(colon + 1, end);
  }
  const char *behind = skip_value(at, end);
  *rest = (bt_span){behind, (size_t)(end - behind)};
  *ret_value = bt_span_trim((bt_span){at, (size_t)(behind - at)});
  return behind > at;
}

bool bt_json_find(bt_span object, const char *key, bt_span *ret_value) {
  bt_span name;
  while (bt_json_next(&object, &name, ret_value))
    if (bt_span_equals(name, key)) return true;
  *ret_value = (bt_span){object.text, 0};
  return false;
}

/* The character of \uXXXX as UTF-8, a space when it is invalid; Berth never writes surrogate pairs. */
static void add_code(bt_text *text, const char *digits) {
  char hex[5] = {digits[0], digits[1], digits[2], digits[3], '\0'};
  unsigned code = (unsigned)strtoul(hex, NULL, 16);
  if (code == 0 || (code & 0xf800) == 0xd800) code = ' ';
  if (code >= 0x800) bt_text_add_char(text, (char)(0xe0 | code >> 12));
  if (code >= 0x80) bt_text_add_char(text, (char)(code >= 0x800 ? 0x80 | (code >> 6 & 63) : 0xc0 | code >> 6));
  bt_text_add_char(text, (char)(code >= 0x80 ? 0x80 | (code & 63) : code));
}

char *bt_json_unquote(bt_span value) {
  static const char letters[] = "nrtbf", meanings[] = "\n\r\t\b\f";
  bt_text text = {0};
  if (value.size < 2 || value.text[0] != '"' || value.text[value.size - 1] != '"') return NULL;
  bt_text_add_string(&text, "");
  const char *end = value.text + value.size - 1;
  for (const char *at = value.text + 1; at < end; at++) {
    const char *escape = at + 1 < end && *at == '\\' ? strchr(letters, at[1]) : NULL;
    if (*at == '\\' && end - at > 5 && at[1] == 'u') {
      add_code(&text, at + 2);
      at += 5;
    } else if (*at == '\\' && at + 1 < end) {
      at++;
      bt_text_add_char(&text, escape != NULL ? meanings[escape - letters] : *at);
    } else {
      bt_text_add_char(&text, *at);
    }
  }
  if (!text.failed) return text.data;
  bt_text_destroy(&text);
  return NULL;
}
