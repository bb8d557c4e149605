/* outputs.h - output folders, and the command line as outputs have it. */
#ifndef BERTH_CLI_OUTPUT_OUTPUTS_H
#define BERTH_CLI_OUTPUT_OUTPUTS_H

#include <berth/status.h>
#include <stdio.h>

#include "base/files/file.h"

/* Creates the folder and its parents, and checks that files can be created in it. */
bt_status cli_folder_make(const char *path, bt_error *opt_error) BT_MUST_USE;
/* Checks that files can be created in the folder of path. */
bt_status cli_folder_check(const char *path, bt_error *opt_error) BT_MUST_USE;

/* The command line, with words quoted for a shell where needed; allocated. argv[0] is replaced by program. */
char *cli_command_line(const char *program, int argc, char **argv);

#endif
