/* interrupt.h - Ctrl-C asks for a clean stop; a second one ends the program at once. */
#ifndef BERTH_CLI_COMMON_INTERRUPT_H
#define BERTH_CLI_COMMON_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM are noted instead of ending the program. */
void cli_interrupt_watch(void);
bool cli_interrupted(void);

/* For work that ends in two steps: signals are counted, and only the third one ends the program at once. */
void cli_interrupt_count(void);
int cli_interrupts(void);

#endif
