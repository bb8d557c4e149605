/* inputs.h - from the words after -l to files. */
#ifndef BERTH_CLI_INPUT_INPUTS_H
#define BERTH_CLI_INPUT_INPUTS_H

#include <berth/place.h>

#include "common/options.h"

/* Paths that belong to the list. */
typedef struct cli_paths {
  char **items;
  int count;
  size_t capacity;
} cli_paths;

/* Expands words in order: "-" is standard input (once), a folder stands for its *.pdbqt files (raw: also for its SDF,
 * MOL2 and SMILES files) in alphabetical order, a pattern with * ? [ for the files that match, anything else for
 * itself. Files of opt_excluded (NULL members allowed) are left out of folders and patterns. BT_ERR_USAGE for an empty
 * folder or a pattern without a match. */
bt_status cli_inputs_expand(const cli_list *words, bool raw, const char *const *opt_excluded, int n_excluded,
                            cli_paths *ret_paths, bt_error *opt_error) BT_MUST_USE;
bool cli_paths_add(cli_paths *paths, const char *path);
void cli_paths_free(cli_paths *paths);

/* Does the path end with the suffix? Case matters not. */
bool cli_path_ends(const char *path, const char *suffix);
/* What follows the last slash. */
const char *cli_path_base(const char *path);
/* Are both the same file on the disk? */
bool cli_path_same(const char *first, const char *second);
/* folder/name, allocated; NULL without memory. An absolute name, or an empty folder, leaves the name alone. */
char *cli_path_join(const char *folder, const char *name);
/* The part before the last slash, allocated; "" without a slash. */
char *cli_path_folder(const char *path);

#endif
