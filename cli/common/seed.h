/* seed.h - a seed if none is given. */
#ifndef BERTH_CLI_COMMON_SEED_H
#define BERTH_CLI_COMMON_SEED_H

#include <stdint.h>

/* Short enough to be copied by hand; never 0. */
uint64_t cli_choose_seed(void);

#endif
