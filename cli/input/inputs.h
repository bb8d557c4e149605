/* inputs.h - expands the arguments of -l to files. */
#ifndef BERTH_CLI_INPUT_INPUTS_H
#define BERTH_CLI_INPUT_INPUTS_H

#include <berth/place.h>

#include "common/options.h"

/* Paths owned by the list. */
typedef struct cli_paths {
  char **items;
  int count;
  size_t capacity;
} cli_paths;

/* Expands words in order: "-" is standard input (once), a folder stands for its *.pdbqt files (raw: also for its SDF,
 * MOL2 and SMILES files) in alphabetical order, a pattern with * ? [ for the files that match, anything else for
 * itself. Files in opt_excluded (NULL members allowed) are skipped in folders and patterns. BT_ERR_USAGE for an empty
 * folder or a pattern without a match. */
bt_status cli_inputs_expand(const cli_list *words, bool raw, const char *const *opt_excluded, int n_excluded,
                            cli_paths *ret_paths, bt_error *opt_error) BT_MUST_USE;
/* BT_ERR_USAGE for a table, and for a SMILES or an InChI in place of a file. */
bt_status cli_inputs_check(const char *word, bt_error *opt_error) BT_MUST_USE;
bool cli_paths_add(cli_paths *paths, const char *path);
void cli_paths_free(cli_paths *paths);

/* True if the path ends with the suffix, ignoring case. */
bool cli_path_ends(const char *path, const char *suffix);
/* The part after the last slash. */
const char *cli_path_base(const char *path);
/* True if both are the same file on disk. */
bool cli_path_same(const char *first, const char *second);
/* folder/name, allocated; NULL when memory is exhausted. An absolute name, or any in an empty folder, is unchanged. */
char *cli_path_join(const char *folder, const char *name);
/* The part before the last slash, allocated; "" without a slash. */
char *cli_path_folder(const char *path);

#endif
