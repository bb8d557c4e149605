/* config.h - files that say what else stands on a command line. */
#ifndef BERTH_CLI_COMMON_CONFIG_H
#define BERTH_CLI_COMMON_CONFIG_H

#include "base/text.h"
#include "common/options.h"

/* Sets what the file says, `name = value` on each line with comments behind #, and the command line does not; behind
 * it `given` counts both. Words live as long as texts. A message and false for what is wrong; without is an option that
 * files must not set. */
bool cli_config_read(const cli_spec *spec, const char *path, const char *without, bt_text_list *texts);
/* Adds the words of a file, separated by blanks, to a list. */
bool cli_words_read(const char *program, const char *path, bt_text_list *texts, cli_list *list);

#endif
