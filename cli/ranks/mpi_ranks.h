/* mpi_ranks.h - the processes of one screen under mpirun. A program without MPI has a single one. */
#ifndef BERTH_CLI_RANKS_MPI_RANKS_H
#define BERTH_CLI_RANKS_MPI_RANKS_H

#include <stdbool.h>
#include <stdint.h>

/* The number of processes that the launcher has started, from the environment; 1 without a launcher. */
int cli_ranks_launched(void);

/* Joins the other processes; false if this program cannot. */
bool cli_ranks_join(int *ret_rank, int *ret_count);
/* The next number, 0, 1, 2, ..., each given once over all ranks; -1 after a failure. user is not used. */
int64_t cli_ranks_next(void *user);
/* Broadcasts rank 0's value. */
uint64_t cli_ranks_share(uint64_t value);
/* Waits for all ranks; the largest of their values. */
int cli_ranks_worst(int value);
void cli_ranks_leave(void);

#endif
