/* mpi_ranks.c - what an MPI launcher passes to its processes in the environment. */
#include "ranks/mpi_ranks.h"

#include <stdlib.h>

int cli_ranks_launched(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"};
  for (int k = 0; k < 3; k++) {
    const char *value = getenv(names[k]);
    if (value != NULL && atoi(value) > 1) return atoi(value);
  }
  return 1;
}
