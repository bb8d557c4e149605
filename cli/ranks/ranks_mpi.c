/* ranks_mpi.c - ranks divide a screen by a counter in rank 0's memory, advanced by one-sided atomic operations. */
#include <mpi.h>

#include "ranks/mpi_ranks.h"

static MPI_Win window; /* one screen per process */
static int64_t *counter;

bool cli_ranks_join(int *ret_rank, int *ret_count) {
  int level;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS) return false;
  MPI_Comm_rank(MPI_COMM_WORLD, ret_rank);
  MPI_Comm_size(MPI_COMM_WORLD, ret_count);
  if (level < MPI_THREAD_SERIALIZED) return false; /* feeders take chunks one after the other, but from any thread */
  MPI_Aint size = *ret_rank == 0 ? (MPI_Aint)sizeof *counter : 0;
  if (MPI_Win_allocate(size, (int)sizeof *counter, MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &window) != MPI_SUCCESS)
    return false;
  MPI_Win_lock_all(0, window);
  if (*ret_rank == 0) {
    *counter = 0;
    MPI_Win_sync(window);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return true;
}

int64_t cli_ranks_next(void *user) {
  (void)user;
  int64_t one = 1, number = -1;
  if (MPI_Fetch_and_op(&one, &number, MPI_INT64_T, 0, 0, MPI_SUM, window) != MPI_SUCCESS) return -1;
  return MPI_Win_flush(0, window) == MPI_SUCCESS ? number : -1;
}

uint64_t cli_ranks_share(uint64_t value) {
  MPI_Bcast(&value, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return value;
}

int cli_ranks_worst(int value) {
  int worst = value;
  MPI_Allreduce(&value, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return worst;
}

void cli_ranks_leave(void) {
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
}
