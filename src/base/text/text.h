/* text.h - reading and writing text: lines, columns, words, numbers; independent of the locale. */
#ifndef BERTH_BASE_TEXT_TEXT_H
#define BERTH_BASE_TEXT_TEXT_H

#include "base/status.h"

/* A borrowed piece of text, not NUL-terminated. */
typedef struct bt_span {
  const char *text;
  size_t size;
} bt_span;

bt_span bt_span_from(const char *text);
/* Bytes [first, end) counted from 0, clipped to what there is. */
bt_span bt_span_columns(bt_span span, size_t first, size_t end);
/* Without blanks and tabs at both ends. */
bt_span bt_span_trim(bt_span span);
/* Cuts the next word off *rest; empty when there is none. */
bt_span bt_span_word(bt_span *rest);
bool bt_span_equals(bt_span span, const char *text);
bool bt_span_equals_ignoring_case(bt_span span, const char *text);
/* Index of the word in the list; -1: not in it. */
int bt_span_index(bt_span span, const char *const *words, int count);
bool bt_span_starts(bt_span span, const char *prefix);
/* Size and text for "%.*s" in messages: the first 40 bytes. */
#define BT_SHOWN(span) ((span).size < 40 ? (int)(span).size : 40), (span).text
/* False if the text and its NUL do not fit into size bytes; buffer is always terminated. */
bool bt_span_copy(bt_span span, char *buffer, size_t size);

/* Walks over the lines of a text; line ends are LF or CRLF, the last line may lack one. */
typedef struct bt_lines {
  const char *at, *end;
  long number; /* 1-based number of the line last returned */
} bt_lines;

bt_lines bt_lines_of(const char *text, size_t size);
bool bt_lines_next(bt_lines *lines, bt_span *ret_line);

/* The whole span must be one finite number, blanks around it allowed: no NaN, no infinity, no hexadecimal,
 * nothing before or after. The values are the nearest doubles. */
bool bt_parse_double(bt_span span, double *ret_value);
bool bt_parse_int(bt_span span, int *ret_value);
bool bt_parse_int64(bt_span span, int64_t *ret_value);
bool bt_parse_uint64(bt_span span, uint64_t *ret_value);

/* Reads a decimal number at the start of [at, end), without leading blanks; returns the end of it, or NULL if
 * there is none or it is not finite. Exact and several times faster than strtod for numbers of up to 15 digits. */
const char *bt_scan_double(const char *at, const char *end, double *ret_value);

/* True if the bytes cannot be a text file: NUL or control characters other than white space. */
bool bt_text_is_binary(const char *data, size_t size);
/* Fails on such a file. */
bt_status bt_text_check(const char *label, const char *data, size_t size, const char *remedy,
                        bt_error *opt_error) BT_MUST_USE;

/* A growing string. Running out of memory is remembered, so that only the final status needs to be checked. Starts as
 * {0}. */
typedef struct bt_text {
  char *data; /* NUL-terminated once something was added */
  size_t size, capacity;
  bool failed;
} bt_text;

void bt_text_add(bt_text *text, const char *data, size_t size);
void bt_text_add_string(bt_text *text, const char *string);
void bt_text_add_char(bt_text *text, char c);
void bt_text_printf(bt_text *text, const char *format, ...) BT_PRINTF(2, 3);
/* A CSV field (RFC 4180) from untrusted input, quoted if necessary; NULL is an empty field. Text that a spreadsheet
 * would run as a formula (it begins with = + - @, a tab or a line end) is prefixed by an apostrophe. */
void bt_text_csv(bt_text *text, const char *opt_field);
/* Room for size more bytes at text->data + text->size; false when memory is exhausted. */
bool bt_text_reserve(bt_text *text, size_t size);
bt_status bt_text_status(const bt_text *text, bt_error *opt_error) BT_MUST_USE;
/* Hands the data over, to be freed; the text is empty afterwards, even if it ran out of memory. */
bt_status bt_text_take(bt_text *text, char **ret_data, bt_error *opt_error) BT_MUST_USE;
void bt_text_destroy(bt_text *text);

/* A list of texts that owns them; starts as {0}. */
typedef struct bt_text_list {
  char **items;
  int count;
  size_t room;
} bt_text_list;

bt_status bt_text_list_add(bt_text_list *list, bt_span text, bt_error *opt_error) BT_MUST_USE;
bt_status bt_text_list_printf(bt_text_list *list, bt_error *opt_error, const char *format, ...)
    BT_PRINTF(3, 4) BT_MUST_USE;
/* Unless it is there. */
bt_status bt_text_list_add_new(bt_text_list *list, bt_span text, bt_error *opt_error) BT_MUST_USE;
void bt_text_list_destroy(bt_text_list *list);

#endif
