/* prep.h - the parts of `berth prep`. */
#ifndef BERTH_CLI_PREP_PREP_H
#define BERTH_CLI_PREP_PREP_H

#include <berth/status.h>

/* As cmd_* in commands.h; argv[0] is "ligand", "receptor" or "library". */
int prep_ligand(int argc, char **argv);
int prep_receptor(int argc, char **argv);
int prep_library(int argc, char **argv);

/* earlier.c: BT_ERR_USAGE if there is a file at this path whose first molecule is not that of the text. */
bt_status prep_check_earlier(const char *path, const char *text, bool sdf, bt_error *opt_error) BT_MUST_USE;

#endif
