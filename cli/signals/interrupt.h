/* interrupt.h - signal handling: the first Ctrl-C requests a clean stop, the second one ends the program at once. */
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

#endif
