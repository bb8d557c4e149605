/* guard.h - keeps outputs from overwriting inputs, or results of other commands. */
#ifndef BERTH_CLI_OUTPUT_GUARD_H
#define BERTH_CLI_OUTPUT_GUARD_H

#include "base/files/file_set.h"
#include "input/inputs.h"

/* Adds words that name files, with or without a residue after a colon; NULL members are skipped. */
bt_status cli_guard_add(bt_file_set *inputs, const char *const *opt_words, int count, bt_error *opt_error) BT_MUST_USE;
/* Adds the files of a library: files, those that match patterns, and with `folders` those below folders. */
bt_status cli_guard_add_library(bt_file_set *inputs, const cli_list *words, bool folders,
                                bt_error *opt_error) BT_MUST_USE;
/* bt_file_set_spare for FOLDER/name. */
bt_status cli_guard_check(bt_file_set *inputs, const char *folder, const char *name, bt_error *opt_error) BT_MUST_USE;
/* bt_maps_write, unless an input would be overwritten; with a receptor, maps of another one need `overwrite`, and
 * PREFIX.maps.inputs.txt is written. */
bt_status cli_guard_write_maps(bt_file_set *inputs, const char *prefix, const bt_maps *maps, const char *opt_receptor,
                               bool overwrite, bt_error *opt_error) BT_MUST_USE;

#endif
