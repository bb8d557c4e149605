/* checks.h - checks of a pose as JSON on the terminal. */
#ifndef BERTH_CLI_OUTPUT_CHECKS_H
#define BERTH_CLI_OUTPUT_CHECKS_H

#include <berth/checks.h>

#include "base/text/json.h"

/* The member "checks" of an object, as in the files of berth dock (docs/json.md); null where none was made. */
void cli_json_checks(bt_json *json, const bt_checks *checks);

#endif
