/* mpi_ranks_none.c - stubs for a program without MPI; berth-mpi has cli/ranks/ranks_mpi.c instead. */
#include "ranks/mpi_ranks.h"

bool cli_ranks_join(int *ret_rank, int *ret_count) {
  *ret_rank = 0;
  *ret_count = 1;
  return false;
}

int64_t cli_ranks_next(void *user) {
  (void)user;
  return -1;
}

uint64_t cli_ranks_share(uint64_t value) { return value; }
int cli_ranks_worst(int value) { return value; }
void cli_ranks_leave(void) {}
