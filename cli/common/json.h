/* json.h - the few pieces of JSON that the programs print themselves. */
#ifndef BERTH_CLI_COMMON_JSON_H
#define BERTH_CLI_COMMON_JSON_H

#include <stdio.h>

/* A quoted, escaped string; bytes that are no UTF-8 become U+FFFD. */
void cli_json_string(FILE *stream, const char *text);
/* A number with up to 15 significant digits; null when it is not finite. */
void cli_json_number(FILE *stream, double value);

#endif
