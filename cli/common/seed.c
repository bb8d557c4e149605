/* seed.c - see seed.h. */
#include "common/seed.h"

#include <time.h>
#include <unistd.h>

uint64_t cli_choose_seed(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t x = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec + ((uint64_t)getpid() << 32);
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdULL; /* finalizer of MurmurHash3: mixes the clock's few changing bits */
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return 1 + (x >> 33);
}
