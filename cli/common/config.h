/* config.h - configuration files that supply command-line options. */
#ifndef BERTH_CLI_COMMON_CONFIG_H
#define BERTH_CLI_COMMON_CONFIG_H

#include "base/text/text.h"
#include "common/options.h"

/* Sets the options of the file (`name = value` lines, # starts a comment) that are not on the command line; afterwards
 * `given` counts both. Words have the lifetime of texts. False, after a message, on an error; without is an option that
 * files must not set. */
bool cli_config_read(const cli_spec *spec, const char *path, const char *without, bt_text_list *texts);
/* Adds the words of a file, separated by blanks, to a list. */
bool cli_words_read(const char *program, const char *path, bt_text_list *texts, cli_list *list);

#endif
