/* text.c - spans, lines, and a text that grows. */
#include "base/text/text.h"

#include <locale.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

#include "base/memory.h"

static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bt_span bt_span_from(const char *text) { return (bt_span){text, strlen(text)}; }

bt_span bt_span_columns(bt_span span, size_t first, size_t end) {
  if (end > span.size) end = span.size;
  if (first > end) first = end;
  return (bt_span){span.text + first, end - first};
}

bt_span bt_span_trim(bt_span span) {
  while (span.size > 0 && is_blank(span.text[0])) span.text++, span.size--;
  while (span.size > 0 && is_blank(span.text[span.size - 1])) span.size--;
  return span;
}

bt_span bt_span_word(bt_span *rest) {
  while (rest->size > 0 && is_blank(rest->text[0])) rest->text++, rest->size--;
  bt_span word = {rest->text, 0};
  while (word.size < rest->size && !is_blank(rest->text[word.size])) word.size++;
  rest->text += word.size;
  rest->size -= word.size;
  return word;
}

bool bt_span_equals(bt_span span, const char *text) {
  return strlen(text) == span.size && memcmp(span.text, text, span.size) == 0;
}

int bt_span_index(bt_span span, const char *const *words, int count) {
  for (int k = 0; k < count; k++)
    if (bt_span_equals(span, words[k])) return k;
  return -1;
}

bool bt_span_equals_ignoring_case(bt_span span, const char *text) {
  if (strlen(text) != span.size) return false;
  for (size_t i = 0; i < span.size; i++)
    if (lower(span.text[i]) != lower(text[i])) return false;
  return true;
}

bool bt_span_starts(bt_span span, const char *prefix) {
  size_t size = strlen(prefix);
  return size <= span.size && memcmp(span.text, prefix, size) == 0;
}

bool bt_span_copy(bt_span span, char *buffer, size_t size) {
  size_t n = span.size < size ? span.size : size - 1;
  memcpy(buffer, span.text, n);
  buffer[n] = '\0';
  return n == span.size;
}

bt_lines bt_lines_of(const char *text, size_t size) { return (bt_lines){text, text + size, 0}; }

bool bt_lines_next(bt_lines *lines, bt_span *ret_line) {
  if (lines->at == lines->end) return false;
  const char *newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
  const char *end = newline != NULL ? newline : lines->end;
  *ret_line = (bt_span){lines->at, (size_t)(end - lines->at)};
  while (ret_line->size > 0 && ret_line->text[ret_line->size - 1] == '\r') ret_line->size--;
  lines->at = newline != NULL ? newline + 1 : lines->end;
  lines->number++;
  return true;
}

bool bt_text_is_binary(const char *data, size_t size) {
  for (size_t i = 0; i < size; i++) {
    unsigned char c = (unsigned char)data[i];
    if (c < 32 && !(c >= '\t' && c <= '\r') && c != 26) return true; /* 26: the end mark of DOS text files */
  }
  return false;
}

bt_status bt_text_check(const char *label, const char *data, size_t size, const char *remedy, bt_error *opt_error) {
  if (!bt_text_is_binary(data, size)) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label}, remedy, "this is a binary file, not text");
}

bool bt_text_reserve(bt_text *text, size_t size) {
  if (text->failed) return false;
  if (size < text->capacity - text->size) return true; /* one byte more than size, for the NUL */
  size_t wanted = text->capacity + text->capacity / 2 + 64;
  if (wanted < text->size + size + 1) wanted = text->size + size + 1;
  char *grown = size <= SIZE_MAX / 4 && text->size <= SIZE_MAX / 4 ? realloc(text->data, wanted) : NULL;
  text->failed = grown == NULL;
  if (text->failed) return false;
  text->data = grown;
  text->capacity = wanted;
  return true;
}

void bt_text_add(bt_text *text, const char *data, size_t size) {
  if (!bt_text_reserve(text, size)) return;
  if (size > 0) memcpy(text->data + text->size, data, size);
  text->size += size;
  text->data[text->size] = '\0';
}

void bt_text_add_string(bt_text *text, const char *string) { bt_text_add(text, string, strlen(string)); }
void bt_text_add_char(bt_text *text, char c) { bt_text_add(text, &c, 1); }

static void print_into(bt_text *text, const char *format, va_list arguments) {
  for (int attempt = 0; attempt < 2; attempt++) {
    size_t room = text->capacity - text->size;
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(text->data + text->size, room, format, again);
    va_end(again);
    if (length >= 0 && (size_t)length < room) {
      text->size += (size_t)length;
      return;
    }
    if (length < 0 || !bt_text_reserve(text, (size_t)length)) break;
  }
  text->failed = true;
}

void bt_text_printf(bt_text *text, const char *format, ...) {
  if (!bt_text_reserve(text, 128)) return;
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* decimal points, whatever the program speaks */
  if (c_locale == (locale_t)0) {
    text->failed = true;
    return;
  }
  locale_t previous = uselocale(c_locale);
  va_list arguments;
  va_start(arguments, format);
  print_into(text, format, arguments);
  va_end(arguments);
  uselocale(previous);
  freelocale(c_locale);
}

bt_status bt_text_status(const bt_text *text, bt_error *opt_error) {
  return text->failed ? bt_fail_memory(opt_error) : BT_OK;
}

static bool is_formula(const char *field) {
  return field[0] != '\0' && strchr("=+-@\t\r\n", field[0]) != NULL && strcmp(field, "-") != 0;
}

void bt_text_csv(bt_text *text, const char *opt_field) {
  const char *field = opt_field != NULL ? opt_field : "";
  bool quoted = strpbrk(field, ",\"\r\n") != NULL;
  if (quoted) bt_text_add_char(text, '"');
  if (is_formula(field)) bt_text_add_char(text, '\'');
  for (; *field != '\0'; field++) {
    if (*field == '"') bt_text_add_char(text, '"');
    bt_text_add_char(text, *field);
  }
  if (quoted) bt_text_add_char(text, '"');
}

bt_status bt_text_take(bt_text *text, char **ret_data, bt_error *opt_error) {
  bt_status status = bt_text_status(text, opt_error);
  if (status == BT_OK) *ret_data = text->data, *text = (bt_text){0};
  bt_text_destroy(text);
  return status;
}

void bt_text_destroy(bt_text *text) {
  free(text->data);
  *text = (bt_text){0};
}

static bt_status own(bt_text_list *list, char *text, bt_error *opt_error) {
  if (text != NULL && BT_APPEND(list->items, list->count, &list->room, text)) return BT_OK;
  free(text);
  return bt_fail_memory(opt_error);
}

bt_status bt_text_list_add(bt_text_list *list, bt_span text, bt_error *opt_error) {
  return own(list, bt_copy_text(text.text, text.size), opt_error);
}

bt_status bt_text_list_add_new(bt_text_list *list, bt_span text, bt_error *opt_error) {
  for (int i = 0; i < list->count; i++)
    if (bt_span_equals(text, list->items[i])) return BT_OK;
  return bt_text_list_add(list, text, opt_error);
}

bt_status bt_text_list_printf(bt_text_list *list, bt_error *opt_error, const char *format, ...) {
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  bool printed = vasprintf(&text, format, arguments) >= 0;
  va_end(arguments);
  return own(list, printed ? text : NULL, opt_error);
}

void bt_text_list_destroy(bt_text_list *list) {
  for (int i = 0; i < list->count; i++) free(list->items[i]);
  free(list->items);
  *list = (bt_text_list){0};
}
