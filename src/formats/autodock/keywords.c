/* keywords.c - lines of keywords and arguments. */
#include "formats/autodock/keywords.h"

#include <stdio.h>
#include <string.h>

/* The next line that is not blank. */
static bool next_line(bt_lines *lines, const char *label, bt_keyword_line *ret_line) {
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

bt_status bt_keyword_each(const char *label, const char *data, size_t size, const char *remedy, bt_keyword_fn parse,
                          void *user, bt_error *opt_error) {
  BT_TRY(bt_text_check(label, data, size, remedy, opt_error));
  bt_lines lines = bt_lines_of(data, size);
  bt_keyword_line line;
  while (next_line(&lines, label, &line)) BT_TRY(parse(user, &line));
  return BT_OK;
}

bt_status bt_keyword_unknown(const bt_keyword_line *line, const char *file, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_INPUT, line->where, "correct or remove the line", "'%.*s' is not a keyword of %s",
                 BT_SHOWN(line->keyword), file);
}

static bt_status fail_argument(const bt_keyword_line *line, const char *what, bt_span word, const char *range,
                               bt_error *opt_error) {
  char remedy[128];
  snprintf(remedy, sizeof remedy, "use %s%s", what, range);
  if (word.size == 0)
    return bt_fail(opt_error, BT_ERR_INPUT, line->where, remedy, "%.*s lacks %s", BT_SHOWN(line->keyword), what);
  return bt_fail(opt_error, BT_ERR_INPUT, line->where, remedy, "%.*s: '%.*s' is not %s", BT_SHOWN(line->keyword),
                 BT_SHOWN(word), what);
}

bt_status bt_keyword_word(bt_keyword_line *line, const char *what, bt_span *ret_word, bt_error *opt_error) {
  *ret_word = bt_span_word(&line->arguments);
  return ret_word->size > 0 ? BT_OK : fail_argument(line, what, *ret_word, "", opt_error);
}

bt_status bt_keyword_file(bt_keyword_line *line, bt_text_list *names, const char **ret_name, bt_error *opt_error) {
  bt_span word;
  BT_TRY(bt_keyword_word(line, "a file", &word, opt_error));
  BT_TRY(bt_text_list_add(names, word, opt_error));
  *ret_name = names->items[names->count - 1];
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

bt_status bt_keyword_types(bt_keyword_line *line, bt_text_list *list, bt_error *opt_error) {
  char type[8];
  bt_text_list_destroy(list);
  do {
    BT_TRY(bt_keyword_type(line, type, opt_error));
    BT_TRY(bt_text_list_add(list, bt_span_from(type), opt_error));
    line->arguments = bt_span_trim(line->arguments);
  } while (line->arguments.size > 0);
  return BT_OK;
}
