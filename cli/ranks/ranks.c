/* ranks.c - one screen on many processes: every rank has its own database until all are done.
 *
 * Ranks take chunks of the library from a counter. Databases left by ranks of an earlier session, even crashed ones,
 * are first merged into screen.db, so that no rank docks their ligands again.
 */
#include "ranks/ranks.h"

#include <berth/screen.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/files/pattern.h"
#include "input/inputs.h"
#include "ranks/mpi_ranks.h"
#include "screen/results.h"
#include "commands.h"
#include "common/report.h"

bt_status screen_ranks_become(int argc, char **argv, bt_error *opt_error) {
  if (cli_ranks_launched() == 1) return BT_OK;
  return cli_hand_over("berth-mpi", argc, argv, "install libopenmpi-dev and build again, or use --shard",
                       "the MPI program is not installed next to berth", opt_error);
}

bool screen_ranks_has_whole(const screen_ranks *ranks) { return access(ranks->whole, F_OK) == 0; }

/* Merges the ranks' databases and the whole into a new whole; an interruption at any point loses nothing. */
static bt_status gather(screen_ranks *ranks, const char *folder, bool all_done, bt_error *opt_error) {
  BT_SCOPED char *pattern = bt_path_join(folder, "rank-*.db");
  if (pattern == NULL) return bt_fail_memory(opt_error);
  glob_t found = {0};
  bt_screen_summary summary;
  if (bt_pattern_find(pattern, &found) != 0) found.gl_pathc = 0;
  bt_status status = bt_screen_gather((const char *const *)found.gl_pathv, (int)found.gl_pathc, ranks->whole, all_done,
                                      &summary, opt_error);
  globfree(&found);
  ranks->damaged = status == BT_OK ? summary.damage.ligands : 0;
  if (status == BT_OK && all_done && summary.warning[0] != '\0') cli_warning("berth screen", "%s", summary.warning);
  if (status == BT_OK) cli_damage_warn("berth screen", summary.damage.lines, ranks->damaged, "left out");
  if (ranks->damaged > 0 && all_done) cli_warning("berth screen", "continue with --resume to dock them again");
  return status;
}

/* Removes results that are to be docked again. */
static bt_status forget(const char *program, const screen_ranks *ranks, unsigned retry, bt_error *opt_error) {
  bt_screen_damage damage;
  if (!screen_ranks_has_whole(ranks)) return BT_OK;
  BT_TRY(bt_screen_forget(ranks->whole, retry, &damage, opt_error));
  cli_damage_warn(program, damage.lines, damage.ligands, "docked again");
  return BT_OK;
}

bt_status screen_ranks_open(const char *program, const char *folder, bool resume, unsigned retry, uint64_t *seed,
                            screen_ranks *ret_ranks, bt_error *opt_error) {
  screen_ranks *ranks = ret_ranks;
  char name[64];
  *ranks = (screen_ranks){.count = 1, .whole = bt_path_join(folder, "screen.db")};
  if (ranks->whole == NULL) return bt_fail_memory(opt_error);
  if (cli_ranks_launched() == 1) return BT_OK;
  if (!cli_ranks_join(&ranks->rank, &ranks->count))
    return cli_fill_error(opt_error, BT_ERR_DEVICE, NULL, "use --shard instead",
                          "MPI cannot be initialized with thread support");
  ranks->together = true;
  snprintf(name, sizeof name, "rank-%d.db", ranks->rank);
  ranks->database = bt_path_join(folder, name);
  bt_status status = ranks->database != NULL ? BT_OK : bt_fail_memory(opt_error);
  if (status == BT_OK && ranks->rank == 0 && resume) status = gather(ranks, folder, false, opt_error);
  if (status == BT_OK && ranks->rank == 0 && resume) status = forget(program, ranks, retry, opt_error);
  if (status == BT_OK && ranks->rank == 0 && !resume && screen_ranks_has_whole(ranks))
    status = cli_fill_error(opt_error, BT_ERR_USAGE, ranks->whole, "continue it with --resume, or use another folder",
                            "a screen already exists");
  if (*seed == 0) *seed = screen_seed(ranks->whole);
  *seed = cli_ranks_share(*seed);
  bt_status worst = (bt_status)cli_ranks_worst((int)status);
  if (status == BT_OK && worst != BT_OK)
    return cli_fill_error(opt_error, worst, NULL, "see the other messages", "%s: another rank failed", program);
  return status;
}

bt_status screen_ranks_close(screen_ranks *ranks, const char *folder, bt_status mine, bt_error *opt_error) {
  if (!ranks->together) return mine;
  bt_status worst = (bt_status)cli_ranks_worst((int)mine), status = mine;
  if (worst == BT_OK && ranks->rank == 0) status = gather(ranks, folder, true, opt_error);
  if (mine == BT_OK && worst != BT_OK)
    return cli_fill_error(opt_error, worst, NULL, "continue with --resume", "another rank has failed");
  return status;
}

void screen_ranks_leave(screen_ranks *ranks) {
  if (ranks->together) cli_ranks_leave();
  free(ranks->database);
  free(ranks->whole);
}
