/* ranks.h - one screen on many processes: `mpirun berth screen`. */
#ifndef BERTH_CLI_RANKS_RANKS_H
#define BERTH_CLI_RANKS_RANKS_H

#include <berth/status.h>

typedef struct screen_ranks {
  bool together; /* more than one process */
  int rank, count;
  char *database; /* of this rank */
  char *whole;    /* FOLDER/screen.db: results of earlier sessions; at the end, all results */
  int64_t damaged; /* damaged ligands that were not merged at the end */
} screen_ranks;

/* Under a launcher with several processes: replaces this process by berth-mpi in the same folder. Otherwise BT_OK. */
bt_status screen_ranks_become(int argc, char **argv, bt_error *opt_error) BT_MUST_USE;
/* Rank 0 merges the results of earlier sessions into the whole, and removes those to be retried. All ranks get rank 0's
 * seed. */
bt_status screen_ranks_open(const char *program, const char *folder, bool resume, unsigned retry, uint64_t *seed,
                            screen_ranks *ret_ranks, bt_error *opt_error) BT_MUST_USE;
/* True if FOLDER/screen.db exists. */
bool screen_ranks_has_whole(const screen_ranks *ranks);
/* When all ranks are done, rank 0 merges their parts into the whole. Returns the worst status of all ranks. */
bt_status screen_ranks_close(screen_ranks *ranks, const char *folder, bt_status mine, bt_error *opt_error) BT_MUST_USE;
void screen_ranks_leave(screen_ranks *ranks);

#endif
