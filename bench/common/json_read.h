/* json_read.h - JSON files as trees of values (RFC 8259). */
#ifndef BERTH_BENCH_COMMON_JSON_READ_H
#define BERTH_BENCH_COMMON_JSON_READ_H

#include <berth/status.h>

typedef enum cli_json_kind {
  CLI_JSON_NULL,
  CLI_JSON_BOOL,
  CLI_JSON_NUMBER,
  CLI_JSON_STRING,
  CLI_JSON_ARRAY,
  CLI_JSON_OBJECT
} cli_json_kind;

typedef struct cli_json {
  cli_json_kind kind;
  char *key;              /* of a member of an object; NULL otherwise */
  char *text;             /* of a string, UTF-8; NULL otherwise */
  double number;          /* of a number; of a bool 0 or 1; NaN otherwise */
  struct cli_json *items; /* elements or members */
  int count;
} cli_json;

/* Parses text, which is one value and nothing else, followed by a NUL; path is for messages. At most 64 levels. Free
 * the value with cli_json_free, also after a failure. */
bt_status cli_json_parse(const char *path, const char *text, size_t size, cli_json *ret_value,
                         bt_error *opt_error) BT_MUST_USE;
bt_status cli_json_read(const char *path, cli_json *ret_value, bt_error *opt_error) BT_MUST_USE;
void cli_json_free(cli_json *value);

/* Member of an object; NULL if it is absent, or if the value is NULL or not an object. */
const cli_json *cli_json_get(const cli_json *opt_value, const char *key);
/* The member's number, or NaN; its text, or ""; whether it is true. */
double cli_json_get_number(const cli_json *opt_value, const char *key);
const char *cli_json_get_text(const cli_json *opt_value, const char *key);
bool cli_json_get_bool(const cli_json *opt_value, const char *key);
/* The elements of an array member and their count; 0 if it is not an array. */
int cli_json_get_array(const cli_json *opt_value, const char *key, const cli_json **ret_items);

#endif
