/* ranks.h - one screen on many processes: `mpirun berth screen`. */
#ifndef BERTH_CLI_SCREEN_RANKS_H
#define BERTH_CLI_SCREEN_RANKS_H

#include <berth/berth.h>

typedef struct screen_ranks {
  bool together; /* more than one process */
  int rank, count;
  char *database; /* of this rank */
  char *whole;    /* FOLDER/screen.db: all that earlier sessions did, and at the end everything */
  int64_t damaged; /* ligands that were left out of it at the end */
} screen_ranks;

/* Under a launcher with several processes: becomes berth-mpi, which lies beside this program. BT_OK alone. */
bt_status screen_ranks_become(int argc, char **argv, bt_error *opt_error) BT_MUST_USE;
/* Rank 0 puts what a session before left behind into the whole, and forgets there what is to be retried. Rank 0's seed
 * is everybody's. */
bt_status screen_ranks_open(const char *program, const char *folder, bool resume, unsigned retry, uint64_t *seed,
                            screen_ranks *ret_ranks, bt_error *opt_error) BT_MUST_USE;
/* Is FOLDER/screen.db there? */
bool screen_ranks_has_whole(const screen_ranks *ranks);
/* When all ranks are done rank 0 puts their parts into the whole. The worst status of all ranks. */
bt_status screen_ranks_close(screen_ranks *ranks, const char *folder, bt_status mine, bt_error *opt_error) BT_MUST_USE;
void screen_ranks_leave(screen_ranks *ranks);

#endif
