/* outputs.h - output folders and small text files; a file is written completely or not at all. */
#ifndef BERTH_CLI_OUTPUT_OUTPUTS_H
#define BERTH_CLI_OUTPUT_OUTPUTS_H

#include <berth/status.h>
#include <stdio.h>

#include "base/file.h"

/* Creates the folder and its parents, and checks that files can be created in it. */
bt_status cli_folder_make(const char *path, bt_error *opt_error) BT_MUST_USE;
/* Checks that files can be created in the folder of path. */
bt_status cli_folder_check(const char *path, bt_error *opt_error) BT_MUST_USE;

/* A text file that is written under a temporary name and renamed when complete. */
typedef struct cli_file {
  FILE *stream;
  bt_file_writer *writer;
  char *path;
} cli_file;

bt_status cli_file_open(const char *path, cli_file *ret_file, bt_error *opt_error) BT_MUST_USE;
/* Renames on success; on failure, such as a full disk, removes the temporary file. */
bt_status cli_file_close(cli_file *file, bt_error *opt_error) BT_MUST_USE;

/* Removes the temporary file; an existing file is unchanged. */
void cli_file_abandon(cli_file *file);

/* Writes a whole file. */
bt_status cli_file_write(const char *path, const char *text, bt_error *opt_error) BT_MUST_USE;

/* The command line, with words quoted for a shell where needed; allocated. argv[0] is replaced by program. */
char *cli_command_line(const char *program, int argc, char **argv);

#endif
