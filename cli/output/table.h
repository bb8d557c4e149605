/* table.h - tables that grow by parts: what earlier processes wrote into the same folder stays. */
#ifndef BERTH_CLI_OUTPUT_TABLE_H
#define BERTH_CLI_OUTPUT_TABLE_H

#include "base/text/text.h"
#include "output/outputs.h"

/* Writes the CSV text, header included (NULL: no rows), and the rows of the file that was there, except those of
 * ligands that this process has dealt with. Columns that only one of the two has are empty in the other's rows. With a
 * column `rank_energy` the rows are sorted by it, those of one `ranked_by` together, and `rank` counts anew. A file
 * that would be empty is removed. Call with the folder locked (base/files/folder_lock.h). */
bt_status cli_table_merge(const char *path, const char *opt_text, const bt_text_list *done,
                          bt_error *opt_error) BT_MUST_USE;

#endif
