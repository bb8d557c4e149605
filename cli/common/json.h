/* json.h - the few pieces of JSON that the programs print themselves. */
#ifndef BERTH_CLI_COMMON_JSON_H
#define BERTH_CLI_COMMON_JSON_H

#include <berth/berth.h>
#include <stdio.h>

/* As fprintf, where ' stands for a quotation mark, %s for cli_json_string, %g for cli_json_number, and %hhd for true or
 * false. Of the rest, %d, %u, %f and their long forms are known; no asterisks. */
void cli_jsonf(FILE *stream, const char *format, ...) BT_PRINTF(2, 3);
/* A quoted, escaped string; bytes that are no UTF-8 become U+FFFD. */
void cli_json_string(FILE *stream, const char *text);
/* A number with up to 15 significant digits; null when it is not finite. */
void cli_json_number(FILE *stream, double value);

#endif
