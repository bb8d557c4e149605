/* inputs.h - expands the arguments of -l to files. */
#ifndef BERTH_CLI_INPUT_INPUTS_H
#define BERTH_CLI_INPUT_INPUTS_H

#include <berth/place.h>

#include "base/files/file.h"
#include "base/text/text.h"
#include "common/options.h"

/* Expands words in order: "-" is standard input (once), a folder stands for its *.pdbqt files (raw: also for its SDF,
 * MOL2 and SMILES files) in alphabetical order, a pattern with * ? [ for the files that match, anything else for
 * itself. Files in opt_excluded (NULL members allowed) are skipped in folders and patterns. BT_ERR_USAGE for an empty
 * folder or a pattern without a match. */
bt_status cli_inputs_expand(const cli_list *words, bool raw, const char *const *opt_excluded, int n_excluded,
                            bt_text_list *ret_paths, bt_error *opt_error) BT_MUST_USE;
/* BT_ERR_USAGE for a table, and for a SMILES or an InChI in place of a file. */
bt_status cli_inputs_check(const char *word, bt_error *opt_error) BT_MUST_USE;

/* True if the path ends with the suffix, ignoring case. */
bool cli_path_ends(const char *path, const char *suffix);
/* True if both are the same file on disk. */
bool cli_path_same(const char *first, const char *second);

#endif
