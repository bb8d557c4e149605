/* ranks.c - imitates a rank under mpirun (PMI_SIZE=2 in its environment), so that gathering can be tested without MPI.
 */
#include <stdatomic.h>

#include "base/status.h"
#include "ranks/mpi_ranks.h"
#include "ranks/ranks.h"

bt_status __wrap_screen_ranks_become(int argc, char **argv, bt_error *opt_error);
bt_status __wrap_screen_ranks_become(int argc, char **argv, bt_error *opt_error) {
  (void)argc, (void)argv, (void)opt_error;
  return BT_OK;
}

bool cli_ranks_join(int *ret_rank, int *ret_count) {
  *ret_rank = 0;
  *ret_count = 1;
  return true;
}

int64_t cli_ranks_next(void *user) {
  static atomic_llong next;
  (void)user;
  return next++;
}

uint64_t cli_ranks_share(uint64_t value) { return value; }
int cli_ranks_worst(int value) { return value; }
void cli_ranks_leave(void) {}
