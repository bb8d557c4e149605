/* ranks.c - one screen on many processes: every rank has a database of its own until all are done.
 *
 * Ranks take chunks of the library from a counter. What ranks of an earlier session left behind, dead ones among them,
 * is put into screen.db first; its ligands are then done for everybody.
 */
#include "screen/ranks.h"

#include <berth/screen.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "input/inputs.h"
#include "screen/mpi_ranks.h"
#include "commands.h"
#include "common/report.h"

bt_status screen_ranks_become(int argc, char **argv, bt_error *opt_error) {
  if (cli_ranks_launched() == 1) return BT_OK;
  return cli_hand_over("berth-mpi", argc, argv, "install libopenmpi-dev and build again, or use --shard",
                       "the program for MPI is not there", opt_error);
}

bool screen_ranks_has_whole(const screen_ranks *ranks) { return access(ranks->whole, F_OK) == 0; }

/* A database and what SQLite and we leave beside one whose process was killed. */
static void remove_database(const char *path) {
  static const char *const endings[] = {"", "-wal", "-shm", "-lock"};
  for (int k = 0; k < 4; k++) {
    char *file = NULL;
    if (asprintf(&file, "%s%s", path, endings[k]) < 0) return;
    unlink(file);
    free(file);
  }
}

/* Parts of ranks and the whole become the new whole; a break at any point loses nothing. */
static bt_status gather(const screen_ranks *ranks, const char *folder, bool all_done, bt_error *opt_error) {
  char *pattern = cli_path_join(folder, "rank-*.db"), *fresh = cli_path_join(folder, "screen-merged.db");
  glob_t found = {0};
  bt_status status = pattern != NULL && fresh != NULL ? BT_OK : cli_no_memory(opt_error);
  int parts = status == BT_OK && glob(pattern, 0, NULL, &found) == 0 ? (int)found.gl_pathc : 0;
  if (status == BT_OK && (parts > 0 || (all_done && screen_ranks_has_whole(ranks)))) {
    const char **paths = calloc((size_t)parts + 1, sizeof *paths);
    bt_screen_summary summary;
    int n = 0;
    unlink(fresh);
    if (paths == NULL) status = cli_no_memory(opt_error);
    if (status == BT_OK && screen_ranks_has_whole(ranks)) paths[n++] = ranks->whole;
    for (int k = 0; status == BT_OK && k < parts; k++) paths[n++] = found.gl_pathv[k];
    if (status == BT_OK) status = bt_screen_merge(paths, n, fresh, all_done, &summary, opt_error);
    if (status == BT_OK && rename(fresh, ranks->whole) != 0)
      status = cli_fill_error(opt_error, BT_ERR_IO, ranks->whole, "check the folder", "cannot be replaced");
    for (int k = 0; status == BT_OK && k < parts; k++) remove_database(found.gl_pathv[k]);
    free(paths);
  }
  if (parts > 0) globfree(&found);
  free(pattern);
  free(fresh);
  return status;
}

static uint64_t seed_of(const char *database) {
  char *value = NULL;
  if (access(database, F_OK) != 0 || bt_screen_setting(database, "seed", &value, NULL) != BT_OK) return 0;
  uint64_t seed = value != NULL ? strtoull(value, NULL, 10) : 0;
  free(value);
  return seed;
}

bt_status screen_ranks_open(const char *program, const char *folder, bool resume, uint64_t *seed,
                            screen_ranks *ret_ranks, bt_error *opt_error) {
  screen_ranks *ranks = ret_ranks;
  char name[64];
  *ranks = (screen_ranks){.count = 1, .whole = cli_path_join(folder, "screen.db")};
  if (ranks->whole == NULL) return cli_no_memory(opt_error);
  if (cli_ranks_launched() == 1) return BT_OK;
  if (!cli_ranks_join(&ranks->rank, &ranks->count))
    return cli_fill_error(opt_error, BT_ERR_DEVICE, NULL, "use --shard instead",
                          "MPI with threads cannot be used here");
  ranks->together = true;
  snprintf(name, sizeof name, "rank-%d.db", ranks->rank);
  ranks->database = cli_path_join(folder, name);
  bt_status status = ranks->database != NULL ? BT_OK : cli_no_memory(opt_error);
  if (status == BT_OK && ranks->rank == 0 && resume) status = gather(ranks, folder, false, opt_error);
  if (status == BT_OK && ranks->rank == 0 && !resume && screen_ranks_has_whole(ranks))
    status = cli_fill_error(opt_error, BT_ERR_USAGE, ranks->whole, "go on with it by --resume, or give another folder",
                            "there is a screen already");
  if (*seed == 0) *seed = seed_of(ranks->whole);
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
    return cli_fill_error(opt_error, worst, NULL, "go on with --resume", "another rank did not come to its end");
  return status;
}

void screen_ranks_leave(screen_ranks *ranks) {
  if (ranks->together) cli_ranks_leave();
  free(ranks->database);
  free(ranks->whole);
}
