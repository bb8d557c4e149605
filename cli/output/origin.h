/* origin.h - records which inputs results were made from; results of other inputs are replaced only on request.
 *
 * A text file next to the outputs names the inputs, relative to its folder, so that both can be moved together. */
#ifndef BERTH_CLI_OUTPUT_ORIGIN_H
#define BERTH_CLI_OUTPUT_ORIGIN_H

#include <berth/status.h>

#include "common/options.h"

typedef struct cli_origin {
  const char *record; /* the text file */
  const char *opt_receptor;
  const cli_list *opt_ligands; /* as they were given: files, folders, patterns or "-" */
  bool overwrite;
} cli_origin;

#define CLI_OVERWRITE_OPTION(overwrite) OPT_FLAG("overwrite", 0, overwrite, "replace results of other inputs")

/* BT_ERR_USAGE if the output exists and was not made from these inputs. */
bt_status cli_origin_check(const cli_origin *origin, const char *output, bt_error *opt_error) BT_MUST_USE;
/* Writes the record, for the next run. */
bt_status cli_origin_keep(const cli_origin *origin, bt_error *opt_error) BT_MUST_USE;

/* The error of a command that would replace results of other inputs. */
bt_status cli_origin_refuse(const char *path, const char *what, bt_error *opt_error);

#endif
