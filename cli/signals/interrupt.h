/* interrupt.h - signal handling: the first Ctrl-C or SIGTERM requests a clean stop, the second one ends the program at
 * once. */
#ifndef BERTH_CLI_SIGNALS_INTERRUPT_H
#define BERTH_CLI_SIGNALS_INTERRUPT_H

#include <stdbool.h>

/* Called first in every program: with a closed pipe or a file size limit, the write fails, with a message and an exit
 * code, instead of killing the program. */
void cli_signals_prepare(void);

/* From now on the first SIGINT or SIGTERM is recorded, and the second one, of either kind, ends the program at once, as
 * that signal does by default. opt_last_words: printed on standard error then; must remain valid. */
void cli_interrupt_watch(const char *opt_last_words);
bool cli_interrupted(void);
/* Whether it was by SIGTERM, as batch systems send it, and not by Ctrl-C. */
bool cli_terminated(void);
/* "interrupted", or "interrupted by SIGTERM". */
const char *cli_interrupt_words(void);
/* 128 + the first signal, as shells do: 130 after Ctrl-C, 143 after SIGTERM. */
int cli_interrupt_exit_code(void);

#endif
