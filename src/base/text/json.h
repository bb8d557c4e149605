/* json.h - JSON (RFC 8259): a writer that takes care of commas and indentation, and a reader. */
#ifndef BERTH_BASE_TEXT_JSON_H
#define BERTH_BASE_TEXT_JSON_H

#include "base/text/text.h"

/* Starts as {.text = &text}; members and elements are written in order. With pretty, every element of the outer
 * pretty levels stands on a line of its own. */
typedef struct bt_json {
  bt_text *text;
  int pretty;
  int digits; /* of numbers, significant ones; 0: 12 */
  int depth;
  bool follows; /* this object or array already has an element */
  bool valued;  /* a key was written, its value follows */
} bt_json;

void bt_json_open(bt_json *json, char bracket);  /* '{' or '[' */
void bt_json_close(bt_json *json, char bracket); /* '}' or ']' */
/* The key of the next value. */
void bt_json_key(bt_json *json, const char *key);
/* Escaped; bytes that are not UTF-8 become U+FFFD. NULL is written as null. */
void bt_json_string(bt_json *json, const char *opt_text);
/* Null when the value is not finite. */
void bt_json_number(bt_json *json, double value);
void bt_json_rounded(bt_json *json, double value, int decimals);
void bt_json_integer(bt_json *json, int64_t value);
void bt_json_unsigned(bt_json *json, uint64_t value);
void bt_json_bool(bt_json *json, bool value);
void bt_json_null(bt_json *json);
/* A value that is JSON already. */
void bt_json_raw(bt_json *json, const char *value);

/* Words of the format, each of which is a key, a bracket that opens or closes an object or array, or a value: %s a
 * string or null, %d an int, %ld, %lu and %zu 64 bits, %hhd true or false, %g a number, %.3f one that is rounded. */
void bt_json_printf(bt_json *json, const char *format, ...) BT_PRINTF(2, 3);

/* Reading. A value is the span of its text, which is not validated as a whole: malformed text ends the iteration. */

/* Iterates over an array or object: rest starts as its span. False at the end. opt_key: without its quotes, as
 * written. */
bool bt_json_next(bt_span *rest, bt_span *opt_key, bt_span *ret_value);
/* The value of a key of an object; false, and an empty span, when there is none. */
bool bt_json_find(bt_span object, const char *key, bt_span *ret_value);
/* The text of a string; NULL if the value is not a string, or memory is exhausted. free() it. */
char *bt_json_unquote(bt_span value);

#endif
