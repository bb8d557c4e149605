/* seed.h - a seed for those who gave none. */
#ifndef BERTH_CLI_COMMON_SEED_H
#define BERTH_CLI_COMMON_SEED_H

#include <stdint.h>

/* Small enough that a person can copy it from the screen; never 0. */
uint64_t cli_choose_seed(void);

#endif
