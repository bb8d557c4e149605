/* merge.c - `berth merge`: merges the parts of a screen into one database. */
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "common/options.h"
#include "common/report.h"
#include "input/inputs.h"
#include "output/guard.h"
#include "output/outputs.h"
#include "screen/results.h"

static const char program[] = "berth merge";

enum { MERGE_PARTS, MERGE_BEST, MERGE_MEAN }; /* --ensemble */

static const char details[] =
    "Parts are the files FOLDER/shard-i-of-N.db of `berth screen --shard i/N`. They must be of the same screen: the\n"
    "same library, receptor, box, search and seed. The result is FOLDER/screen.db, which --export reads, and the\n"
    "--top best ligands. It is complete if all parts are present and complete.\n"
    "With --ensemble the databases are complete screens of one library against several structures of a protein, and\n"
    "FOLDER/ensemble.csv ranks each ligand by its best or mean energy, with the energy in every structure.\n"
    "Exit code: 0 complete, 1 invalid input, 2 complete but some ligands were not docked, or parts are missing.";

static const char examples[] =
    "  berth merge out/shard-*.db -o out\n"
    "  berth merge a/shard-1-of-2.db b/shard-2-of-2.db -o both --top 1000\n"
    "  berth merge holo/screen.db apo/screen.db -o both --ensemble mean";

static bt_status check_outputs(const cli_list *parts, const char *folder, bt_error *opt_error) {
  BT_ENDED_BY(bt_file_set_destroy) bt_file_set inputs = {0};
  BT_TRY(cli_guard_add_library(&inputs, parts, false, opt_error));
  return cli_guard_check(&inputs, folder, "screen.db", opt_error);
}

static void tell(const bt_screen_summary *summary, const char *database) {
  printf("docked    %lld, %lld rejected, %lld failed\n", (long long)summary->docked, (long long)summary->rejected,
         (long long)summary->failed);
  screen_tell_filtered(database, summary->filtered, stdout);
  printf("database  %s%s\n", database, summary->complete ? "" : " (not complete)");
}

static int rank(const cli_list *screens, const char *folder, int ensemble, int64_t top, bool quiet) {
  BT_SCOPED char *path = bt_path_join(folder, "ensemble.csv");
  BT_ENDED_BY(bt_file_set_destroy) bt_file_set inputs = {0};
  int64_t ligands = 0;
  bt_error error;
  bt_status status = path != NULL ? cli_guard_add_library(&inputs, screens, false, &error) : bt_fail_memory(&error);
  if (status == BT_OK) status = cli_guard_check(&inputs, folder, "ensemble.csv", &error);
  if (status == BT_OK) status = cli_folder_make(folder, &error);
  if (status == BT_OK)
    status = bt_screen_rank_receptors(screens->items, screens->count,
                                      ensemble == MERGE_MEAN ? BT_RECEPTOR_RANK_MEAN : BT_RECEPTOR_RANK_BEST, top, path,
                                      &ligands, &error);
  if (status != BT_OK) return cli_fail(program, &error);
  if (!quiet) printf("ligands   %lld in %d structures\nensemble  %s\n", (long long)ligands, screens->count, path);
  return CLI_EXIT_OK;
}

int cmd_merge(int argc, char **argv) {
  cli_list parts = {0};
  const char *folder = NULL;
  int64_t top = 100;
  int ensemble = MERGE_PARTS;
  bool quiet = false;
  cli_option options[] = {
      {.group = "Options", OPT_STRING("output", 'o', &folder, "FOLDER",
       "created if absent; screen.db is written there, or ensemble.csv")},
      {OPT_CHOICE("ensemble", 0, &ensemble, "none|best|mean",
       "the databases are of several receptors: rank ligands by their best or mean energy in these")},
      {OPT_INT64("top", 0, &top, "N", 0, 1e12, "number of best ligands written; 0: none")},
      {OPT_FLAG("quiet", 'q', &quiet, "print no summary")},
  };
  cli_spec spec = {program, "merge the parts of a screen", "PART.db... -o FOLDER [options]", details, examples,
                   CLI_TABLE(options), &parts};
  int exit_code;
  if (!cli_parse(&spec, argc, argv, &exit_code)) {
    cli_list_free(&parts);
    return exit_code;
  }
  exit_code = CLI_EXIT_BAD;
  BT_SCOPED char *database = folder != NULL ? bt_path_join(folder, "screen.db") : NULL;
  bt_screen_summary summary = {0};
  int64_t damaged = 0;
  bt_error error;
  if (folder == NULL || parts.count == 0) {
    cli_message(program,
                folder == NULL ? "no output folder; use -o FOLDER" : "no databases; name the parts of a screen");
  } else if (ensemble != MERGE_PARTS) {
    exit_code = rank(&parts, folder, ensemble, cli_given(&spec, "top") ? top : 0, quiet);
  } else if (database == NULL) {
    (void)bt_fail_memory(&error);
    exit_code = cli_fail(program, &error);
  } else if (check_outputs(&parts, folder, &error) != BT_OK || cli_folder_make(folder, &error) != BT_OK ||
             bt_screen_merge(parts.items, parts.count, database, false, &summary, &error) != BT_OK ||
             screen_write_top(folder, database, "rejects.csv", top, quiet, program, &damaged, &error) != BT_OK) {
    exit_code = cli_fail(program, &error);
  } else {
    if (!quiet) tell(&summary, database);
    if (summary.warning[0] != '\0') cli_warning(program, "%s", summary.warning);
    cli_damage_warn(program, summary.damage.lines, summary.damage.ligands, "left out");
    if (summary.damage.ligands > 0)
      cli_warning(program, "resume the damaged parts with --resume, remove %s, then merge again", database);
    else if (!summary.complete)
      cli_warning(program, "parts of this screen are missing or not complete; resume them, remove %s, then merge again",
                  database);
    exit_code = summary.complete && summary.rejected + summary.failed == 0 ? CLI_EXIT_OK : CLI_EXIT_REJECTED;
  }
  cli_list_free(&parts);
  return exit_code;
}
