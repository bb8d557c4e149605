/* keywords.c - lines of keywords and arguments. */
#include "formats/keywords.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool bt_keyword_next(bt_lines *lines, const char *label, bt_keyword_line *ret_line) {
  bt_span line;
  while (bt_lines_next(lines, &line)) {
    const char *hash = line.size > 0 ? memchr(line.text, '#', line.size) : NULL;
    bt_span code = line, comment = bt_span_columns(line, line.size, line.size);
    if (hash != NULL) {
      code.size = (size_t)(hash - line.text);
      comment = bt_span_columns(line, code.size + 1, line.size);
    }
    bt_span rest = code, keyword = bt_span_word(&rest);
    if (keyword.size == 0 && hash == NULL) continue;
    *ret_line = (bt_keyword_line){{.file = label, .line = lines->number}, keyword, bt_span_trim(rest), comment};
    return true;
  }
  return false;
}

static bt_status fail_argument(const bt_keyword_line *line, const char *what, bt_span word, const char *range,
                               bt_error *opt_error) {
  char remedy[128];
  snprintf(remedy, sizeof remedy, "give %s%s", what, range);
  int keyword_size = line->keyword.size < 40 ? (int)line->keyword.size : 40;
  if (word.size == 0)
    return bt_fail(opt_error, BT_ERR_INPUT, line->where, remedy, "%.*s lacks %s", keyword_size, line->keyword.text,
                   what);
  int size = word.size < 40 ? (int)word.size : 40;
  return bt_fail(opt_error, BT_ERR_INPUT, line->where, remedy, "%.*s: '%.*s' is not %s", keyword_size,
                 line->keyword.text, size, word.text, what);
}

bt_status bt_keyword_word(bt_keyword_line *line, const char *what, bt_span *ret_word, bt_error *opt_error) {
  *ret_word = bt_span_word(&line->arguments);
  return ret_word->size > 0 ? BT_OK : fail_argument(line, what, *ret_word, "", opt_error);
}

bt_status bt_keyword_copy(bt_keyword_line *line, const char *what, char **text, bt_error *opt_error) {
  bt_span word;
  BT_TRY(bt_keyword_word(line, what, &word, opt_error));
  char *copy = bt_copy_text(word.text, word.size);
  if (copy == NULL) return bt_fail_memory(opt_error);
  free(*text);
  *text = copy;
  return BT_OK;
}

bt_status bt_keyword_double(bt_keyword_line *line, const char *what, double low, double high, double *ret_value,
                            bt_error *opt_error) {
  bt_span word = bt_span_word(&line->arguments);
  if (bt_parse_double(word, ret_value) && *ret_value >= low && *ret_value <= high) return BT_OK;
  char range[64];
  snprintf(range, sizeof range, " from %g to %g", low, high);
  return fail_argument(line, what, word, range, opt_error);
}

bt_status bt_keyword_int(bt_keyword_line *line, const char *what, int64_t low, int64_t high, int64_t *ret_value,
                         bt_error *opt_error) {
  bt_span word = bt_span_word(&line->arguments);
  if (bt_parse_int64(word, ret_value) && *ret_value >= low && *ret_value <= high) return BT_OK;
  char range[80];
  snprintf(range, sizeof range, " from %lld to %lld", (long long)low, (long long)high);
  return fail_argument(line, what, word, range, opt_error);
}

bt_status bt_keyword_type(bt_keyword_line *line, char ret_type[8], bt_error *opt_error) {
  bt_span word = bt_span_word(&line->arguments);
  if (word.size > 0 && bt_span_copy(word, ret_type, 8)) return BT_OK;
  return fail_argument(line, "an atom type", word, " of 1 to 7 characters", opt_error);
}

static bt_status own(bt_text_list *list, char *text, bt_error *opt_error) {
  if (text == NULL || !BT_GROW(list->items, &list->room, list->count + 1)) {
    free(text);
    return bt_fail_memory(opt_error);
  }
  list->items[list->count++] = text;
  return BT_OK;
}

bt_status bt_text_list_add(bt_text_list *list, bt_span text, bt_error *opt_error) {
  return own(list, bt_copy_text(text.text, text.size), opt_error);
}

bt_status bt_text_list_printf(bt_text_list *list, bt_error *opt_error, const char *format, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return own(list, bt_copy_text(buffer, strlen(buffer)), opt_error);
}

void bt_text_list_destroy(bt_text_list *list) {
  for (int i = 0; i < list->count; i++) free(list->items[i]);
  free(list->items);
  *list = (bt_text_list){0};
}
