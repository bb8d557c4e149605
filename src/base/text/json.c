/* json.c - writing JSON into a text. */
#include "base/text/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void new_line(bt_json *json) {
  bt_text_add_char(json->text, '\n');
  for (int k = 0; k < json->depth; k++) bt_text_add_string(json->text, "  ");
}

/* The comma and white space between two values. */
static void separate(bt_json *json) {
  if (json->valued) {
    json->valued = false;
    return;
  }
  if (json->follows) bt_text_add_char(json->text, ',');
  if (json->depth > 0 && json->depth <= json->pretty)
    new_line(json);
  else if (json->follows)
    bt_text_add_char(json->text, ' ');
  json->follows = true;
}

void bt_json_open(bt_json *json, char bracket) {
  separate(json);
  bt_text_add_char(json->text, bracket);
  json->depth++;
  json->follows = false;
}

void bt_json_close(bt_json *json, char bracket) {
  bool filled = json->follows, own_lines = json->depth <= json->pretty;
  json->depth--;
  if (filled && own_lines) new_line(json);
  bt_text_add_char(json->text, bracket);
  json->follows = true;
  if (json->depth == 0 && json->pretty > 0) bt_text_add_char(json->text, '\n');
}

/* Length of the UTF-8 character at text, 0 when the bytes are not valid (overlong forms, surrogates, beyond
 * U+10FFFF). */
static int character_length(const unsigned char *text) {
  unsigned char c = text[0];
  int length = c < 0x80 ? 1 : c >= 0xc2 && c <= 0xdf ? 2 : c >= 0xe0 && c <= 0xef ? 3 : c >= 0xf0 && c <= 0xf4 ? 4 : 0;
  for (int k = 1; k < length; k++)
    if ((text[k] & 0xc0) != 0x80) return 0; /* also the end of the string */
  if ((c == 0xe0 && text[1] < 0xa0) || (c == 0xed && text[1] > 0x9f)) return 0;
  if ((c == 0xf0 && text[1] < 0x90) || (c == 0xf4 && text[1] > 0x8f)) return 0;
  return length;
}

static void add_quoted(bt_text *to, const char *string) {
  bt_text_add_char(to, '"');
  for (const unsigned char *c = (const unsigned char *)string; *c != '\0';) {
    int length = character_length(c);
    if (length == 0)
      bt_text_add_string(to, "\xef\xbf\xbd");
    else if (*c == '"' || *c == '\\')
      bt_text_printf(to, "\\%c", *c);
    else if (*c == '\n')
      bt_text_add_string(to, "\\n");
    else if (*c == '\t')
      bt_text_add_string(to, "\\t");
    else if (*c < 0x20 || *c == 0x7f)
      bt_text_printf(to, "\\u%04x", *c);
    else
      bt_text_add(to, (const char *)c, (size_t)length);
    c += length > 0 ? length : 1;
  }
  bt_text_add_char(to, '"');
}

void bt_json_key(bt_json *json, const char *key) {
  separate(json);
  add_quoted(json->text, key);
  bt_text_add_string(json->text, ": ");
  json->valued = true;
}

void bt_json_string(bt_json *json, const char *opt_text) {
  if (opt_text == NULL) {
    bt_json_null(json);
    return;
  }
  separate(json);
  add_quoted(json->text, opt_text);
}

void bt_json_number(bt_json *json, double value) {
  if (!isfinite(value)) {
    bt_json_null(json);
    return;
  }
  char digits[40];
  snprintf(digits, sizeof digits, "%.*g", json->digits > 0 ? json->digits : 12, value == 0 ? 0.0 : value);
  char *comma = strchr(digits, ','); /* the decimal point of some locales */
  if (comma != NULL) *comma = '.';
  separate(json);
  bt_text_add_string(json->text, digits);
}

void bt_json_rounded(bt_json *json, double value, int decimals) {
  double scale = pow(10, decimals);
  bt_json_number(json, round(value * scale) / scale);
}

void bt_json_integer(bt_json *json, int64_t value) {
  separate(json);
  bt_text_printf(json->text, "%" PRId64, value);
}

void bt_json_unsigned(bt_json *json, uint64_t value) {
  separate(json);
  bt_text_printf(json->text, "%" PRIu64, value);
}

void bt_json_bool(bt_json *json, bool value) {
  separate(json);
  bt_text_add_string(json->text, value ? "true" : "false");
}

void bt_json_null(bt_json *json) {
  separate(json);
  bt_text_add_string(json->text, "null");
}

void bt_json_raw(bt_json *json, const char *value) {
  separate(json);
  bt_text_add_string(json->text, value);
}

/* One value, by the printf conversion that denotes it. */
static void add_value(bt_json *json, bt_span conversion, va_list *arguments) {
  char letter = conversion.text[conversion.size - 1];
  if (letter == 's')
    bt_json_string(json, va_arg(*arguments, const char *));
  else if (letter == 'g')
    bt_json_number(json, va_arg(*arguments, double));
  else if (letter == 'f')
    bt_json_rounded(json, va_arg(*arguments, double), conversion.text[2] - '0');
  else if (bt_span_equals(conversion, "%hhd"))
    bt_json_bool(json, va_arg(*arguments, int) != 0);
  else if (letter == 'u')
    bt_json_unsigned(json, va_arg(*arguments, uint64_t));
  else
    bt_json_integer(json, conversion.size == 2 ? va_arg(*arguments, int) : va_arg(*arguments, int64_t));
}

void bt_json_printf(bt_json *json, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  bt_span rest = bt_span_from(format);
  for (bt_span word; (word = bt_span_word(&rest)).size > 0;) {
    char key[64];
    if (strchr("{[", word.text[0]) != NULL)
      bt_json_open(json, word.text[0]);
    else if (strchr("}]", word.text[0]) != NULL)
      bt_json_close(json, word.text[0]);
    else if (word.text[0] == '%')
      add_value(json, word, &arguments);
    else if (bt_span_copy(word, key, sizeof key))
      bt_json_key(json, key);
  }
  va_end(arguments);
}
