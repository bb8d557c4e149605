/* outputs.h - folders and small text files of the programs' own; files appear complete or not at all. */
#ifndef BERTH_CLI_OUTPUT_OUTPUTS_H
#define BERTH_CLI_OUTPUT_OUTPUTS_H

#include <berth/berth.h>
#include <stdio.h>

#include "base/file.h"

/* Makes the folder and its parents, and checks that files can be made in it. */
bt_status cli_folder_make(const char *path, bt_error *opt_error) BT_MUST_USE;
/* Checks that files can be made in the folder where path will lie. */
bt_status cli_folder_check(const char *path, bt_error *opt_error) BT_MUST_USE;

/* A text file that is written aside and renamed when complete. */
typedef struct cli_file {
  FILE *stream;
  bt_file_writer *writer;
  char *path;
} cli_file;

bt_status cli_file_open(const char *path, cli_file *ret_file, bt_error *opt_error) BT_MUST_USE;
/* Renames on success; on any failure, a full disk among them, nothing is left behind. */
bt_status cli_file_close(cli_file *file, bt_error *opt_error) BT_MUST_USE;

/* Nothing appears, and what was there stays. */
void cli_file_abandon(cli_file *file);

/* A whole file. */
bt_status cli_file_write(const char *path, const char *text, bt_error *opt_error) BT_MUST_USE;

/* The command line as typed, words quoted for a shell where needed; allocated. argv[0] is replaced by program. */
char *cli_command_line(const char *program, int argc, char **argv);

#endif
